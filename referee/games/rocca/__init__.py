"""rocca: rules, reading and views."""
