"""A match: events in, rulings out, undo and overrule by folding again."""
