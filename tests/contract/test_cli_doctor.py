"""`meminbox doctor`: the agents, the store and the terminal in one report, and a code that says whether to act."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

import meminbox
from store import notes
from store.location import locate
from tests.cli_kit import Cli

FINDING = {"name", "state", "says", "todo"}
AGENT = FINDING | {"found", "connected", "command_works", "hooks", "allowed", "trusted"}
AGENT |= {"first_seen", "last_seen", "version"}


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    """No program of this machine is on the path: none of its agents is found."""
    (tmp_path / "bin").mkdir()
    return Cli(tmp_path / "home", tmp_path / "shop", env={"PATH": str(tmp_path / "bin"), "HOME": str(tmp_path / "me")})


@pytest.fixture
def me(cli: Cli) -> Path:
    """A home with one agent, connected by a server that is there."""
    home = Path(cli.env["HOME"])
    (home / ".cursor").mkdir(parents=True)
    command, *arguments = meminbox.command("mcp")
    server = {"command": command, "args": arguments}
    (home / ".cursor" / "mcp.json").write_text(json.dumps({"mcpServers": {"meminbox": server}}), encoding="utf-8")
    return home


def test_the_shape_that_scripts_may_rely_on(cli: Cli, me: Path) -> None:
    ran = cli("doctor", "--json")
    told = ran.json
    assert set(told) == {"schema_version", "ok", "agents", "store", "terminal"}
    assert all(set(one) == AGENT for one in told["agents"])
    assert all(set(one) == FINDING for part in ("store", "terminal") for one in told[part])
    assert {one["state"] for part in ("agents", "store", "terminal") for one in told[part]} <= {"ok", "note", "todo"}
    cursor = next(one for one in told["agents"] if one["name"] == "cursor")
    assert (cursor["found"], cursor["connected"], cursor["command_works"]) == (True, True, True)
    assert (ran.code, told["ok"]) == (0, True)
    assert not cli.db.exists()


def test_all_is_well_and_it_says_when_an_agent_was_heard_of(cli: Cli, me: Path) -> None:
    cli.propose("Tests run with pytest -q")
    location = locate(str(cli.db))
    notes.note_seen(location, "cursor", "initialize", version="1.7")
    notes.note_seen(location, "zed", "initialize")
    ran = cli("doctor")
    assert ran.code == 0, ran.out
    assert "All is well." in ran.out
    assert "heard of just now, version 1.7" in ran.out
    assert "zed" in ran.out
    assert "1 proposal waits, 0 memories" in ran.out
    cursor = next(one for one in cli("doctor", "--json").json["agents"] if one["name"] == "cursor")
    assert cursor["last_seen"] is not None and cursor["version"] == "1.7"


def test_what_needs_doing_is_counted_and_says_how(cli: Cli) -> None:
    ran = cli("doctor")
    assert ran.code == 1
    assert "1 thing needs doing." in ran.out
    assert "-> `meminbox setup --help`" in ran.out


def test_a_store_that_does_not_open_is_told_and_so_is_the_rest(cli: Cli, me: Path) -> None:
    cli.home.mkdir(parents=True, exist_ok=True)
    cli.db.write_bytes(b"not a store of ours, by no means" * 64)
    ran = cli("doctor", "--json")
    store = next(one for one in ran.json["store"] if one["name"] == "store")
    assert ran.code == 1 and store["state"] == "todo" and store["todo"]
    assert next(one for one in ran.json["agents"] if one["name"] == "cursor")["connected"]


def test_files_that_others_can_read_and_files_set_aside(cli: Cli, me: Path) -> None:
    cli.propose("Something")
    cli.db.chmod(0o644)
    location = locate(str(cli.db))
    location.notes.mkdir(exist_ok=True)
    (location.notes / "0000.json").write_text("torn", encoding="utf-8")
    ran = cli("doctor")
    assert ran.code == 1
    assert "chmod go-rwx" in ran.out
    assert "1 file was not what we write" in ran.out
    assert cli("doctor", "--json").json["ok"] is False


def test_nothing_that_somebody_wrote_can_move_the_terminal(cli: Cli, me: Path) -> None:
    cli.propose("Something")
    notes.note_seen(locate(str(cli.db)), "evil\x1b[31m\u202eagent", "initialize")
    for ran in (cli("doctor"), cli("doctor", "--json")):
        assert "\x1b" not in ran.out and "\u202e" not in ran.out


def test_a_folder_that_was_removed_meanwhile_is_told_and_doctor_goes_on(cli: Cli, me: Path) -> None:
    gone = cli.folder / "worktree"
    for arguments, code in ((("doctor", "--json"), 0), (("propose", "Something"), 2)):
        gone.mkdir()
        shell = f'/bin/rmdir "{gone}" && exec "$@"'
        ran = subprocess.run(
            ["/bin/sh", "-c", shell, "sh", *meminbox.command(*arguments)], cwd=gone, env=cli.env, capture_output=True
        )
        assert ran.returncode == code, (arguments, ran.stderr.decode())
        assert b"Traceback" not in ran.stderr and b"fault" not in ran.stderr
