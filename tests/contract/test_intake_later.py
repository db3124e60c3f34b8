"""What intake leaves for later: second mentions in other words, near repeats of what was refused."""

from __future__ import annotations

import pytest

from store import desk, history, indexing, review, verify
from store.engine import Store
from store.facts import Outcome
from store.intake_later import Settled, settle
from store.policy import Limit, Limits
from store.reading import operation_of
from store.wording import title
from tests.contract.like_kit import Bag
from tests.contract.proposing import (
    ADA,
    AGENT,
    PROPOSAL,
    SUPPORT,
    approve,
    count,
    lines,
    one,
    propose,
    rows,
    shown,
)
from tests.contract.test_intake_drafts import DECISION, OPERATION

FIRST = "Write reports in short, plain sentences."
AGAIN = "Reports: write them in plain, short sentences."


def preference(store: Store, content: str, session: str | None, **more: object) -> Outcome:
    return one(store, content, kind="preference", session_id=session, source_agent="codex", **more)


def statuses(store: Store, *outcomes: Outcome) -> list[str]:
    return [shown(store, outcome).status for outcome in outcomes]


def test_similar_words_of_another_session_are_a_second_mention(store: Store) -> None:
    first = preference(store, FIRST, "s1")
    assert settle(store, [str(first.id)]) == Settled()
    second = preference(store, AGAIN, "s2")
    assert statuses(store, first, second) == ["draft", "draft"]
    settled = settle(store, [str(second.id)])
    assert settled.promoted == tuple(sorted((str(first.id), str(second.id))))
    assert statuses(store, first, second) == ["pending", "pending"]
    (operation,) = rows(store, OPERATION)
    assert (operation.action, operation.actor, operation.surface) == ("promote", "codex", "intake")
    assert {row.reason for row in rows(store, DECISION)} == {"said again in other words"}
    assert settle(store, [str(first.id), str(second.id)]) == Settled()
    assert verify.verify(store) is None
    with store.read() as connection:
        assert title(connection, store.tenant, operation_of(operation)) == "promoted 2"


def test_the_support_of_both_is_kept_and_reaches_the_memory(store: Store) -> None:
    first, second = preference(store, FIRST, "s1"), preference(store, AGAIN, "s2")
    settle(store, [str(second.id)])
    for outcome in (first, second):
        assert {row.ref for row in rows(store, SUPPORT, SUPPORT.c.owner_id == outcome.id)} == {"s1", "s2"}
    memory_id = approve(store, first)
    assert {row.ref for row in rows(store, SUPPORT, SUPPORT.c.owner_id == memory_id)} == {"s1", "s2"}


def test_it_can_be_undone(store: Store) -> None:
    first, second = preference(store, FIRST, "s1"), preference(store, AGAIN, "s2")
    settle(store, [str(second.id)])
    (operation,) = rows(store, OPERATION)
    history.undo(store, by=ADA, operation_id=operation.id)
    assert statuses(store, first, second) == ["draft", "draft"]
    assert verify.verify(store) is None


@pytest.mark.parametrize(
    ("session", "again", "more"),
    [
        ("s1", AGAIN, {}),  # the same session
        (None, AGAIN, {}),  # an absent one never counts
        ("s2", "Write reports in long, plain sentences.", {}),  # a differing hint
        ("s2", "Never write reports in short, plain sentences.", {"evidence": "no"}),
        ("s2", "Office keys are kept by the receptionist.", {}),
        ("s2", AGAIN, {"scope": "global"}),
        ("s2", AGAIN, {"key": "style.other"}),
    ],
)
def test_what_is_no_second_mention(store: Store, session: str | None, again: str, more: dict[str, str]) -> None:
    first = preference(store, FIRST, "s1", key="style.reports")
    second = preference(store, again, session, **more)
    settled = settle(store, [str(first.id), str(second.id)])
    assert settled == Settled()
    assert shown(store, first).status == "draft"


def test_a_directive_that_says_the_same_takes_the_draft_along(store: Store) -> None:
    first = preference(store, FIRST, "s1")
    second = preference(store, "Always write reports in short, plain sentences.", "s2")
    assert statuses(store, first, second) == ["draft", "pending"]
    assert settle(store, [str(second.id)]).promoted == (first.id,)


def test_what_is_over_its_limit_stays_folded(store: Store) -> None:
    limits = Limits({"*": Limit(per_session=1)})
    said = {"kind": "preference", "session_id": "s1", "source_agent": "codex"}
    _, folded = propose(
        store, {"content": "Something else entirely.", **said}, {"content": FIRST, **said}, limits=limits
    )
    second = preference(store, AGAIN, "s2")
    assert shown(store, folded).status == "draft"
    settle(store, [str(second.id)])
    assert shown(store, folded).status == "draft"


def test_D030_a_near_repeat_of_a_refusal_is_flagged_with_it(store: Store) -> None:
    refused = one(store, "Use yarn for installing packages.")
    review.reject(store, shown(store, refused).seen(), by=ADA, reason="we are on pnpm")
    repeat, change, other = (
        one(store, content)
        for content in (
            "For installing packages, use yarn.",
            "Use npm for installing packages.",
            "Keys are in the safe.",
        )
    )
    assert settle(store, [str(repeat.id), str(change.id), str(other.id)]).flagged == (repeat.id,)
    (flag,) = shown(store, repeat).flags
    assert flag.code == "rejected_before"
    assert flag.detail.startswith("resembles what ada turned down on ")
    assert flag.detail.endswith(": we are on pnpm")
    assert shown(store, change).flags == shown(store, other).flags == ()
    assert settle(store, [str(repeat.id)]) == Settled()
    assert verify.verify(store) is None


def test_a_refusal_elsewhere_flags_nothing_here(store: Store) -> None:
    refused = one(store, "Use yarn for installing packages.", scope="global")
    review.reject(store, shown(store, refused).seen(), by=ADA)
    repeat = one(store, "For installing packages, use yarn.")
    assert settle(store, [str(repeat.id)]) == Settled()


def test_indexing_settles_what_it_has_encoded(store: Store) -> None:
    encoder = Bag()
    first, second = preference(store, FIRST, "s1"), preference(store, AGAIN, "s2")
    while not indexing.step(store, encoder).complete:
        pass
    assert statuses(store, first, second) == ["pending", "pending"]


def test_nothing_is_settled_of_what_is_decided_gone_or_unknown(store: Store) -> None:
    outcome = preference(store, FIRST, "s1")
    review.reject(store, shown(store, outcome).seen(), by=ADA)
    assert settle(store, [str(outcome.id), "nothing", ""]) == Settled()
    assert settle(store, []) == Settled()
    assert count(store, PROPOSAL) == 1


def test_the_proposer_hears_of_a_second_mention_in_other_words(store: Store) -> None:
    said = {"kind": "preference", "source_agent": "codex"}
    (first,) = desk.propose(store.location, lines({"content": FIRST, "session_id": "s1", **said}), context=AGENT)
    assert (first.status, first.pending) == ("draft", 0)
    told = desk.propose(
        store.location,
        lines({"content": AGAIN, "session_id": "s2", **said}, {"content": "A plain fact.", "session_id": "s2"}),
        context=AGENT,
    )
    assert [(one.status, one.reason, one.pending) for one in told] == [
        ("pending", "said again in other words: now in the queue", 3),
        ("pending", None, 3),
    ]
    assert statuses(store, first) == ["pending"]
    (third,) = desk.propose(store.location, lines({"content": "Keys hang by the door.", **said}), context=AGENT)
    assert third.status == "draft"
