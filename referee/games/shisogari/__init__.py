"""shisogari: rules, reading and views."""
