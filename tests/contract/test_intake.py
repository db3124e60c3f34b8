"""Triage of section 5, steps 1 to 3: exact, key, target, groups; and what a retry is answered."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from store import history, review
from store.context import Context
from store.engine import Store
from store.ids import new_id
from store.intake import take_spooled
from store.redact import REDACTION_VERSION
from store.spool import Line
from tests.contract.proposing import (
    ADA,
    AGENT,
    PERSON,
    PROPOSAL,
    SETTING,
    SHOP,
    SUPPORT,
    TOMBSTONE,
    USAGE,
    approve,
    count,
    known,
    lines,
    one,
    propose,
    rows,
    shown,
)


def reject(store: Store, content: str, reason: str | None = None, **more: str) -> str:
    outcome = one(store, content, **more)
    review.reject(store, shown(store, outcome).seen(), by=ADA, reason=reason)
    assert outcome.id is not None
    return outcome.id


class TestExact:
    def test_D004_an_identical_memory_is_known_and_stays_as_it_is(self, store: Store) -> None:
        memory = known(store, "Tests run with pytest -q", key="build.test")
        before = history_of(store, memory)
        for _ in range(3):
            outcome = one(store, "Tests run with pytest -q", key="build.test")
            assert (outcome.status, outcome.id) == ("known", memory)
            assert outcome.reason == "already known as build.test"
        assert history_of(store, memory) == before
        assert count(store, PROPOSAL) == 1

    def test_D004_a_known_text_in_another_scope_is_another_saying(self, store: Store) -> None:
        known(store, "Tests run with pytest -q")
        assert one(store, "Tests run with pytest -q", scope="other").status == "pending"

    def test_D006_unrelated_short_facts_are_two_proposals(self, store: Store) -> None:
        first, second = one(store, "用 uv"), one(store, "冻结十月")
        assert first.id != second.id
        assert shown(store, first).entry.content == "用 uv"
        assert shown(store, second).entry.content == "冻结十月"

    def test_D015_a_near_duplicate_is_told_as_it_is_and_kept(self, store: Store) -> None:
        known(store, "run 2: 39.8 ms")
        outcome = one(store, "run 3: 41.2 ms")
        assert outcome.status == "pending"
        assert shown(store, outcome).entry.content == "run 3: 41.2 ms"

    @pytest.mark.parametrize(
        ("old", "new"), [("freeze starts 15 Oct", "freeze starts 16 Oct"), ("port 8080", "port 8081")]
    )
    def test_D016_one_digit_apart_is_a_change(self, store: Store, old: str, new: str) -> None:
        known(store, old)
        assert one(store, new).status == "pending"

    def test_D030_what_was_turned_down_is_answered_with_when_who_and_why(self, store: Store) -> None:
        first = reject(store, "Deploy on Fridays", "too risky")
        for again in ("Deploy on Fridays", " Deploy   on\nFridays ", "Deploy\ton Fridays"):
            outcome = one(store, again, session_id="next")
            assert outcome.status == "rejected_before"
            assert outcome.id == first
            now = datetime.now(UTC)
            assert outcome.reason is not None
            assert outcome.reason.startswith(f"turned down on {now.day} ")
            assert outcome.reason.endswith(" by ada: too risky")
        assert count(store, PROPOSAL) == 1
        assert [row.refusals for row in rows(store, TOMBSTONE)] == [3]

    @pytest.mark.parametrize("other", ["deploy on fridays", "Deploy on Friday", "Ｄeploy on Fridays"])
    def test_D030_looser_likeness_never_refuses(self, store: Store, other: str) -> None:
        reject(store, "Deploy on Fridays")
        assert one(store, other).status == "pending"

    def test_D087_composed_and_decomposed_are_one_saying_and_widths_are_two(self, store: Store) -> None:
        first = one(store, "cafe\u0301")
        assert one(store, "caf\u00e9").id == first.id
        assert shown(store, first).entry.content == "cafe\u0301"
        wide, narrow = one(store, "\uff21\uff30\uff29"), one(store, "API")
        assert (wide.status, narrow.status) == ("pending", "pending")
        assert wide.id != narrow.id

    def test_a_text_said_again_is_counted_on_what_waits(self, store: Store) -> None:
        first = one(store, "Use uv")
        again = one(store, "Use  uv", session_id="s2", source_agent="codex")
        assert (again.status, again.id) == ("pending", first.id)
        assert again.reason == "already proposed, said 2 times"
        assert shown(store, first).mentions == 2
        assert shown(store, first).entry.content == "Use uv"
        assert shown(store, first).revision == 1

    def test_what_was_put_off_is_still_waiting(self, store: Store) -> None:
        first = one(store, "Use uv")
        review.defer(store, shown(store, first).seen(), by=ADA)
        again = one(store, "Use uv")
        assert (again.status, again.id) == ("pending", first.id)
        assert "put off" in (again.reason or "")

    def test_an_undone_decision_binds_nobody(self, store: Store) -> None:
        reject(store, "Deploy on Fridays")
        history.undo(store, by=ADA)
        assert one(store, "Deploy on Fridays").reason == "already proposed, said 2 times"
        history.redo(store, by=ADA)
        assert one(store, "Deploy on Fridays").status == "rejected_before"

    def test_a_deleted_memory_is_not_proposed_again(self, store: Store) -> None:
        memory = known(store, "Use pip")
        history.delete(store, memory, 1, by=ADA, reason="we left pip")
        outcome = one(store, "Use pip")
        assert outcome.status == "rejected_before"
        assert "deleted on" in (outcome.reason or "")
        assert "we left pip" in (outcome.reason or "")

    def test_a_rolled_back_text_is_not_proposed_again(self, store: Store) -> None:
        memory = known(store, "Use pip", key="tool.pkg")
        approve(store, one(store, "Use conda", key="tool.pkg"))
        history.rollback(store, memory, 2, by=ADA)
        outcome = one(store, "Use conda", key="tool.pkg")
        assert outcome.status == "rejected_before"
        assert "rolled back on" in (outcome.reason or "")

    def test_no_decision_binds_a_person_who_was_shown_it(self, store: Store) -> None:
        first = reject(store, "Deploy on Fridays", "too risky")
        told = propose(store, "Deploy on Fridays", context=PERSON)[0]
        assert (told.status, told.id) == ("rejected_before", first)
        assert (told.reason or "").endswith(" by you: too risky")
        went_on = Context(scope=SHOP, name="ada", person=True, go_on=True)
        outcome = propose(store, "Deploy on Fridays", context=went_on)[0]
        assert outcome.status == "pending"
        (flag,) = shown(store, outcome).flags
        assert flag.code == "rejected_before"
        assert "too risky" in flag.detail
        assert [row.refusals for row in rows(store, TOMBSTONE)] == [0]

    def test_a_known_session_supports_a_memory_once(self, store: Store) -> None:
        memory = known(store, "Use uv", session_id="s1")
        for session in ("s2", "s2", "s1", None, "s3"):
            assert one(store, "Use uv", **({"session_id": session} if session else {})).status == "known"
        held = {row.ref for row in rows(store, SUPPORT, SUPPORT.c.owner_id == memory)}
        assert held == {"s1", "s2", "s3"}
        (usage,) = rows(store, USAGE)
        assert (usage.support, usage.claimed_support) == (0, 3)

    def test_a_session_that_a_server_saw_itself_counts_apart(self, store: Store) -> None:
        known(store, "Use uv")
        seen = Context(scope=SHOP, surface="mcp", witnessed=True)
        propose(
            store, {"content": "Use uv", "session_id": "s2"}, {"content": "Use uv", "session_id": "s2"}, context=seen
        )
        (usage,) = rows(store, USAGE)
        assert (usage.support, usage.claimed_support) == (1, 0)

    def test_an_overdue_memory_is_not_known_any_more(self, store: Store) -> None:
        until = datetime.now(UTC) + timedelta(hours=1)
        memory = known(store, "Freeze is on", key="freeze", valid_until=until.isoformat())
        store.now = lambda: until + timedelta(hours=1)
        outcome = one(store, "Freeze is on", key="freeze")
        assert outcome.status == "pending"
        assert shown(store, outcome).op == "add"
        assert approve(store, outcome) == memory


class TestKey:
    def test_another_value_for_a_key_is_an_update_of_what_holds_it(self, store: Store) -> None:
        memory = known(store, "Active voice", key="style.voice", kind="procedure", aliases=["tone"])
        outcome = one(store, "Passive voice", key="style.voice")
        proposal = shown(store, outcome)
        assert (proposal.op, proposal.proposed_op, proposal.base_revision) == ("update", "update", 1)
        assert proposal.target is not None
        assert proposal.target.id == memory
        assert (proposal.entry.kind, proposal.entry.aliases) == ("procedure", ("tone",))

    def test_an_update_is_without_flag_from_the_same_agent_and_a_conflict_from_another(self, store: Store) -> None:
        known(store, "Active voice", key="style.voice", source_agent="codex")
        same = one(store, "Plain voice", key="style.voice", source_agent="codex")
        other = one(store, "Passive voice", key="style.voice", source_agent="claude-code")
        nameless = one(store, "No voice", key="style.voice")
        by_hand = propose(store, {"content": "My voice", "key": "style.voice"}, context=PERSON)[0]
        codes = [[flag.code for flag in shown(store, each).flags] for each in (same, other, nameless, by_hand)]
        assert codes == [[], ["conflict"], ["conflict"], []]
        assert shown(store, other).flags[0].detail.startswith("codex set it on ")

    def test_a_key_belongs_to_its_scope(self, store: Store) -> None:
        known(store, "Active voice", key="style.voice", scope="global")
        outcome = one(store, "Passive voice", key="style.voice")
        assert (shown(store, outcome).op, shown(store, outcome).entry.scope) == ("add", SHOP)

    def test_proposals_for_one_key_or_one_target_are_one_group(self, store: Store) -> None:
        first, second = one(store, "a", key="k.k"), one(store, "b", key="k.k")
        assert shown(store, first).group_id == shown(store, second).group_id
        memory = known(store, "no key")
        third, fourth = one(store, "c", target=memory), one(store, "d", target=memory)
        assert shown(store, third).group_id == shown(store, fourth).group_id
        groups = {shown(store, each).group_id for each in (first, third, one(store, "e"), one(store, "f"))}
        assert len(groups) == 4

    def test_D078_without_a_scope_it_is_the_project_never_global(self, store: Store) -> None:
        assert shown(store, one(store, "a")).entry.scope == SHOP
        assert shown(store, one(store, "b", scope="shop-api")).entry.scope == SHOP
        assert shown(store, one(store, "c", scope="global")).entry.scope == "global"
        assert shown(store, one(store, "d", scope="elsewhere")).entry.scope == "elsewhere"
        assert shown(store, one(store, "e", op="update", key="no.such")).entry.scope == SHOP


class TestTarget:
    @pytest.fixture
    def voice(self, store: Store) -> str:
        return known(store, "Active voice", key="style.voice", kind="preference", source_agent="codex", scope="global")

    def test_an_id_a_suffix_or_a_key_names_the_target(self, store: Store, voice: str) -> None:
        for content, token in (("a", voice), ("b", voice.upper()), ("c", voice[-6:]), ("d", "style.voice")):
            proposal = shown(store, one(store, content, op="update", target=token))
            assert proposal.target is not None
            assert proposal.target.id == voice
            assert (proposal.entry.scope, proposal.entry.key) == ("global", "style.voice")
            assert proposal.entry.kind == "preference"

    def test_an_update_or_removal_by_key_alone_looks_in_the_project_then_in_global(
        self, store: Store, voice: str
    ) -> None:
        assert shown(store, one(store, "a", op="update", key="style.voice")).entry.scope == "global"
        own = known(store, "Own voice", key="style.voice")
        found = shown(store, one(store, "b", op="update", key="style.voice"))
        assert found.target is not None
        assert found.target.id == own
        (removal,) = propose(store, {"op": "remove", "key": "style.voice"})
        assert shown(store, removal).target == found.target

    def test_a_scope_that_is_named_is_the_only_one_looked_in(self, store: Store, voice: str) -> None:
        found = shown(store, one(store, "a", op="update", target="style.voice", scope="other"))
        assert (found.op, found.entry.scope, found.entry.key) == ("add", "other", "style.voice")

    def test_a_suffix_never_reaches_into_another_project(self, store: Store) -> None:
        foreign = known(store, "secret", scope="other")
        assert shown(store, one(store, "a", op="update", target=foreign[-6:])).target is None

    def test_a_suffix_that_fits_two_is_refused(self, store: Store) -> None:
        ids = [new_id()[:-6] + "abc123" for _ in range(2)]
        waiting = [Line(id=ids[n], raw=raw, context=AGENT, at=store.now()) for n, raw in enumerate(lines("a", "b"))]
        with store.write() as connection:
            take_spooled(store, connection, waiting)
        outcome = one(store, "x", op="update", target="abc123")
        assert (outcome.status, outcome.reason) == (
            "refused",
            "2 ids end with abc123: write more of the one you mean",
        )

    def test_an_update_whose_target_is_gone_is_an_addition_in_its_place(self, store: Store, voice: str) -> None:
        history.delete(store, voice, 1, by=ADA)
        found = shown(store, one(store, "Plain voice", op="update", target=voice, source="user_feedback"))
        assert (found.op, found.proposed_op, found.entry.scope, found.entry.key) == (
            "add",
            "add",
            "global",
            "style.voice",
        )
        assert shown(store, one(store, "New", op="update", target="no.such.key")).entry.key == "no.such.key"
        assert shown(store, one(store, "Newer", op="update", target="abcdef")).entry.key is None

    def test_a_target_that_is_only_proposed_lends_its_key_and_group(self, store: Store) -> None:
        first = one(store, "a", key="k.k", scope="global")
        second = one(store, "b", op="update", target=first.id)
        assert shown(store, second).entry.key == "k.k"
        assert shown(store, second).entry.scope == "global"
        assert shown(store, second).group_id == shown(store, first).group_id

    def test_the_id_of_an_approved_proposal_means_the_memory_that_it_became(self, store: Store) -> None:
        proposed = one(store, "a", key="k.k")
        memory = approve(store, proposed)
        assert proposed.id is not None
        for content, token in (("b", proposed.id), ("c", proposed.id[-8:])):
            target = shown(store, one(store, content, op="update", target=token)).target
            assert target is not None
            assert target.id == memory

    def test_a_removal_is_known_by_the_text_it_would_take_away(self, store: Store, voice: str) -> None:
        said = {"op": "remove", "target": voice[-8:], "content": "nobody wants it", "source_agent": "codex"}
        removal, again = propose(store, said, {"op": "remove", "key": "style.voice", "source_agent": "codex"})
        proposal = shown(store, removal)
        assert (proposal.op, proposal.entry.content, proposal.entry.evidence) == (
            "remove",
            "Active voice",
            "nobody wants it",
        )
        assert proposal.flags == ()
        assert (again.status, again.id) == ("pending", removal.id)
        review.reject(store, proposal.seen(), by=ADA, reason="we do")
        refused = propose(store, {"op": "remove", "target": voice})[0]
        assert refused.status == "rejected_before"
        assert one(store, "Active voice", scope="global").status == "known"

    @pytest.mark.parametrize(
        ("said", "words"),
        [
            ({"op": "remove", "key": "no.such"}, "no memory here is called no.such"),
            ({"op": "remove", "target": "abcdef"}, "no memory here is called abcdef"),
            ({"op": "remove", "key": "only.proposed"}, "no memory here is called only.proposed"),
        ],
    )
    def test_a_removal_of_nothing_is_refused_in_words(self, store: Store, said: dict[str, str], words: str) -> None:
        one(store, "x", key="only.proposed")
        (outcome,) = propose(store, said)
        assert (outcome.status, outcome.reason) == ("refused", f"nothing to remove: {words}")

    def test_a_removal_of_what_is_gone_or_only_proposed_says_so(self, store: Store, voice: str) -> None:
        waiting = one(store, "x")
        history.delete(store, voice, 1, by=ADA)
        gone, proposed = propose(store, {"op": "remove", "target": voice}, {"op": "remove", "target": waiting.id})
        assert gone.reason == "nothing to remove: style.voice is deleted already"
        assert (proposed.reason or "").endswith("is only proposed")


class TestRetry:
    def test_D104_the_same_key_and_text_is_answered_as_before(self, store: Store) -> None:
        first = one(store, "Use uv", idempotency_key="call-1")
        again = one(store, "Use uv", idempotency_key="call-1")
        assert again == first
        assert shown(store, first).mentions == 1
        assert count(store, PROPOSAL) == 1

    def test_D104_the_same_key_with_another_text_is_refused(self, store: Store) -> None:
        one(store, "Use uv", idempotency_key="call-1")
        other = one(store, "Use pip", idempotency_key="call-1")
        assert other.status == "refused"
        assert "idempotency_key" in (other.reason or "")
        assert count(store, PROPOSAL) == 1

    def test_every_answer_but_a_refusal_is_remembered(self, store: Store) -> None:
        memory = known(store, "Use uv")
        for _ in range(2):
            outcome = one(store, "Use uv", idempotency_key="k", session_id="s")
            assert (outcome.status, outcome.id) == ("known", memory)
        propose(store, {"op": "remove", "key": "no.such", "idempotency_key": "r"})
        assert propose(store, {"content": "mended", "idempotency_key": "r"})[0].status == "pending"

    def test_a_retry_inside_one_batch_is_one_proposal(self, store: Store) -> None:
        said = {"content": "a", "idempotency_key": "k"}
        first, again, other = propose(store, said, said, {"content": "b", "idempotency_key": "k"})
        assert first.id == again.id
        assert other.status == "refused"
        assert count(store, SETTING, SETTING.c.name.startswith("answer:")) == 1


class TestBatch:
    def test_a_line_meets_what_earlier_lines_of_its_batch_did(self, store: Store) -> None:
        memory = known(store, "old", key="a.a")
        outcomes = propose(
            store,
            {"content": "Use uv"},
            {"content": "Use  uv "},
            {"content": "v1", "key": "k.k"},
            {"content": "v2", "key": "k.k"},
            {"op": "update", "content": "v3", "target": "k.k"},
            {"content": "new", "key": "a.a"},
            {"op": "remove", "key": "a.a"},
            {"op": "remove", "target": memory},
        )
        assert [outcome.line for outcome in outcomes] == list(range(1, 9))
        assert outcomes[1].id == outcomes[0].id
        assert len({shown(store, outcomes[n]).group_id for n in (2, 3, 4)}) == 1
        assert len({shown(store, outcomes[n]).group_id for n in (5, 6)}) == 1
        assert outcomes[7].id == outcomes[6].id
        assert {outcome.pending for outcome in outcomes} == {6}

    def test_a_session_stands_together_newest_first(self, store: Store) -> None:
        first = one(store, "a", session_id="s1")
        other = one(store, "b", session_id="s2")
        later = propose(store, {"content": "c", "session_id": "s1"}, {"content": "d", "session_id": "s2"}, "e")
        ranks = {row.id: row.session_rank for row in rows(store, PROPOSAL)}
        assert ranks[first.id] == ranks[later[0].id] == first.id
        assert ranks[other.id] == ranks[later[1].id] == other.id
        assert ranks[later[2].id] == later[2].id
        assert first.id is not None
        assert other.id is not None
        assert first.id < other.id

    def test_what_stands_beside_the_text_is_kept(self, store: Store) -> None:
        until = datetime.now(UTC).replace(microsecond=0) + timedelta(days=1)
        said = {
            "content": "Use uv",
            "kind": "decision",
            "key": "tool.pkg",
            "aliases": ["pip"],
            "paths": ["a/b.py"],
            "source": "user_feedback",
            "source_agent": "codex",
            "session_id": "s1",
            "source_ref": "log:12",
            "evidence": "we use uv",
            "confidence": 0.8,
            "valid_until": until.isoformat(),
        }
        proposal = shown(store, propose(store, said)[0])
        assert proposal.entry.as_dict() == said | {
            "scope": SHOP,
            "valid_until": until.strftime("%Y-%m-%dT%H:%M:%S.000000Z"),
        }
        assert proposal.branch == "main"
        assert proposal.redaction_version == REDACTION_VERSION

    def test_hidden_characters_stay_flagged(self, store: Store) -> None:
        assert [flag.code for flag in shown(store, one(store, "pass\u200bword")).flags] == ["hidden"]

    def test_a_batch_of_nothing_is_nothing(self, store: Store) -> None:
        assert propose(store) == []

    def test_the_look_ups_do_not_grow_with_the_batch(self, store: Store) -> None:
        from sqlalchemy import event

        def statements(number: int) -> int:
            seen: list[str] = []
            listener = lambda *args: seen.append(args[2])  # noqa: E731
            event.listen(store.engine, "before_cursor_execute", listener)
            try:
                said = [{"content": f"{number} {n}", "key": f"k{number}.{n}", "session_id": "s"} for n in range(number)]
                propose(store, *said, context=AGENT)
            finally:
                event.remove(store.engine, "before_cursor_execute", listener)
            return len(seen)

        few, many = statements(5), statements(200)
        assert many <= few + 2


def history_of(store: Store, memory: str) -> object:
    from store.reading import memories, versions

    with store.read() as connection:
        return memories(connection, store.tenant, [memory]), versions(connection, store.tenant, memory)


def test_a_waiting_text_whose_date_has_passed_does_not_swallow_its_renewal(store: Store) -> None:
    now = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
    store.now = lambda: now  # type: ignore[method-assign]
    first = one(store, "Freeze until Friday", valid_until="2026-01-06T00:00:00Z")
    store.now = lambda: now + timedelta(days=2)  # type: ignore[method-assign]
    again = one(store, "Freeze until Friday")
    assert (first.status, again.status) == ("pending", "pending")
    assert again.id != first.id
    assert shown(store, again).entry.valid_until is None


def test_what_was_over_before_it_was_proposed_is_refused_with_the_date(store: Store) -> None:
    outcome = one(store, "Old news", valid_until="2020-01-01T00:00:00Z")
    assert outcome.status == "refused"
    assert outcome.reason is not None and "2020-01-01" in outcome.reason
    assert count(store, PROPOSAL) == 0
