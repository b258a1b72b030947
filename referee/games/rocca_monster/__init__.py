"""rocca monster: rules, reading and views."""
