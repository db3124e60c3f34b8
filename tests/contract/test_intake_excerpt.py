"""The user's words before a proposal: shown as evidence, and believed only where they are about what is proposed."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from store import desk, redact, spool
from store.context import Context
from store.engine import Store
from store.facts import Outcome
from store.intake import take
from tests.contract.proposing import AGENT, PROPOSAL, approve, known, lines, rows, shown

ORDER = "From now on use uv, never pip, in this repository"


def one(store: Store, content: str, excerpt: str | None, context: Context = AGENT, **more: Any) -> Outcome:
    """Propose one line with the words that stood before it."""
    raws = [replace(raw, excerpt=excerpt) for raw in lines({"content": content, **more})]
    with store.write() as connection:
        return take(store, connection, raws, context=context)[0]


class TestEvidence:
    def test_it_stands_as_evidence_where_the_proposer_quotes_none(self, store: Store) -> None:
        proposal = shown(store, one(store, "Use uv", ORDER))
        assert proposal.entry.evidence == ORDER
        assert shown(store, one(store, "Use ruff", ORDER, evidence="and ruff")).entry.evidence == "and ruff"

    def test_it_goes_with_the_memory_that_is_made_of_it(self, store: Store) -> None:
        memory = approve(store, one(store, "Use uv", ORDER))
        from store.reading import memories

        with store.read() as connection:
            (found,) = memories(connection, store.tenant, [memory])
        assert found.entry.evidence == ORDER

    def test_a_removal_has_it_too_where_nothing_else_is_said(self, store: Store) -> None:
        known(store, "Use pip", key="tool.pkg")
        raws = [replace(raw, excerpt=ORDER) for raw in lines({"op": "remove", "key": "tool.pkg"})]
        with store.write() as connection:
            (outcome,) = take(store, connection, raws, context=AGENT)
        assert shown(store, outcome).entry.evidence == ORDER


class TestFlags:
    def test_a_lesson_from_a_failure_stays_a_guess(self, store: Store) -> None:
        """What was asked for bears nothing out."""
        outcome = one(store, "The cache is broken", "Fix the cache, it is broken", source="task_failure")
        assert [flag.code for flag in shown(store, outcome).flags] == ["guess"]

    @pytest.mark.parametrize(
        ("words", "content"),
        [
            (ORDER, "Use uv"),
            ("Please use uv. From now on, I mean.", "uv is the package manager"),
            ("以后都用 pnpm，不要用 npm", "用 pnpm 安装"),
            ("ALWAYS run the linter!", "Run the linter before a commit"),
            ("请每次先运行测试", "先运行测试"),
        ],
    )
    def test_an_order_about_it_goes_to_the_queue(self, store: Store, words: str, content: str) -> None:
        assert one(store, content, words, kind="preference").status == "pending"

    @pytest.mark.parametrize(
        ("words", "content"),
        [
            ("It always fails on my machine. Fix the deploy.", "Answer in short sentences"),
            ("Use uv please", "Use uv"),
            ("以后再说吧", "回答要简短"),
            ("Never mind. The tests are green now. What about the docs? They should be short.", "Docs are short"),
            ("", "Use uv"),
        ],
    )
    def test_an_order_about_something_else_does_not(self, store: Store, words: str, content: str) -> None:
        assert one(store, content, words or None, kind="preference").status == "draft"

    def test_the_users_words_about_a_live_value_are_a_correction(self, store: Store) -> None:
        known(store, "Reports are formal", kind="preference", key="style.voice", source_agent="codex")
        said: dict[str, Any] = {"kind": "preference", "key": "style.voice", "source": "user_feedback"}
        assert one(store, "Reports are casual", "more casual reports please", **said).status == "pending"
        assert one(store, "Reports are short", "thanks, go on", **said).status == "draft"
        assert one(store, "Reports are long", None, **said).status == "draft"


def test_it_and_the_commit_travel_through_the_spool(store: Store) -> None:
    commit = "1a2b3c4d" * 5
    raws = [replace(raw, excerpt=ORDER) for raw in lines({"content": "Use uv"})]
    context = replace(AGENT, commit=commit)
    (outcome,) = desk.propose(store.location, raws, context=context, store=store)
    proposal = shown(store, outcome)
    assert (proposal.entry.evidence, proposal.branch, proposal.commit) == (ORDER, "main", commit)
    assert rows(store, PROPOSAL)[0].commit_hash == commit


def test_it_is_redacted_before_it_is_written(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redact, "redact_text", lambda text: (text.replace("hunter2", "[password]"), ()))
    raws = [replace(raw, excerpt="the password is hunter2") for raw in lines({"content": "Use uv"})]
    kept: list[bytes] = []
    put = spool.put

    def looked_at(*given: Any) -> spool.SpoolFile:
        file = put(*given)
        kept.append(file.path.read_bytes())
        return file

    monkeypatch.setattr(spool, "put", looked_at)
    (outcome,) = desk.propose(store.location, raws, context=AGENT, store=store)
    assert b"hunter2" not in kept[0]
    assert shown(store, outcome).entry.evidence == "the password is [password]"


def test_no_proposer_can_set_it() -> None:
    from store.admit import admit

    for field in ("excerpt", "commit", "commit_hash"):
        (refused,) = admit(json.dumps({"content": "a", field: "x"}).encode()).refusals
        assert refused.reason is not None and "set by Meminbox" in refused.reason
