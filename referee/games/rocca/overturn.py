"""The fact sheet a shot must have had for the players' ruling to be right."""

from dataclasses import replace

from referee.errors import BadEvent
from referee.game import Plain
from referee.games.rocca.events import Event, ShotResult


def overturn(event: Event, ruling: Plain) -> Event:
    """A clean shot for OK, one with exactly the named fouls for FOUL."""
    if not isinstance(event, ShotResult):
        raise BadEvent("only a shot is overruled by its ruling alone; say what happened 'instead'")
    if ruling.get("code") == "OK":
        return _clean(event)
    clauses = ruling.get("clauses") or [ruling.get("clause")]
    if ruling.get("code") != "FOUL" or not isinstance(clauses, list | tuple):
        raise BadEvent(f"a shot is OK or a FOUL with its clauses, not {ruling.get('code')!r}")
    shot = _clean(event)
    for clause in clauses:
        shot = _with_foul(shot, event, str(clause))
    return shot


def _clean(event: ShotResult) -> ShotResult:
    return ShotResult(piece=event.piece, through=True, gate=event.gate, hit_last=True)


def _with_foul(shot: ShotResult, event: ShotResult, clause: str) -> ShotResult:
    match clause:
        case "RO-46":
            return replace(shot, hand_pieces=2)
        case "RO-47":
            return replace(shot, motion="multiple")
        case "RO-48":
            return replace(shot, through=False)
        case "RO-49":
            return replace(shot, hit_last=False)
        case "RO-50":
            return replace(shot, gate_contact=True)
        case "RO-51":
            return replace(shot, other_contact=event.other_contact or ("?",))
        case "RO-52":
            return replace(shot, touched_moving=True)
        case "RO-53":
            return replace(shot, off=event.off or ("?",))
    raise BadEvent(f"{clause!r} is no foul of a shot; fouls are RO-46 to RO-53")
