"""observe and watch, game or no game: the contract's shape on footage of a board and of a table of cards."""

import json
import math
from pathlib import Path
from typing import Any

from referee.cli import main

SAMPLES = Path(__file__).parents[2] / "sample_footage"
BOARD = SAMPLES / "rocca" / "touches-a-gate-piece"
TABLE = SAMPLES / "monster-my-neighbour" / "cards-are-played"


def observed(folder: Path, out: Path) -> list[dict[str, Any]]:
    assert main(["observe", str(folder), "--json", str(out)]) == 0
    return [json.loads(line) for line in out.read_text().splitlines()]


def test_a_board_s_happenings_are_a_shot(tmp_path: Path) -> None:
    assert main(["watch", str(BOARD), "--json", str(tmp_path / "w.json")]) == 0
    (shot,) = [h for h in json.loads((tmp_path / "w.json").read_text()) if h["kind"] == "shot"]
    assert shot["frame"] == shot["frames"][1]


def test_a_board_s_pieces_are_observed_on_their_way_by_the_names_they_have_at_rest(tmp_path: Path) -> None:
    lines = observed(BOARD, tmp_path / "o.jsonl")
    first, last = ({p["id"]: p["px"] for p in lines[k]["pieces"]} for k in (0, -1))
    on_the_way = [p for line in lines for p in line["pieces"] if p["moving"]]
    assert first.keys() == last.keys()
    moved = {key for key in first if math.dist(first[key], last[key]) > 20}
    assert len(on_the_way) > 10 and moved <= {p["id"] for p in on_the_way} <= first.keys()


def test_a_table_s_cards_are_observed_with_ids_that_stay_and_hands_over_them(tmp_path: Path) -> None:
    lines = observed(TABLE, tmp_path / "o.jsonl")
    assert [line["frame"] for line in lines] == list(range(len(lines)))
    assert any(line["hands"] for line in lines)
    last = lines[-1]["cards"]
    assert len(last) >= 4
    assert {"id", "name", "face", "corners_px", "mm", "turn_deg", "confidence", "visible"} <= set(last[0])
    assert {c["id"] for c in lines[len(lines) // 2]["cards"]} & {c["id"] for c in last}
