"""One end, said in the person's zone, is the same second wherever it is told or asked for (D069)."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from console import words
from store import queries, review
from store.engine import open_store
from store.facts import Actor
from store.location import locate
from tests.cli_kit import Cli
from tests.contract.mcp_kit import Rig

MIA = Actor("mia", "console")


@pytest.fixture(params=["Asia/Shanghai", "America/Los_Angeles"])
def cli(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Cli]:
    """The command line of a person in that zone."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield Cli(tmp_path / "home", tmp_path / "shop", {"TZ": request.param})
    monkeypatch.undo()
    time.tzset()


def test_D069_an_end_at_2359_is_the_same_second_everywhere(cli: Cli) -> None:
    """In Los Angeles the clocks go back on that day: its midnight has another offset than its end."""
    day = "2090-11-05"
    end = datetime.fromisoformat(f"{day}T23:59:00").astimezone()
    wanted = f"{end.astimezone(UTC):%Y-%m-%dT%H:%M:%S}"
    here = f"until {end:%Y-%m-%d %H:%M %z}"
    cli.approved(content="The freeze ends", key="freeze.end", valid_until=end.isoformat())

    (told,) = cli.memories()
    assert datetime.fromisoformat(told["valid_until"]) == end
    assert here.replace("until ", "") in cli("show", "freeze.end").out
    assert here in cli("search", "freeze", "--md").out
    assert f"until {wanted}Z]" in cli("context").out
    location = locate(None, cli.env)
    (hit,) = Rig(location, cli.folder)("search_memory", query="freeze")["memories"]
    assert hit["valid_until"] == f"{wanted}Z"
    with closing(sqlite3.connect(cli.db)) as raw:
        (stored,) = raw.execute("SELECT valid_until FROM memory").fetchone()
    assert str(stored)[:19].replace(" ", "T") == wanted
    (other,) = cli.propose("Ask Ada about the freeze")
    store = open_store(location)
    placed = review.place(store, queries.queue_rows(store, [other["id"]])[0].seen(), by=MIA, valid_until=end)
    store.close()
    assert placed.title.endswith(f"until {day}")

    tonight = end.replace(hour=12).astimezone(UTC)
    assert words.end(datetime.fromisoformat(told["valid_until"]), tonight) == "today 23:59"
    assert words.end(end, tonight - timedelta(days=7)) == f"{end.day} {end:%b}"
