"""Table Referee: eyes, bench and house."""

__version__ = "0.9.0"
