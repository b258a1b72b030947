"""Before the first night: is everything on the table?"""

from collections.abc import Mapping
from dataclasses import replace

from referee.games.rocca_monster.events import SetupSeen
from referee.games.rocca_monster.state import FAMILY, Face, Member, State
from referee.types import Judged, Ruling, Seat
from referee.verdicts import correct, info, unchanged

SPECIAL: tuple[tuple[Face, str], ...] = (("mayor", "RM-39"), ("police", "RM-41"))


def judge_setup(state: State, event: SetupSeen) -> Judged[State]:
    """The first night may come, or what is missing."""
    faces = _faces(event)
    wrong = (
        _families(state, faces) or _special_faces(state, event, faces) or _votes(state, event) or _die(event)
    )
    if wrong is not None:
        return unchanged(state, wrong)
    members = {m: Member(owner_of(state, m) or "", face) for m, face in sorted(faces.items())}
    seen = set(faces.values())
    opts = replace(state.opts, mayor="mayor" in seen, police="police" in seen)
    ready = replace(state, phase="NIGHT", members=members, opts=opts, police_alive=opts.police)
    n = len(state.players)
    because = f"{n} players, {FAMILY * n} villagers; the Monster needs {state.threshold} dead."
    return Judged(ready, (info(because, "RM-06", "RM-34"),))


def owner_of(state: State, member: str) -> Seat | None:
    """The seat whose name `member` begins with: B2 belongs to B."""
    seats = [s for s in state.players if member.startswith(s) and member[len(s) :].isdigit()]
    return max(seats, key=len, default=None)


def _faces(event: SetupSeen) -> dict[str, Face]:
    named: dict[str | None, Face] = {event.mayor: "mayor", event.police: "police"}
    told: Mapping[str, Face] = {m: face for m, face in named.items() if m is not None}
    return {**event.members, **told}


def _families(state: State, faces: Mapping[str, Face]) -> Ruling | None:
    owners = [owner_of(state, member) for member in faces]
    if None in owners:
        stray = next(m for m in faces if owner_of(state, m) is None)
        return correct(f"{stray} belongs to no seat.", "RM-08", "RM-10", "RM-06")
    for seat in state.players:
        if owners.count(seat) != FAMILY:
            because = f"{seat} has {owners.count(seat)} villagers, not {FAMILY}."
            return correct(because, "RM-06", "RM-08", "RM-10", seat=seat)
    return None


def _special_faces(state: State, event: SetupSeen, faces: Mapping[str, Face]) -> Ruling | None:
    for face, clause in SPECIAL:
        count = sum(1 for f in faces.values() if f == face)
        if count > 1:
            return correct(f"There are {count} {face} faces, not one.", clause)
        if count == 0 and getattr(state.opts, face):
            return correct(f"The {face.capitalize()} is in play but lies on no villager.", clause, "RM-10")
    if event.mayor is not None and event.mayor == event.police:
        return correct(f"{event.mayor} cannot be Mayor and Police.", "RM-10")
    return None


def _votes(state: State, event: SetupSeen) -> Ruling | None:
    if event.voting_cards == len(state.players):
        return None
    return correct(f"There are {event.voting_cards} voting cards, not {len(state.players)}.", "RM-13")


def _die(event: SetupSeen) -> Ruling | None:
    if event.die in ("centre", 1, True):
        return None
    return correct("Put the die in the middle.", "RM-12")
