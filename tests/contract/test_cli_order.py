"""`meminbox list --sort`: the oldest first for whoever comes back after weeks, and the stale named."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.cli_kit import Cli


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path / "home", tmp_path / "shop")


def age(cli: Cli, days: dict[str, int]) -> None:
    """Have these been proposed so many days ago."""
    with sqlite3.connect(cli.db) as db:
        for id_, number in days.items():
            then = (datetime.now(UTC) - timedelta(days=number, minutes=1)).strftime("%Y-%m-%d %H:%M:%S.%f")
            db.execute("UPDATE proposal SET created_at = ? WHERE id = ?", (then, id_))
    db.close()


def test_D026_list_by_age_and_the_stale_marked(cli: Cli) -> None:
    a, b, c = (one["id"] for one in cli.propose("One", "Two", "Three"))
    age(cli, {a: 3, b: 45, c: 0})

    def told(*options: str) -> list[str]:
        return [item["id"] for item in cli("list", "--json", *options).json["items"]]

    assert told() == told("--sort", "queue") == [c, b, a]
    assert told("--sort", "oldest") == [b, a, c]
    assert told("--sort", "newest") == [c, a, b]
    assert told("--sort", "oldest", "--limit", "1") == [b]
    assert told("--sort", "oldest", "--after", b) == [a, c]
    rows = cli("list", "--sort", "oldest").out.splitlines()
    assert ["stale" in row for row in rows] == [True, False, False]
    seen = cli.person("list").out.splitlines()
    assert [row.endswith("45d  stale") for row in seen] == [False, True, False]


def test_an_order_that_does_not_exist_is_named(cli: Cli) -> None:
    ran = cli("list", "--sort", "random")
    assert ran.code == 2 and "oldest" in ran.err


def test_memories_take_an_order_too(cli: Cli) -> None:
    held = [cli.approved(content=text) for text in ("One", "Two")]
    found = [item["id"] for item in cli("list", "--memories", "--sort", "oldest", "--json").json["items"]]
    assert found == held
