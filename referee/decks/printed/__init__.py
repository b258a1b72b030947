"""Decks of our own drawing: to print, and known to the eyes without learning."""

from referee.decks.printed.catalogue import PRINTED as PRINTED
from referee.decks.printed.catalogue import Printed as Printed
from referee.decks.printed.pages import write_deck as write_deck
