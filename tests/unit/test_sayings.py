"""Statements said again, and how the lines of an instruction file become statements."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from store import instructions
from store.sayings import Sayings

SAID = Sayings(
    (
        (1, "Use uv, never pip, to install packages."),
        (2, "The staging database listens on port 5433."),
        (3, "提交前必须运行全部测试。"),
        (4, "Retry the deploy twice before you page the person on call, and write down what failed."),
    )
)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("use uv, never pip, to install packages", 1),
        ("  The STAGING database\nlistens on port 5433 ", 2),
        ("提交前必须运行全部测试", 3),
        ("Retry the deploy twice before you page the person on call, and write down failed", 4),
    ],
)
def test_the_same_statement(text: str, label: int) -> None:
    assert SAID.again(text) == label


@pytest.mark.parametrize(
    "text",
    ["", "   ", "Use uv", "Use pip, never uv, to install packages", "The staging database listens on port 5434",
     "The production database listens on port 5433", "提交前不必运行全部测试", "Retry the deploy",
     "The staging database no longer listens on port 5433", "x " * 20_000],
)  # fmt: skip
def test_another_statement(text: str) -> None:
    assert SAID.again(text) is None


def test_none_are_said_in_nothing() -> None:
    assert Sayings[int](()).again("Use uv") is None


def test_items_paragraphs_sentences_and_code_are_statements_with_their_lines() -> None:
    text = (
        "# Title\n\n- first item that\n  goes on\n- second. It has two sentences.\n\nA paragraph\nof two lines.\n\n"
        "```\nmake\ntest\n```\n"
    )
    assert list(instructions.statements(text)) == [
        (1, "Title"),
        (3, "first item that goes on"),
        (5, "second. It has two sentences."),
        (5, "second."),
        (5, "It has two sentences."),
        (7, "A paragraph of two lines."),
        (11, "make"),
        (12, "test"),
    ]


def test_only_bounded_regular_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_bytes(b"\xff\xfe not UTF-8, but read all the same\n" + b"- a\n" * 100_000)
    os.mkfifo(tmp_path / "AGENTS.md")
    (tmp_path / "GEMINI.md").symlink_to("/etc/passwd")
    (tmp_path / ".cursor" / "rules").mkdir(parents=True)
    (tmp_path / ".cursor" / "rules" / "house.mdc").write_text("Prices are whole cents in the cart.")
    said = instructions.read(str(tmp_path))
    assert 2 <= len(said) <= instructions.MOST_STATEMENTS
    assert said.again("not UTF-8, but read all the same") == ("CLAUDE.md", 1)
    assert len(instructions.read(str(tmp_path / "nowhere"))) == 0
    (tmp_path / "CLAUDE.md").unlink()
    assert instructions.read(str(tmp_path)).again("Prices are whole cents in the cart") == (
        ".cursor/rules/house.mdc",
        1,
    )
