"""monster my neighbour: rules, reading and views."""
