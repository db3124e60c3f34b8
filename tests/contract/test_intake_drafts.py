"""Triage of section 5, steps 4, 5 and 7: drafts and directives, guesses, intake limits."""

from __future__ import annotations

import pytest

from store import history, review, verify
from store.context import Context
from store.engine import Store
from store.models import DecisionRow, OperationRow
from store.policy import Limit, Limits
from store.reading import operation_of
from store.wording import title
from tests.contract.proposing import (
    ADA,
    AGENT,
    PERSON,
    PROPOSAL,
    SHOP,
    SUPPORT,
    approve,
    count,
    known,
    one,
    propose,
    rows,
    shown,
)

OPERATION = OperationRow.__table__  # type: ignore[attr-defined]
DECISION = DecisionRow.__table__  # type: ignore[attr-defined]


def preference(store: Store, content: str = "Plain words", **more: object) -> str | None:
    return one(store, content, kind="preference", **more).status


class TestDrafts:
    def test_a_preference_said_once_waits_until_a_second_session_says_it(self, store: Store) -> None:
        first = one(store, "Plain words", kind="preference", session_id="s1", source_agent="codex")
        assert first.status == "draft"
        assert first.pending == 0
        again = one(store, "Plain words", kind="preference", session_id="s1")
        assert (again.status, again.id) == ("draft", first.id)
        second = one(store, "Plain  words", kind="preference", session_id="s2", source_agent="claude-code")
        assert (second.status, second.id, second.pending) == ("pending", first.id, 1)
        assert second.reason == "said 3 times: now in the queue"
        assert shown(store, first).status == "pending"
        assert {row.ref for row in rows(store, SUPPORT)} == {"s1", "s2"}

    def test_an_absent_session_never_counts(self, store: Store) -> None:
        assert preference(store) == "draft"
        assert preference(store) == "draft"
        assert preference(store, session_id="s1") == "draft"
        assert preference(store) == "draft"
        assert preference(store, session_id="s1") == "draft"
        assert preference(store, session_id="s2") == "pending"
        assert count(store, PROPOSAL) == 1

    def test_a_promotion_is_an_operation_with_its_decision_and_can_be_undone(self, store: Store) -> None:
        first = one(store, "Plain words", kind="preference", session_id="s1", source_agent="codex")
        one(store, "Plain words", kind="preference", session_id="s2", source_agent="claude-code")
        (operation,) = rows(store, OPERATION)
        assert (operation.action, operation.actor, operation.surface) == ("promote", "claude-code", "intake")
        assert operation.count == 1
        (decision,) = rows(store, DECISION)
        assert (decision.proposal_id, decision.from_status, decision.to_status) == (first.id, "draft", "pending")
        assert verify.verify(store) is None
        with store.read() as connection:
            assert title(connection, store.tenant, operation_of(operation)) == "promoted “Plain words”"
        history.undo(store, by=ADA, operation_id=operation.id)
        assert shown(store, first).status == "draft"
        assert verify.verify(store) is None

    def test_two_sessions_in_one_batch_promote_too(self, store: Store) -> None:
        said = [
            {"content": f"taste {n}", "kind": "preference", "session_id": f"s{session}", "source_agent": "codex"}
            for session in (1, 2)
            for n in (1, 2)
        ]
        outcomes = propose(store, *said)
        assert [outcome.status for outcome in outcomes] == ["draft", "draft", "pending", "pending"]
        (operation,) = rows(store, OPERATION)
        assert operation.count == 2
        assert verify.verify(store) is None

    def test_a_draft_said_by_a_person_goes_to_the_queue(self, store: Store) -> None:
        first = one(store, "Plain words", kind="preference", session_id="s1")
        (outcome,) = propose(store, {"content": "Plain words", "kind": "preference"}, context=PERSON)
        assert (outcome.status, outcome.id) == ("pending", first.id)

    def test_another_value_for_the_key_of_a_draft_is_another_draft(self, store: Store) -> None:
        assert preference(store, "tabs", key="style.indent", session_id="s1") == "draft"
        assert preference(store, "spaces", key="style.indent", session_id="s2") == "draft"
        assert count(store, PROPOSAL) == 2

    @pytest.mark.parametrize("kind", ["fact", "procedure", "experience", "decision", "requirement", "feedback"])
    def test_only_preferences_wait(self, store: Store, kind: str) -> None:
        assert one(store, "Plain words", kind=kind).status == "pending"

    def test_a_person_never_waits(self, store: Store) -> None:
        assert propose(store, {"content": "Plain words", "kind": "preference"}, context=PERSON)[0].status == "pending"

    def test_a_correction_with_the_users_words_is_pending_at_once(self, store: Store) -> None:
        known(store, "Active voice always", kind="preference", key="style.voice", source_agent="codex")
        quoted = {"kind": "preference", "key": "style.voice", "source_agent": "codex", "evidence": "more formally"}
        assert one(store, "Passive", **quoted, source="user_feedback").status == "pending"
        assert one(store, "Neutral", **quoted, source="task_success").status == "draft"
        without = {"kind": "preference", "key": "style.voice", "source": "user_feedback"}
        assert one(store, "Ornate", **without).status == "draft"
        assert one(store, "Sober", kind="preference", source="user_feedback", evidence="be sober").status == "draft"

    def test_a_removal_of_a_preference_is_pending(self, store: Store) -> None:
        known(store, "Always plain", kind="preference", key="style.voice")
        assert propose(store, {"op": "remove", "key": "style.voice"})[0].status == "pending"

    def test_an_approved_draft_keeps_all_its_sessions(self, store: Store) -> None:
        first = one(store, "Plain words", kind="preference", session_id="s1")
        one(store, "Plain words", kind="preference", session_id="s2")
        memory = approve(store, first)
        assert {row.ref for row in rows(store, SUPPORT, SUPPORT.c.owner_id == memory)} == {"s1", "s2"}

    def test_a_draft_turned_down_is_turned_down(self, store: Store) -> None:
        first = one(store, "Plain words", kind="preference", session_id="s1")
        review.reject(store, shown(store, first).seen(), by=ADA)
        assert preference(store, session_id="s2") == "rejected_before"


class TestDirectives:
    @pytest.mark.parametrize(
        "content",
        [
            "From now on, use uv",
            "use uv from  now\non",
            "ALWAYS use uv",
            "Never use pip",
            "run the tests every time",
            "以后都用 uv",
            "Henceforth, use uv",
            "Going forward we install with uv",
            "Whenever you install something, take uv",
            "别再用 pip 了，用 uv",
            "以後都用 uv",
            "每次提交前跑测试",
            "总是用 uv",
            "從現在起用 uv",
            "从现在起用 uv",
            "一律用空格缩进",
            "不要再用 pip 了",
            "ｆｒｏｍ ｎｏｗ ｏｎ use uv",
        ],
    )
    def test_a_standing_order_is_pending_at_once(self, store: Store, content: str) -> None:
        assert preference(store, content) == "pending"

    @pytest.mark.parametrize("content", ["The sideways view", "nevertheless, use uv", "这次用 uv", "hallways are fine"])
    def test_a_passing_taste_is_not(self, store: Store, content: str) -> None:
        assert preference(store, content) == "draft"

    def test_the_quoted_words_of_the_user_count(self, store: Store) -> None:
        assert preference(store, "Use uv", evidence="please, always uv") == "pending"


class TestGuess:
    def test_a_failure_without_evidence_is_a_guess(self, store: Store) -> None:
        guess = one(store, "The cache is broken", source="task_failure")
        assert [flag.code for flag in shown(store, guess).flags] == ["guess"]
        proven = one(store, "The index is broken", source="task_failure", evidence="log line 12")
        assert shown(store, proven).flags == ()


class TestLimits:
    LIMITS = Limits({"codex": Limit(kinds=frozenset({"fact"}), per_session=2), "*": Limit(per_session=1)})

    def test_no_limits_unless_they_are_set(self, store: Store) -> None:
        outcomes = propose(store, *({"content": f"{n}", "session_id": "s"} for n in range(50)))
        assert {outcome.status for outcome in outcomes} == {"pending"}

    def test_a_kind_that_an_agent_may_not_propose_is_refused_in_words(self, store: Store) -> None:
        (outcome,) = propose(store, {"content": "a", "kind": "procedure", "source_agent": "codex"}, limits=self.LIMITS)
        assert outcome.status == "refused"
        assert outcome.reason == "codex may not propose a procedure here (limits in config.toml)"
        assert count(store, PROPOSAL) == 0

    def test_beyond_its_number_a_session_waits_folded(self, store: Store) -> None:
        said = [{"content": f"{n}", "source_agent": "codex", "session_id": "s1"} for n in range(3)]
        outcomes = propose(store, *said, limits=self.LIMITS)
        assert [outcome.status for outcome in outcomes] == ["pending", "pending", "draft"]
        assert [flag.code for flag in shown(store, outcomes[2]).flags] == ["over_limit"]
        (later,) = propose(store, {"content": "x", "source_agent": "codex", "session_id": "s1"}, limits=self.LIMITS)
        (other,) = propose(store, {"content": "y", "source_agent": "codex", "session_id": "s2"}, limits=self.LIMITS)
        assert (later.status, other.status) == ("draft", "pending")

    def test_what_waited_over_a_limit_is_promoted_by_a_session_within_its_own(self, store: Store) -> None:
        first, second = propose(store, *({"content": f"{n}", "session_id": "s1"} for n in range(2)), limits=self.LIMITS)
        assert (first.status, second.status) == ("pending", "draft")
        (again,) = propose(store, {"content": "1", "session_id": "s2"}, limits=self.LIMITS)
        assert (again.status, again.id) == ("pending", second.id)

    def test_leaving_the_session_out_does_not_escape_a_limit(self, store: Store) -> None:
        outcomes = propose(store, "a", "b", limits=self.LIMITS)
        assert [outcome.status for outcome in outcomes] == ["pending", "draft"]

    def test_a_person_has_no_limits(self, store: Store) -> None:
        outcomes = propose(store, "a", "b", "c", context=PERSON, limits=self.LIMITS)
        assert {outcome.status for outcome in outcomes} == {"pending"}

    def test_what_is_known_or_waits_already_is_answered_before_any_limit(self, store: Store) -> None:
        strict = Limits({"*": Limit(kinds=frozenset())})
        memory = known(store, "a")
        waiting = one(store, "b")
        outcomes = propose(store, "a", "b", context=AGENT, limits=strict)
        assert [(outcome.status, outcome.id) for outcome in outcomes] == [("known", memory), ("pending", waiting.id)]


def test_an_agent_without_a_name_is_named_as_such_in_the_log(store: Store) -> None:
    nobody = Context(scope=SHOP)
    for session in ("s1", "s2"):
        propose(store, {"content": "Plain", "kind": "preference", "session_id": session}, context=nobody)
    assert rows(store, OPERATION)[0].actor == "unknown agent"
