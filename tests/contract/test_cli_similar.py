"""``meminbox show`` of a proposal: what resembles it, with what differs, for people and as JSON."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli_kit import Cli


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path / "home", tmp_path / "shop")


def test_show_tells_what_is_similar_and_what_differs(cli: Cli) -> None:
    cli.approved(content="The staging database listens on port 5433.", key="db.port")
    cli.propose({"content": "The staging database listens on port 5440."})
    own = cli.waiting()[0]["id"][-6:]
    (item,) = cli("show", own, "--json").json["similar"]
    assert (item["what"], item["key"], item["scorer"]) == ("memory", "db.port", "words")
    assert item["hints"] == [{"kind": "number", "old": "5433", "new": "5440", "reason": "5433 -> 5440"}]
    assert 0.5 < item["score"] <= 1
    said = cli("show", own).out
    assert "similar" in said
    assert "[5433 -> 5440]" in said


def test_show_tells_a_refusal_that_it_resembles(cli: Cli) -> None:
    cli.propose({"content": "Use yarn for installing packages."})
    cli.person("reject", cli.waiting()[0]["id"], "--reason", "we are on pnpm")
    cli.propose({"content": "For installing packages, use yarn."})
    own = cli.waiting()[0]["id"][-6:]
    (item,) = cli("show", own, "--json").json["similar"]
    assert (item["what"], item["reason"]) == ("rejected", "we are on pnpm")
    assert "rejected by" in cli("show", own).out
