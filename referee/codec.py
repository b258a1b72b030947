"""Frozen dataclasses to plain JSON values and back, checked at the door."""

import dataclasses
import re
import types
import typing
from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from typing import Any, TypeVar, cast

from referee.errors import BadEvent

T = TypeVar("T")


def to_plain(value: object) -> Any:
    """Dataclasses, enums, tuples and mappings as JSON knows them."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {_said(f.name): to_plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(k): to_plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_plain(v) for v in value]
    return value


def from_plain(kind: type[T], plain: object, where: str) -> T:
    """Build `kind` from JSON values; `where` names the place in the sentence of a refusal."""
    return cast(T, _build(kind, plain, where))


# --- Events: {"ev": name, ...fields} and the envelope t, src, conf -------------------------------------

ENVELOPE = ("ev", "t", "src", "conf")


def event_name(kind: type) -> str:
    """`ShotResult` is `shot_result` at the table."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def by_name(*kinds: type[T]) -> dict[str, type[T]]:
    """The table of a game's events, for `read_event`."""
    return {event_name(kind): kind for kind in kinds}


def read_event(events: Mapping[str, type[T]], plain: Mapping[str, object]) -> T:
    """The event that `plain` tells; the envelope is the house's, not the event's."""
    name = plain.get("ev")
    if not isinstance(name, str):
        raise BadEvent(f"an event without a name: {dict(plain)!r}; it needs 'ev'")
    if name not in events:
        raise BadEvent(f"no event called {name!r} in this game; events: {', '.join(events)}")
    fields = {k: v for k, v in plain.items() if k not in ENVELOPE}
    return from_plain(events[name], fields, name)


def plain_event(event: object) -> dict[str, object]:
    """The event as JSON again."""
    return {"ev": event_name(type(event)), **to_plain(event)}


def _build(kind: Any, plain: object, where: str) -> object:
    origin = typing.get_origin(kind)
    if kind in (Any, object):
        return plain
    if origin in (typing.Union, types.UnionType):
        return _build_union(kind, plain, where)
    if origin is typing.Literal:
        if plain in typing.get_args(kind):
            return plain
        raise BadEvent(f"{where} is {plain!r}, not one of {', '.join(map(repr, typing.get_args(kind)))}")
    if origin in (tuple, list):
        return _build_tuple(kind, plain, where)
    if origin is not None and issubclass(origin, Mapping):
        return _build_mapping(kind, plain, where)
    if dataclasses.is_dataclass(kind):
        return _build_dataclass(cast(type, kind), plain, where)
    return _build_atom(kind, plain, where)


def _build_atom(kind: Any, plain: object, where: str) -> object:
    if isinstance(kind, type) and issubclass(kind, Enum):
        try:
            return kind(plain)
        except ValueError:
            choices = ", ".join(str(m.value) for m in kind)
            raise BadEvent(f"{where} is {plain!r}, not one of {choices}") from None
    if kind is float and isinstance(plain, int) and not isinstance(plain, bool):
        return float(plain)
    if type(plain) is kind:
        return plain
    raise BadEvent(f"{where} is {plain!r}, not {_name(kind)}")


def _build_union(kind: Any, plain: object, where: str) -> object:
    refusals = []
    for option in typing.get_args(kind):
        if option is types.NoneType:
            if plain is None:
                return None
            continue
        try:
            return _build(option, plain, where)
        except BadEvent as error:
            refusals.append(error)
    raise refusals[0] if refusals else BadEvent(f"{where} is {plain!r}, not {kind}")


def _build_tuple(kind: Any, plain: object, where: str) -> object:
    if not isinstance(plain, list | tuple):
        raise BadEvent(f"{where} is {plain!r}, not a list")
    args = typing.get_args(kind)
    if len(args) == 2 and args[1] is Ellipsis:
        return tuple(_build(args[0], v, f"{where}[{i}]") for i, v in enumerate(plain))
    if len(args) != len(plain):
        raise BadEvent(f"{where} has {len(plain)} entries, not {len(args)}")
    return tuple(_build(a, v, f"{where}[{i}]") for i, (a, v) in enumerate(zip(args, plain, strict=True)))


def _build_mapping(kind: Any, plain: object, where: str) -> object:
    if not isinstance(plain, Mapping):
        raise BadEvent(f"{where} is {plain!r}, not a table")
    key, value = typing.get_args(kind)
    return {_build(key, k, where): _build(value, v, f"{where}.{k}") for k, v in plain.items()}


def _build_dataclass(kind: type, plain: object, where: str) -> object:
    if not isinstance(plain, Mapping):
        raise BadEvent(f"{where} is {plain!r}, not a table")
    hints = _hints(kind)
    plain = {_spelled(str(k), hints): v for k, v in plain.items()}
    unknown = sorted(set(map(str, plain)) - set(hints))
    if unknown:
        raise BadEvent(
            f"{where} has no field {unknown[0]!r}; fields: {', '.join(map(_said, hints)) or 'none'}"
        )
    missing = [f.name for f in dataclasses.fields(kind) if f.name not in plain and _required(f)]
    if missing:
        raise BadEvent(f"{where} lacks {_said(missing[0])!r}")
    return kind(**{k: _build(hints[k], v, f"{where}.{_said(k)}") for k, v in plain.items()})


@lru_cache(maxsize=256)
def _hints(kind: type) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    return {f.name: hints[f.name] for f in dataclasses.fields(kind)}


def _said(name: str) -> str:
    """A field called `from_`, because Python keeps `from` for itself, is `from` in JSON."""
    return name.removesuffix("_")


def _spelled(name: str, hints: Mapping[str, Any]) -> str:
    return f"{name}_" if f"{name}_" in hints else name


def _required(f: "dataclasses.Field[Any]") -> bool:
    return f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING


def _name(kind: Any) -> str:
    words = {int: "a whole number", float: "a number", str: "a word", bool: "true or false"}
    return words.get(kind, getattr(kind, "__name__", str(kind)))
