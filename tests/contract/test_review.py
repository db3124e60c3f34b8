"""Decisions on proposals: the rules of design sections 3 and 5."""

from __future__ import annotations

from datetime import timedelta

import pytest

from store import history, queries, review
from store.entry import Entry, fingerprint
from store.errors import AlreadyDecided, AlreadyKnown, Conflict, KeyTaken, NoneQualified, NotFound, Stale
from store.facts import Seen
from store.raw import NotAdmitted
from tests.contract.decisions import ANN, BOB, START, Desk


def test_an_approved_addition_is_served_byte_for_byte(desk: Desk) -> None:
    proposed = desk.lay("Tests run with  pytest -q\n", key="build.test")
    done = desk.approve(proposed)
    memory = desk.memory(done.memory_ids[0])
    assert memory.entry == desk.proposal(proposed).entry
    assert (memory.status, memory.revision, memory.previous_value) == ("active", 1, None)
    assert done.title == "approved build.test"
    assert desk.proposal(proposed).status == "approved"
    assert done.operation.count == 1


def test_a_proposal_changes_nothing_until_it_is_decided(desk: Desk) -> None:
    memory = desk.hold("active voice", key="style.voice")
    desk.lay("passive voice", key="style.voice")
    desk.lay("(remove)", op="remove", target=memory.id)
    assert desk.served() == {memory.id: "active voice"}


def test_approving_twice_changes_nothing_and_says_by_whom(desk: Desk) -> None:
    proposed = desk.lay("x")
    seen = desk.see(proposed)
    desk.approve(proposed)
    log = desk.operations()
    with pytest.raises(AlreadyDecided, match="approved already by ann"):
        review.approve(desk.store, seen, by=BOB)
    assert desk.operations() == log


def test_edit_and_approve_holds_the_edited_text_and_the_proposal_keeps_its_own(desk: Desk) -> None:
    proposed = desk.lay("Use npm", key="build.tool")
    edited = desk.proposal(proposed).entry.with_(content="Use pnpm")
    done = desk.approve(proposed, edited=edited)
    assert desk.memory(done.memory_ids[0]).entry.content == "Use pnpm"
    assert desk.proposal(proposed).entry.content == "Use npm"
    assert done.operation.selection == {"edited": True}


def test_an_update_by_target_keeps_the_key_and_the_aliases_of_its_target(desk: Desk) -> None:
    memory = desk.hold("k8s 1.29", key="deploy.cluster", aliases=("k8s",))
    done = desk.approve(desk.lay("k8s 1.30", target=memory.id))
    after = desk.memory(memory.id)
    assert done.memory_ids == (memory.id,)
    assert (after.entry.key, after.entry.aliases, after.previous_value) == ("deploy.cluster", ("k8s",), "k8s 1.29")


def test_D001_a_second_create_under_one_key_is_an_overwrite_and_one_key_brings_the_first_back(desk: Desk) -> None:
    memory = desk.hold("a day of notes\n" * 60, key="daily-log")
    second = desk.lay("one line", key="daily-log")
    shown = desk.proposal(second)
    assert (shown.op, shown.target) == ("update", memory)
    desk.approve(second)
    assert desk.memory(memory.id).previous_value == "a day of notes\n" * 60
    assert [v.entry.content for v in desk.versions(memory.id) if v.entry] == ["a day of notes\n" * 60, "one line"]
    history.rollback(desk.store, memory.id, 2, by=ANN)
    assert desk.memory(memory.id).entry.content == "a day of notes\n" * 60


def test_D003_a_session_of_23_removals_is_nothing_until_approved_and_one_undo_brings_all_back(desk: Desk) -> None:
    held = [desk.hold(f"fact number {n}", key=f"fact.{n}" if n % 2 else None) for n in range(23)]
    asked = desk.lay_many([{"content": "(remove)", "op": "remove", "target": m.id} for m in held])
    assert len(desk.served()) == 23
    done = review.approve_many(desk.store, [desk.see(one) for one in asked], by=ANN, plain_only=False)
    assert (desk.served(), done.left, done.title) == ({}, (), "approved 23")
    history.undo(desk.store, by=ANN)
    for before in held:
        after = desk.memory(before.id)
        assert (after.entry, after.created_at, after.status) == (before.entry, before.created_at, "active")
        assert [v.status for v in desk.versions(before.id)] == ["active", "deleted", "active"]
    assert {desk.proposal(one).status for one in asked} == {"pending"}
    assert not desk.live_stones()


def test_D004_approving_the_exact_text_of_an_active_memory_is_refused_and_leaves_it_alone(desk: Desk) -> None:
    memory = desk.hold("Deploys go out on Tuesdays")
    for text in ("Deploys go out on Tuesdays", " Deploys  go out on\nTuesdays "):
        again = desk.lay(text)
        with pytest.raises(AlreadyKnown):
            desk.approve(again)
        assert desk.proposal(again).status == "pending"
    assert desk.memory(memory.id) == memory
    assert desk.served() == {memory.id: memory.entry.content}


def test_the_same_text_in_another_scope_is_another_memory(desk: Desk) -> None:
    first = desk.hold("Use tabs", scope="shop")
    second = desk.hold("Use tabs", scope="blog")
    assert first.id != second.id


def test_an_update_may_repeat_the_text_of_its_own_target(desk: Desk) -> None:
    memory = desk.hold("Freeze on 15 Oct", key="freeze")
    desk.approve(desk.lay("Freeze on 15 Oct", key="freeze", kind="decision"))
    after = desk.memory(memory.id)
    assert (after.entry.kind, after.revision, after.previous_value) == ("decision", 2, None)


def test_approving_one_supersedes_the_others_of_its_group_in_the_same_operation(desk: Desk) -> None:
    first, second, third = (desk.lay(text, key="db.engine") for text in ("PostgreSQL", "SQLite", "MySQL"))
    review.defer(desk.store, desk.see(first), by=ANN)
    before = desk.queue()
    done = desk.approve(second)
    assert [desk.proposal(one).status for one in (first, second, third)] == ["superseded", "approved", "superseded"]
    assert done.operation.count == 3
    assert done.title == "approved db.engine, 2 others set aside"
    history.undo(desk.store, by=ANN)
    assert desk.queue() == before


def test_edit_to_a_taken_key_shows_both_texts_and_replaces_nothing(desk: Desk) -> None:
    holder = desk.hold("PostgreSQL 16", key="db.engine")
    proposed = desk.lay("Redis 7", key="cache.engine")
    edited = desk.proposal(proposed).entry.with_(key="db.engine")
    with pytest.raises(KeyTaken) as caught:
        desk.approve(proposed, edited=edited)
    assert (caught.value.holder, caught.value.mine) == (holder, "Redis 7")
    assert desk.memory(holder.id) == holder
    assert desk.proposal(proposed).status == "pending"


def test_D008_update_and_removal_by_an_agent_stay_proposals_and_the_old_text_stays_readable(desk: Desk) -> None:
    memory = desk.hold("Deploy from main", key="deploy.branch", evidence="said in stand-up")
    update = desk.lay("Deploy from release", key="deploy.branch")
    assert desk.memory(memory.id) == memory
    desk.approve(update)
    removal = desk.lay("(remove)", op="remove", target=memory.id)
    assert desk.memory(memory.id).entry.content == "Deploy from release"
    desk.approve(removal, by=BOB)
    told = [(v.entry.content, v.status, v.actor) for v in desk.versions(memory.id) if v.entry]
    assert told == [
        ("Deploy from main", "active", "ann"),
        ("Deploy from release", "active", "ann"),
        ("Deploy from release", "deleted", "bob"),
    ]
    first = desk.versions(memory.id)[0]
    assert first.entry == memory.entry
    assert first.at == START


def test_a_removal_whose_target_is_gone_is_refused_with_words(desk: Desk) -> None:
    memory = desk.hold("Old fact")
    removal = desk.lay("(remove)", op="remove", target=memory.id)
    seen = desk.see(removal)
    history.delete(desk.store, memory.id, 1, by=BOB)
    with pytest.raises(Stale, match="gone"):
        review.approve(desk.store, seen, by=ANN)
    with pytest.raises(Conflict, match="gone already"):
        desk.approve(removal)
    review.reject(desk.store, desk.see(removal), by=ANN)


def test_D020_a_fact_that_became_true_again_is_a_new_version_with_its_own_dates(desk: Desk) -> None:
    until = START + timedelta(days=20)
    memory = desk.hold("The staging box is frozen", key="staging.freeze", valid_until=until)
    desk.clock.jump(days=150)
    again = desk.lay("The staging box is frozen")
    done = desk.approve(again)
    assert done.memory_ids == (memory.id,)
    after = desk.memory(memory.id)
    assert (after.status, after.entry.valid_until, after.entry.key) == ("active", None, "staging.freeze")
    told = [(v.status, v.entry.valid_until, v.actor) for v in desk.versions(memory.id) if v.entry]
    assert told == [("active", until, "ann"), ("expired", until, "clock"), ("active", None, "ann")]


def test_a_revived_memory_takes_its_old_key_only_where_it_is_free(desk: Desk) -> None:
    memory = desk.hold("Freeze until Friday", key="freeze", valid_until=START + timedelta(days=1))
    desk.clock.jump(days=2)
    other = desk.hold("No freeze", key="freeze")
    desk.approve(desk.lay("Freeze until Friday"))
    assert desk.memory(memory.id).entry.key is None
    assert desk.memory(other.id) == other


def test_what_is_past_its_date_is_not_approved(desk: Desk) -> None:
    proposed = desk.lay("Until noon", valid_until=START + timedelta(hours=3))
    desk.clock.jump(hours=4)
    with pytest.raises(Conflict, match="has passed"):
        desk.approve(proposed)
    edited = desk.proposal(proposed).entry.with_(valid_until=None)
    desk.approve(proposed, edited=edited)


def test_V62_approving_version_n_after_an_edit_to_n_plus_1_is_stale_and_names_who(desk: Desk) -> None:
    memory = desk.hold("active voice", key="style.voice")
    seen = desk.see(desk.lay("passive voice", key="style.voice"))
    edit = history.edit(desk.store, memory.id, 1, memory.entry.with_(content="plain voice"), by=BOB)
    log = desk.operations()
    with pytest.raises(Stale) as caught:
        review.approve(desk.store, seen, by=ANN)
    lost = caught.value
    assert (lost.base, lost.mine, lost.theirs, lost.by) == (
        "active voice",
        "passive voice",
        "plain voice",
        edit.operation,
    )
    assert desk.operations() == log
    desk.approve(seen.proposal_id)
    assert desk.memory(memory.id).previous_value == "plain voice"


def test_V62_of_two_reviewers_one_decides_and_one_version_is_made(desk: Desk) -> None:
    proposed = desk.lay("x")
    seen = desk.see(proposed)
    done = review.approve(desk.store, seen, by=ANN)
    for decide in (review.approve, review.reject, review.defer, review.withdraw):
        with pytest.raises(AlreadyDecided):
            decide(desk.store, seen, by=BOB)
    assert [v.revision for v in desk.versions(done.memory_ids[0])] == [1]


def test_a_key_that_was_given_a_value_since_makes_an_addition_stale(desk: Desk) -> None:
    seen = desk.see(desk.lay("SQLite", key="db.engine"))
    review.withdraw(desk.store, desk.see(desk.lay("x", key="other")), by=BOB)
    other = desk.lay("PostgreSQL", key="db.engine", scope="blog")
    review.place(desk.store, desk.see(other), by=BOB, scope="shop")
    review.approve(desk.store, desk.see(other), by=BOB)
    with pytest.raises(AlreadyDecided, match="superseded"):
        review.approve(desk.store, seen, by=ANN)


def test_placing_a_proposal_makes_what_another_saw_of_it_stale(desk: Desk) -> None:
    proposed = desk.lay("Prefer short commits")
    seen = desk.see(proposed)
    placed = review.place(desk.store, seen, by=BOB, scope="global")
    with pytest.raises(Stale) as caught:
        review.approve(desk.store, seen, by=ANN)
    assert caught.value.by == placed.operation


def test_a_proposal_that_does_not_exist_is_not_found(desk: Desk) -> None:
    with pytest.raises(NotFound):
        review.approve(desk.store, Seen("no-such", 1, "", None, None), by=ANN)


def test_rejecting_remembers_the_text_and_its_reason(desk: Desk) -> None:
    proposed = desk.lay("Always use tabs")
    done = review.reject(desk.store, desk.see(proposed), by=ANN, reason="a joke")
    assert desk.live_stones() == {fingerprint("shop", "add", "Always use tabs")}
    assert [(row["to_status"], row["reason"]) for row in desk.rows("decision")] == [("rejected", "a joke")]
    assert done.title == "rejected “Always use tabs”"
    history.undo(desk.store, by=ANN)
    assert (desk.live_stones(), desk.proposal(proposed).status) == (set(), "pending")
    history.redo(desk.store, by=ANN)
    assert desk.live_stones() == {fingerprint("shop", "add", "Always use tabs")}
    assert desk.proposal(proposed).status == "rejected"


def test_rejecting_takes_one_or_the_group(desk: Desk) -> None:
    first, second, third = (desk.lay(text, key="db.engine") for text in ("a", "b", "c"))
    review.reject(desk.store, desk.see(first), by=ANN)
    assert desk.proposal(second).status == "pending"
    done = review.reject(desk.store, desk.see(second), by=ANN, group=True)
    assert set(done.proposal_ids) == {second, third}
    assert done.title == "rejected 2"


def test_a_person_may_hold_what_was_turned_down_and_that_lifts_the_tombstone(desk: Desk) -> None:
    proposed = desk.lay("Use uv")
    review.reject(desk.store, desk.see(proposed), by=ANN)
    desk.approve(desk.lay("Use uv"))
    assert not desk.live_stones()
    history.undo(desk.store, by=ANN)
    assert desk.live_stones() == {fingerprint("shop", "add", "Use uv")}


def test_deferring_twice_and_undoing_gives_the_first_time_back(desk: Desk) -> None:
    proposed = desk.lay("x")
    review.defer(desk.store, desk.see(proposed), by=ANN)
    desk.clock.jump(hours=1)
    review.defer(desk.store, desk.see(proposed), by=ANN)
    assert desk.rows("proposal")[0]["deferred_at"] == START + timedelta(hours=1)
    history.undo(desk.store, by=ANN)
    assert desk.rows("proposal")[0]["deferred_at"] == START
    assert desk.proposal(proposed).status == "deferred"
    history.redo(desk.store, by=ANN)
    assert desk.rows("proposal")[0]["deferred_at"] == START + timedelta(hours=1)


def test_placing_moves_scope_and_date_and_undo_brings_both_back(desk: Desk) -> None:
    memory = desk.hold("active voice", key="style.voice")
    proposed = desk.lay("passive voice", key="style.voice")
    before = desk.queue()
    review.place(desk.store, desk.see(proposed), by=ANN, scope="global", valid_until=START + timedelta(days=7))
    placed = desk.proposal(proposed)
    assert (placed.op, placed.target, placed.entry.scope) == ("add", None, "global")
    assert placed.entry.valid_until == START + timedelta(days=7)
    with pytest.raises(Conflict, match="already"):
        review.place(desk.store, placed.seen(), by=ANN, scope="global")
    done = history.undo(desk.store, by=ANN)
    assert done.title == "undid: placed style.voice everywhere until 2026-01-12"
    assert desk.queue() == before
    history.redo(desk.store, by=ANN)
    desk.approve(proposed)
    assert desk.memory(memory.id) == memory


def test_a_batch_takes_only_unflagged_additions_and_names_the_rest(desk: Desk) -> None:
    memory = desk.hold("old", key="k1")
    plain = desk.lay("plain")
    flagged = desk.lay("flagged", flags=[{"code": "conflict", "detail": "codex set it"}])
    update = desk.lay("new", key="k1")
    removal = desk.lay("(remove)", op="remove", target=memory.id)
    gone = desk.lay("gone")
    seens = [desk.see(one) for one in (plain, flagged, update, removal, gone)]
    review.withdraw(desk.store, desk.see(gone), by=BOB)
    done = review.approve_many(desk.store, seens, by=ANN)
    assert dict(done.left) == {
        flagged: "it is flagged: conflict",
        update: "it is an update",
        removal: "it is a removal",
        gone: "it is withdrawn already",
    }
    assert (done.proposal_ids, done.title, len(done.memory_ids)) == ((plain,), "approved “plain”", 1)


def test_a_batch_takes_the_newest_of_a_group_and_one_of_equal_texts(desk: Desk) -> None:
    older, newer = desk.lay("a", key="db.engine"), desk.lay("b", key="db.engine")
    one, other = desk.lay("the same"), desk.lay("the  same")
    done = review.approve_many(desk.store, [desk.see(p) for p in (older, newer, one, other)], by=ANN)
    assert dict(done.left) == {
        older: "a newer one of its group is approved with it",
        one: "An active memory says exactly this already.",
    }
    assert sorted(desk.served().values()) == ["b", "the  same"]
    assert desk.proposal(older).status == "superseded"
    assert desk.proposal(one).status == "pending"


def test_D024_of_eight_edits_with_changed_or_deleted_targets_each_is_named_and_rebased(desk: Desk) -> None:
    held = [desk.hold(f"fact {n}", key=f"fact.{n}") for n in range(8)]
    staged = [desk.lay(f"better fact {n}", key=f"fact.{n}") for n in range(8)]
    seens = [desk.see(one) for one in staged]
    for memory in held[:4]:
        history.edit(desk.store, memory.id, 1, memory.entry.with_(content="moved " + memory.entry.content), by=BOB)
    for memory in held[4:]:
        history.delete(desk.store, memory.id, 1, by=BOB)
    with pytest.raises(NoneQualified) as caught:
        review.approve_many(desk.store, seens, by=ANN, plain_only=False)
    reasons = dict(caught.value.left)
    assert [reasons[one] for one in staged[:4]] == ["what it would change has moved from revision 1 to 2"] * 4
    assert [reasons[one] for one in staged[4:]] == ["what it would change is gone"] * 4
    shown = [desk.proposal(one) for one in staged]
    assert [one.op for one in shown] == ["update"] * 4 + ["add"] * 4
    assert all(flag.code == "stale_base" and flag.detail for one in shown for flag in one.flags)
    done = review.approve_many(desk.store, [one.seen() for one in shown], by=ANN, plain_only=False)
    assert (len(done.memory_ids), done.left) == (8, ())
    with pytest.raises(NoneQualified) as caught:
        review.approve_many(desk.store, [one.seen() for one in shown], by=ANN, plain_only=False)
    assert set(dict(caught.value.left).values()) == {"it is approved already"}


def test_reject_and_defer_take_any_in_one_operation(desk: Desk) -> None:
    memory = desk.hold("old", key="k1")
    update = desk.lay("new", key="k1")
    removal = desk.lay("(remove)", op="remove", target=memory.id)
    flagged = desk.lay("flagged", flags=[{"code": "hidden", "detail": ""}])
    seens = [desk.see(one) for one in (update, removal, flagged)]
    deferred = review.defer_many(desk.store, seens, by=ANN)
    assert (deferred.operation.count, deferred.title) == (3, "skipped 3")
    rejected = review.reject_many(desk.store, [desk.see(s.proposal_id) for s in seens], by=ANN, reason="no")
    assert rejected.title == "rejected 3"
    history.undo(desk.store, by=ANN)
    history.undo(desk.store, by=ANN)
    assert {desk.proposal(s.proposal_id).status for s in seens} == {"pending"}


def test_support_of_the_proposal_is_carried_and_undo_takes_it_back(desk: Desk) -> None:
    memory = desk.hold("v1", key="k", session_id="s1")
    desk.clock.jump(hours=1)
    desk.approve(desk.lay("v2", key="k", session_id="s2"))
    assert _support(desk, memory.id) == ({"s1", "s2"}, 2)
    history.undo(desk.store, by=ANN)
    assert _support(desk, memory.id) == ({"s1"}, 1)
    history.redo(desk.store, by=ANN)
    assert _support(desk, memory.id) == ({"s1", "s2"}, 2)


def _support(desk: Desk, memory_id: str) -> tuple[set[str], int]:
    refs = {row["ref"] for row in desk.rows("support") if row["owner_id"] == memory_id}
    return refs, next(row["support"] for row in desk.rows("usage") if row["memory_id"] == memory_id)


def test_a_draft_can_be_approved_by_a_person(desk: Desk) -> None:
    draft = desk.lay("I like short names", status="draft", kind="preference")
    desk.approve(draft)
    history.undo(desk.store, by=ANN)
    assert desk.proposal(draft).status == "draft"


def test_a_flip_by_the_clock_is_kept_although_the_decision_is_refused(desk: Desk) -> None:
    memory = desk.hold("short lived", key="k", valid_until=START + timedelta(days=1))
    seen = desk.see(desk.lay("next", key="k"))
    desk.clock.jump(days=2)
    with pytest.raises(Stale) as caught:
        review.approve(desk.store, seen, by=ANN)
    assert caught.value.by is not None
    assert caught.value.by.actor == "clock"
    assert desk.memory(memory.id).status == "expired"
    desk.approve(seen.proposal_id)


def test_an_entry_is_what_an_editor_says_whole(desk: Desk) -> None:
    proposed = desk.lay("x", key="k1")
    entry = Entry(scope="global", content="y", kind="preference")
    done = desk.approve(proposed, edited=entry)
    assert desk.memory(done.memory_ids[0]).entry == entry
    assert done.title == "approved “y”", "the step is called by what was approved"


def test_what_a_person_edits_goes_through_admission_again(desk: Desk) -> None:
    proposed = desk.lay("x")
    entry = desk.proposal(proposed).entry
    for bad in (entry.with_(content="a\x1b[31mb"), entry.with_(content=" \n"), entry.with_(key="Not A Key")):
        with pytest.raises(NotAdmitted):
            desk.approve(proposed, edited=bad)
    assert desk.proposal(proposed).status == "pending"
    memory = desk.hold("y")
    with pytest.raises(NotAdmitted):
        history.edit(desk.store, memory.id, 1, memory.entry.with_(content="half \ud800"), by=ANN)
    assert desk.memory(memory.id) == memory


def test_F21_approving_never_closes_a_newer_proposal_that_was_not_shown(desk: Desk) -> None:
    first = desk.lay("Port 5432", key="db.port")
    shown = queries.detail(desk.store, first)
    assert shown is not None
    newer = desk.lay("Port 5433", key="db.port")
    with pytest.raises(Stale) as lost:
        review.approve(desk.store, shown.seen(), by=ANN)
    assert (lost.value.mine, lost.value.theirs) == ("Port 5432", "Port 5433")
    assert [desk.proposal(one).status for one in (first, newer)] == ["pending", "pending"]
    again = queries.detail(desk.store, first)
    assert again is not None
    review.approve(desk.store, again.seen(), by=ANN)
    assert [desk.proposal(one).status for one in (first, newer)] == ["approved", "superseded"]
