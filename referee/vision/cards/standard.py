"""Read ordinary playing cards that nobody has shown us: by their whole faces and by their corner indices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from referee.vision.cards import nets
from referee.vision.cards.reading import UNREAD, Index, Reading
from referee.vision.cards.spot import GRID, Image, Spot, cuts

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("C", "D", "H", "S")
NAMES = (*(rank + suit for suit in SUITS for rank in RANKS), "JOKER", "back")
NAMED = 52
"""How many of NAMES have a rank and a suit."""
LETTERS: Mapping[str, Mapping[str, str]] = {
    "english": {},
    "german": {"J": "B", "Q": "D"},
    "french": {"A": "1", "J": "V", "Q": "D", "K": "R"},
}
"""What players call the cards that English decks call A, J, Q and K."""
LOOKS_LIKE: Mapping[str, Mapping[str, str]] = {"german": {"J": "8"}}
"""How such a letter looks to who learned English indices: a B is nearly an 8, and the face decides."""
FACE_BOX, FACE_SIZE = (-0.06, -0.045, 1.06, 1.045), (64, 96)
INDEX_BOX, INDEX_SIZE = (-0.05, -0.03, 0.30, 0.36), (32, 48)
KINDS = 16
"""The face's network tells 13 ranks, joker, back and no card; then four suits."""
WARMTH = 1.5
"""Divides what the networks say: on drawn decks that they never saw they are then right as often as they say."""
CLEAR, FAIRLY_CLEAR = 0.999, 0.97
"""A face this sure needs no look at its indices, and one that is with them this sure none upside down."""
OPEN = 0.85
"""A card less open than this may hide pips: its face is not believed alone."""
AT_MOST, ALMOST = 0.85, 0.89
"""How sure a card can be that is covered or not clear, and that no index confirms; or one that is covered, whose pips
may be hidden, and that an index confirms, but not plainly."""
INDEX_SEEN = 0.4
"""An index is read when this much of its corner is open."""
INDEX_WEIGHT = 0.7
"""Index and face see some of the same ink."""
DOUBT = 0.02
"""An index is never believed beyond this."""
PLAIN, CONFIRMS = 0.969, 0.878
"""How sure one index must be, and the other, that the face need not be looked at (as DOUBT leaves 0.99 and 0.9).
A letter that looks like another does so at both ends: that they agree is not enough."""
AT_ONCE = 64
"""Pictures of indices that are looked at together: more are slower."""
GUESS = 0.65
"""Below this chance nothing is said."""
DENIES = 0.5
"""With this chance, more likely than not, an index denies a face that is another one."""

Chances = NDArray[np.float64]
End = tuple[int, bool]
"""An end of a card: its number among the spots, and whether it has to be turned to have this end up."""


@dataclass(frozen=True, slots=True)
class StandardDeck:
    """The built-in reader of 52 cards, jokers and backs, whichever letters are printed on the courts."""

    letters: str = "english"
    """In which of LETTERS the courts are named."""

    @property
    def index(self) -> Index:
        return Index(INDEX_BOX, INDEX_SIZE, _shows, self._names)

    def read(self, image: Image, spots: Sequence[Spot]) -> tuple[Reading, ...]:
        """A card whose indices are plain is known by them; of others the face is looked at."""
        indices = _Indices(image, spots, LOOKS_LIKE.get(self.letters, {}))
        said = _by_indices(spots, indices)
        others = [i for i in range(len(spots)) if i not in said]
        by_face, at_most = _by_faces(image, spots, others, indices)
        said |= by_face
        courts = LETTERS[self.letters]
        return tuple(_reading(said[i], courts, at_most.get(i, 1.0)) for i in range(len(spots)))

    def _names(self, pictures: Image, names: Sequence[str]) -> Chances:
        """The chance that each shows the index of this card; a joker has none that is known."""
        chances = _named(*_ranks_and_suits(pictures), LOOKS_LIKE.get(self.letters, {}))
        printed = [_called(name, LETTERS[self.letters]) for name in NAMES[:NAMED]]
        shown = [
            its[printed.index(name)] if name in printed else 0.0
            for its, name in zip(chances, names, strict=True)
        ]
        return np.asarray(shown)

    def accustomed(self, image: Image, spots: Sequence[Spot]) -> "StandardDeck":  # noqa: ARG002
        """The networks know every light."""
        return self


@dataclass(slots=True)
class _Indices:
    """What the corner indices of cards say, each looked at once, and only if somebody asks."""

    image: Image
    spots: Sequence[Spot]
    alike: Mapping[str, str]
    _said: dict[End, Chances] = field(default_factory=dict)

    def at(self, ends: Sequence[End]) -> list[Chances]:
        """What each index adds: for its own card as much as it is sure, against others and cards without an index."""
        new = [end for end in ends if end not in self._said]
        if new:
            corners = np.stack([_held(self.spots, end).corners for end in new])
            self._said.update(zip(new, self._look(corners), strict=True))
        return [self._said[end] for end in ends]

    def _look(self, corners: Chances) -> Chances:
        return _likelihoods(*_ranks_and_suits(cuts(self.image, corners, INDEX_BOX, INDEX_SIZE)), self.alike)


def _ranks_and_suits(pictures: Image) -> tuple[Chances, Chances]:
    """What indices show, each last of all no index."""
    logits = nets.run("index", nets.batch_of(pictures)).astype(float) / WARMTH
    return np.exp(_log_chances(logits[:, :14])), np.exp(_log_chances(logits[:, 14:]))


def _shows(pictures: Image) -> Chances:
    """The chance that each shows an index."""
    parts = [_ranks_and_suits(pictures[k : k + AT_ONCE]) for k in range(0, len(pictures), AT_ONCE)]
    return np.concatenate([rank[:, :13].sum(axis=1) * suit[:, :4].sum(axis=1) for rank, suit in parts])


def _held(spots: Sequence[Spot], end: End) -> Spot:
    """The card with this end up."""
    number, turned = end
    return spots[number].turned() if turned else spots[number]


def _by_indices(spots: Sequence[Spot], indices: _Indices) -> dict[int, Chances]:
    """Of the open cards those of which one index is plain and the other confirms it."""
    open_ = [i for i, spot in enumerate(spots) if spot.visible >= OPEN]
    one = {
        i: row
        for i, row in zip(open_, indices.at([(i, False) for i in open_]), strict=True)
        if _best_chance(row) >= PLAIN
    }
    return {
        i: INDEX_WEIGHT * (one[i] + row)
        for i, row in zip(one, indices.at([(i, True) for i in one]), strict=True)
        if row.argmax() == one[i].argmax() and _best_chance(row) >= CONFIRMS
    }


def _by_faces(
    image: Image, spots: Sequence[Spot], which: Sequence[int], indices: _Indices
) -> tuple[dict[int, Chances], dict[int, float]]:
    """What faces say, with the indices of those that are not clear; and how sure these can be."""
    face = dict(zip(which, _face_evidence(image, [spots[i] for i in which]), strict=True))
    covered = {i for i in which if spots[i].visible < OPEN}
    unclear = [i for i in which if i in covered or not _clear(face[i], *indices.at([(i, False)]))]
    ends = [end for i in unclear for end in ((i, False), (i, True)) if index_open(_held(spots, end))]
    rows: dict[int, list[Chances]] = {i: [] for i in unclear}
    for (i, _), row in zip(ends, indices.at(ends), strict=True):
        rows[i].append(row)
    of_index = {i: INDEX_WEIGHT * sum(rows[i], start=np.zeros(len(NAMES) + 1)) for i in unclear}
    said = {i: row + of_index.get(i, 0.0) for i, row in face.items()}
    again = [i for i in unclear if i in covered or not _settled(face[i], said[i])]
    for i, row in zip(again, _face_evidence(image, [spots[i].turned() for i in again]), strict=True):
        said[i] = (face[i] + row) / 2 + of_index[i]
    return said, {i: _at_most(said[i], rows[i], i in covered) for i in unclear}


def _clear(face: Chances, index: Chances) -> bool:
    """Whether a face leaves no doubt, and an index that names another card none either."""
    denied = index.argmax() < NAMED and index.argmax() != face.argmax() and _best_chance(index) >= DENIES
    return bool(_best_chance(face) >= CLEAR and not denied)


def _at_most(said: Chances, indices: Sequence[Chances], covered: bool) -> float:
    """How sure a card can be that is not clear or not open."""
    confirming = [_best_chance(row) for row in indices if row.argmax() == said.argmax()]
    if not confirming:
        return AT_MOST
    return ALMOST if covered and max(confirming) < CONFIRMS else 1.0


def _settled(face: Chances, said: Chances) -> bool:
    """Whether a face and its indices together leave little doubt, and mean the same."""
    return bool(_best_chance(said) >= FAIRLY_CLEAR and face.argmax() == said.argmax())


def _reading(evidence: Chances, courts: Mapping[str, str], at_most: float) -> Reading:
    """The likeliest of NAMES; the last of the evidence speaks for no card at all."""
    chances = _chances(evidence)
    best = int(chances[:-1].argmax())
    if chances[best] < GUESS:
        return UNREAD
    name = NAMES[best]
    told = _called(name, courts) if best < NAMED else name
    return Reading(told, "down" if name == "back" else "up", round(min(at_most, float(chances[best])), 4))


def _called(name: str, courts: Mapping[str, str]) -> str:
    """What players with such courts call a card."""
    return courts.get(name[0], name[0]) + name[1:]


def _chances(evidence: Chances) -> Chances:
    likely = np.exp(evidence - evidence.max())
    return np.asarray(likely / likely.sum())


def _best_chance(evidence: Chances) -> float:
    """That of the likeliest."""
    return 1 / float(np.exp(evidence - evidence.max()).sum())


def _face_evidence(image: Image, spots: Sequence[Spot]) -> list[Chances]:
    """For every spot the logarithm of the chance of each of NAMES, and last of no card."""
    if not spots:
        return []
    pictures = cuts(image, np.stack([spot.corners for spot in spots]), FACE_BOX, FACE_SIZE)
    open_ = np.stack([_open_layer(spot) for spot in spots])
    logits = nets.run("face", nets.batch_of(pictures, open_)).astype(float) / WARMTH
    kinds, suits = _log_chances(logits[:, :KINDS]), _log_chances(logits[:, KINDS:])
    named = (suits[:, :, None] + kinds[:, None, :13]).reshape(len(spots), NAMED)
    return list(np.concatenate([named, kinds[:, 13:]], axis=1))


def _log_chances(logits: Chances) -> Chances:
    shifted = logits - logits.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))


def _open_layer(spot: Spot) -> Image:
    """Where the card is open, over the box in which faces are looked at; beside the card nothing is."""
    return np.asarray(spot.seen.ravel()[_CELL] * _ON_CARD, np.uint8)


def _cells_of_face() -> tuple[NDArray[np.intp], Image]:
    """For every pixel of a face the cell of the grid it lies on, and 255 if it lies on the card."""
    x0, y0, x1, y1 = FACE_BOX
    (w, h), (columns, rows) = FACE_SIZE, GRID
    x = np.floor((x0 + (np.arange(w) + 0.5) / w * (x1 - x0)) * columns).astype(int)
    y = np.floor((y0 + (np.arange(h) + 0.5) / h * (y1 - y0)) * rows).astype(int)
    inside = np.outer((y >= 0) & (y < rows), (x >= 0) & (x < columns))
    cell = np.clip(y, 0, rows - 1)[:, None] * columns + np.clip(x, 0, columns - 1)
    return cell, (inside * 255).astype(np.uint8)


_CELL, _ON_CARD = _cells_of_face()


def _likelihoods(rank: Chances, suit: Chances, alike: Mapping[str, str]) -> Chances:
    none = 1 - _named(rank, suit, {}).sum(axis=1, keepdims=True)
    seen = NAMED * _named(rank, suit, alike) + none
    others = np.repeat(none, len(NAMES) - NAMED + 1, axis=1)
    return np.asarray(np.log(np.concatenate([seen, others], axis=1) + DOUBT))


def _named(rank: Chances, suit: Chances, alike: Mapping[str, str]) -> Chances:
    """The chance of every card that has a name."""
    named = suit[:, :4, None] * rank[:, None, :13]
    for court, looks in alike.items():
        named[..., RANKS.index(court)] += named[..., RANKS.index(looks)]
    return np.asarray(named.reshape(len(rank), NAMED))


def index_open(spot: Spot) -> bool:
    """Whether the corner shows in which the index of this end is."""
    columns, rows = GRID
    return bool(spot.seen[: round(rows * 0.28), : round(columns * 0.2)].mean() >= INDEX_SEEN)
