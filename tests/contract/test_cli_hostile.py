"""Every command that prints, on a store in which every field is hostile: nothing of it is live on the terminal.

The block alone goes to a program byte for byte, as it was approved; a person at a terminal sees it made visible.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from store.location import locate
from store.project import identify
from tests import hostile
from tests.cli_kit import Cli, Ran


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    cli = Cli(home=tmp_path / "home", folder=tmp_path / "work")
    hostile.plant(locate(str(cli.db)), identify(cli.folder).identity)
    return cli


def ids(cli: Cli) -> dict[str, str]:
    with closing(sqlite3.connect(cli.db)) as raw:
        memory = raw.execute("SELECT id FROM memory").fetchone()[0]
        update = raw.execute("SELECT id FROM proposal WHERE status = 'pending' AND op = 'update'").fetchone()[0]
        removal = raw.execute("SELECT id FROM proposal WHERE op = 'remove'").fetchone()[0]
        there = raw.execute("SELECT id FROM proposal WHERE scope LIKE 'zscope%'").fetchone()[0]
        operation = raw.execute("SELECT id FROM operation ORDER BY seq DESC").fetchone()[0]
    return {"memory": memory, "update": update, "removal": removal, "there": there, "operation": operation}


def reading(of: dict[str, str], *form: str) -> Iterator[tuple[str, ...]]:
    yield from (("list", *form), ("list", "--memories", *form), ("search", "zcontent", "--all", *form))
    yield from (("profile", *form), ("history", of["memory"], *form))
    yield from (("show", of[what], *form) for what in ("memory", "update", "removal", "there"))
    yield from (("history", of["memory"], "--revision", "2", *form), ("verify", *form))
    yield from (("status", *form), ("where", *form), ("doctor", *form))


def reading_as_a_person(of: dict[str, str]) -> Iterator[tuple[str, ...]]:
    yield from reading(of)
    yield ("history", of["memory"], "--revision", "2", "--against", "1")
    yield from (("status", "--short"), ("context",), ("context", "--task", "zcontent"))


def deciding(of: dict[str, str]) -> Iterator[tuple[str, ...]]:
    for name in ("approve", "reject"):
        yield (name, of["update"], "--dry-run")
    yield ("reject", "--group", of["update"], "--dry-run")
    yield from ((name, of["memory"], "--dry-run") for name in ("rollback", "delete"))
    yield ("edit", of["update"], "-c", "x\x1b]0;t\x07", "--dry-run")
    yield from (("undo", of["operation"], "--dry-run"), ("approve", of["update"]), ("approve", "-y", of["update"]))
    yield from (("undo",), ("redo",), ("delete", of["memory"], "--reason", "\x9b31m"))


MISUSED = (
    ("show", "\x1b]0;t\x07"),
    ("\x1b]0;t\x07",),
    ("list", "--status", "\x1b]0;t\x07"),
    ("list", "--scope", "\x9b31m"),
    ("--\x1b]0;t\x07",),
    ("propose", "/\x1b]0;t\x07.json"),
)


def live_in(ran: Ran) -> list[str]:
    return hostile.live((ran.out + ran.err).encode("utf-8", "surrogatepass"))


def test_V03_V04_V06_V08_V10_V12_V15_V23_D113_no_command_prints_anything_live(cli: Cli) -> None:
    of = ids(cli)
    said = {}
    for arguments in (*reading_as_a_person(of), *deciding(of), *MISUSED):
        ran = cli.person(*arguments)
        assert not live_in(ran), arguments
        said[arguments] = ran.out
    seen = "\n".join(said.values())
    for field in set(hostile.FIELDS) - {"surface"}:  # that one stands in JSON and in the console alone
        # All of it, to the last character that nobody would have seen.
        assert f"z{field}⟨U+001B⟩]52;c;zxzpba==⟨U+0007⟩" in seen, field
    assert "⟨U+009B⟩31m⟨U+009D⟩0;t⟨U+009C⟩" in seen
    assert "[@click=app.quit]⟨U+000D⟩ok⟨U+0000⟩⟨U+0008⟩⟨U+000B⟩⟨U+007F⟩⟨U+0085⟩⟨U+202E⟩" in seen
    V31_no_line_of_a_text_passes_for_a_line_of_ours(said["show", of["update"]].split("\n"))


def V31_no_line_of_a_text_passes_for_a_line_of_ours(lines: list[str]) -> None:
    assert "  │ │ Status: APPROVED │" in lines
    assert not [line for line in lines if line.startswith(("│ Status", " ▌ a Approve", "────"))]


def test_a_pipe_gets_nothing_live_and_a_program_gets_the_block_as_it_was_approved(cli: Cli) -> None:
    of = ids(cli)
    for arguments in (*reading(of, "--json"), ("list", "--jsonl"), ("list",), ("show", of["update"])):
        assert not live_in(cli(*arguments)), arguments
    assert hostile.evil("content") in cli("context").out
    text = cli("context", "--json").out
    assert not hostile.live(text.encode())
    assert hostile.evil("content") in json.loads(text)["text"]


def test_V15_V23_approving_hidden_characters_asks_first(tmp_path: Path) -> None:
    cli = Cli(home=tmp_path / "home", folder=tmp_path / "work")
    (told,) = cli.propose("pass\u200bword\u202e")
    no = cli.person("approve", told["id"], typed="\n")
    assert (no.code, cli.memories()) == (2, [])
    assert "pass⟨U+200B⟩word⟨U+202E⟩" in no.out
    assert "2 hidden characters: approve it all the same? [y/N]" in no.err
    assert cli.person("approve", told["id"], typed="y\n").code == 0
    (other,) = cli.propose("an\u2060other")
    assert cli.person("approve", "--yes", other["id"]).code == 0
    assert len(cli.memories()) == 2


def test_V19_V24_V17_what_is_legitimate_is_printed_as_it_is(tmp_path: Path) -> None:
    cli = Cli(home=tmp_path / "home", folder=tmp_path / "work")
    england = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
    texts = [
        "يفضل المستخدم القهوة كل صباح",
        "בכל בוקר קפה כהה",
        "می\u200cخواهم",
        "👨\u200d👩\u200d👧 here",
    ]
    cli.propose(*texts, f"Flag {england} of England")
    said = cli.person("list").out
    assert all(text in said for text in texts)
    assert "\U0001f3f4⟨flag gbeng⟩" in said
    assert "hidden" not in said
