"""Behind a cluster whose width terminals dispute, what follows stands where it should."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from console.pinned import pinned
from console.visible import visible
from tests.terminal.screen import Grid

CLUSTERS = [
    "👍🏽",
    "❤️",
    "🇩🇪",
    "👨\u200d👩\u200d👧",
    "e\u0301",
    "z\u0327\u0323\u0304",
    "น้ำ",
    "सं",
    "한",
    "文",
    "é",
    "a",
    " ",
    "│",
    "0️⃣",
]


class Wayward(Grid):
    """A terminal that counts every character of its own: marks too, and every emoji of a sequence."""

    def _paint(self, char: str, width: int) -> None:
        super()._paint(char, max(width, 1))


def painted(data: str, columns: int = 40) -> list[list[str]]:
    grid = Wayward(columns, 2)
    grid.feed(data)
    return grid.cells


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_the_border_behind_a_cluster_stays(cluster: str) -> None:
    shown = visible(cluster)
    column = 2 + cell_len(shown)
    data = f"\x1b[1;1H\x1b[1m| {shown}\x1b[0m│ next\x1b[2;1Hbelow"
    assert painted(pinned(data))[0][column] == "│"
    assert "".join(painted(pinned(data))[1]).startswith("below")


@given(st.lists(st.sampled_from(CLUSTERS), max_size=20).map("".join).map(visible))
def test_nothing_is_lost_and_the_end_is_where_it_is_counted(shown: str) -> None:
    sent = pinned(f"\x1b[1;3H{shown}│")
    assert painted(sent, 140)[0][2 + cell_len(shown)] == "│"
    kept = re.sub(r"\x1b\[[0-9;]*H", "", sent)
    assert kept.replace(" ", "") == f"{shown}│".replace(" ", "")


INDIC = ("हिन्दी में लिखो", "তুমি কেমন আছো", "தமிழில் எழுது", "മലയാളം")


class Spacing(Grid):
    """A terminal in which a vowel sign that stands beside its letter has a cell of its own, as most have it."""

    def _paint(self, char: str, width: int) -> None:
        super()._paint(char, 1 if unicodedata.category(char) == "Mc" else width)


@pytest.mark.parametrize("text", INDIC)
@pytest.mark.parametrize("screen", [Grid, Spacing, Wayward])
def test_beside_the_scripts_of_india_the_border_stands_and_a_gap_keeps_every_letter(
    text: str, screen: type[Grid]
) -> None:
    counted = cell_len(text)
    for gap in (12, 1):
        data = f"\x1b[1;1H| \x1b[1m{text}\x1b[0m{' ' * gap}│ next\x1b[1;70Hend"
        grid = screen(80, 2)
        grid.feed(pinned(data))
        cells = grid.cells[0]
        assert cells[2 + counted + gap] == "│"
        assert "".join(cells[2 + counted + gap :]).startswith("│ next")
        assert "".join(cells[69:72]) == "end"
        if gap > 1:
            assert "".join(cells[2 : 2 + counted + gap]).rstrip() == text


@pytest.mark.parametrize(
    "data",
    [
        "\x1b[3;1H\x1b[38;2;1;2;3mplain ── text … 用户喜欢。한국어 Ελληνικά “quoted” ⟨U+202E⟩ é\x1b[0m",
        "\x1b]52;c;ZXZpbA==\x07",
        "👍🏽 where the cursor is not known",
        "\x1b[1;1Hहिन्दी में 👍🏽",
    ],
)
def test_what_needs_nothing_is_left_alone(data: str) -> None:
    assert pinned(data) == data


def test_where_ambiguous_characters_are_wide_they_are_pinned_too() -> None:
    assert pinned("\x1b[1;1H“é”") == "\x1b[1;1H“é”"
    assert pinned("\x1b[1;1Hé|", ambiguous_wide=True) == "\x1b[1;1H \x1b[1;1Hé\x1b[1;2H|"
