"""What the README promises is there: commands with their options, keys, variables, codes and files."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest

import meminbox
from console import keys as names
from console.actions import ACTIONS
from console.cli import COMMANDS, command
from console.terminal import AGENT_VARIABLES

ROOT = Path(meminbox.__file__).resolve().parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)


def used() -> list[list[str]]:
    """Every call of ``meminbox`` in a block of commands or in backticks, as words."""
    lines = [line for block in BLOCKS for line in block.splitlines()]
    lines += re.findall(r"`((?:meminbox|uv run meminbox)[^`]*)`", README)
    found = []
    for line in lines:
        for part in re.split(r"\||&&", line):
            words = shlex.split(part)
            names = [place for place, word in enumerate(words) if word.rpartition("/")[2] == "meminbox"]
            if names:
                found.append(words[names[0] + 1 :])
    return found


def test_calls_were_found() -> None:
    assert len(used()) > 12


@pytest.mark.parametrize("words", used(), ids=" ".join)
def test_every_call_names_a_command_and_options_that_exist(words: list[str]) -> None:
    if not words:
        return
    known = {option for parameter in command(words[0]).params for option in parameter.opts} | {"--help"}
    assert {word for word in words[1:] if word.startswith("--")} <= known


def test_every_command_of_the_command_line_is_told() -> None:
    told = {words[0] for words in used() if words} | set(re.findall(r"`([a-z]+)`", README))
    assert set(COMMANDS) <= told


def keys() -> dict[str, str]:
    """Key as printed -> id of an action that has it."""
    return {names.name(key): action.id for action in ACTIONS for key in action.keys}


KEYS = re.search(r"\| key \| what it does \|\n\|---\|---\|\n(.*?)\n\n", README, re.DOTALL)


def test_every_key_of_the_table_is_a_key_of_the_console() -> None:
    assert KEYS is not None
    first = [cell for row in KEYS[1].splitlines() for cell in re.findall(r"`([^`]+)`", row.split("|")[1])]
    other = [cell for row in KEYS[1].splitlines() for cell in re.findall(r"`([^`]+)`", row.split("|")[2])]
    assert len(first) > 12
    assert set(first) <= set(keys())
    assert {cell for cell in other if len(cell) == 1 or "+" in cell or cell == "tab"} <= set(keys())


@pytest.mark.parametrize(
    ("key", "action"),
    [
        ("a", "queue.approve"),
        ("x", "queue.reject"),
        ("X", "queue.reject_reason"),
        ("e", "queue.edit"),
        ("E", "queue.edit_external"),
        ("s", "queue.defer"),
        ("p", "queue.place"),
        ("d", "diff.full"),
        ("h", "history.open"),
        ("r", "history.rollback"),
        ("u", "log.undo"),
        ("U", "log.redo"),
    ],
)
def test_a_key_does_what_the_table_says(key: str, action: str) -> None:
    assert action in {one.id for one in ACTIONS if key in one.keys and one.on("queue")}


def test_the_two_commands_install_what_pyproject_offers_and_end_as_promised() -> None:
    demo, tests = next(block for block in BLOCKS if "venv" in block).splitlines()
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert demo.endswith("meminbox demo")
    assert tests.endswith("pytest")
    assert set(re.findall(r"\.\[([a-z]+)\]", README)) <= set(extras)
    assert re.search(r"^check pytest$", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)


def test_the_agents_named_are_in_the_fence() -> None:
    named = re.search(r"environment variables show \((.*?)\)", README)
    assert named is not None
    assert set(re.findall(r"`([A-Z_]+)`", named[1])) <= set(AGENT_VARIABLES)


def test_the_exit_codes_are_those_of_the_errors() -> None:
    from store import errors

    told = re.search(r"Exit codes: (.*?)\.", README)
    assert told is not None
    codes = {int(code) for code in re.findall(r"\b(\d)\b", told[1])}
    raised = {one.exit_code for one in vars(errors).values() if isinstance(one, type) and hasattr(one, "exit_code")}
    assert raised | {0} == codes


def test_pictures_and_files_are_there() -> None:
    for path in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README):
        assert (ROOT / path).is_file(), path
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o100
