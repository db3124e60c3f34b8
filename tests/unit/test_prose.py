"""Prose in rows: between words, nothing lost, nothing that one copies broken."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from console import prose, tables, terminal

WORD = st.sampled_from(
    ["a", "connected.", "用户喜欢深烘焙咖啡，", "。", "x" * 45, "/home/ada/.config/meminbox/config.toml", "é"]
)


@given(st.lists(WORD, max_size=20).map(" ".join), st.integers(30, 60), st.integers(0, 6))
def test_no_word_is_lost_or_broken_and_only_long_words_are_too_wide(text: str, cells: int, indent: int) -> None:
    rows = list(prose.wrapped(" " * indent + text, cells))
    assert "".join(rows).replace(" ", "") == text.replace(" ", "")
    for word in text.split():
        assert not word.isascii() or any(word in row.split() for row in rows)
    for row in rows:
        assert cell_len(row) <= cells or len(row.split()) == 1


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("", [""]),
        ("one\n\n  two", ["one", "", "  two"]),
        (
            "  Mend it and run setup again, or add this by hand.",
            ["  Mend it and run setup", "  again, or add this by hand."],
        ),
        ("As they were before: " + "/x" * 20 + " (kept)", ["As they were before:", "/x" * 20, "(kept)"]),
        ("请先阅读设置说明，然后再运行一次医生，谢谢。", ["请先阅读设置说明，然后再运行一", "次医生，谢谢。"]),
    ],
)
def test_rows(text: str, rows: list[str]) -> None:
    assert list(prose.wrapped(text, 30)) == rows


@pytest.fixture
def fifty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard output is a terminal of fifty columns."""
    monkeypatch.setattr(terminal, "is_terminal", lambda stream: True)
    monkeypatch.setattr(terminal, "size", lambda: (50, 20))
    monkeypatch.setenv("COLUMNS", "50")


@pytest.mark.usefixtures("fifty_columns")
def test_V31_no_row_of_a_text_stands_outside_its_gutter() -> None:
    text = "a" * 44 + "  " * 30 + "│ Status: APPROVED │" + "用户喜欢深烘焙咖啡，" * 9
    rows = [*tables.text_lines(text), *tables.diff_lines(text, text + "!"), *tables.labelled("flag", text)]
    assert all(cell_len(row) <= 50 for row in rows)
    assert all(row.startswith(("  │ ", "flag       ", " " * 11)) for row in rows)
    assert "".join(row[4:] for row in tables.text_lines(text)).replace(" ", "") == text.replace(" ", "")


@pytest.mark.usefixtures("fifty_columns")
def test_a_long_key_gives_way_before_the_text_does(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    tables.print_rows(
        [("+", "k" * 60, "用户喜欢深烘焙咖啡，住在柏林。" * 3, "a" * 60), ("-", "short", "text", "codex")], wide=2
    )
    rows = capsys.readouterr().out.splitlines()
    assert [cell_len(row) for row in rows if cell_len(row) > 50] == [], rows
    assert "用户喜欢深烘焙咖啡…" in rows[0] and "codex" in rows[1]
