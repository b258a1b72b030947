"""One picture in, cards out."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration import Profile
from referee.types import Card
from referee.vision.cards.anchors import Indices
from referee.vision.cards.aside import with_looks_aside
from referee.vision.cards.bare import without_bare, without_bare_after_all
from referee.vision.cards.beneath import with_beneath
from referee.vision.cards.blank_corners import without_index
from referee.vision.cards.crossed import with_crossed
from referee.vision.cards.faint import with_faint
from referee.vision.cards.fanned import with_fanned
from referee.vision.cards.finding import LEAST_SURE, find_again, find_at, find_by
from referee.vision.cards.glances import with_glances
from referee.vision.cards.half_hidden import with_half_hidden
from referee.vision.cards.layers import lying_on
from referee.vision.cards.learned import LearnedDeck
from referee.vision.cards.looking import best_look, farther_look
from referee.vision.cards.merged import with_parted
from referee.vision.cards.narrowed import with_narrowed
from referee.vision.cards.reading import UNREAD, WELL_READ, Index, Notes, Reader, Reading
from referee.vision.cards.same_face import each_card_once
from referee.vision.cards.sifting import with_sifted
from referee.vision.cards.spot import Image, Quad, Spot, read_only
from referee.vision.cards.standing_out import stands_out
from referee.vision.cards.strange import Strange, brightened, strange_on
from referee.vision.cards.suspected import with_suspected
from referee.vision.cards.tangles import (
    TWICE,
    Told,
    clearer,
    corners_of,
    doubts,
    lack_index,
    length_px,
    settled,
    without_mistaken,
    without_new_backs,
)
from referee.vision.cards.tracing import traced
from referee.vision.cards.unclaimed import with_unclaimed
from referee.vision.cards.unravelling import size_of
from referee.vision.cards.unseen import with_unseen
from referee.vision.cards.untold import with_untold
from referee.vision.cards.votes import Votes

AGAIN_PX = (72, 64, 80)
"""Lengths of cards on the pictures that are looked at until nothing is in doubt; at play, where time is
short, one look must do."""
DARK, BRIGHTEST = 1.7, 3.0
"""A picture that bears this much more light was taken in the dark, and is given it, up to so much: the networks and the
finding of rims know pictures of the day better."""
LEAST_VISIBLE = 0.22
UNREAD_VISIBLE, UNREAD_SURE = 0.5, 0.7
"""A card that cannot be read is told of when this much of it is open, and when the finder is this sure."""
FAIRLY_READ, FAIRLY_SURE = 0.65, 0.5
"""A face read this well must look like a card otherwise a little less."""
PLAIN_FACE = 0.9
"""A face read this well need not differ from the table along every side."""
MOSTLY_OPEN, BACK_SURE = 0.65, 0.85
"""A pattern of the table may look like a back: a bit of one must be sure to be a card."""
ALL_OVER = 0.95
"""A card is seen all over when the finder sees cards on this share of it."""
PIPS_SHOW, AT_MOST = 0.7, 0.89
"""Of a card less open than this some pips are hidden, and a 6 may be an 8: how sure its face can be at most."""
OPEN, QUITE_PLAIN = 0.85, 0.995
"""How much is open of a face that should show both its indices; one surer than this need not."""
SLIVER, MISJUDGED = 0.4, 0.2
"""How much of a card is open that may be another one's rim, and how far off its corners are then, in card lengths."""


def find_cards(
    image: Image,
    deck: Reader,
    profile: Profile | None = None,
    where: Image | None = None,
    at_play: bool = False,
) -> tuple[Card, ...]:
    """Every card on the picture, or every one near to where a mask is set; ids count from 0 within this picture."""
    image, notes = read_only(brightened(image, DARK, BRIGHTEST)), Notes(deck)
    votes, told = _first_told(image, notes, where, far=profile is not None)
    if not at_play:
        if profile is None and where is None:
            told = with_glances(image, told, lambda picture, scale: _glance(picture, deck, scale))
        told = _until_known(image, told, deck, votes, where)
        if where is None:
            told = with_parted(image, told, deck, votes)
            told = with_half_hidden(image, told, deck, votes)
        told = _set_right(image, told, deck)
        told, bright = by_the_table(image, told, notes, votes), brightened(image)
        if isinstance(deck, LearnedDeck) and where is None:
            told = with_crossed(bright, told, deck, votes)
            told = with_sifted(image, told, deck, votes)
            told = with_unseen(image, told, deck)
            told = with_faint(image, with_narrowed(image, told, deck), deck)
        if deck.index is not None and where is None:
            told = with_untold(image, told, deck, deck.index, votes)
            told = with_fanned(bright, told, deck, deck.index, votes)
        told = without_bare_after_all(bright, told)
        told = [(spot, _not_too_sure(spot, reading)) for spot, reading in told]
        if deck.index is not None:
            told = with_looks_aside(image, told, deck)
            told = without_mistaken(
                image, each_card_once(image, _doubted(image, told, deck.index), deck.index), deck.index
            )
            told = _without_blank_corners(image, told, deck.index)
    if isinstance(deck, LearnedDeck):
        told = [(spot, _not_dazzled(image, spot, reading, deck)) for spot, reading in told]
    below = lying_on([spot for spot, _ in told])
    return tuple(_card(i, spot, reading, below[i], profile) for i, (spot, reading) in enumerate(told))


def _first_told(image: Image, deck: Reader, where: Image | None, far: bool) -> tuple[Votes, list[Told]]:
    """What is told at first sight: of far cards, if those that seemed to be near cannot be read."""
    look = best_look(image)
    told = _told(image, find_by(look, image, deck, where, far), deck)
    farther = None if _any_read(told) else farther_look(image, look)
    if farther is None:
        return look[0], told
    far_told = _told(image, find_by(farther, image, deck, where, far=True), deck)
    return (look[0], told) if told and not _any_read(far_told) else (farther[0], far_told)


def _any_read(told: Sequence[Told]) -> bool:
    return any(reading.name is not None for _, reading in told)


def _until_known(
    image: Image, told: list[Told], deck: Reader, votes: Votes, where: Image | None
) -> list[Told]:
    """What was told, and what careful looks tell besides, until it leaves no doubt."""
    indices = None if deck.index is None else Indices(deck.index)
    for px in AGAIN_PX:
        there, known = where, settled(told, votes)
        if known:
            if where is not None:
                break
            there = doubts(image, votes, told, deck.index).astype(np.uint8)
            if not there.any():
                break
        notes = Notes(deck)
        again = _told(image, find_again(image, notes, px / length_px(told), there, indices), notes)
        told = clearer(told, without_new_backs(told, again) if known else again)
    if indices is None or not told:
        return told
    return with_unclaimed(image, told, deck, indices.cards(size_of(corners_of(told))))


def _set_right(image: Image, told: list[Told], deck: Reader) -> list[Told]:
    """The same by what is known of the deck: its drawings, or that it has every face once."""
    if isinstance(deck, LearnedDeck):
        return [one for one in traced(image, told, deck) if one[1].name is not None or _believed(*one)]
    return told if deck.index is None else each_card_once(image, told, deck.index)


def _glance(picture: Image, deck: Reader, scale: float) -> list[Told]:
    notes = Notes(deck)
    return _told(picture, find_at(picture, notes, scale), notes)


def _not_too_sure(spot: Spot, reading: Reading) -> Reading:
    if reading.face == "down" or spot.visible >= PIPS_SHOW:
        return reading
    return replace(reading, confidence=min(reading.confidence, AT_MOST))


def _doubted(image: Image, told: Sequence[Told], index: Index) -> list[Told]:
    """The same, less sure of faces that lack an index though they seem open: what hides it may hide pips, too."""
    asked = [k for k, one in enumerate(told) if _should_be_marked(*one)]
    if not asked:
        return list(told)
    lacking = {
        k
        for k, lacks in zip(asked, lack_index(image, [told[k][0] for k in asked], index), strict=True)
        if lacks
    }
    return [
        (spot, replace(reading, confidence=AT_MOST) if k in lacking else reading)
        for k, (spot, reading) in enumerate(told)
    ]


def _without_blank_corners(image: Image, told: Sequence[Told], index: Index) -> list[Told]:
    """The same, without the names of covered cards that lack an index: each is told if there is a card all the same."""
    lacking = without_index(image, told, index, PIPS_SHOW)
    known = [(spot, UNREAD if k in lacking else reading) for k, (spot, reading) in enumerate(told)]
    return [one for k, one in enumerate(known) if k not in lacking or _believed(*one)]


def _should_be_marked(spot: Spot, reading: Reading) -> bool:
    """Whether a face seems open and is not so plain that its indices do not matter."""
    plain = not AT_MOST < reading.confidence < QUITE_PLAIN
    return not plain and spot.visible >= OPEN and reading.face == "up" and reading.name != TWICE


def _not_dazzled(image: Image, spot: Spot, reading: Reading, deck: LearnedDeck) -> Reading:
    """No card in a glare is beyond doubt, and no blank one that may be another, whose faint drawing is lost."""
    if reading.confidence <= AT_MOST:
        return reading
    doubtful = deck.lost_in_glare(image, spot, reading.name) or reading.name in deck.maybe_faint
    return replace(reading, confidence=AT_MOST) if doubtful else reading


def by_the_table(image: Image, told: list[Told], deck: Reader, votes: Votes | None = None) -> list[Told]:
    """What the colours of the table tell besides: bare table is no card, and what sticks out from under one is.

    So is what the finder's votes suspect there, if any are given.
    """
    bright = brightened(image)
    table, kept = _on_the_table(bright, told)
    if table is None:
        return kept
    found = with_beneath(bright, kept, deck, table)
    if votes is None:
        return found
    return with_suspected(image, found, deck, table.without(corners_of(found[len(kept) :])), votes)


def _on_the_table(image: Image, told: list[Told]) -> tuple[Strange | None, list[Told]]:
    """What is strange on the table, and the cards that are none of it: one may have leant on another that was not."""
    table = strange_on(image, corners_of(told))
    while table is not None and len(kept := without_bare(image, told, table)) < len(told):
        told, table = kept, strange_on(image, corners_of(kept))
    return table, told


def _told(image: Image, spots: Sequence[Spot], deck: Reader) -> list[Told]:
    """What is believed of all that was found."""
    spots = [s for s in spots if s.visible >= LEAST_VISIBLE]
    readings = deck.read(image, spots)
    told = [
        (spot, reading) for spot, reading in zip(spots, readings, strict=True) if _believed(spot, reading)
    ]
    told = [one for one in told if one[0].visible >= SLIVER or not any(_is_twin(*one, *two) for two in told)]
    return _without_bare_table(image, told)


def _without_bare_table(image: Image, told: Sequence[Told]) -> list[Told]:
    """Without cards that are neither well read nor seen all over, and look like the table beside them."""
    doubtful = np.array([s.visible < ALL_OVER and not _plainly_read(r) for s, r in told], bool)
    return [
        one for one, real in zip(told, stands_out(image, corners_of(told), doubtful), strict=True) if real
    ]


def _plainly_read(reading: Reading) -> bool:
    """Whether it need not differ from the table besides: its corners may be off, and a side of it bare table."""
    return reading.confidence >= (PLAIN_FACE if reading.face == "up" else WELL_READ)


def _believed(spot: Spot, reading: Reading) -> bool:
    """Whether what was read, and what the finder saw, together make a card."""
    if reading.name is None:
        return spot.visible >= UNREAD_VISIBLE and spot.sure >= UNREAD_SURE
    if reading.face == "down":
        return spot.sure >= (LEAST_SURE if spot.visible >= MOSTLY_OPEN else BACK_SURE)
    least = LEAST_SURE if reading.confidence < FAIRLY_READ else FAIRLY_SURE
    return spot.sure >= least or reading.confidence >= WELL_READ


def _is_twin(spot: Spot, reading: Reading, other: Spot, its_reading: Reading) -> bool:
    """Whether a sliver shows the same face as a card beside it: it is that card, its corners misjudged."""
    if reading.name != its_reading.name or reading.face != "up" or spot.visible >= other.visible:
        return False
    length = float(np.linalg.norm(other.corners[3] - other.corners[0]))
    off = (np.abs(way.corners - other.corners).max() for way in (spot, spot.turned()))
    return bool(min(off) < MISJUDGED * length)


def _card(number: int, spot: Spot, reading: Reading, below: tuple[int, ...], profile: Profile | None) -> Card:
    corners = spot.turned().corners if reading.turned else spot.corners
    on_table = profile.to_board(corners) if profile else None
    return Card(
        id=number,
        name=reading.name,
        face=reading.face,
        corners_px=tuple(map(_point, corners.tolist())),
        mm=None if on_table is None else _point(on_table.mean(axis=0).tolist()),
        turn_deg=turn_deg(corners * (1, -1) if on_table is None else on_table),
        confidence=reading.confidence,
        visible=round(spot.visible, 3),
        lies_on=below,
    )


def _point(xy: Sequence[float]) -> tuple[float, float]:
    return round(xy[0], 2), round(xy[1], 2)


def turn_deg(corners: Quad) -> float:
    """How far the card is turned from upright, counter-clockwise, -180 to 180 (y pointing up)."""
    up = corners[0] + corners[1] - corners[2] - corners[3]
    return round(float(np.degrees(np.arctan2(-up[0], up[1]))), 2)
