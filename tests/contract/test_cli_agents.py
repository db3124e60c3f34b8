"""`meminbox agents`: how often each agent was right and which rules hold; and a rule from config.toml to its undo."""

from __future__ import annotations

from pathlib import Path

import pytest

from store import queries, review
from store.engine import open_store
from tests.cli_kit import Cli
from tests.contract.conftest import located
from tests.contract.proposing import ADA, unlike

RULE = '[[approve]]\nname = "codex-facts"\nagent = "codex"\nkind = "fact"\nmin_confidence = 0.8\n'


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path / "home", tmp_path / "shop")


def configure(cli: Cli, text: str) -> None:
    cli.home.mkdir(exist_ok=True)
    (cli.home / "config.toml").write_text(text)


def said(n: int, **more: object) -> dict[str, object]:
    return {"content": unlike(n), "source_agent": "codex", "confidence": 0.9, **more}


def test_a_rule_in_the_config_approves_names_itself_and_goes_back(cli: Cli) -> None:
    configure(cli, RULE)
    first, second = cli.propose(said(1, key="build.test"), said(2, confidence=0.5))
    assert (first["status"], first["reason"]) == ("known", "approved by the rule codex-facts")
    assert second["status"] == "pending"
    listed = cli("agents", "--approved", "--json").json
    (one,) = listed["items"]
    assert listed["total"] == 1
    assert (one["rule"], one["key"], one["stands"], one["memory_id"]) == (
        "codex-facts",
        "build.test",
        True,
        first["id"],
    )
    assert cli("agents", "--rule", "another", "--json").json["items"] == []
    assert "codex-facts" in cli("agents", "--approved").out
    ran = cli.person("undo")
    assert ran.code == 0 and "rule codex-facts approved build.test" in ran.out + ran.err
    assert {item["status"] for item in cli.waiting()} == {"pending"} and len(cli.waiting()) == 2
    assert cli.memories() == []
    told = cli("agents", "--json").json
    assert told["rules"] == [{"name": "codex-facts", "on": True, "approved": 1, "taken_back": 1}]
    assert cli("verify").code == 0


def test_what_is_wrong_with_a_rule_is_told_and_approves_nothing(cli: Cli) -> None:
    configure(cli, '[[approve]]\nname = "all"\nagent = "*"\n')
    (told,) = cli.propose(said(1))
    assert told["status"] == "pending"
    ran = cli("agents")
    assert ran.code == 0 and "approves nothing: it is for every agent" in ran.err
    assert "approves nothing" in cli("agents", "--json").json["messages"][0]


def test_limits_are_told_beside_the_rules(cli: Cli) -> None:
    configure(cli, '[limits.codex]\nkinds = ["fact"]\nper_session = 1\n[limits."*"]\nper_session = -2\n')
    told = cli.propose(said(1, session_id="s1"), said(2, session_id="s1"), said(3, kind="procedure"))
    assert [one["status"] for one in told] == ["pending", "draft", "refused"]
    answer = cli("agents", "--json").json
    assert answer["limits"] == [{"agent": "codex", "kinds": ["fact"], "per_session": 1}]
    assert "limits.*.per_session is not" in answer["messages"][0]
    assert "limit of codex: only fact, 1 a session" in cli("agents").out


def test_the_numbers_and_the_lines_of_a_rule(cli: Cli) -> None:
    cli.propose(*(said(n) for n in range(31)))
    store = open_store(located(str(cli.db), cli.home))
    seens = [one.seen() for one in queries.queue_rows(store, [item["id"] for item in cli.waiting()])]
    review.approve_many(store, seens, by=ADA)
    store.close()
    (item,) = cli("agents", "--json").json["items"]
    assert (item["agent"], item["kind"], item["proposed"], item["approved"], item["right"]) == (
        "codex",
        "fact",
        31,
        31,
        31,
    )
    assert item["suggested"]["toml"].startswith(
        '[[approve]]\nname = "codex-fact"\nagent = "codex"\nkind = "fact"\nscope = '
    )
    assert item["why_not"] is None
    assert item["calibration"] == [{"from": 0.9, "stated": pytest.approx(0.9), "decided": 31, "right": 31}]
    ran = cli("agents")
    assert "31 of 31 right" in ran.out and "[[approve]]" in ran.out
    # The lines hold once they stand in config.toml, and not before.
    assert cli.propose(said(100))[0]["status"] == "pending"
    configure(cli, item["suggested"]["toml"])
    assert cli.propose(said(101))[0]["status"] == "known"


def test_an_agent_is_told_of_its_own_project_only(cli: Cli) -> None:
    cli.propose(said(1), said(2, scope="another/project"))
    assert cli("agents", "--json").json["items"][0]["proposed"] == 2
    assert cli("agents", "--json", env={"CLAUDECODE": "1"}).json["items"][0]["proposed"] == 1


def test_without_a_store_there_is_nobody(cli: Cli) -> None:
    ran = cli("agents", "--json")
    assert ran.code == 0 and ran.json["items"] == []
