"""The commands as they are told: names, first sentences, options; and the arguments of ``propose`` without Typer."""

from __future__ import annotations

import inspect
from importlib import import_module

import pytest

from console import proposing
from console.cli import COMMANDS, command


@pytest.mark.parametrize("name", COMMANDS)
def test_the_first_sentence_of_the_help_is_the_commands_own(name: str) -> None:
    module, _, function = COMMANDS[name][0].partition(":")
    said = inspect.getdoc(getattr(import_module(f"console.commands.{module}"), function)) or ""
    assert said.split("\n")[0] == COMMANDS[name][1]
    assert len(COMMANDS[name][1]) < 60


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ("demo", "keys")])
def test_every_command_that_opens_a_store_takes_db(name: str) -> None:
    assert "--db" in {option for parameter in command(name).params for option in parameter.opts}


def test_every_option_of_propose_is_known_to_the_quick_way() -> None:
    told = {option for parameter in command("propose").params for option in parameter.opts if option.startswith("-")}
    quick = {*proposing.TEXTS, *proposing.LISTS, *proposing.SWITCHES, "--db"}
    assert quick == told - {"--help", "-h"}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], proposing.Asked()),
        (["-"], proposing.Asked(what="-")),
        (["-", "--json", "-q", "--db", "x.db"], proposing.Asked(what="-", as_json=True, quiet=True, db="x.db")),
        (["text", "--key=a.b", "--alias", "x", "--alias", "y"],
         proposing.Asked(what="text", said={"key": "a.b", "aliases": ["x", "y"]})),
        (["--content", "-x", "--yes", "-n"], proposing.Asked(said={"content": "-x"}, go_on=True, dry_run=True)),
    ],
)  # fmt: skip
def test_arguments_as_they_are_usually_given(arguments: list[str], expected: proposing.Asked) -> None:
    assert proposing.parse(arguments) == expected


@pytest.mark.parametrize("arguments", [["--help"], ["--nope"], ["a", "b"], ["--key"], ["--json=1"], ["-x"], ["--"]])
def test_anything_else_is_left_to_typer(arguments: list[str]) -> None:
    assert proposing.parse(arguments) is None
