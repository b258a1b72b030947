"""docs/api.md says what is there, and all of it."""

import dataclasses
import re
from pathlib import Path

from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute

import referee
from referee.announcer import discovery
from referee.host import Host
from referee.house import HOUSE_EVENTS
from referee.kiosk.app import Kiosk
from referee.kiosk.door import Door
from referee.kiosk.hall import Hall
from referee.kiosk.openapi import PATHS
from referee.setup import Setup
from referee.stage import Stage

ROOT = Path(referee.__file__).parent
PAGE = (ROOT.parent / "docs" / "api.md").read_text(encoding="utf8")


def section(title: str) -> str:
    return PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def first_cells(title: str) -> set[str]:
    """The code words in the first column of a section's table."""
    rows = [line.split("|")[1] for line in section(title).splitlines() if line.startswith("| `")]
    return {word for row in rows for word in re.findall(r"`([^`]+)`", row)}


def paths(routes: list[BaseRoute]) -> set[tuple[str, str]]:
    found = [(m, r.path) for r in routes if isinstance(r, Route) for m in (r.methods or ()) if m != "HEAD"]
    return set(found)


def test_every_documented_path_is_served_and_every_served_path_documented(tmp_path: Path) -> None:
    stage = Stage()
    routes = Kiosk(Host(tmp_path, stage), stage, Door()).app().routes
    told = {tuple(row) for row in re.findall(r"\| (GET|POST) \| `(/[^`?]+)", section("HTTP"))}
    assert told == paths(routes)
    assert [r.path for r in routes if isinstance(r, WebSocketRoute)] == ["/ws"]
    assert [r for r in routes if isinstance(r, Mount)]
    assert ("GET", "/api/tables") in paths(Hall().app().routes)


def test_every_kind_of_message_is_documented() -> None:
    code = "\n".join(
        (ROOT / name).read_text()
        for name in ("table.py", "showing.py", "clocks.py", "host.py", "game_sheets.py", "kiosk/app.py")
    )
    assert first_cells("WebSocket") == set(re.findall(r'"kind": "(\w+)"', code))


def test_the_page_understands_every_kind_of_message() -> None:
    page = "\n".join(p.read_text(encoding="utf8") for p in (ROOT / "kiosk/static").glob("*.js"))
    for kind in first_cells("WebSocket") - {"answer"}:
        assert re.search(rf"^  {kind}: \(", page, re.MULTILINE), kind
    assert '"answer"' in page


def test_every_act_of_the_house_is_documented() -> None:
    told = first_cells("Acts")
    assert set(HOUSE_EVENTS) <= told
    table = (ROOT / "table.py").read_text()
    for act in told - set(HOUSE_EVENTS) - {"gate_called"}:
        assert f'plain.get("ev") == "{act}"' in table


def test_the_topics_of_home_assistant_are_documented() -> None:
    pattern = "homeassistant/sensor/table-referee-<table>/<sensor>/config"
    assert pattern in PAGE
    for topic in discovery("x"):
        assert re.fullmatch(pattern.replace("<table>", "x").replace("<sensor>", r"\w+"), topic)


def test_the_openapi_document_has_every_path_and_no_other(tmp_path: Path) -> None:
    stage = Stage()
    served = paths(Kiosk(Host(tmp_path, stage), stage, Door()).app().routes)
    assert {(method.upper(), path) for path, ways in PATHS.items() for method in ways} == served


def test_the_openapi_document_names_every_field_of_a_set_up() -> None:
    fields = PATHS["/api/match"]["post"]["requestBody"]["content"]["application/json"]["schema"]["properties"]
    assert set(fields) <= {f.name for f in dataclasses.fields(Setup)}
    assert {f.name for f in dataclasses.fields(Setup)} - set(fields) <= {"footage"}
