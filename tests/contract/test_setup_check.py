"""What setup wrote is tried as the agents would start it, and leaves no trace."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import meminbox
from store.agents import setup_check
from tests.cli_kit import Cli


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path / "home", tmp_path / "project")


@pytest.fixture
def stand_in(tmp_path: Path) -> Callable[[str], list[str]]:
    """A server or hook of a few lines of shell, by its command line."""
    shell = shutil.which("sh")
    assert shell is not None

    def made(lines: str) -> list[str]:
        path = tmp_path / "meminbox"
        path.write_text(f"#!{shell}\n{lines}\n")
        path.chmod(0o755)
        return [str(path), "mcp"]

    return made


ONE = '{"jsonrpc": "2.0", "id": 1, "result": {}}'
TWO = '{"jsonrpc": "2.0", "id": 2, "result": {"tools": [{}, {}]}}'


@pytest.mark.parametrize(
    ("lines", "works", "said"),
    [
        (
            f"read a; echo '{ONE}'; read b; read c; echo '{TWO}'; cat >/dev/null",
            True,
            "The server answers, with 2 tools.",
        ),
        (f"read a; echo '{ONE}'; exec cat >/dev/null", False, "The server gave no answer."),
        ("exec cat >/dev/null", False, "The server gave no answer."),
        ("echo hello; cat >/dev/null", False, "The server gave no answer."),
        ("echo one >&2; echo 'no module' >&2; exit 1", False, "The server gave no answer: no module"),
        (f"read a; echo '{ONE}'; exit 0", False, "The server gave no answer."),
    ],
)
def test_a_server_is_judged_by_its_answers(
    stand_in: Callable[[str], list[str]], cli: Cli, lines: str, works: bool, said: str
) -> None:
    checked = setup_check.server(stand_in(lines), cli.folder, cli.env)
    assert (checked.works, checked.said) == (works, said)


@pytest.mark.parametrize(
    ("lines", "works", "said"),
    [
        ("cat >/dev/null; echo '{}'", True, "The hook runs."),
        ("cat >/dev/null", True, "The hook runs."),
        ("cat >/dev/null; echo hello", False, "The hook answered with something that is no JSON."),
        ("cat >/dev/null; echo why >&2; exit 2", False, "The hook ended with 2: why"),
    ],
)
def test_a_hook_is_judged_by_how_it_ends(
    stand_in: Callable[[str], list[str]], cli: Cli, lines: str, works: bool, said: str
) -> None:
    checked = setup_check.hook(stand_in(lines), "codex", "SessionStart", cli.folder, cli.env)
    assert (checked.works, checked.said) == (works, said)


def test_nothing_is_waited_for_for_ever(
    stand_in: Callable[[str], list[str]], cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setup_check, "SECONDS", 0.2)
    argv = stand_in("exec sleep 600")
    assert setup_check.server(argv, cli.folder, cli.env).said == "The server gave no answer."
    checked = setup_check.hook(argv, "codex", "SessionStart", cli.folder, cli.env)
    assert (checked.works, checked.said) == (False, "The hook did not end within 0.2 seconds.")


def test_what_is_not_there_is_told(cli: Cli) -> None:
    for checked in (
        setup_check.server(["/gone/meminbox", "mcp"], cli.folder, cli.env),
        setup_check.hook(["/gone/meminbox", "mcp"], "codex", "SessionStart", cli.folder, cli.env),
    ):
        assert (checked.works, checked.said) == (False, "/gone/meminbox cannot be started: No such file or directory.")


def test_this_installation_works_and_a_trial_leaves_nothing_behind(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trials = tmp_path / "trials"
    trials.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(trials))
    argv = [*meminbox.command(), "mcp", "--project", "${workspaceFolder}", "--db", str(cli.db)]
    server = setup_check.server(argv, cli.folder, cli.env)
    assert (server.works, server.said) == (True, "The server answers, with 6 tools.")
    hook = setup_check.hook(argv, "claude-code", "SessionStart", cli.folder, cli.env)
    assert (hook.works, hook.said) == (True, "The hook runs.")
    assert not cli.home.exists()
    assert list(trials.iterdir()) == []
