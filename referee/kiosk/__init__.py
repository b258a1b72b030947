"""The page: a web server on the table's own machine. Imports no rules and no states."""
