"""rise against monsters: rules, reading and views."""
