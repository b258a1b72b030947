"""The HTTP interface against its own OpenAPI document, with schemathesis."""

from collections.abc import Iterator
from typing import Any

import pytest

from referee.host import Host
from referee.kiosk.app import Kiosk
from referee.kiosk.door import Door
from referee.kiosk.server import PageServer
from referee.stage import Stage

pytestmark = pytest.mark.soak
EXAMPLES = 300


class OpenDoor(Door):
    """A locked one answers nothing but 429."""

    def waits_s(self, address: str) -> int:
        return 0


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    host = Host(tmp_path_factory.mktemp("matches"), Stage())
    host.begin({"game": "rocca", "seats": ["A", "B", "C"]})
    with PageServer(Kiosk(host, host.stage, OpenDoor()).app()) as page:
        yield page.url
    host.close()


def test_every_path_answers_as_its_document_says(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    import schemathesis

    schema: Any = schemathesis.openapi.from_url(f"{url}api/openapi.json")
    asked: dict[str, int] = {}
    for result in schema.exclude(path="/live.mjpg").get_all_operations():
        operation = result.ok()
        asked[operation.label] = _ask(operation)
    with capsys.disabled():
        print(f"\nschemathesis: {sum(asked.values())} requests to {len(asked)} operations")
    assert len(asked) >= 15
    assert all(asked.values())


def _checks() -> list[Any]:
    """What an act may be is the game's to say; that each answer is one of the document's is checked."""
    from schemathesis.specs.openapi import checks

    return [
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_schema_conformance,
    ]


def _ask(operation: Any) -> int:
    import schemathesis
    from hypothesis import HealthCheck, Phase, given, settings

    count = 0

    @settings(
        max_examples=EXAMPLES,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
        database=None,
        deadline=None,
    )
    @given(
        case=operation.as_strategy()
        | operation.as_strategy(generation_mode=schemathesis.GenerationMode.NEGATIVE)
    )
    def ask(case: Any) -> None:
        nonlocal count
        count += 1
        answer = case.call(timeout=60)
        assert answer.status_code < 500, f"{operation.label}: {answer.text}"
        case.validate_response(answer, checks=_checks())

    ask()
    return count
