"""Five cases that say the same offer themselves as one memory; once, and for a person to word."""

from __future__ import annotations

import pytest

from store import episodes, history, indexing, review, verify
from store.engine import Store
from store.facts import Proposal
from tests.contract.like_kit import Bag
from tests.contract.proposing import ADA, PERSON, PROPOSAL, SHOP, approve, count, propose, rows, shown

CASES = (
    "The deploy failed since the migration lock was held; retrying twice helped.",
    "Deploy failed because the migration lock was held, and retrying twice helped.",
    "The migration lock was held, so the deploy failed; retrying it twice helped.",
    "Retrying twice helped when the deploy failed on the held migration lock.",
    "The deploy failed: the migration lock was held. Retrying twice helped.",
)


def happened(store: Store, *said: str, kind: str = "experience", scope: str = SHOP) -> list[str]:
    laid = propose(store, *({"content": one, "kind": kind, "scope": scope} for one in said), context=PERSON)
    return [approve(store, outcome) for outcome in laid]


def offered(store: Store, ids: tuple[str, ...]) -> Proposal:
    (own,) = ids
    return shown(store, own)


def test_five_cases_offer_themselves_as_a_draft(store: Store) -> None:
    ids = happened(store, *CASES)
    happened(store, "Office keys are kept by the receptionist.")
    proposal = offered(store, episodes.offers(store, SHOP))
    assert (proposal.status, proposal.op, proposal.entry.kind, proposal.entry.scope) == ("draft", "add", "fact", SHOP)
    assert proposal.entry.content in CASES
    assert proposal.entry.evidence is not None
    for memory_id, content in zip(ids, CASES, strict=True):
        assert f"…{memory_id[-6:]} {content}" in proposal.entry.evidence
    (flag,) = proposal.flags
    assert flag.code == "episodes"
    assert flag.detail.startswith("5 cases say the same: …")
    assert verify.verify(store) is None


def test_four_are_not_enough_and_other_scopes_do_not_count(store: Store) -> None:
    happened(store, *CASES[:4])
    happened(store, CASES[4], scope="github.com/acme/other")
    happened(store, "A fact: " + CASES[4], kind="fact")
    assert episodes.offers(store, SHOP) == ()
    assert count(store, PROPOSAL, PROPOSAL.c.status == "draft") == 0


def test_a_hint_makes_it_another_case(store: Store) -> None:
    happened(store, *CASES[:4], "The deploy failed since the migration lock was held; retrying twice never helped.")
    assert episodes.offers(store, SHOP) == ()


def test_never_twice_whatever_became_of_it(store: Store) -> None:
    happened(store, *CASES)
    (own,) = episodes.offers(store, SHOP)
    assert episodes.offers(store, SHOP) == ()
    review.reject(store, shown(store, own).seen(), by=ADA)
    happened(store, "Because the migration lock was held the deploy failed; retrying twice helped.")
    assert episodes.offers(store, SHOP) == ()


def test_a_person_words_it_and_takes_it_back(store: Store) -> None:
    happened(store, *CASES)
    proposal = offered(store, episodes.offers(store, SHOP))
    worded = proposal.entry.with_(
        content="Where a deploy fails on the migration lock, retry it twice.", kind="procedure"
    )
    done = review.approve(store, proposal.seen(), by=ADA, edited=worded)
    assert len(done.memory_ids) == 1
    history.undo(store, by=ADA, operation_id=done.operation.id)
    assert shown(store, proposal.id).status == "draft"
    assert verify.verify(store) is None


def test_it_is_never_approved_in_bulk(store: Store) -> None:
    happened(store, *CASES)
    proposal = offered(store, episodes.offers(store, SHOP))
    with pytest.raises(Exception, match="None of the 1"):
        review.approve_many(store, [proposal.seen()], by=ADA)


def test_kinds_of_cases_count_together_and_indexing_makes_the_offer(store: Store) -> None:
    happened(store, *CASES[:3])
    happened(store, CASES[3], kind="feedback")
    happened(store, CASES[4], kind="decision")
    encoder = Bag()
    while not indexing.step(store, encoder).complete:
        pass
    drafts = rows(store, PROPOSAL, PROPOSAL.c.status == "draft")
    assert [row.source_agent for row in drafts] == ["meminbox"]
    assert episodes.settle(store, [], encoder=encoder) == ()


def test_cases_that_were_retired_meanwhile_do_not_count(store: Store) -> None:
    ids = happened(store, *CASES)
    history.retire(store, ids[0], 1, "no longer so", ADA)
    assert episodes.settle(store, ids) == ()


def test_only_what_is_like_the_new_cases_is_compared(store: Store) -> None:
    happened(store, *CASES[:4])
    assert episodes.settle(store, happened(store, "Office keys are kept by the receptionist.")) == ()
    (own,) = episodes.settle(store, happened(store, CASES[4]))
    assert shown(store, own).status == "draft"
