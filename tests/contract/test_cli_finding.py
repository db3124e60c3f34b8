"""search, profile and context --task on the command line: shapes that scripts rely on, scopes, ages, hostile text."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from tests.cli_kit import Cli
from tests.contract.test_cli_reading import MEMORY, UTC_TIME

STANDING = {"verified_at", "age", "support", "uses"}
HIT = MEMORY | STANDING | {"score", "why"}


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path / "home", tmp_path / "shop")


def found(cli: Cli, *arguments: str) -> list[str]:
    return [one["content"] for one in cli("search", "--json", *arguments).json["items"]]


def test_D068_search_has_the_shape_names_its_scorer_and_says_ages(cli: Cli) -> None:
    cli.approved(content="Deploy on Mondays", key="deploy.day", aliases=["rollout"])
    cli.propose("Deploy on Fridays")
    told = cli("search", "mondays", "--json").json
    assert set(told) == {"schema_version", "total", "scorer", "items"}
    assert (told["schema_version"], told["total"], told["scorer"]) == (1, 1, "words")
    (item,) = told["items"]
    assert set(item) == HIT
    assert (item["why"], item["age"], item["uses"]) == ("words", "verified less than a day ago", 0)
    assert re.fullmatch(UTC_TIME, item["verified_at"])
    assert cli("search", "deploy.day", "--jsonl").lines[0]["why"] == "key"
    (line,) = cli("search", "the", "rollout", "--jsonl").lines
    assert (line["why"], line["scorer"]) == ("alias", "words")
    shown = cli.person("search", "deploy", "mondays").out
    assert "Deploy on Mondays" in shown
    assert "less than a day ago" in shown
    assert "Fridays" not in shown


def test_D077_a_search_looks_here_and_everywhere_only_when_asked(cli: Cli, tmp_path: Path) -> None:
    other = Cli(cli.home, tmp_path / "billing")
    cli.approved(content="unique token here")
    cli.approved(content="unique token for all", scope="global")
    held = other.approved(content="unique token there", key="a.key")
    assert set(found(cli, "unique")) == {"unique token here", "unique token for all"}
    assert len(found(cli, "unique", "--all")) == 3
    assert found(cli, "unique", "--scope", "global") == ["unique token for all"]
    assert found(cli, "unique", "--scope", ".") == ["unique token here"]
    assert found(cli, held) == found(cli, held[-6:]) == found(cli, "a.key") == []
    assert found(cli, "a.key", "--all") == found(other, "a.key") == ["unique token there"]
    assert "there" not in cli("profile").out
    assert "there" not in cli("context", "--task", "the unique token").out


def test_statuses_kinds_and_the_limit_choose(cli: Cli) -> None:
    cli.approved(content="pytest runs", kind="procedure")
    cli.approved(content="pytest hung", kind="experience")
    cli.approved(content="pytest is gone", key="to.go")
    assert cli.person("delete", "to.go").code == 0
    assert set(found(cli, "pytest")) == {"pytest runs", "pytest hung"}
    assert found(cli, "pytest", "--kind", "experience") == ["pytest hung"]
    assert found(cli, "pytest", "--status", "deleted") == ["pytest is gone"]
    told = cli("search", "pytest", "--limit", "1", "--json").json
    assert (told["total"], len(told["items"])) == (2, 1)
    assert "1 of 2; --limit N shows more." in cli.person("search", "pytest", "--limit", "1").err
    assert "Nothing matches." in cli.person("search", "nowhere").err


@pytest.mark.parametrize(
    "options",
    [("--status", "open"), ("--kind", "thing"), ("--limit", "0"), ("--limit", "999"), ("--all", "--scope", "shop")],
)
def test_a_choice_that_does_not_exist_is_a_usage_error(options: tuple[str, ...], cli: Cli) -> None:
    ran = cli("search", "anything", *options)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err
    assert cli("search").code == 2


def test_D096_where_no_store_stands_nothing_is_found_and_none_is_made(cli: Cli) -> None:
    assert cli("search", "x", "--json").json == {"schema_version": 1, "total": 0, "scorer": "words", "items": []}
    assert cli("search", "x", "--jsonl").out == cli("search", "x").out == cli("profile", "--jsonl").out == ""
    assert cli("profile", "--json").json == {"schema_version": 1, "total": 0, "items": []}
    told = cli("context", "--task", "anything", "--json").json
    assert (told["text"], told["given"], told["scorer"]) == ("", [], "words")
    assert not cli.db.exists()


def test_D086_a_query_is_literal_on_the_command_line_too(cli: Cli) -> None:
    cli.approved(content="the pre-edit hook runs -q")
    for query in ('"', "*", "NEAR(a", "';DROP", "\u200b", "[/]", "-x"):
        ran = cli("search", "--json", "--", query)
        assert (ran.code, ran.json["total"]) == (0, 0), query
    assert found(cli, "pre-edit") == found(cli, "--", "-q") == ["the pre-edit hook runs -q"]


def test_D048_finding_never_waits_for_a_writer(cli: Cli) -> None:
    cli.approved(content="Deploy on Mondays")
    holder = sqlite3.connect(cli.db, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    try:
        assert found(cli, "mondays") == ["Deploy on Mondays"]
        assert "Mondays" in cli("profile").out
        assert "Mondays" in cli("context", "--task", "when do we deploy?").out
    finally:
        holder.close()


def test_profile_lists_everything_that_agents_are_told(cli: Cli) -> None:
    cli.approved(content="A case", kind="experience")
    cli.approved(content="A decision", kind="decision")
    cli.approved(content="A fact", key="a.fact")
    cli.propose("Only proposed")
    told = cli("profile", "--json").json
    assert [one["content"] for one in told["items"]] == ["A fact", "A decision", "A case"]
    assert told["total"] == 3
    assert set(told["items"][0]) == MEMORY | STANDING
    assert [one["content"] for one in cli("profile", "--jsonl").lines] == ["A fact", "A decision", "A case"]
    shown = cli.person("profile")
    assert "3 in all." in shown.err
    told_, _, found = cli("profile").out.partition("\n\nFound by search alone:\n")
    assert told_ == cli("context").out.rstrip("\n")
    assert found.endswith("] A case\n") and found.count("\n") == 1
    assert "Nothing is remembered here yet." in cli.person("profile", "--scope", "elsewhere").err


def test_context_for_a_task_gives_the_few_and_notes_the_hand_out(cli: Cli) -> None:
    held = cli.approved(content="Before a deploy, drain the queue")
    cli.approved(content="Reports are written in the passive voice")
    told = cli("context", "--task", "deploy the payment service", "--json", "--session", "s-1", "--agent", "codex").json
    assert told["scorer"] == "words"
    assert told["given"] == [{"id": held, "revision": 1}]
    assert "drain the queue" in told["text"]
    assert "passive" not in told["text"]
    assert "drain the queue" in cli("context", "--task", "deploy it").out
    other = ("context", "--task", "colours of the logo")
    assert "Nothing that you approved here is about this." in cli.person(*other).err
    assert (cli(*other).out, cli(*other).err) == ("", "")
    (hit,) = cli("search", "drain", "--json").json["items"]
    assert hit["uses"] == 2
    with sqlite3.connect(cli.db) as raw:
        given = raw.execute("SELECT memory_id, session_id, agent, surface FROM handout ORDER BY at").fetchall()
    assert given == [(held, "s-1", "codex", "cli"), (held, None, None, "cli")]


def test_what_an_agent_wrote_cannot_move_the_terminal(cli: Cli) -> None:
    cli.approved(content="sneaky\u202etext [bold red]here[/] and\nmore", aliases=["sneaky"])
    for shown in (cli.person("search", "sneaky").out, cli.person("profile").out, cli("search", "sneaky", "--json").out):
        assert "\u202e" not in shown
        assert "[bold red]here[/]" in shown


def test_a_colleagues_question_is_answered_as_markdown_with_what_waits_marked(cli: Cli, tmp_path: Path) -> None:
    other = Cli(cli.home, tmp_path / "billing")
    cli.approved(content="Deploy on Mondays", key="deploy.day")
    other.approved(content="Deploy from the release branch")
    cli.propose({"content": "Deploy on Fridays", "source_agent": "codex"})
    told = cli("search", "deploy", "--all", "--md", "--limit", "10")
    assert told.code == 0
    approved, _, pending = told.out.partition("## Pending: proposed by agents, approved by nobody")
    assert "**`deploy.day`** · approved · fact" in approved
    assert "```text\nDeploy on Mondays\n```" in approved and "Deploy from the release branch" in approved
    assert "Fridays" not in approved
    assert "**pending, not approved**" in pending and "```text\nDeploy on Fridays\n```" in pending
    assert told.out.endswith("Found by words.\n")
    assert cli("search", "nothing-like-it", "--md").out.startswith("# `nothing-like-it`\n\nNothing approved answers")
    assert cli("search", "deploy", "--md", "--json").code == 2


def test_V14_no_text_is_markup_where_the_answer_is_pasted(cli: Cli) -> None:
    bad = "deploy ![x](http://evil.example/?q=1)\n````\n# not a heading\n```\n<script>\u202e"
    cli.approved(content=bad)
    cli.propose({"content": "deploy `now`", "source_agent": "a`b](c)"})
    out = cli("search", "deploy", "--md").out
    fence = "`" * 5
    inside = out.partition(f"{fence}text\n")[2].partition(f"\n{fence}\n")[0]
    assert inside.startswith("deploy ![x](http://evil.example/?q=1)\n````\n# not a heading\n```\n<script>")
    assert "\u202e" not in out and "U+202E" in inside
    assert "by ``a`b](c)``" in out


def test_an_agent_that_asks_for_markdown_is_told_nothing_that_waits(cli: Cli) -> None:
    cli.approved(content="Deploy on Mondays")
    cli.propose("Deploy on Fridays")
    out = cli("search", "deploy", "--md", env={"CLAUDECODE": "1"}).out
    assert "Mondays" in out and "Fridays" not in out
