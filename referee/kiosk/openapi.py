"""The table's HTTP interface as an OpenAPI document, for scripts and for testing; docs/api.md tells it to people."""

from typing import Any

from referee import __version__

Schema = dict[str, Any]
_TEXT: Schema = {"type": "string"}
_OBJECT: Schema = {"type": "object"}
_ERROR: Schema = {"type": "object", "required": ["error"], "properties": {"error": _TEXT}}


def _answer(what: str, schema: Schema | None = None, kind: str = "application/json") -> Schema:
    content = {kind: {"schema": schema}} if schema is not None else {}
    return {"description": what, **({"content": content} if content else {})}


def _object(*required: str) -> Schema:
    return {"type": "object", "required": list(required), "properties": {name: {} for name in required}}


REFUSALS = {
    "400": _answer("it cannot be", _ERROR),
    "403": _answer("whoever asks may not", _ERROR),
    "413": _answer("more than 64 kB", _ERROR),
}


def _get(what: str, answers: Schema, parameters: tuple[Schema, ...] = ()) -> Schema:
    return {"get": {"summary": what, "parameters": list(parameters), "responses": {**REFUSALS, **answers}}}


def _post(what: str, body: Schema, answers: Schema) -> Schema:
    asked = {"required": True, "content": {"application/json": {"schema": body}}}
    return {"post": {"summary": what, "requestBody": asked, "responses": {**REFUSALS, **answers}}}


def _in_path(name: str) -> Schema:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "integer", "minimum": 0}}


def _in_query(name: str, least: int, most: int) -> Schema:
    return {"name": name, "in": "query", "schema": {"type": "integer", "minimum": least, "maximum": most}}


_BYTES: Schema = {"type": "string", "format": "binary"}
_PICTURE = {
    "200": _answer("the picture", _BYTES, "image/jpeg"),
    "204": _answer("nobody may look, or there is none"),
}
_SETUP: Schema = {
    "type": "object",
    "required": ["game", "seats"],
    "additionalProperties": False,
    "properties": {
        "game": _TEXT,
        "seats": {"type": "array", "items": _TEXT},
        "switches": _OBJECT,
        "camera": {"type": ["string", "null"]},
        "profile": {"type": ["string", "null"]},
        "deck": {"type": ["string", "null"]},
        "authority": _OBJECT,
        "record": {"type": "boolean"},
        "overturn": _TEXT,
        "zones": _OBJECT,
        "state": _OBJECT,
    },
}
_ACT: Schema = {"type": "object", "required": ["ev"], "properties": {"ev": _TEXT, "seat": _TEXT}}
_PIN: Schema = {"type": "object", "required": ["pin"], "properties": {"pin": _TEXT}}
_SEAT: Schema = {
    "type": "object",
    "required": ["seat"],
    "properties": {"seat": {"type": ["string", "null"]}},
}

PATHS: dict[str, Schema] = {
    "/api/hello": _get(
        "who the caller is here", {"200": _answer("told", _object("version", "acts", "seat"))}
    ),
    "/api/qr.svg": _get(
        "the page's address with the PIN; own screen only", {"200": _answer("drawn", _TEXT, "image/svg+xml")}
    ),
    "/api/openapi.json": _get("this document", {"200": _answer("told", _OBJECT)}),
    "/api/games": _get(
        "what can be set up", {"200": _answer("told", _object("games", "cameras", "decks", "last"))}
    ),
    "/api/state": _get("everything on show now", {"200": _answer("told", _object("messages"))}),
    "/api/journal": _get(
        "entries that the caller may read",
        {"200": _answer("told", _object("entries"))},
        (_in_query("after", 0, 10**9),),
    ),
    "/still.jpg": _get("the picture now", _PICTURE),
    "/live.mjpg": _get(
        "the picture as a stream without end", {"200": _answer("parts", _BYTES, "multipart/x-mixed-replace")}
    ),
    "/instant/{number}/state": _get(
        "the replay of a ruling", {"200": _answer("told", _OBJECT)}, (_in_path("number"),)
    ),
    "/instant/{number}/times": _get(
        "times of its frames",
        {"200": _answer("ms", _BYTES, "application/octet-stream")},
        (_in_path("number"),),
    ),
    "/instant/{number}/frame/{index}": _get(
        "one frame of it", _PICTURE, (_in_path("number"), _in_path("index"), _in_query("w", 16, 7680))
    ),
    "/instant/{number}/above/{index}": _get(
        "the same from straight above", _PICTURE, (_in_path("number"), _in_path("index"))
    ),
    "/instant/{number}/hands/{index}": _get(
        "hands in that frame",
        {"200": _answer("told", _object("hands"))},
        (_in_path("number"), _in_path("index")),
    ),
    "/api/pin": _post(
        "opens a session",
        _PIN,
        {"200": _answer("opened", _object("acts")), "429": _answer("wait", _ERROR)},
    ),
    "/api/seat": _post("this session sits there", _SEAT, {"200": _answer("sits", _object("seat"))}),
    "/api/match": _post("begins a match", _SETUP, {"200": _answer("begun", _object("begun"))}),
    "/api/preview": _post("looks through a camera", _OBJECT, {"200": _answer("seen", _OBJECT)}),
    "/api/act": _post("one act", _ACT, {"200": _answer("judged", _object("rulings"))}),
}


def document() -> Schema:
    return {
        "openapi": "3.1.0",
        "info": {"title": "Table Referee", "version": __version__},
        "paths": PATHS,
    }
