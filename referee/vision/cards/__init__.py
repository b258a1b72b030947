"""Card eyes: where cards lie, how they are turned, what lies on what, and which they are."""

from referee.vision.cards.eyes import find_cards as find_cards
from referee.vision.cards.layers import covers as covers
from referee.vision.cards.layers import touches as touches
from referee.vision.cards.reading import Reader as Reader
from referee.vision.cards.reading import Reading as Reading
from referee.vision.cards.standard import StandardDeck as StandardDeck
