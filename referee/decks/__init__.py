"""Decks: the built-in standard one, learned ones, and ones to print."""

from referee.decks.learning import learn as learn
from referee.decks.store import find_deck as find_deck
