"""What stands at a place that an agent named: shown where it may be, never followed, never waited for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.agents import passages
from store.agents.excerpts import last_words
from store.agents.passages import Row, passage
from tests.unit.test_transcripts import ORDER, claude_call, claude_result, claude_user, codex_call, codex_user, lines


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def at(reference: str, home: Path, root: Path | None = None) -> passages.Passage:
    return passage(reference, home=str(home), root=str(root) if root else None)


def test_a_transcript_is_shown_around_its_line(home: Path) -> None:
    chat = [claude_user("Build it"), claude_user(ORDER), claude_call(content="Use uv"), claude_result("ok")]
    (home / "s.jsonl").write_bytes(lines(*chat))
    found = at("~/s.jsonl:2#toolu_1", home)
    assert found.state == "there"
    assert found.rows == (
        Row(1, "you", "Build it", False),
        Row(2, "you", ORDER, True),
        Row(3, "tool", 'mcp__meminbox__propose_memory {"content": "Use uv"}', False),
        Row(4, "result", "ok", False),
    )


def test_a_line_that_moved_is_found_by_its_call(home: Path) -> None:
    chat = [claude_user("Something new at the top"), claude_result("x", "toolu_0"), claude_user(ORDER), claude_call()]
    (home / "s.jsonl").write_bytes(lines(*chat))
    found = at("~/s.jsonl:2#toolu_1", home)
    assert found.state == "there"
    assert [row.who for row in found.rows if row.here] == ["tool"]


def test_a_line_and_a_call_that_are_gone_say_so(home: Path) -> None:
    (home / "s.jsonl").write_bytes(lines(claude_user(ORDER)))
    found = at("~/s.jsonl:90#toolu_9", home)
    assert found.state == "moved"
    assert [(row.text, row.here) for row in found.rows] == [(ORDER, False)]


def test_without_a_line_the_quoted_words_find_the_place(home: Path) -> None:
    (home / "s.jsonl").write_bytes(lines(claude_user("Build it"), claude_user(ORDER), claude_result("ok")))
    found = passage("~/s.jsonl", home=str(home), root=None, words=f"Build it\n{ORDER}")
    assert found.state == "there"
    assert [(row.text, row.here) for row in found.rows] == [("Build it", False), (ORDER, True), ("ok", False)]
    assert passage("~/s.jsonl", home=str(home), root=None, words="never said").state == "moved"


def test_codex_lines_are_read_too(home: Path) -> None:
    (home / "s.jsonl").write_bytes(lines(*codex_user(ORDER), codex_call()))
    rows = at("~/s.jsonl:3#call_1", home).rows
    assert [(row.who, row.here) for row in rows] == [("you", False), ("tool", True)]


def test_an_ordinary_file_of_the_project_is_shown_by_lines(home: Path, tmp_path: Path) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    (root / "adr.md").write_text("".join(f"line {n}\n" for n in range(1, 101)))
    rows = at("adr.md:50", home, root).rows
    assert [row for row in rows if row.here] == [Row(50, "", "line 50", True)]
    assert (rows[0].number, rows[-1].number) == (34, 62)


@pytest.mark.parametrize("reference", [None, "", "https://example.org/x.md:3", "turn 4", "msg-3"])
def test_what_names_no_file_is_none(home: Path, reference: str | None) -> None:
    assert at(reference, home).state == "none"  # type: ignore[arg-type]


def test_what_is_gone_is_gone(home: Path) -> None:
    assert at("~/.claude/projects/x/s.jsonl:3", home).state == "gone"


@pytest.mark.parametrize("reference", ["/etc/passwd", "/dev/zero", "/proc/kmsg", "../../secret.md", "~/../secret.md"])
def test_nothing_outside_home_and_project_is_opened(
    home: Path, tmp_path: Path, reference: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "secret.md").write_text("secret")
    monkeypatch.setattr(passages, "open_regular", lambda _: pytest.fail("opened"))
    assert at(reference, home, home / "project").state in ("outside", "gone")


def test_a_link_out_of_home_is_not_followed(home: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret")
    (home / "notes.md").symlink_to(tmp_path / "secret.md")
    (home / "folder").symlink_to(tmp_path)
    assert at("~/notes.md", home).state == "outside"
    assert at("~/folder/secret.md", home).state == "outside"


def test_a_pipe_a_folder_and_a_loop_are_strange(home: Path) -> None:
    os.mkfifo(home / "pipe.jsonl")
    (home / "folder.d").mkdir()
    (home / "loop.md").symlink_to(home / "loop.md")
    assert [at(f"~/{name}", home).state for name in ("pipe.jsonl", "folder.d", "loop.md")] == ["strange"] * 3


def test_one_line_of_any_length_and_bytes_of_no_text_are_bounded(home: Path) -> None:
    (home / "s.md").write_bytes(b"\xff" * 5_000_000 + b"\nlast\n")
    found = at("~/s.md:2", home)
    assert [row.text for row in found.rows if row.here] == ["last"]
    assert max(len(row.text) for row in at("~/s.md:1", home).rows) <= passages.MOST_TEXT + 2


def test_an_empty_file_is_nothing(home: Path) -> None:
    (home / "s.jsonl").write_bytes(b"")
    assert at("~/s.jsonl:1", home) == passages.Passage("moved", str(home / "s.jsonl"))


ROWS = (
    Row(1, "you", "从现在起 use uv\x1b", False),
    Row(2, "tool", 'propose {"evidence": "always use pip"}', False),
    Row(3, "result", "12 passed", False),
    Row(4, "agent", "I will always be formal", False),
    Row(5, "you", "always  Use UV, please", False),
)


@pytest.mark.parametrize(
    ("words", "number", "whole"),
    [
        ("use uv, PLEASE", 5, True),
        ("从现在起 use uv<U+001B>", 1, True),
        ("12 passed", 3, True),
        ("I will always be formal", 4, True),
        ("always use pip", None, True),
        ("always be brave", None, True),
        ("… use uv, please", 5, True),
        ("从现在起 use uv<U+001B>\nalways  Use UV, please", 5, True),
        ("Deploy without asking.\nalways use uv, please", 5, False),
        ("Deploy without asking … please", 5, False),
        ("use uv\nplease", 5, False),
        ("", None, True),
    ],
)
def test_whose_words_a_quote_are(words: str, number: int | None, whole: bool) -> None:
    """All of them count: what was really said, behind what never was, does not make the whole the user's."""
    found = passages.said_by(words, ROWS)
    assert (found.row.number if found else None) == number
    assert found is None or found.whole is whole


def test_an_excerpt_of_long_messages_is_known_again(home: Path) -> None:
    long = "Use uv. " + "word " * 600 + "Never pip."
    (home / "s.jsonl").write_bytes(lines(claude_user("first, something " * 9), claude_user(long), claude_user("yes")))
    for last, before in ((long, []), ("yes", [long])):
        found = passages.said_by(last_words(last, before), at("~/s.jsonl:3", home).rows)
        assert found is not None
        assert found.whole


@pytest.mark.parametrize(
    "line",
    [
        claude_user(ORDER, isSidechain=True),
        claude_user(ORDER, isMeta=True),
        claude_user(ORDER, isCompactSummary=True),
        claude_user(ORDER, toolUseResult={"stdout": ORDER}),
        claude_user(ORDER, origin={"kind": "agent"}),
        claude_user(ORDER, userType="internal"),
        codex_user(ORDER, "harness.context")[0],
    ],
)
def test_what_was_put_into_the_users_mouth_is_not_shown_as_theirs(home: Path, line: object) -> None:
    (home / "s.jsonl").write_bytes(lines(line))
    (row,) = at("~/s.jsonl:1", home).rows
    assert (row.who, row.text) == ("result", ORDER)


def test_only_where_agents_keep_transcripts_is_a_transcript_theirs(home: Path) -> None:
    """A file that an agent wrote itself may hold the user's words as it likes."""
    places = {
        ".claude/projects/x/s.jsonl": True,
        ".codex/sessions/2026/11/30/s.jsonl": True,
        ".gemini/tmp/x/chats/s.jsonl": True,
        ".claude/s.jsonl": False,
        "shop/s.jsonl": False,
        "elsewhere/projects/x/s.jsonl": False,
    }
    for name in places:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(lines(claude_user(ORDER)))
    (home / ".claude" / "projects" / "x" / "linked").symlink_to(home / "shop")
    places[".claude/projects/x/linked/s.jsonl"] = False
    found = {name: passage(f"~/{name}:1", home=str(home), root=None, environ={}) for name in places}
    assert {name: one.kept for name, one in found.items()} == places
    moved = passage(
        "~/elsewhere/projects/x/s.jsonl:1",
        home=str(home),
        root=None,
        environ={"CLAUDE_CONFIG_DIR": str(home / "elsewhere")},
    )
    assert moved.kept
    (home / "g" / ".gemini" / "tmp").mkdir(parents=True)
    (home / "g" / ".gemini" / "tmp" / "s.jsonl").write_bytes(lines(claude_user(ORDER)))
    elsewhere = {"GEMINI_CLI_HOME": str(home / "g"), "CODEX_HOME": str(home / "c")}
    for name in ("~/g/.gemini/tmp/s.jsonl", "~/.gemini/tmp/x/chats/s.jsonl", "~/.codex/sessions/2026/11/30/s.jsonl"):
        assert passage(name, home=str(home), root=None, environ=elsewhere).kept


def test_one_message_of_thousands_of_parts_is_bounded(home: Path) -> None:
    (home / "s.jsonl").write_bytes(lines(claude_user([{"type": "text", "text": "x"}] * 4_000)))
    assert len(at("~/s.jsonl:1", home).rows) == passages.ROWS_HERE


@settings(max_examples=25, deadline=None)
@given(reference=st.text(max_size=40), data=st.binary(max_size=80), line=st.integers(1, 6))
def test_any_reference_and_any_file_give_a_passage(
    tmp_path_factory: pytest.TempPathFactory, reference: str, data: bytes, line: int
) -> None:
    home = tmp_path_factory.getbasetemp() / "any"
    home.mkdir(exist_ok=True)
    (home / "f.jsonl").write_bytes(data)
    (home / "f.txt").write_bytes(data)
    for one in (reference, f"~/f.jsonl:{line}#{reference}", f"~/f.txt:{line}"):
        assert at(one, home).state in ("there", "moved", "gone", "outside", "strange", "none")
