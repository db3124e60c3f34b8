"""Prose in rows: between words, nothing lost, nothing that one copies broken."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from console import prose

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
