"""What becomes of a good file on a bad day: flipped bits, torn ends, foreign pieces, odd values in the right places."""

import json
import random
import tomllib
from typing import Any

ODD_BYTES = (
    b"",
    b"\0",
    b"\xff" * 9,
    b"-1",
    b"1e999",
    b"NaN",
    b"null",
    b'"',
    b"[" * 300,
    b"{" * 300,
    "é𝄞".encode(),
)
ODD_VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 2**31, 2**63, -(2**70), 10**30, 1e308, float("inf"), float("nan"), "", "x" * 5000, "\0",
    "../../../etc/passwd", "\ud800", [], {}, [[]], [[[]]], {"": None}, [None] * 50, {"ev": "undo"}, [1, "two", 3.0],
)  # fmt: skip


def mutated(seed: bytes, other: bytes, number: int) -> bytes:
    """`seed` changed a little, or its values swapped for odd ones; the same `number` gives the same change."""
    rng = random.Random(number)
    if rng.random() < 0.6:
        told = _told(seed)
        if told is not None:
            for _ in range(rng.choice((1, 1, 2, 4))):
                told = _odd(told, rng)
            return _written(told, seed)
    raw = bytearray(seed)
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        _spoil(raw, other, rng)
    return bytes(raw)


def _spoil(raw: bytearray, other: bytes, rng: random.Random) -> None:
    at = rng.randrange(len(raw) + 1)
    length = rng.choice((1, 4, 64, max(1, len(raw) // 4)))
    way = rng.randrange(7)
    if way == 0 and raw:
        raw[at % len(raw)] ^= 1 << rng.randrange(8)
    elif way == 1:
        del raw[at:]
    elif way == 2:
        del raw[at : at + length]
    elif way == 3:
        raw[at:at] = raw[max(0, at - length) : at]
    elif way == 4:
        raw[at:at] = rng.choice(ODD_BYTES)
    elif way == 5:
        start = rng.randrange(len(other) + 1)
        raw[at : at + length] = other[start : start + length]
    else:
        raw[at : at + 4] = rng.choice((0, 1, 2**31 - 1, 2**32 - 1)).to_bytes(4, rng.choice(("big", "little")))


def _odd(told: Any, rng: random.Random) -> Any:
    """One value somewhere in the tree replaced, removed or put somewhere else."""
    if not isinstance(told, dict | list) or not told or rng.random() < 0.15:
        return rng.choice(ODD_VALUES)
    keys = list(told) if isinstance(told, dict) else list(range(len(told)))
    key, kept = rng.choice(keys), told.copy()
    way = rng.random()
    if way < 0.15:
        del kept[key]
    elif way < 0.25:
        kept[key] = kept[rng.choice(keys)]
    elif way < 0.3 and isinstance(kept, dict):
        kept[rng.choice(("", "x", "from", "__class__", 7))] = kept.pop(key)
    else:
        kept[key] = _odd(kept[key], rng)
    return kept


def _told(seed: bytes) -> Any:
    for read in (json.loads, lambda raw: tomllib.loads(raw.decode())):
        try:
            return read(seed)
        except (ValueError, RecursionError):
            continue
    return None


def _written(told: Any, seed: bytes) -> bytes:
    if seed.lstrip()[:1] in (b"{", b"["):
        return json.dumps(told).encode("utf8", "surrogatepass")
    return _toml(told).encode("utf8", "surrogatepass")


def _toml(told: Any) -> str:
    """Inline TOML is close enough to JSON: null alone has no word in it."""
    if not isinstance(told, dict):
        return _toml_value(told)
    return "".join(f"{json.dumps(str(k))} = {_toml_value(v)}\n" for k, v in told.items())


def _toml_value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(str(k))} = {_toml_value(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml_value, value)) + "]"
    return json.dumps(value).replace("Infinity", "inf").replace("NaN", "nan")
