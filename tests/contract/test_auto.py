"""Approval by the person's own rules: additions that nothing speaks against, each an operation that one key undoes."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from store import auto, history, queries, review
from store.by_rule import POLICY
from store.context import Context
from store.engine import Store
from store.entry import GLOBAL
from store.facts import Outcome
from store.filters import parse
from store.intake import take
from store.policy import Rule, Rules
from store.verify import verify
from tests.contract.proposing import (
    ADA,
    AGENT,
    ON_BOTH,
    PERSON,
    PROPOSAL,
    SHOP,
    SUPPORT,
    known,
    lines,
    rows,
    shown,
    unlike,
)

FACTS = Rule("codex-facts", frozenset({"codex"}), kinds=frozenset({"fact"}))
SURE = Rule("sure", frozenset({"codex"}), min_confidence=0.8)


def propose(
    store: Store, *said: dict[str, Any] | str, rules: tuple[Rule, ...] = (FACTS,), context: Context = AGENT
) -> list[Outcome]:
    """Propose as codex, with these rules on."""
    values = [{"content": one} if isinstance(one, str) else one for one in said]
    with store.write() as connection:
        asked = lines(*({"source_agent": "codex", **value} for value in values))
        return take(store, connection, asked, context=context, rules=Rules(rules))


def held(store: Store, view: str = "") -> list[str]:
    """What the active memories say, those that a filter lets through."""
    ids = queries.memory_ids(store, parse(view), scopes=None)
    return sorted(memory.entry.content for memory in queries.memory_rows(store, list(ids)))


@ON_BOTH
def test_without_a_rule_nothing_is_approved(store: Store) -> None:
    (outcome,) = propose(store, "Tests run with pytest -q", rules=())
    assert outcome.status == "pending"
    assert held(store) == []


def test_a_rule_approves_an_addition_and_the_log_names_it(store: Store) -> None:
    (outcome,) = propose(store, {"content": "Tests run with pytest -q", "key": "build.test", "session_id": "s1"})
    assert (outcome.status, outcome.reason, outcome.pending) == ("known", "approved by the rule codex-facts", 0)
    (memory,) = queries.memory_rows(store, [outcome.id or ""])
    assert (memory.status, memory.entry.key, memory.entry.source_agent) == ("active", "build.test", "codex")
    (version,) = queries.memory_versions(store, memory.id)
    assert (version.action, version.actor, version.surface) == ("approve", POLICY.name, "intake")
    (step,) = auto.steps(store)
    assert (step.rule, step.memory_id, step.stands) == ("codex-facts", memory.id, True)
    assert auto.steps(store, rule="another") == []
    assert {row.owner_id for row in rows(store, SUPPORT)} == {memory.id, step.proposal_id}
    assert verify(store) is None


@ON_BOTH
def test_undo_names_the_rule_and_puts_the_proposal_back_for_good(store: Store) -> None:
    propose(store, {"content": "Tests run with pytest -q", "key": "build.test", "session_id": "s1"})
    step = history.next_undo(store, ADA)
    assert step is not None
    assert history.describe(store, step) == "rule codex-facts approved build.test"
    done = history.undo(store, by=ADA)
    assert done.title == "undid: rule codex-facts approved build.test"
    assert held(store) == []
    (waiting,) = queries.queue_ids(store, scopes=None, since=None)
    assert shown(store, waiting).status == "pending"
    assert history.next_undo(store, ADA) is None
    # Neither the same words nor others under the same key pass by the person any more.
    again = propose(
        store,
        {"content": "Tests run with pytest -q", "key": "build.test", "session_id": "s2"},
        {"content": "Tests run with pytest -x", "key": "build.test"},
        {"content": "Tests run  with pytest -q", "key": "other.key"},
    )
    assert {one.status for one in again} == {"pending"}
    assert held(store) == []
    history.redo(store, by=ADA)
    assert held(store) == ["Tests run with pytest -q"]
    assert verify(store) is None


@ON_BOTH
def test_each_approval_goes_back_by_itself(store: Store) -> None:
    propose(store, "Tests run with pytest -q", "用 pnpm 安装依赖", "Docs are built with make html")
    newest, middle, _ = auto.steps(store)
    assert history.undo(store, by=ADA, operation_id=middle.operation_id).title.endswith("“用 pnpm 安装依赖”")
    assert held(store) == ["Docs are built with make html", "Tests run with pytest -q"]
    step = history.next_undo(store, ADA)
    assert step is not None and step.id == newest.operation_id
    assert [one.stands for one in auto.steps(store)] == [True, False, True]


def test_a_rule_has_a_filter_of_its_own(store: Store) -> None:
    known(store, "A person approved this")
    propose(store, "Tests run with pytest -q", rules=(FACTS,))
    propose(store, {"content": "Docs are built with make html", "confidence": 0.9}, rules=(SURE,))
    assert held(store, "auto:codex-facts") == ["Tests run with pytest -q"]
    assert held(store, "auto:sure") == ["Docs are built with make html"]
    assert held(store, "auto:any") == ["Docs are built with make html", "Tests run with pytest -q"]
    assert held(store, "auto:none") == ["A person approved this"]
    (memory,) = queries.memory_rows(store, list(queries.memory_ids(store, parse("auto:sure"), scopes=None)))
    history.edit(store, memory.id, memory.revision, memory.entry.with_(content="Docs: make html"), by=ADA)
    assert held(store, "auto:any") == ["Tests run with pytest -q"]  # what a person has put hand to is the person's


@ON_BOTH
@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"content": "Tests run", "source_agent": "claude-code"}, "another agent"),
        ({"content": "Tests run", "source_agent": None}, "an agent without a name"),
        ({"content": "Reports are formal, always", "kind": "preference"}, "another kind"),
        ({"content": "Tests run", "scope": GLOBAL}, "everywhere"),
        ({"content": "Tests\u200brun"}, "hidden characters"),
        ({"content": "The deploy hung", "source": "task_failure"}, "a guess"),
        ({"content": "Port 5440", "key": "db.port"}, "a key that is taken"),
        ({"op": "remove", "key": "db.port"}, "a removal"),
        ({"content": "Port 5440", "aliases": ["db.port"]}, "another memory's key as an alias"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_whatever_there_is_to_see_waits_for_the_person(store: Store, said: dict[str, Any], why: str) -> None:
    known(store, "Port 5433", key="db.port", source_agent="codex")
    (outcome,) = propose(store, said)
    assert outcome.status == "pending", outcome
    assert held(store) == ["Port 5433"]


@ON_BOTH
def test_a_person_s_own_proposal_waits_for_that_person(store: Store) -> None:
    (outcome,) = propose(store, "Tests run with pytest -q", context=PERSON)
    assert outcome.status == "pending"


@ON_BOTH
def test_two_values_for_one_key_both_wait(store: Store) -> None:
    told = propose(store, {"content": "Port 5433", "key": "db.port"}, {"content": "Port 5440", "key": "db.port"})
    assert {one.status for one in told} == {"pending"}
    (third,) = propose(store, {"content": "Port 5450", "key": "db.port"})
    assert third.status == "pending"


@ON_BOTH
def test_a_text_that_was_a_memory_once_is_not_put_back_by_a_rule(store: Store) -> None:
    soon = store.now() + timedelta(hours=1)
    known(store, "The staging port is 5440", valid_until=soon.isoformat())
    overwritten = known(store, "The port is 5433", key="db.port")
    (memory,) = queries.memory_rows(store, [overwritten])
    history.edit(store, memory.id, 1, memory.entry.with_(content="The port is 5450"), by=ADA)
    store.now = lambda: soon + timedelta(hours=1)  # type: ignore[method-assign]
    told = propose(store, "The staging port is 5440", "The port is 5433")
    assert [one.status for one in told] == ["pending", "pending"]


@ON_BOTH
def test_confidence_that_was_not_stated_is_below_every_minimum(store: Store) -> None:
    told = propose(
        store,
        {"content": "One", "confidence": 0.8},
        {"content": "Two", "confidence": 0.79},
        {"content": "Three"},
        rules=(SURE,),
    )
    assert [one.status for one in told] == ["known", "pending", "pending"]


@ON_BOTH
def test_a_rule_for_a_project_holds_there_alone_and_global_must_be_said(store: Store) -> None:
    here = Rule("here", frozenset({"codex"}), scopes=frozenset({SHOP}))
    everywhere = Rule("everywhere", frozenset({"codex"}), scopes=frozenset({GLOBAL}))
    assert propose(store, "One", rules=(here,))[0].status == "known"
    assert propose(store, {"content": "Two", "scope": GLOBAL}, rules=(here,))[0].status == "pending"
    assert propose(store, {"content": "Three", "scope": GLOBAL}, rules=(everywhere,))[0].status == "known"
    # A label is chosen by the repository: it opens no door.
    labelled = Rule("labelled", frozenset({"codex"}), scopes=frozenset({"shop-api"}))
    assert propose(store, "Four", rules=(labelled,))[0].status == "pending"


@ON_BOTH
def test_what_is_said_once_waits_until_a_second_session_says_it(store: Store) -> None:
    rule = Rule("prefs", frozenset({"codex"}), kinds=frozenset({"preference"}))
    said = {"content": "Reports in short sentences", "kind": "preference"}
    assert propose(store, {**said, "session_id": "s1"}, rules=(rule,))[0].status == "draft"
    assert held(store) == []
    (outcome,) = propose(store, {**said, "session_id": "s2"}, rules=(rule,))
    assert (outcome.status, outcome.reason) == ("known", "approved by the rule prefs")
    assert held(store) == ["Reports in short sentences"]
    assert verify(store) is None


@ON_BOTH
def test_a_flood_is_not_waved_through(store: Store) -> None:
    told = propose(store, *map(unlike, range(auto.MOST + 5)))
    assert [one.status for one in told].count("known") == auto.MOST
    assert told[0].pending == 5


@ON_BOTH
def test_what_resembles_something_else_waits_for_the_person(store: Store) -> None:
    known(store, "The test database listens on port 5433")
    turned_away = propose(store, "Never squash commits before a review", rules=())[0]
    review.reject(store, shown(store, turned_away).seen(), by=ADA, reason="we do squash")
    told = propose(
        store,
        "The test database listens on port 5440",
        "Never squash the commits before the review",
        "Docs are built with make html",
        "Docs are built with make pdf",
        "测试库用的是 MySQL",
        "测试库用的是 PostgreSQL",
    )
    assert [one.status for one in told] == ["pending", "pending", "known", "pending", "known", "pending"]


@ON_BOTH
def test_a_retry_is_told_what_the_rule_did(store: Store) -> None:
    said = {"content": "Tests run with pytest -q", "idempotency_key": "k1"}
    first, second = propose(store, said), propose(store, said)
    assert (second[0].status, second[0].id, second[0].reason) == (first[0].status, first[0].id, first[0].reason)
    assert len(rows(store, PROPOSAL)) == 1


@ON_BOTH
def test_a_line_said_twice_in_a_batch_is_one_approval(store: Store) -> None:
    told = propose(store, "Tests run with pytest -q", "Tests run with pytest -q")
    assert {one.status for one in told} == {"known"}
    assert len(auto.steps(store)) == 1


@ON_BOTH
def test_an_agent_that_calls_itself_policy_makes_no_step_of_the_person_s(store: Store) -> None:
    said = {"content": "Reports in short sentences", "kind": "preference", "source_agent": "policy"}
    propose(store, {**said, "session_id": "s1"}, rules=())
    propose(store, {**said, "session_id": "s2"}, rules=())  # promoted by the "policy" agent, at intake
    assert history.next_undo(store, ADA) is None
    assert auto.steps(store) == []


@ON_BOTH
def test_the_person_s_later_step_is_undone_before_the_rule_s(store: Store) -> None:
    propose(store, "Tests run with pytest -q")
    (waiting,) = propose(store, {"content": "Always short reports", "kind": "preference"})
    review.reject(store, shown(store, waiting).seen(), by=ADA)
    titles = [history.undo(store, by=ADA).title for _ in range(2)]
    assert titles == [
        "undid: rejected “Always short reports”",
        "undid: rule codex-facts approved “Tests run with pytest -q”",
    ]
