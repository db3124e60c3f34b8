"""Near-copies among what waits: gathered, opened, decided with one operation and one undo."""

from __future__ import annotations

import pytest

from store import history, indexing, queries, review, review_cluster, verify
from store.clusters import Clusters, clusters, opened
from store.engine import Store
from store.errors import AlreadyDecided, NotFound, SecretOpen, Stale
from store.facts import Outcome
from tests.contract.like_kit import FALSE, FIFTY, Bag
from tests.contract.proposing import ADA, PERSON, count, propose, rows, shown
from tests.contract.proposing import PROPOSAL as PROPOSALS

RULE = (
    "Use uv, never pip, in this repository.",
    "In this repository use uv and never pip.",
    "In this repo, always use uv, not pip.",
    "Never use pip in this repository; use uv.",
    "use uv, never pip, in this repository",
)


def lay(store: Store, *said: str, **more: object) -> list[Outcome]:
    return propose(store, *({"content": content, **more} for content in said), context=PERSON)


def ids(outcomes: list[Outcome]) -> list[str]:
    return [str(outcome.id) for outcome in outcomes]


def gathered(store: Store, outcomes: list[Outcome], encoder: Bag | None = None) -> list[set[str]]:
    found = clusters(store, ids(outcomes), encoder=encoder)
    return [{shown(store, own).entry.content for own in cluster.ids} for cluster in found.items]


def test_ways_of_saying_one_rule_are_one_row(store: Store) -> None:
    laid = lay(store, *RULE, "Office keys are kept by the receptionist.", "Use ruff for formatting.")
    assert gathered(store, laid) == [set(RULE)]


def test_D040_a_false_extension_is_marked_and_the_head_is_a_plain_one(store: Store) -> None:
    extended = "Use uv, never pip, in this repository, and in every other one of the team."
    laid = lay(store, extended, *RULE)
    (cluster,) = clusters(store, ids(laid)).items
    found = opened(store, cluster)
    assert found is not None
    assert found.head.entry.content != extended
    member = next(one for one in found.members if one.proposal.entry.content == extended)
    assert any(span.op == "+" and "every other one of the team" in span.text for span in member.spans)
    assert "".join(span.text for span in member.spans if span.op != "+") == found.head.entry.content


def test_D040_of_fifty_the_head_is_right_and_each_of_the_fifteen_wrong_ones_is_told_apart(store: Store) -> None:
    laid = lay(store, *FIFTY, kind="procedure")
    (cluster, *apart) = clusters(store, ids(laid)).items
    found = opened(store, cluster)
    assert found is not None
    right, wrong = FIFTY[:35], dict(zip(FIFTY[35:], FALSE, strict=True))
    head = found.head.entry.content
    said = {member.proposal.entry.content: member.spans for member in found.members}
    assert head in right
    assert {head, *said} >= set(right)
    assert len(set(said) & set(wrong)) >= 8
    for content, more in wrong.items():
        added = " ".join(span.text for span in said.get(content, ()) if span.op == "+").split()
        assert content not in said or set(more.split()) - set(head.split()) <= set(added), content
    assert {shown(store, own).entry.content for one in apart for own in one.ids} <= set(wrong)


def test_a_flagged_way_of_saying_it_is_no_head_where_a_plain_one_could_be(store: Store) -> None:
    (plain,) = clusters(store, ids(lay(store, *RULE))).items
    typical = shown(store, plain.head).entry.content
    rest = [said for said in RULE if said != typical]
    elsewhere = "github.com/acme/other"
    laid = lay(store, typical, source="task_failure", scope=elsewhere) + lay(store, *rest, scope=elsewhere)
    (cluster,) = clusters(store, ids(laid)).items
    assert [bool(shown(store, own).flags) for own in ids(laid)] == [True, False, False, False, False]
    assert not shown(store, cluster.head).flags
    seens = [shown(store, own).seen() for own in cluster.ids]
    done = review_cluster.approve(store, seens, cluster.head, by=ADA)
    assert len(done.memory_ids) == 1, "what closes with the head is not approved, flagged or not"
    assert shown(store, ids(laid)[0]).status == "superseded"


def test_of_those_as_typical_the_best_sourced_is_the_head(store: Store) -> None:
    said = "Use uv, never pip, in this repository."
    laid = lay(store, said.upper(), source="task_failure") + lay(store, said, source="user_feedback")
    laid += lay(store, said.replace(",", ""), source="import")
    (cluster,) = clusters(store, ids(laid)).items
    assert shown(store, cluster.head).entry.source == "user_feedback"


def test_D040_keep_one_and_close_the_rest_with_one_undo(store: Store) -> None:
    laid = lay(store, *RULE)
    (cluster,) = clusters(store, ids(laid)).items
    seens = [shown(store, own).seen() for own in cluster.ids]
    done = review_cluster.approve(store, seens, cluster.head, by=ADA)
    assert len(done.memory_ids) == 1
    assert set(done.proposal_ids) == set(cluster.ids)
    assert (done.operation.action, done.left) == ("approve", ())
    assert done.title.endswith("4 others set aside")
    status = {row.id: row.status for row in rows(store, PROPOSALS)}
    assert status.pop(cluster.head) == "approved"
    assert set(status.values()) == {"superseded"}
    assert verify.verify(store) is None
    history.undo(store, by=ADA, operation_id=done.operation.id)
    assert count(store, PROPOSALS, PROPOSALS.c.status == "pending") == len(RULE)
    assert verify.verify(store) is None
    assert clusters(store, ids(laid)).items == (cluster,)
    history.redo(store, by=ADA)
    assert verify.verify(store) is None


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The staging database listens on port 5433.", "The staging database listens on port 5434."),
        ("Deploy the draft report to the portal.", "Deploy the final report to the portal."),
        ("Writes go to the primary database node.", "Writes go to the secondary database node."),
        ("Comments in the config are allowed here.", "Comments in the config are not allowed here."),
        ("部署之前必须先跑一遍完整的测试。", "部署之前不必须先跑一遍完整的测试。"),
        ("接口的超时时间统一设置为 30 秒。", "接口的超时时间统一设置为 60 秒。"),
        ("Run stage-2-db before the import.", "Run stage-3-db before the import."),
    ],
)
def test_D017_a_hint_keeps_apart_at_any_likeness(store: Store, first: str, second: str) -> None:
    laid = lay(store, first, second)
    assert clusters(store, ids(laid)).items == ()
    while not indexing.step(store, Bag()).complete:
        pass
    assert clusters(store, ids(laid), encoder=Bag()).items == ()


def test_D017_different_keys_scopes_and_kinds_are_never_gathered(store: Store) -> None:
    laid = lay(store, RULE[0], key="stage-2-db") + lay(store, RULE[1], key="stage-3-db")
    assert clusters(store, ids(laid)).items == ()
    laid = lay(store, RULE[2]) + lay(store, RULE[3], scope="github.com/acme/other")
    laid += lay(store, RULE[4], kind="procedure")
    assert clusters(store, ids(laid)).items == ()


def test_chinese_near_copies(store: Store) -> None:
    said = ("这个仓库里统一用 uv，不要用 pip。", "本仓库统一用 uv，不要用 pip 安装。", "仓库里统一用 uv，不要用 pip。")
    laid = lay(store, *said, "办公室钥匙由前台保管。")
    assert gathered(store, laid) == [set(said)]


def test_updates_and_what_is_decided_are_left_alone(store: Store) -> None:
    laid = lay(store, *RULE[:3])
    review.reject(store, shown(store, laid[0]).seen(), by=ADA)
    (cluster,) = clusters(store, ids(laid)).items
    assert set(cluster.ids) == set(ids(laid[1:]))
    review.approve(store, shown(store, laid[1]).seen(), by=ADA)
    assert clusters(store, ids(laid)).items == ()
    assert opened(store, cluster) is None


def test_vectors_gather_what_words_do_not(store: Store) -> None:
    encoder = Bag()
    laid = lay(store, *RULE)
    while not indexing.step(store, encoder).complete:
        pass
    found = clusters(store, ids(laid), encoder=encoder)
    assert found.scorer == "bag of words"
    assert [cluster.size for cluster in found.items] == [5]


def test_one_that_has_moved_on_is_left_and_named(store: Store) -> None:
    laid = lay(store, *RULE)
    seens = [shown(store, own).seen() for own in laid]
    review.defer(store, seens[1], by=ADA)
    review.reject(store, seens[2], by=ADA)
    done = review_cluster.approve(store, seens, seens[0].proposal_id, by=ADA)
    assert dict(done.left) == {
        seens[1].proposal_id: "the proposal has changed since it was shown",
        seens[2].proposal_id: "it is rejected already",
    }
    assert shown(store, laid[1]).status == "deferred"


def test_a_head_that_has_moved_on_decides_nothing(store: Store) -> None:
    laid = lay(store, *RULE)
    seens = [shown(store, own).seen() for own in laid]
    review.defer(store, seens[0], by=ADA)
    with pytest.raises(Stale):
        review_cluster.approve(store, seens, seens[0].proposal_id, by=ADA)
    review.reject(store, shown(store, laid[0]).seen(), by=ADA)
    with pytest.raises(AlreadyDecided):
        review_cluster.approve(store, seens, seens[0].proposal_id, by=ADA)
    with pytest.raises(NotFound):
        review_cluster.approve(store, seens[1:], seens[0].proposal_id, by=ADA)
    assert count(store, PROPOSALS, PROPOSALS.c.status == "pending") == len(RULE) - 1


def test_what_is_no_copy_by_scope_key_or_op_is_never_closed(store: Store) -> None:
    laid = lay(store, RULE[0], RULE[1]) + lay(store, RULE[2], key="b") + lay(store, RULE[3], scope="global")
    seens = [shown(store, own).seen() for own in laid]
    done = review_cluster.approve(store, seens, seens[0].proposal_id, by=ADA)
    assert dict(done.left) == {
        seens[2].proposal_id: "it has another key",
        seens[3].proposal_id: "it stands in another scope",
    }


def test_too_many_are_bounded_and_said(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.clusters.MOST", 3)
    laid = lay(store, *RULE)
    found = clusters(store, ids(laid))
    assert (found.left_out, sum(cluster.size for cluster in found.items)) == (2, 3)
    assert clusters(store, ids(laid), wanted=lambda: False) == Clusters((), len(RULE), "words")


def test_the_head_may_be_worded_by_the_person(store: Store) -> None:
    laid = lay(store, *RULE)
    seens = [shown(store, own).seen() for own in laid]
    worded = shown(store, laid[0]).entry.with_(content="uv only, in this repository.")
    done = review_cluster.approve(store, seens, seens[0].proposal_id, by=ADA, edited=worded)
    (memory,) = queries.memory_rows(store, done.memory_ids)
    assert memory.entry.content == "uv only, in this repository."
    assert count(store, PROPOSALS, PROPOSALS.c.status == "superseded") == len(RULE) - 1
    assert verify.verify(store) is None


def test_a_head_that_may_hold_a_secret_needs_a_word(store: Store) -> None:
    said = "The value q7Zp2Lx9Vt4Rk8Wm3Yc6 is used in this repository"
    laid = lay(store, f"{said} for uv.", f"{said} with uv.")
    seens = [shown(store, own).seen() for own in laid]
    if not any(flag.code == "maybe_secret" for flag in shown(store, laid[0]).flags):
        pytest.skip("nothing here may be a secret to the rules")
    with pytest.raises(SecretOpen):
        review_cluster.approve(store, seens, seens[0].proposal_id, by=ADA)
    done = review_cluster.approve(store, seens, seens[0].proposal_id, by=ADA, secret="keep")
    assert len(done.proposal_ids) == 2


def test_a_batch_keeps_one_of_each_near_copies_and_its_undo_brings_all_back(store: Store) -> None:
    laid = lay(store, *RULE, "Office keys are kept by the receptionist.")
    (cluster,) = clusters(store, ids(laid)).items
    seens = [shown(store, own).seen() for own in ids(laid)]
    done = review.approve_many(store, seens, by=ADA, plain_only=False, copies={cluster.head: cluster.members})
    assert (len(done.memory_ids), done.left) == (2, ())
    assert {shown(store, own).status for own in cluster.members} == {"superseded"}
    history.undo(store, by=ADA)
    assert {shown(store, own).status for own in ids(laid)} == {"pending"}
    assert verify.verify(store) is None


def test_near_copies_wait_on_where_their_head_could_not_be_approved(store: Store) -> None:
    laid = lay(store, *RULE, "Office keys are kept by the receptionist.")
    (cluster,) = clusters(store, ids(laid)).items
    seens = [shown(store, own).seen() for own in ids(laid)]
    review.reject(store, shown(store, cluster.head).seen(), by=ADA)
    done = review.approve_many(store, seens, by=ADA, plain_only=False, copies={cluster.head: cluster.members})
    assert len(done.memory_ids) == 1 + len(cluster.members), "without its head nothing stands behind it"


def test_keeping_another_than_the_head_closes_none_that_says_something_else(store: Store) -> None:
    """Both are near to a third; kept instead of it, neither may take the other with it."""
    laid = lay(store, "Use uv, never pip, in this repository.", "Use pip, never uv, in this repository.")
    one, other = ids(laid)
    seens = [shown(store, own).seen() for own in (one, other)]
    done = review_cluster.approve(store, seens, one, by=ADA)
    assert done.left == ((other, "it says something else"),)
    assert shown(store, other).status == "pending"
