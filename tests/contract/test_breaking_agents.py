"""What an attacker or an unlucky day puts in the way of setup, doctor, hooks and the block."""

from __future__ import annotations

import errno
import json
import os
import resource
import shlex
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from console import faults
from store.agents import setup_apply
from store.agents.catalog import states
from store.agents.roster import AGENTS, Ground
from store.agents.setup_plan import Wishes, plan
from store.errors import StoreBusy
from store.project import identify
from tests.cli_kit import Cli

ARGV = ("/opt/meminbox", "mcp")
HOOK = "/opt/meminbox hook session-start --agent codex"
FOLDERS = (".claude", ".codex", ".gemini", ".cursor", ".config/Code/User")


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """A command line whose home has a folder of every agent, in a project, with no agent on the path."""
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "GEMINI_CLI_TRUSTED_FOLDERS_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    home = tmp_path / "home"
    made = Cli(home, tmp_path / "project", {"PATH": "/nowhere", "HOME": str(home), "XDG_CONFIG_HOME": ""})
    repository(made.folder)
    for folder in FOLDERS:
        (home / folder).mkdir(parents=True)
    return made


@pytest.fixture
def patch(monkeypatch: pytest.MonkeyPatch) -> Any:
    """``monkeypatch.setattr``."""
    monkeypatch.setattr("store.agents.hook_later.spawn", lambda _db: None)
    return monkeypatch.setattr


def repository(folder: Path) -> None:
    (folder / ".git" / "objects").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")


# -- settings of any shape

_NAMES = (
    "hooks", "SessionStart", "mcpServers", "servers", "meminbox", "permissions", "allow", "command", "args", "timeout",
    "matcher", "type", "enabledMcpjsonServers", "security", "folderTrust", "mcp", "excluded", "projects", "env",
)  # fmt: skip
_LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-9, 9), st.sampled_from([*ARGV, HOOK, "", "\ud800", "a\x00b", "'"])
)
_NAME = st.sampled_from(_NAMES) | st.sampled_from(["a\x00b", "\ud800", ""])
_SHAPES = st.recursive(
    _LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAME, inner, max_size=4), max_leaves=12
)
_JSON_FILES = [
    ".claude.json", ".claude/settings.json", ".codex/hooks.json", ".gemini/settings.json",
    ".gemini/trustedFolders.json", ".cursor/mcp.json", ".config/Code/User/mcp.json",
]  # fmt: skip


def _like_ours(value: Any) -> dict[str, Any]:
    """Any value in every place where we look into a file of ours."""
    return {
        "hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": HOOK, "timeout": value}]}, value]},
        "mcpServers": {"meminbox": {"command": ARGV[0], "args": ["mcp"], "env": value}},
        "permissions": {"allow": value},
        "enabledMcpjsonServers": value,
    }


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(_JSON_FILES), _SHAPES | _SHAPES.map(_like_ours))
def test_settings_of_any_shape_are_told_of_and_nobody_stumbles(cli: Cli, name: str, value: Any) -> None:
    path = cli.home / name
    path.write_text(json.dumps(value))
    try:
        ground = Ground(cli.home, cli.folder, {})
        assert len(states(cli.home, cli.folder, {})) == len(AGENTS)
        for remove in (False, True):
            plan(AGENTS, Wishes("user", ARGV, remove, ask=True, allow=True), ground)
    finally:
        path.unlink()


@pytest.mark.parametrize(
    "said", ["a = " + "[" * 5_000, "mcp_servers = 5\n", "[mcp_servers]\nmeminbox = 5\n", "a = nan\n"]
)
def test_a_toml_file_of_any_shape_is_told_of_and_nobody_stumbles(said: str, cli: Cli) -> None:
    (cli.home / ".codex" / "config.toml").write_text(said)
    assert len(states(cli.home, cli.folder, {})) == len(AGENTS)
    made = plan(AGENTS, Wishes("user", ARGV), Ground(cli.home, cli.folder, {}))
    assert [one.agent for one in made.by_hand] == ([] if "nan" in said else ["codex"])


# -- setup


def test_the_home_is_no_project_though_agents_call_their_files_the_same_there(cli: Cli) -> None:
    home = Cli(cli.home, cli.home, cli.env)
    ground = Ground(cli.home, cli.home, {})
    made = plan(AGENTS, Wishes("user", ARGV), ground)
    for edit in made.edits:
        edit.real.parent.mkdir(parents=True, exist_ok=True)
        edit.real.write_bytes(edit.after or b"")
    told = {one.name: one for one in states(cli.home, cli.home, {})}
    assert {one.scopes for one in told.values()} == {("user",)}
    ran = home("setup", "codex", "gemini-cli", "--dry-run")
    assert "as well" not in ran.err
    refused = home("setup", "codex", "--scope", "project", "--yes")
    assert refused.code == 2
    assert "your home" in refused.err


def test_a_link_and_the_file_it_leads_to_stay_when_ours_goes(cli: Cli) -> None:
    kept = cli.home / "dotfiles.json"
    kept.write_text("{}\n")
    link = cli.home / ".cursor" / "mcp.json"
    link.symlink_to(kept)
    ground = Ground(cli.home, None, {})
    cursor = [agent for agent in AGENTS if agent.name == "cursor"]
    (edit,) = plan(cursor, Wishes("user", ARGV), ground).edits
    kept.write_bytes(edit.after or b"")
    (edit,) = plan(cursor, Wishes("user", ARGV, remove=True), ground).edits
    assert edit.after is not None
    assert json.loads(edit.after) == {}


@pytest.mark.parametrize(
    "command", [f"mine.sh; {HOOK}", f"{HOOK} | tee log", f"{HOOK} && mine.sh", f"{HOOK}\nmine.sh", f"({HOOK})&"]
)
def test_a_command_of_a_persons_that_runs_ours_among_others_is_theirs(command: str, cli: Cli) -> None:
    path = cli.home / ".codex" / "hooks.json"
    said = {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": command}]}]}}
    path.write_text(json.dumps(said))
    codex = [agent for agent in AGENTS if agent.name == "codex"]
    for remove in (True, False):
        made = plan(codex, Wishes("user", ARGV, remove), Ground(cli.home, None, {}))
        assert path not in [edit.path for edit in made.edits]
        assert [one.path for one in made.by_hand] == [path]


def test_a_command_whose_words_hold_signs_of_the_shell_is_ours(cli: Cli) -> None:
    argv = ("/a b/`id`;$(x) '\"|&/meminbox", "mcp", "--db", "/x;y/中\n文")
    codex = [agent for agent in AGENTS if agent.name == "codex"]
    ground = Ground(cli.home, None, {})
    for edit in plan(codex, Wishes("user", (*argv[:3], "/x;y/中文")), ground).edits:
        edit.real.write_bytes(edit.after or b"")
    held = json.loads((cli.home / ".codex" / "hooks.json").read_text())
    command = held["hooks"]["SessionStart"][0]["hooks"][0]["command"]
    assert shlex.split(command) == [argv[0], "hook", "session-start", "--agent", "codex", "--db", "/x;y/中文"]
    assert plan(codex, Wishes("user", (*argv[:3], "/x;y/中文")), ground).empty
    made = plan(codex, Wishes("user", argv, remove=True), ground)
    assert [edit.after for edit in made.edits] == [None, None]
    assert made.by_hand == []


def test_a_name_that_is_no_utf8_is_refused_before_anything_is_written(cli: Cli, tmp_path: Path) -> None:
    place = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.db")
    ran = cli("setup", "codex", "--yes", "--db", place)
    assert ran.code == 2
    assert "UTF-8" in ran.err
    assert not (cli.home / ".codex" / "config.toml").exists()


def test_on_a_full_disk_setup_tells_of_it_and_leaves_everything_as_it_is(cli: Cli) -> None:
    settings_file = cli.home / ".claude" / "settings.json"
    settings_file.write_text('{"model": "x"}\n')
    full = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (0, 0))
    ran = cli.child("setup", "claude-code", "--yes", preexec_fn=full)
    assert ran.returncode == 1
    assert b"Traceback" not in ran.stderr
    assert b"a fault in Meminbox" not in ran.stderr
    assert settings_file.read_text() == '{"model": "x"}\n'
    assert [path.name for path in settings_file.parent.iterdir()] == ["settings.json"]


def test_what_a_killed_setup_left_behind_goes_with_the_next(cli: Cli) -> None:
    folder = cli.home / ".cursor"
    names = (".mcp.json.12.34.new", ".mcp.json.56.78.new", ".mcp.json.mine.new", "mcp.json.12.34.new")
    for name in names:
        (folder / name).write_text("{")
    for name in names[:1] + names[2:]:
        os.utime(folder / name, (1, 1))
    cursor = [agent for agent in AGENTS if agent.name == "cursor"]
    (edit,) = plan(cursor, Wishes("user", ARGV), Ground(cli.home, None, {})).edits
    setup_apply.write(edit, cli.home / "backups")
    assert {path.name for path in folder.iterdir()} == {"mcp.json", *names[1:]}


def test_a_fault_on_a_full_disk_is_told_all_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setenv("MEMINBOX_HOME", str(tmp_path))
    monkeypatch.setattr("tempfile.mkstemp", full)
    monkeypatch.setattr("tempfile.gettempdir", full)
    assert "No report could be written" in faults.told(KeyError("x"))


# -- what a repository may do


def test_what_a_repository_asks_for_is_not_read_where_it_is_more_than_a_few_lines(cli: Cli) -> None:
    # A dotted name of 60 kB took half a minute and two gigabytes at the start of every session.
    (cli.folder / ".meminbox.toml").write_text("label = 'other'\n" + "a." * 30_000 + "a = 1\n")
    assert identify(cli.folder, git=None).label == "project"
    (cli.folder / ".meminbox.toml").write_text("label = 'other'\n" + "a." * 1_500 + "a = 1\n")
    assert identify(cli.folder, git=None).label == "other"


@pytest.mark.parametrize(
    "entry",
    [
        {"command": "./meminbox", "args": ["mcp"]},
        {"command": "meminbox", "args": ["mcp", "--db", "theirs.db"]},
        {"command": "meminbox", "args": ["mcp"], "env": {"PYTHONPATH": "."}},
        {"command": "meminbox", "args": ["mcp"], "envFile": ".env"},
        {"command": "sh", "args": ["meminbox", "mcp"]},
        {"url": "https://example.invalid/meminbox"},
    ],
)
def test_what_a_repository_starts_under_our_name_is_not_called_ours(entry: dict[str, Any], cli: Cli) -> None:
    files = {"claude-code": ".mcp.json", "cursor": ".cursor/mcp.json", "gemini-cli": ".gemini/settings.json"}
    for file in files.values():
        (cli.folder / file).parent.mkdir(exist_ok=True)
        (cli.folder / file).write_text(json.dumps({"mcpServers": {"meminbox": entry}}))
    told = {one.name: one.todo for one in states(cli.home, cli.folder, {})}
    for name in files:
        assert "look at it before you trust it" in told[name]


@pytest.mark.parametrize("command", ["./meminbox hook session-start", "meminbox hook session-start --db theirs.db"])
def test_a_hook_of_a_repositorys_under_our_name_is_not_called_ours(command: str, cli: Cli) -> None:
    (cli.folder / ".claude").mkdir()
    said = {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": command}]}]}}
    (cli.folder / ".claude" / "settings.json").write_text(json.dumps(said))
    (claude,) = (one for one in states(cli.home, cli.folder, {}) if one.name == "claude-code")
    assert "look at it before you trust it" in claude.todo


def test_what_setup_writes_for_a_project_is_called_ours(cli: Cli) -> None:
    for edit in plan(AGENTS, Wishes("project", ("meminbox", "mcp"), ask=True), Ground(cli.home, cli.folder, {})).edits:
        edit.real.parent.mkdir(exist_ok=True)
        edit.real.write_bytes(edit.after or b"")
    told = states(cli.home, cli.folder, {})
    assert all(one.connected for one in told)
    assert not [one.todo for one in told if "look at it" in one.todo]


def test_a_repository_brings_no_program_that_is_started(cli: Cli, tmp_path: Path) -> None:
    for name in ("git", "claude", "meminbox"):
        path = cli.folder / name
        path.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
        path.chmod(0o755)
    cli.env["PATH"] = f":.:bin:{os.environ['PATH']}"
    assert cli("setup", "claude-code", "--scope", "project", "--dry-run").code == 0
    assert cli.propose("The build runs on Linux only.")[0]["status"] == "pending"
    assert not (tmp_path / "ran").exists()


# -- stores that are none


def test_a_name_that_is_too_long_is_told_of_and_no_fault(cli: Cli) -> None:
    for command in ("list", "context", "where", "doctor", "status"):
        ran = cli(command, "--db", f"/tmp/{'a' * 300}")
        assert "a fault in Meminbox" not in ran.err
        assert "too long" in ran.out + ran.err or command == "where"


def test_a_folder_beside_the_store_that_may_not_be_read_fails_no_reading(cli: Cli, patch: Any) -> None:
    cli.propose("The build runs on Linux only.")
    (cli.home / "meminbox.db.notes").mkdir(exist_ok=True)

    def closed(self: Path) -> bool:
        if ".spool" in str(self) or ".notes" in str(self):
            raise PermissionError(errno.EACCES, "Permission denied", str(self))
        return False

    for name in ("iterdir", "glob"):
        real = getattr(Path, name)
        patch(Path, name, lambda self, *said, real=real: closed(self) or real(self, *said))
    patch("store.files.may_read", lambda folder: False)
    for command in (["list"], ["status"], ["status", "--json"], ["doctor"], ["search", "build"], ["context"]):
        ran = cli(*command)
        assert ran.code == (1 if command == ["doctor"] else 0), ran.err
        assert "a fault in Meminbox" not in ran.err
    assert "may not be read" in cli("status").err


def test_a_hook_and_a_prompt_wait_for_a_store_no_longer_than_an_agent_does(cli: Cli, patch: Any) -> None:
    waits: list[float] = []

    def busy(*_: object, wait: float = 5.0, **__: object) -> None:
        waits.append(wait)
        raise StoreBusy("The store is busy.")

    patch("store.engine.open_store", busy)
    said = json.dumps({"session_id": "s1", "source": "startup", "cwd": str(cli.folder)})
    for event in ("session-start", "session-end"):
        cli("hook", event, "--agent", "gemini-cli", "--db", "postgresql://nobody@nowhere/x", stdin=said)
    cli("status", "--short", "--db", "postgresql://nobody@nowhere/x")
    assert len(waits) == 3
    assert max(waits) <= 1.0


@pytest.mark.parametrize(
    "value",
    [
        "{}",
        '"5"',
        "[]",
        "null",
        '{"first":"x","last":"y","event":"z"}',
        '{"first":"2026-01-01","last":1,"event":5}',
        '{"first":"9999-12-31T23:59:59+00:00","last":"9999-12-31T23:59:59+00:00","event":"stop"}',
    ],
)
def test_what_is_known_of_an_agent_and_damaged_or_of_a_clock_ahead_is_learnt_anew(
    value: str, cli: Cli, patch: Any
) -> None:
    cli.propose("The build runs on Linux only.")
    said = json.dumps({"session_id": "s1", "source": "startup", "cwd": str(cli.folder)})
    hook = ("hook", "session-start", "--agent", "codex")
    cli(*hook, stdin=said)
    cli("list")
    with closing(sqlite3.connect(cli.db)) as raw:
        assert raw.execute("UPDATE setting SET value = ? WHERE name = 'agent:codex'", (value,)).rowcount == 1
        raw.commit()
    assert "agents\n" in cli("doctor").out
    cli(*hook, stdin=said.replace("s1", "s2"))
    (codex,) = (one for one in cli("doctor", "--json").json["agents"] if one["name"] == "codex")
    assert datetime.fromisoformat(codex["last_seen"]) <= datetime.now(UTC)


def test_doctor_tells_of_a_damaged_row_and_of_all_the_rest(cli: Cli, patch: Any) -> None:
    cli.propose("The build runs on Linux only.")
    cli("hook", "session-start", "--agent", "codex", stdin=json.dumps({"cwd": str(cli.folder)}))
    cli("list")
    with closing(sqlite3.connect(cli.db)) as raw:
        raw.execute("UPDATE setting SET value = 'x' WHERE name = 'agent:codex'")
        raw.commit()
    ran = cli("doctor")
    assert ran.code == 1
    assert "agents\n" in ran.out
    assert "cannot be read as" in ran.out
