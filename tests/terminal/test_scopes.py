"""A folder that was renamed, in a real terminal: the console asks, and one key takes over what it held."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from store import queries, review
from store.admit import admit
from store.context import Context
from store.desk import open_desk, propose
from store.facts import Actor
from store.location import locate
from store.project import identify
from store.redact import redact
from tests.terminal.screen import Terminal

TEXT = "Deploys run on Mondays"


def scope_of(path: Path) -> str:
    with sqlite3.connect(path) as raw:
        return str(raw.execute("SELECT scope FROM memory").fetchone()[0])


@pytest.mark.long
@pytest.mark.parametrize(("columns", "rows", "git"), [(80, 24, True), (140, 40, False)])
def test_D074_the_console_in_a_renamed_folder_offers_what_it_held(
    start: Callable[..., Terminal], env: dict[str, str], tmp_path: Path, columns: int, rows: int, git: bool
) -> None:
    old = tmp_path / "old-shop"
    old.mkdir()
    if git:  # a repository without a remote
        (old / ".git" / "objects").mkdir(parents=True)
        (old / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    before = identify(old)
    path = tmp_path / "data" / "meminbox.db"
    path.parent.mkdir(mode=0o700)
    lines = [redact(one) for one in admit(f'{{"content": "{TEXT}"}}'.encode()).proposals]
    context = Context(scope=before.identity, label=before.label, root=str(before.root))
    propose(locate(str(path)), lines, context=context, wait=5.0)
    store = open_desk(locate(str(path)))
    waits = queries.queue_rows(store, list(queries.queue_ids(store, scopes=None, since=None)))
    review.approve(store, waits[0].seen(), by=Actor("ada", "cli"))
    store.close()
    work = tmp_path / "work"
    if work.exists():
        work.rmdir()
    old.rename(work)

    console = start(columns=columns, rows=rows)
    console.wait_for("old-shop lost its folder")
    console.send("6")
    console.wait_for("orphan")
    console.send("j")
    console.send("j")
    console.wait_for("An orphan")
    console.send("a", settle=1.0)
    console.wait_for("Move 1 memory to work")
    console.wait_for(TEXT)
    console.send("y", settle=1.0)
    console.wait_for("moved 1 entry from old-shop to work")
    assert scope_of(path) == identify(work).identity
    console.send("u", settle=1.0)
    console.wait_for("undid")
    assert scope_of(path) == before.identity
    console.send("\x11")
    assert console.wait_end() == 0
    assert console.restored()
