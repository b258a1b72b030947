"""What changed on a table of cards and dice while nobody saw it, in numbers alone: how it came about nobody knows."""

from collections.abc import Sequence

from referee.card_happenings import (
    CardMoved,
    CardPlaced,
    CardTaken,
    DieCocked,
    DieSettled,
    DieTaken,
    Happening,
)


def changed_unseen(found: Sequence[Happening]) -> str:
    """In words; empty when all is as it was."""
    other = {h.card.id for h in found if not isinstance(h, DieSettled | DieCocked | DieTaken)}
    placed = {h.card.id for h in found if isinstance(h, CardPlaced)}
    taken = {h.card.id for h in found if isinstance(h, CardTaken)}
    moved = {h.card.id for h in found if isinstance(h, CardMoved)} - placed
    turned = other - placed - taken - moved
    dice = {h.die.id for h in found if isinstance(h, DieSettled | DieCocked | DieTaken)}
    counts = (
        (len(placed), "card came", "cards came"),
        (len(taken), "card is gone", "cards are gone"),
        (len(moved), "card lies elsewhere", "cards lie elsewhere"),
        (len(turned), "card lies the other way", "cards lie the other way"),
        (len(dice), "die lies otherwise", "dice lie otherwise"),
    )
    return ", ".join(f"{n} {one if n == 1 else many}" for n, one, many in counts if n)
