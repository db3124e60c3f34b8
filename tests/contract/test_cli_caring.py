"""``meminbox backup``, ``restore``, ``sweep``, ``erase`` as a person types them, and as an agent may not."""

from __future__ import annotations

import resource
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from store.dialects.sqlite import SqliteBackend
from store.engine import open_store
from store.errors import StoreFull
from store.location import locate
from store.models import MemoryRow
from tests.cli_kit import Cli

MEMORY = MemoryRow.__table__  # type: ignore[attr-defined]
WORD = "zqxsecretword"


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path / "home", tmp_path / "shop")


def bytes_with(cli: Cli, word: str) -> list[str]:
    return [one.name for one in cli.home.rglob("*") if one.is_file() and word.encode() in one.read_bytes()]


def test_a_backup_comes_back_after_it_was_asked_for(cli: Cli, tmp_path: Path) -> None:
    cli.approved(content="one")
    assert "none yet" in cli("where").out
    made = cli.person("backup").out.strip()
    assert made in cli("where").out
    assert cli("where", "--json").json["backup"] == made
    assert "backup" in cli("doctor").out
    mine = tmp_path / "mine.db"
    assert cli("backup", str(mine)).code == 0  # a job of the night has no terminal
    assert cli("backup", str(mine)).code == 2
    cli.approved(content="two")
    cli.propose("three waits")
    assert cli.person("restore", str(mine), "--dry-run").code == 0
    no = cli.person("restore", str(mine), typed="n\n")
    assert "1 step and 1 proposal waiting for review that the backup has not" in no.err
    assert len(cli.memories()) == 2
    yes = cli.person("restore", str(mine), typed="y\n")
    assert yes.code == 0, yes.err
    assert "is kept" in yes.err
    assert [one["content"] for one in cli.memories()] == ["one"]
    assert cli("verify").code == 0
    assert "restored a backup" in cli("history").out
    assert cli.person("restore", str(tmp_path / "nothing.db")).code == 3
    assert cli.person("restore", str(cli.db)).code == 2


def test_erase_asks_for_its_word_and_says_what_it_cannot_promise(cli: Cli) -> None:
    memory = cli.approved(content=f"{WORD} is the password of nothing", key="zqxkey.one")
    cli.approved(content="another")
    cli("backup")
    assert bytes_with(cli, WORD)
    no = cli.person("erase", "zqxkey.one", typed="yes\n")
    assert "1 memory with 1 version, 1 proposal" in no.err
    assert len(cli.memories()) == 2
    assert cli.person("erase", memory[-6:], "--dry-run").code == 0
    done = cli.person("erase", memory[-6:], typed="erase\n")
    assert done.code == 0, done.err
    assert done.out.endswith("is the password of nothing\nErased.\n")
    assert "nothing found" in done.err
    assert "no program can promise" in done.err
    assert "fingerprint" in done.err
    assert "confirmed" in done.err  # the log keeps those folders
    assert bytes_with(cli, WORD) == bytes_with(cli, "zqxkey") == []
    assert [one["content"] for one in cli.memories()] == ["another"]
    assert cli("verify").code == 0
    assert WORD not in cli("history").out + cli("show", memory[-6:]).out + cli("status").out
    assert cli.propose(f"{WORD} is the password of nothing")[0]["status"] == "rejected_before"
    assert bytes_with(cli, WORD) == []
    assert cli.person("undo").out.startswith("Undid: approved “another”")
    again = cli.person("erase", memory[-6:])
    assert again.code == 0, again.err
    assert "could not be searched" in again.err  # its texts are known no more: nothing is said to be clean of them
    assert "Cleaned." in again.out


@pytest.mark.long
def test_erase_takes_one_thing_at_a_time_and_no_scope_by_guess(cli: Cli) -> None:
    cli.approved(content="one")
    assert cli.person("erase").code == 2
    assert cli.person("erase", "--scope", "shop", "--everything").code == 2
    assert cli.person("erase", "--scope", "shpo").code == 2
    assert cli.person("erase", "--scope", "*").code == 2
    assert len(cli.memories()) == 1
    assert cli.person("erase", "--everything", typed="erase\n").code == 0
    assert cli.memories() == []
    assert cli.person("erase", "--finish").code == 0


@pytest.mark.parametrize("command", [("restore", "x.db"), ("erase", "--everything", "--yes"), ("sweep", "--yes")])
def test_agents_neither_restore_nor_erase_nor_sweep(cli: Cli, command: tuple[str, ...]) -> None:
    cli.approved(content="one")
    assert cli(*command).code == 2
    assert cli.person(*command, env={"CLAUDECODE": "1"}).code == 2
    assert cli.person("backup", env={"CLAUDECODE": "1"}).code == 2
    assert len(cli.memories()) == 1


@pytest.mark.long
def test_the_first_sweep_is_looked_at(cli: Cli) -> None:
    cli.approved(content="an old case", kind="experience")
    cli.approved(content="a fact")
    assert cli("sweep", "--dry-run").err.startswith("Everything is still to be kept")
    _age(cli, days=200)
    assert "an old case" in cli("sweep", "--dry-run").out
    assert cli("sweep", "-n", "--json").json["total"] == 1
    assert len(cli.memories()) == 2
    first = cli.person("sweep", "--yes")
    assert "looked at" in first.err
    assert len(cli.memories()) == 2
    done = cli.person("sweep", typed="y\n")
    assert "Archived “an old case”." in done.out
    assert [one["content"] for one in cli.memories()] == ["a fact"]
    assert cli.person("undo").code == 0
    assert len(cli.memories()) == 2
    _age(cli, days=200)
    assert cli.person("sweep", "--yes").code == 0
    assert len(cli.memories()) == 1


def _age(cli: Cli, *, days: int) -> None:
    """Wind the memories' times back, past the ledger: nothing here looks at the chain."""
    store = open_store(locate(str(cli.db)))
    with store.write() as connection:
        connection.execute(update(MEMORY).values(updated_at=datetime.now(UTC) - timedelta(days=days)))
    store.close()


@pytest.mark.long
def test_V61_a_full_disk_leaves_no_half_backup_and_an_erasure_that_goes_on_later(cli: Cli) -> None:
    memory = cli.approved(content=f"{WORD} is the password of nothing")
    cli.approved(content="x" * 9000 + " another")
    full = cli.child("backup", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000)))
    assert full.returncode == 5, full.stderr
    assert b"full" in full.stderr
    backups = locate(str(cli.db)).backups
    assert not list(backups.iterdir())
    assert cli("backup").code == 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SqliteBackend, "scrub", _no_room)
        short = cli.person("erase", memory, "--yes")
    assert short.code == 1
    assert "--finish" in short.err
    assert len(cli.memories()) == 1
    assert "erasure" in cli("doctor").out
    done = cli.person("erase", "--finish")
    assert done.code == 0, done.err
    assert bytes_with(cli, WORD) == []
    assert "erasure" not in cli("doctor").out


def _no_room(_backend: SqliteBackend, **_how: bool) -> tuple[str, ...]:
    raise StoreFull("Not saved: the disk is full.")
