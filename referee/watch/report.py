"""Happenings of cards and dice as JSON (`referee watch`)."""

from referee.card_happenings import (
    CardMoved,
    CardPlaced,
    CardTaken,
    CardTapped,
    CardTurned,
    DieCocked,
    DieSettled,
    Happening,
)
from referee.happenings import SightBack, Sighted, SightLost
from referee.types import Card, Point
from referee.watch.cards import centre


def happening_plain(happening: Happening | Sighted) -> dict[str, object] | None:
    """One happening for people's scripts; None for what only readers of games need."""
    match happening:
        case SightLost(frames, _, why):
            return {"kind": "sight_lost", "frame": frames[1], "frames": list(frames), "why": why}
        case SightBack(frames, _, changed):
            return {"kind": "sight_back", "frame": frames[1], "frames": list(frames), "changed": changed}
        case CardPlaced(at, card, covers, touches):
            return _card("card_placed", at.frame, card) | _near(covers, touches)
        case CardTurned(at, card):
            return _card("card_turned", at.frame, card)
        case CardTapped(at, card, _, tapped, touches):
            return _card("card_tapped" if tapped else "card_untapped", at.frame, card) | _near((), touches)
        case CardMoved(at, card, was, covers, touches):
            return (
                _card("card_moved", at.frame, card) | {"from_px": _px(centre(was))} | _near(covers, touches)
            )
        case CardTaken(at, card):
            return _card("card_taken", at.frame, card)
        case DieSettled(at, die, rolled, on):
            kind = "die_settled" if rolled else "die_placed"
            told = {"kind": kind, "frame": at.frame, "px": _px(die.px), "value": die.value, "rolled": rolled}
            return told | {"id": die.id, "confidence": round(die.confidence, 3)} | _on(on)
        case DieCocked(at, die, on):
            return {
                "kind": "die_cocked",
                "frame": at.frame,
                "px": _px(die.px),
                "value": None,
                "id": die.id,
            } | _on(on)
    return None


def _card(kind: str, frame: int, card: Card) -> dict[str, object]:
    return {
        "kind": kind,
        "frame": frame,
        "px": _px(centre(card)),
        "name": card.name,
        "face": card.face,
        "turn_deg": round(card.turn_deg, 1),
        "id": card.id,
        "confidence": round(card.confidence, 3),
    }


def _near(covers: tuple[int, ...], touches: tuple[int, ...]) -> dict[str, object]:
    near: dict[str, object] = {"covers": list(covers), "touches": list(touches)}
    return {word: ids for word, ids in near.items() if ids}


def _on(card: int | None) -> dict[str, object]:
    return {} if card is None else {"on": card}


def _px(px: Point) -> list[float]:
    return [round(px[0], 1), round(px[1], 1)]
