"""The page is read on machines with few fonts: a Raspberry Pi has none for emoji."""

import re
from pathlib import Path

import pytest

import referee

ROOT = Path(referee.__file__).parent
TEXTS = [p for p in sorted(ROOT.rglob("*")) if p.suffix in {".js", ".html", ".json", ".css"}]
IN_FEW_FONTS = re.compile("[\u23cf\u23e9-\u23fe\ufe0f\U0001f000-\U0001faff]")


def test_the_pages_are_there_to_be_read() -> None:
    assert {"index.html", "main.js", "en.json", "evidence.js"} <= {p.name for p in TEXTS}


@pytest.mark.parametrize("file", TEXTS, ids=lambda p: p.name)
def test_no_page_needs_a_sign_that_few_fonts_have(file: Path) -> None:
    assert IN_FEW_FONTS.findall(file.read_text(encoding="utf8")) == []
