"""``meminbox hook``: what an agent is given at a session's start, is asked before it stops, and what its end leaves."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from store import block, notes
from store.agents import hook_later, hook_stop, hooks
from store.errors import StoreFull
from tests import hook_kit
from tests.cli_kit import Cli, Ran
from tests.hook_kit import AGENTS, CLAUDE, CODEX, GEMINI, SESSION


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path / "home", tmp_path / "shop", env=dict(hook_kit.NOT_OURS))


@pytest.fixture(autouse=True)
def children(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """The children that hooks would have started; what they do is done by ``cli("hook", "later")``."""
    started: list[str | None] = []
    monkeypatch.setattr(hook_later, "spawn", started.append)
    return started


def run(cli: Cli, agent: str, event: str, **more: Any) -> Ran:
    ran = cli("hook", event, "--agent", agent, stdin=json.dumps(hook_kit.said(agent, event, cli.folder, **more)))
    assert (ran.code, ran.err) == (0, "")
    return ran


def rows(cli: Cli, statement: str) -> list[tuple[Any, ...]]:
    raw = sqlite3.connect(cli.db)
    try:
        return raw.execute(statement).fetchall()
    finally:
        raw.close()


# -- a session starts


def test_a_session_starts_with_what_was_approved_and_the_person_is_told_what_waits(cli: Cli) -> None:
    memory_id = cli.approved(content="Use uv, never pip", key="tool.uv", kind="preference")
    cli.propose("Deploy on Fridays", "Tests run with pytest -q")
    for agent in AGENTS:
        answer = run(cli, agent, "session-start").json
        given = answer["hookSpecificOutput"]
        assert given["hookEventName"] == "SessionStart"
        assert [one.content for one in block.parse(given["additionalContext"])] == ["Use uv, never pip"]
        assert given["additionalContext"] == cli("context").out.rstrip("\n")
        assert answer["systemMessage"] == "meminbox: 2 wait for review. Run `meminbox` in a terminal."
        assert "Fridays" not in given["additionalContext"]
    cli("hook", "later")
    given_to = rows(cli, "SELECT memory_id, session_id, agent, surface FROM handout WHERE surface = 'hook'")
    assert sorted(given_to) == sorted((memory_id, SESSION, agent, "hook") for agent in AGENTS)
    assert {f"agent:{agent}" for agent in AGENTS} <= {name for (name,) in rows(cli, "SELECT name FROM setting")}
    assert waiting(cli) == []


def test_D083_what_a_person_deleted_stays_gone_when_the_next_session_ends(cli: Cli) -> None:
    """The next session says it again: taken in at once, then, while the store is held, by what its end starts."""
    said = {"content": "Use pip for everything", "kind": "preference"}
    memory_id = cli.approved(**said)
    assert "Use pip" in run(cli, CLAUDE, "session-start").out
    assert cli.person("delete", memory_id[-6:]).code == 0
    assert run(cli, CLAUDE, "session-start", session_id="another").out == ""
    again = (said, said | {"content": "Use  pip for everything "}, said | {"session_id": "another"})
    assert {one["status"] for one in cli.propose(*again)} == {"rejected_before"}
    holder = sqlite3.connect(cli.db, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    assert {one["status"] for one in cli.propose(*again)} == {"spooled"}
    holder.close()
    run(cli, CLAUDE, "session-end", session_id="another")
    cli("hook", "later")
    everything = "draft,pending,deferred,approved"
    (kept,) = cli("list", "--json", "--status", everything).json["items"]
    assert (kept["content"], kept["status"]) == (said["content"], "approved"), "the one that was decided"
    assert cli("status", "--json").json["spooled"] == 0
    assert cli.memories() == []
    assert run(cli, CLAUDE, "session-start", session_id="a third").out == ""


def test_the_hand_out_is_on_disk_before_the_block_is_printed(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli.approved(content="Use uv")
    say, there = hooks._say, list[str]()

    def look(answer: dict[str, Any]) -> None:
        there.extend(json.loads(note.read_bytes())["what"] for note in waiting(cli))
        say(answer)

    monkeypatch.setattr(hooks, "_say", look)
    assert "Use uv" in run(cli, CLAUDE, "session-start").out
    assert there == ["handout", "seen"]


def waiting(cli: Cli) -> list[Path]:
    return notes.files(cli.home / "meminbox.db.notes")


def test_where_nothing_is_remembered_and_nothing_waits_nothing_is_said(cli: Cli, children: list[str | None]) -> None:
    assert run(cli, CODEX, "session-start").out == ""
    assert not cli.db.exists()
    assert children == [None]
    cli("hook", "later")
    assert rows(cli, "SELECT count(*) FROM handout") == [(0,)]
    assert "agent:codex" in [name for (name,) in rows(cli, "SELECT name FROM setting")]


def test_the_block_is_given_again_and_the_person_told_only_at_a_real_start(cli: Cli) -> None:
    cli.approved(content="Use uv")
    cli.propose("Something else")
    for source, told in {"startup": True, "resume": True, "clear": False, "compact": False}.items():
        answer = run(cli, CLAUDE, "session-start", source=source).json
        assert "Use uv" in answer["hookSpecificOutput"]["additionalContext"]
        assert ("systemMessage" in answer) is told, source


def test_hooks_of_the_person_and_of_the_project_give_one_block(cli: Cli) -> None:
    cli.approved(content="Use uv")
    assert "Use uv" in run(cli, CLAUDE, "session-start").out
    assert run(cli, CLAUDE, "session-start").out == ""
    assert "Use uv" in run(cli, CLAUDE, "session-start", source="compact").out
    assert "Use uv" in run(cli, CLAUDE, "session-start", session_id="another").out


def test_a_block_for_codex_is_within_the_bytes_that_codex_leaves_whole(cli: Cli) -> None:
    """Codex cuts the middle out of what is over 10,000 bytes: a correction would be lost, and what it corrects kept."""
    for number in range(5):
        cli.approved(content=f"第{number}条:" + "部署前先备份数据库" * 110)
    text = {agent: run(cli, agent, "session-start").json["hookSpecificOutput"]["additionalContext"] for agent in AGENTS}
    assert len(text[CODEX].encode()) <= 9_500 < len(text[CLAUDE].encode())
    assert len(text[CLAUDE]) <= block.LIMIT
    whole, part = block.parse(text[CLAUDE]), block.parse(text[CODEX])
    assert part == whole[: len(part)]
    assert len(part) == 3
    assert "not shown here" in text[CODEX]


def test_where_the_hand_out_cannot_be_noted_the_person_is_told(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli.approved(content="Use uv")

    def full(*_: Any, **__: Any) -> None:
        raise StoreFull("The disk is full: somewhere.")

    monkeypatch.setattr(notes, "_put", full)
    answer = run(cli, CLAUDE, "session-start").json
    assert "Use uv" in answer["hookSpecificOutput"]["additionalContext"]
    assert "not noted: The disk is full" in answer["systemMessage"]


# -- an agent is about to stop


@pytest.mark.parametrize("agent", AGENTS)
def test_an_agent_is_asked_once_after_real_work_and_the_person_told_once_after_it(agent: str, cli: Cli) -> None:
    hook_kit.worked(cli.folder, agent)
    asked = run(cli, agent, "stop").json
    assert asked == {"decision": "block", "reason": hook_stop.QUESTION}
    cli.propose("Remember this")
    told = run(cli, agent, "stop", stop_hook_active=True).json
    assert told == {"systemMessage": "meminbox: 1 waits for review. Run `meminbox` in a terminal."}
    assert [run(cli, agent, "stop", stop_hook_active=active).out for active in (True, False, True)] == ["", "", ""]


def test_an_agent_that_did_little_or_goes_on_for_another_hook_is_not_asked(cli: Cli) -> None:
    hook_kit.worked(cli.folder, CODEX, 2)
    cli.propose("Something waits")
    assert run(cli, CODEX, "stop").out == ""
    assert run(cli, CODEX, "stop", stop_hook_active=True).out == ""


def test_claude_is_asked_in_the_form_that_is_no_error_there(cli: Cli) -> None:
    hook_kit.worked(cli.folder, CLAUDE)
    cli.env["AI_AGENT"] = "claude-code_2-1-197_harness"
    given = run(cli, CLAUDE, "stop").json["hookSpecificOutput"]
    assert given == {"hookEventName": "Stop", "additionalContext": hook_stop.QUESTION}


# -- a session ends


def test_what_is_in_the_spool_is_taken_in_after_a_session_and_the_person_told(
    cli: Cli, children: list[str | None]
) -> None:
    cli.propose("There before")
    assert run(cli, GEMINI, "session-end").json["systemMessage"].startswith("meminbox: 1 waits for review")
    assert run(cli, GEMINI, "session-end").out == ""  # Gemini CLI ends a session twice
    assert run(cli, CODEX, "session-end").out == ""  # takes no answer there
    assert run(cli, CLAUDE, "session-end").out == ""  # shows none there
    assert children == [None] * 4


def test_the_child_is_given_the_place_of_the_store(cli: Cli, tmp_path: Path, children: list[str | None]) -> None:
    place = str(tmp_path / "other.db")
    cli("hook", "session-end", "--agent", "codex", f"--db={place}", stdin="{}")
    assert children == [place]
    assert cli("hook", "later", "--db", place) == Ran(0, "", "")
    assert Path(place).exists()
    assert not cli.db.exists()


# -- whatever comes

HOSTILE = {
    "nothing": b"",
    "white space": b" \n\t",
    "broken": b'{"session_id": "x", "cwd"',
    "not UTF-8": b'{"session_id": "\xff\xfe\x00"}',
    "a list": b"[1, 2]",
    "deep": b"[" * 100_000,
    "long": b'{"last_assistant_message": "' + b"x" * 5_000_000 + b'"}',
    "wrong types": b'{"session_id": [], "cwd": 7, "transcript_path": {}, "hook_event_name": null, "source": {}}',
    "surrogates": b'{"session_id": "\\ud800", "cwd": "/\\ud800", "transcript_path": "\\u0000"}',
    "numbers": b'{"session_id": ' + b"9" * 5000 + b"}",
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE.keys())
def test_whatever_stands_on_stdin_a_hook_ends_with_0(data: bytes, cli: Cli) -> None:
    for event in ("session-start", "stop", "SessionEnd", "no-such-event", ""):
        ran = cli("hook", event, "--agent", "codex", "--no-such-option", stdin=data)
        assert (ran.code, ran.out) == (0, "")
        assert "Traceback" not in ran.err
    assert cli("hook", stdin=data).code == 0


@pytest.mark.parametrize("damage", ["garbage", "empty", "newer", "folder"])
def test_a_store_in_trouble_is_told_and_no_failure(damage: str, cli: Cli) -> None:
    cli.home.mkdir()
    if damage == "newer":
        raw = sqlite3.connect(cli.db)
        raw.executescript("PRAGMA application_id = 0x4D454D49; PRAGMA user_version = 99; CREATE TABLE memory (id)")
        raw.close()
    elif damage == "folder":
        cli.db.mkdir()
    else:
        cli.db.write_bytes(b"damaged beyond reading" * 500 if damage == "garbage" else b"")
    for event in ("session-start", "stop", "session-end", "later"):
        ran = cli("hook", event, "--agent", CLAUDE, stdin=json.dumps(hook_kit.said(CLAUDE, "stop", cli.folder)))
        assert (ran.code, ran.err) == (0, "")
        if event == "session-start":
            assert ran.json["systemMessage"].startswith("meminbox: ")
            assert "meminbox doctor" in ran.json["systemMessage"]


def test_on_postgresql_a_hook_gives_notes_and_tells_the_same(cli: Cli, postgres_server: Any) -> None:
    url = postgres_server.copy()
    cli.env["MEMINBOX_DB"] = url
    try:
        cli.approved(content="Use uv")
        cli.propose("Something waits")
        answer = run(cli, CODEX, "session-start").json
        assert "Use uv" in answer["hookSpecificOutput"]["additionalContext"]
        assert answer["systemMessage"].startswith("meminbox: 1 waits for review")
        assert cli("hook", "later") == Ran(0, "", "")
        assert list(cli.home.glob("*.notes/*")) == []
    finally:
        postgres_server.drop(url)


def test_a_server_that_is_not_there_is_told_and_no_failure(cli: Cli, children: list[str | None]) -> None:
    cli.env["MEMINBOX_DB"] = "postgresql://127.0.0.1:1/nowhere"
    for event in ("session-start", "stop", "session-end", "later"):
        ran = cli("hook", event, "--agent", CLAUDE, stdin="{}")
        assert (ran.code, ran.err) == (0, "")
        assert ("meminbox doctor" in ran.out) is (event == "session-start")
    cli("hook", "session-end", "--agent", GEMINI, stdin="{}")
    assert children == [None, None]  # of the two ends: what waits is taken in as soon as the server is back


def test_a_fault_of_ours_is_told_without_values(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("a value that nobody should read")

    monkeypatch.setattr("store.given.profile", broken)
    answer = run(cli, CLAUDE, "session-start").json
    assert answer == {"systemMessage": "meminbox: the hook failed (RuntimeError); `meminbox doctor` says more."}


def test_help_is_for_people(cli: Cli) -> None:
    ran = cli("hook", "--help")
    assert ran.code == 0
    assert "EVENT" in ran.out
