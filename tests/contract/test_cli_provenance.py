"""What an agent proposes in a shell: its session, its transcript and the commit, where its environment tells them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli_kit import Cli
from tests.unit.test_project import git, needs_git
from tests.unit.test_transcripts import (
    ORDER,
    SESSION,
    THREAD,
    claude,
    claude_user,
    codex,
    codex_call,
    codex_user,
    lines,
)

CLAUDE = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": SESSION}
CODEX = {"CODEX_SESSION_ID": THREAD, "CODEX_THREAD_ID": THREAD, "CODEX_TOOL_CALL_ID": "call_1", "CODEX_CI": "1"}


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path / "home", tmp_path / "shop")


def test_claude_code_in_a_shell(cli: Cli) -> None:
    claude(cli.home, lines(claude_user(ORDER)))
    (told,) = cli("propose", "Use uv", "--kind", "preference", env=CLAUDE).lines
    assert told["status"] == "pending"
    (item,) = cli.waiting()
    assert (item["source_agent"], item["session_id"], item["evidence"]) == ("claude-code", SESSION, ORDER)
    assert item["source_ref"] == f"~/.claude/projects/-w-shop-api/{SESSION}.jsonl:1"
    assert item["source"] == "unknown"


def test_codex_in_a_shell_names_the_call(cli: Cli) -> None:
    codex(cli.home, lines(*codex_user(ORDER), codex_call()))
    cli("propose", "-", stdin='{"content": "a"}\n{"content": "b"}\n', env=CODEX)
    items = cli.waiting()
    assert {(one["source_agent"], one["session_id"], one["evidence"]) for one in items} == {("codex", THREAD, ORDER)}
    assert {one["source_ref"].rpartition(":")[2] for one in items} == {"3#call_1"}


def test_a_session_that_is_told_stays_and_nothing_of_this_one_is_put_to_it(cli: Cli) -> None:
    claude(cli.home, lines(claude_user(ORDER)))
    cli("propose", "-", stdin=json.dumps({"content": "a", "session_id": "of last week"}), env=CLAUDE)
    (item,) = cli.waiting()
    assert (item["source_agent"], item["session_id"], item["evidence"]) == (None, "of last week", None)


def test_without_a_transcript_the_session_is_known_all_the_same(cli: Cli) -> None:
    cli("propose", "Use uv", env=CLAUDE)
    (item,) = cli.waiting()
    assert (item["session_id"], item["source_ref"], item["evidence"]) == (SESSION, None, None)


def test_a_person_is_given_no_agents_words(cli: Cli) -> None:
    claude(cli.home, lines(claude_user(ORDER)))
    cli.person("propose", "Use uv", env={"CLAUDE_CODE_SESSION_ID": SESSION})
    (item,) = cli.waiting()
    assert (item["source_agent"], item["session_id"], item["source"]) == (None, None, "manual")


@needs_git
def test_the_commit_is_kept_and_shown(cli: Cli) -> None:
    git(cli.folder, "init")
    git(cli.folder, "commit", "--allow-empty", "-m", "first")
    cli("propose", "Use uv", env=CLAUDE)
    (item,) = cli.waiting()
    assert (item["branch"], item["commit"]) == ("main", git(cli.folder, "rev-parse", "HEAD"))
    assert f"main @ {item['commit'][:7]}" in cli("show", item["id"]).out
