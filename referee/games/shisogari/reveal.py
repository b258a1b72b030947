"""All cards are open: who was Kin, how many pairs count, who broke a rule, who has won."""

from collections.abc import Iterator
from dataclasses import dataclass

from referee.games.shisogari.cards import BLANKS, BLOOD, ITEMS, THRESHOLD, colour_of, spoken
from referee.games.shisogari.events import AllShown, ShownPair
from referee.games.shisogari.state import Doing, Switches, Team
from referee.types import Seat


@dataclass(frozen=True, slots=True)
class Breach:
    """Something that could not be seen before: its number in the list of audits, who, and what."""

    code: str
    seat: Seat
    because: str


@dataclass(frozen=True, slots=True)
class Count:
    item_pairs: int
    hunters: int
    kin: tuple[Seat, ...]

    @property
    def total(self) -> int:
        return self.item_pairs + self.hunters


def count_up(shown: AllShown, sw: Switches) -> Count:
    """Pairs of equal Items, and the Hunters who are not Kin."""
    kin = tuple(seat for seat in shown.roles if is_kin(shown, seat, sw))
    hunters = sum(role == "hunter" for role in shown.roles.values()) - len(kin)
    return Count(sum(is_item_pair(pair) for pair in shown.pairs), hunters, kin)


def is_kin(shown: AllShown, seat: Seat, sw: Switches) -> bool:
    """A Hunter who laid a pair with a Bloodsucking card, or had to keep one where any colour may be picked."""
    bitten = any(p.owner == seat and set(p.cards) & set(BLOOD) for p in shown.pairs)
    kept = _may_keep_blood(sw) and bool(set(shown.hands.get(seat, ())) & set(BLOOD))
    return (bitten or kept) and shown.roles[seat] == "hunter"


def _may_keep_blood(sw: Switches) -> bool:
    """Only then can somebody pick a Bloodsucking card without a card of its colour."""
    return sw.pick_colour != "picker_holds"


def is_item_pair(pair: ShownPair) -> bool:
    return pair.cards[0] == pair.cards[1] and pair.cards[0] in ITEMS


def winner(shown: AllShown, claim: Doing, sw: Switches) -> Team | None:
    """The team that wins; None when an unlawful claim makes the game void."""
    if sw.illegal_claim != "as_counted" and not may_claim(shown, claim.by, sw):
        return "hunter" if sw.illegal_claim == "offender_loses" else None
    enough = count_up(shown, sw).total >= THRESHOLD[len(shown.roles)]
    return "hunter" if enough and shown.roles[claim.target] == "vampire" else "vampire"


def may_claim(shown: AllShown, seat: Seat, sw: Switches) -> bool:
    return shown.roles[seat] == "hunter" and not is_kin(shown, seat, sw)


def breaches(shown: AllShown, claimant: Seat, sw: Switches) -> tuple[Breach, ...]:
    """Every breach the open cards show, in the order of the list of audits."""
    found = [*_claim(shown, claimant, sw), *_pairs(shown), *_blood_in_hand(shown, sw)]
    return tuple(sorted(found, key=lambda breach: breach.code))


def _claim(shown: AllShown, claimant: Seat, sw: Switches) -> Iterator[Breach]:
    if not may_claim(shown, claimant, sw):
        what = "the Vampire" if shown.roles[claimant] == "vampire" else "a Vampire Kin"
        yield Breach("AU-1", claimant, f"{claimant} was {what} and may not determine the Vampire.")


def _pairs(shown: AllShown) -> Iterator[Breach]:
    for pair in shown.pairs:
        code = _wrong_face(pair) or _wrong_partner(pair, shown.roles[pair.owner] == "vampire")
        if code:
            cards = " and ".join(map(spoken, pair.cards))
            yield Breach(code, pair.owner, f"{pair.owner}'s face-{pair.face} pair {cards}: {_WHY[code]}.")


def _wrong_face(pair: ShownPair) -> str | None:
    same = is_item_pair(pair)
    if pair.face == "up" and not (same and pair.named in (None, pair.cards[0])):
        return "AU-2"
    return "AU-3" if pair.face == "down" and same and pair.named == pair.cards[0] else None


def _wrong_partner(pair: ShownPair, vampire: bool) -> str | None:
    if pair.face == "up" or is_item_pair(pair):
        return None
    one_colour = colour_of(pair.cards[0]) == colour_of(pair.cards[1])
    if one_colour and set(pair.cards) & set(BLOOD):
        return None
    blank_and_item = bool(set(pair.cards) & set(BLANKS)) and bool(set(pair.cards) & set(ITEMS))
    if one_colour and blank_and_item:
        return None if vampire else "AU-5"
    return "AU-4"


def _blood_in_hand(shown: AllShown, sw: Switches) -> Iterator[Breach]:
    if _may_keep_blood(sw):
        return
    for seat, cards in shown.hands.items():
        if shown.roles[seat] != "vampire" and set(cards) & set(BLOOD):
            because = f"{seat} kept a Bloodsucking card that had to be laid down at once."
            yield Breach("AU-6", seat, because)


_WHY = {
    "AU-2": "laid open, though it is not a pair of the named Item",
    "AU-3": "the named Item had to be laid face up",
    "AU-4": "these two cards make no pair",
    "AU-5": "only the Vampire may pair a Blank",
}
