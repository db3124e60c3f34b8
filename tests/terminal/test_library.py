"""The library by keys in a real terminal: expire what matches, confirm one, keep one of two, read what agents know."""

from __future__ import annotations

import json
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
from store.verify import verify
from tests.terminal.screen import Terminal

SAID = (
    {"content": "The old service listens on port 5433", "confidence": 0.9},
    {"content": "The old service is restarted on Mondays", "confidence": 0.9},
    {"content": "Paging goes to the night team", "key": "paging", "confidence": 0.2},
    {"content": "Always use uv, never pip, in this repository", "confidence": 0.9},
    {"content": "In this repository always use uv, never pip", "confidence": 0.9},
)


def fill(path: Path, folder: Path) -> None:
    """Five approved memories."""
    here = identify(folder)
    asked = admit("\n".join(json.dumps({**one, "session_id": "s"}) for one in SAID).encode()).proposals
    location = locate(str(path))
    propose(location, [redact(one) for one in asked], context=Context(scope=here.identity, label=here.label), wait=5.0)
    store = open_desk(location)
    rows = queries.queue_rows(store, list(queries.queue_ids(store, scopes=None, since=None)))
    done = review.approve_many(store, [row.seen() for row in rows], by=Actor("ada", "cli"))
    assert len(done.memory_ids) == len(SAID)
    store.close()


def in_use(path: Path) -> int:
    """How many memories are active."""
    with sqlite3.connect(path) as raw:
        return int(raw.execute("SELECT count(*) FROM memory WHERE status = 'active'").fetchone()[0])


@pytest.mark.long
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (140, 40)])
def test_D014_D060_D116_the_library_by_keys_alone(
    start: Callable[..., Terminal], tmp_path: Path, columns: int, rows: int
) -> None:
    path = tmp_path / "data" / "meminbox.db"
    path.parent.mkdir(mode=0o700)
    folder = tmp_path / "work"
    folder.mkdir(exist_ok=True)
    fill(path, folder)
    console = start(columns=columns, rows=rows)
    console.wait_for("Queue")
    for keys, needle in (
        ("2", "paging"),
        ("/", "esc Back"),
        ("service", "2 matches"),
        ("\r", "/service 2"),
        ("*", "2 marked" if columns >= 100 else "●2"),
        ("t", "2 memories: no longer true?"),
        ("e", "expired 2"),
    ):
        console.send(keys)
        console.wait_for(needle)
    assert in_use(path) == 3
    console.send("u")
    console.wait_for("undid: expired 2")
    assert in_use(path) == 5
    for keys, needle in (("\x1b", "paging"), ("R", "still true, e edits")):
        console.send(keys)
        console.wait_for(needle)
    console.look(0.5)  # what has just come is decided on by nobody
    console.send(".")
    console.wait_for("still true: paging")
    console.send("R")
    console.wait_for("re-check", gone=True)
    console.send("c")
    console.wait_for("near-copies 2")
    console.look(0.5)
    for keys, needle in (("D", "Keep 1, expire 1 near-copy?"), ("y", "expired")):
        console.send(keys)
        console.wait_for(needle)
    console.wait_for("No two memories here say nearly the same")
    assert in_use(path) == 4
    console.send("\x1b")
    console.wait_for("paging")
    console.send("m")
    console.wait_for("told 4")
    console.send("q")
    console.wait_for("told 4", gone=True)
    console.send("\x11")
    assert console.wait_end() == 0
    assert console.restored()
    store = open_desk(locate(str(path)))
    assert verify(store) is None
    store.close()
