"""What the console reads: the queue's order, views, filters, one proposal whole, the library, the numbers."""

from __future__ import annotations

from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from sqlalchemy import insert, update

from store import history, queries, review, tending, waiting
from store.conditions import SCOPE
from store.facts import Counts
from store.filters import parse
from store.packed import PackedIds
from tests.contract.decisions import ANN, TABLES, Desk

VIEW = ("shop", "global")


def touch(desk: Desk, proposal_id: str, **columns: Any) -> None:
    """Set columns of a proposal row, as intake or a decision would have."""
    table = TABLES["proposal"]
    with desk.store.write() as connection:
        connection.execute(update(table).where(table.c.id == proposal_id).values(**columns))


def queue(desk: Desk, typed: str = "", *, scopes: tuple[str, ...] | None = None, **how: Any) -> list[str]:
    how.setdefault("since", desk.clock.now)
    return list(queries.queue_ids(desk.store, parse(typed), scopes=scopes, **how))


def test_the_queue_is_newest_session_first_and_newest_first_within(desk: Desk) -> None:
    a, b, c, d, e = (desk.lay(f"say {n}") for n in range(5))
    touch(desk, d, session_rank=a)  # the session that began with a said d later
    assert queue(desk) == [e, c, b, d, a]
    assert queue(desk, order="newest") == [e, d, c, b, a]
    assert queue(desk, order="oldest") == [a, b, c, d, e]


def test_the_order_is_the_same_whatever_the_engine_joins_at_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    a, b, c, d, e, f = (desk.lay(f"say {n}", scope=VIEW[n % 2]) for n in range(6))
    touch(desk, d, session_rank=a)
    touch(desk, e, created_at=desk.clock.now + timedelta(days=1), session_rank=a)
    review.defer(desk.store, desk.see(b), by=ANN)
    desk.clock.jump(minutes=1)
    for at_once, scopes in product((1, 3, 6), (None, VIEW)):
        monkeypatch.setattr(waiting, "AT_ONCE", at_once)
        assert queue(desk, scopes=scopes) == [f, c, b, e, d, a]
        assert queue(desk, "conf:unknown say", scopes=scopes) == [f, c, b, e, d, a]
        assert queue(desk, "kind:fact", scopes=scopes, order="newest") == [e, f, d, c, b, a]
        assert queue(desk, "say", scopes=scopes, order="oldest") == [a, b, c, d, f, e]
        assert queue(desk, scopes=VIEW[:1]) == [c, e, a]
        assert queue(desk, "nowhere", scopes=scopes) == []


def test_what_was_deferred_since_the_console_opened_stands_last_in_the_order_put_off(desk: Desk) -> None:
    a, b, c, d = (desk.lay(f"say {n}") for n in range(4))
    opened = desk.clock.now
    desk.clock.jump(minutes=1)
    review.defer(desk.store, desk.see(d), by=ANN)
    desk.clock.jump(minutes=1)
    review.defer(desk.store, desk.see(b), by=ANN)
    assert queue(desk, since=opened) == [c, a, d, b]
    assert queue(desk, since=desk.clock.now + timedelta(minutes=1)) == [d, c, b, a]
    assert queue(desk, since=None) == [d, c, b, a]


def test_the_first_ids(desk: Desk) -> None:
    ids = desk.lay_many([{"content": f"say {n}", "session_id": None} for n in range(7)])
    review.defer(desk.store, desk.see(ids[6]), by=ANN)
    opened = desk.clock.now
    assert queries.queue_first(desk.store, scopes=None, since=opened, size=3) == PackedIds.of(ids[5:2:-1])
    assert queries.queue_first(desk.store, scopes=VIEW, since=None, size=3) == PackedIds.of(ids[6:3:-1])
    assert queries.queue_first(desk.store, parse("nowhere"), scopes=VIEW, since=None) == PackedIds()


@pytest.mark.long
def test_the_first_ids_of_a_filter_are_the_first_of_all_however_few_rows_are_looked_through(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = [f"say {n} {'even' if n % 2 == 0 else 'odd'}" for n in range(8)]
    ids = [desk.lay(text, scope=VIEW[n % 3 == 0]) for n, text in enumerate(said)]
    review.defer(desk.store, desk.see(ids[5]), by=ANN)
    desk.clock.jump(minutes=1)
    views: list[tuple[str, ...] | None] = [None, VIEW, ("a", "b", "c", "d", *VIEW)]
    orders = ("queue", "oldest", "newest")
    for looked, scopes, typed, order in product((2, 4, 100), views, ("", "even", "say 3", "nowhere"), orders):
        monkeypatch.setattr(waiting, "LOOKED_THROUGH", looked)
        asked: dict[str, Any] = {"scopes": scopes, "since": desk.clock.now, "order": order}
        every = list(queries.queue_ids(desk.store, parse(typed), **asked))
        first = list(queries.queue_first(desk.store, parse(typed), **asked))
        assert first == every[: len(first)]
        assert looked < len(ids) or first == every


def test_drafts_are_apart_and_decided_ones_are_gone(desk: Desk) -> None:
    said, waits = desk.lay("said once", status="draft"), desk.lay("waits")
    gone = desk.lay("turned away")
    review.reject(desk.store, desk.see(gone), by=ANN)
    assert queue(desk) == [waits]
    assert list(queries.draft_ids(desk.store, scopes=None)) == [said]
    assert list(queries.draft_ids(desk.store, parse("nowhere"), scopes=None)) == []
    assert list(queries.draft_ids(desk.store, scopes=VIEW)) == [said]
    review.defer(desk.store, desk.see(desk.lay("waits longer")), by=ANN)
    desk.lay("waits elsewhere", scope="billing")
    assert queries.queue_number(desk.store, parse("kind:fact"), scopes=VIEW) == 3
    assert queries.queue_number(desk.store, parse("waits"), scopes=None) == 3


def test_a_view_holds_its_scopes_and_no_other(desk: Desk) -> None:
    ids = {scope: desk.lay("say", scope=scope) for scope in ("shop", "global", "billing", "shop2", "sho", "Shop", "%")}
    assert queue(desk, scopes=VIEW) == [ids["global"], ids["shop"]]
    assert queue(desk, scopes=("shop",)) == [ids["shop"]]
    assert queue(desk, scopes=("%",)) == [ids["%"]]
    assert queue(desk, scopes=()) == []
    assert set(queue(desk, scopes=("shop", "global", "billing", "shop2", "sho", "shop"))) == {
        ids[scope] for scope in ("shop", "global", "billing", "shop2", "sho")
    }
    assert len(queue(desk)) == 7


def test_another_tenants_rows_are_nowhere(desk: Desk) -> None:
    own = desk.lay("say", key="a.key")
    desk.store.tenant = "another"
    assert queue(desk) == []
    assert queries.detail(desk.store, own) is None
    assert queries.queue_rows(desk.store, [own]) == []
    assert queries.counts(desk.store, None) == Counts(0, 0, 0, 0, 0)


@pytest.mark.long
def test_ten_thousand_ids_keep_their_order(desk: Desk) -> None:
    ids = desk.lay_many([{"content": f"say {n}", "session_id": None} for n in range(10_000)])
    assert queue(desk) == ids[::-1]
    assert queue(desk, scopes=VIEW) == ids[::-1]
    assert queue(desk, order="oldest") == ids


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("", "abcd"),
        ("conf<0.6", "b"),
        ("conf<=0.6", "ab"),
        ("conf>0.6", "c"),
        ("conf>=0.6 conf<0.95", "a"),
        ("conf:0.6", "a"),
        ("conf:unknown", "d"),
        ("agent:codex", "ab"),
        ("agent:CLAUDE", "c"),
        ("agent:claude-code", "c"),
        ("agent:unknown", "d"),
        ("kind:pref", "b"),
        ("kind:fact", "acd"),
        ("flag:conflict", "c"),
        ("flag:guess", ""),
        ("flag:none", "abd"),
        ("flag:any", "c"),
        ("scope:shop", "abc"),
        ("scope:global", "d"),
        ("session:S2", "b"),
        ("session:unknown", "d"),
        ("source:manual", "a"),
        ("source:unknown", "bcd"),
        ("age>2d", "a"),
        ("age<2d", "bcd"),
        ("changed:36h", "bcd"),
        ("pytest", "a"),
        ("PYTEST", "a"),
        ("pytest -q", "a"),
        ('"-q --lf"', "a"),
        ("部署", "b"),
        ("école", "c"),
        ("ÉCOLE", "c"),
        ("ecole", ""),
        ("style.voice", "d"),
        ("K8S", "b"),
        ("集群", "b"),
        ("agent:codex pytest conf:0.6 kind:fact", "a"),
        ("agent:codex école", ""),
    ],
)
def test_filters(desk: Desk, typed: str, found: str) -> None:
    ids = {}
    said: dict[str, dict[str, Any]] = {
        "a": {"content": "Run pytest -q --lf first", "confidence": 0.6, "source": "manual"},
        "b": {
            "content": "部署前检查设备清单",
            "confidence": 0.3,
            "kind": "preference",
            "session_id": "s2",
            "aliases": ("k8s", "集群"),
        },
        "c": {"content": "À l’École on teste", "confidence": 0.95, "flags": [{"code": "conflict", "detail": "codex"}]},
        "d": {"content": "Short sentences", "key": "style.voice", "scope": "global", "session_id": None},
    }
    for name, columns in said.items():
        ids[name] = desk.lay(**columns)
        desk.clock.jump(days=3 if name == "a" else 0)
    touch(desk, ids["c"], source_agent="claude-code")
    touch(desk, ids["d"], source_agent=None)
    flt = parse(typed)
    assert flt.errors == ()
    assert "".join(sorted(name for name, one in ids.items() if one in queue(desk, typed))) == found
    assert queries.queue_number(desk.store, flt, scopes=None) == len(found)


@pytest.mark.parametrize(
    "text", ["%", "_", "\\", "'", '"', "';DROP", "*", "?", "[", "]", "^", "(", "NEAR(", "C++", "🚀", "é%", "É[", "é\\"]
)
def test_V45_a_text_is_looked_for_literally(desk: Desk, text: str) -> None:
    there = desk.lay(f"before{text}after")
    desk.lay("before and after, Cxx, a NEAR b, exe")
    assert queue(desk, f"fore{text}af") == [there]
    assert queue(desk, f"x{text}x") == []
    assert list(queries.memory_ids(desk.store, parse(text), scopes=None)) == []


def test_a_flag_is_found_by_its_code_not_by_its_detail(desk: Desk) -> None:
    desk.lay("forged", flags=[{"code": "hidden", "detail": '"code": "conflict"'}, {"code": "x", "detail": "conflict"}])
    true = desk.lay("true", flags=[{"code": "hidden", "detail": ""}, {"code": "conflict", "detail": ""}])
    assert queue(desk, "flag:conflict") == [true]


def test_a_label_finds_its_scope(desk: Desk) -> None:
    there = desk.lay("say", scope="git:github.com/acme/abc")
    desk.lay("say", scope="other")
    with desk.store.write() as connection:
        row = {"tenant_id": desk.store.tenant, "identity": "git:github.com/acme/abc", "label": "Ｓhop API", "paths": []}
        connection.execute(insert(SCOPE), row)
    assert queue(desk, 'scope:"hop api"') == [there]
    assert queue(desk, "scope:ACME") == [there]


def test_op_and_stale_base_are_what_approving_would_do_now(desk: Desk) -> None:
    held = desk.hold("PostgreSQL 14", key="db.engine")
    plain = desk.lay("no key")
    fits = desk.lay("PostgreSQL 15", key="db.engine")
    removes = desk.lay("PostgreSQL 14", op="remove", target=held.id, key="db.engine")
    early = desk.lay("from the future", key="db.port")  # an addition whose key is given a value later
    gone = desk.hold("to go", key="to.go")
    orphan = desk.lay("was to change it", target=gone.id)
    history.delete(desk.store, gone.id, gone.revision, by=ANN)
    history.edit(desk.store, held.id, held.revision, held.entry.with_(content="PostgreSQL 14.1"), by=ANN)
    port = desk.hold("5432")
    history.edit(desk.store, port.id, 1, port.entry.with_(key="db.port"), by=ANN)
    desk.lay("decided", status="rejected")
    names = {plain: "plain", fits: "fits", removes: "removes", early: "early", orphan: "orphan"}

    def named(typed: str) -> set[str]:
        return {names.get(one, one) for one in queue(desk, typed)}

    for op in ("add", "update", "remove"):
        rows = queries.queue_rows(desk.store, queue(desk))
        assert named(f"op:{op}") == {names.get(row.id, row.id) for row in rows if row.op == op}
    rows = queries.queue_rows(desk.store, queue(desk))
    stale = {names.get(row.id, row.id) for row in rows if any(flag.code == "stale_base" for flag in row.flags)}
    assert named("flag:stale_base") == stale
    assert named("op:update") == {"fits", "early"}
    assert stale == {"fits", "removes", "early", "orphan"}


def test_counts_in_and_out_of_the_view(desk: Desk) -> None:
    desk.lay("one")
    desk.lay("two", scope="global")
    desk.lay("away", scope="billing")
    later = desk.lay("later", scope="billing")
    desk.lay("once", status="draft")
    desk.hold("held")
    desk.hold("held elsewhere", scope="billing")
    review.defer(desk.store, desk.see(later), by=ANN)
    assert queries.counts(desk.store, VIEW) == Counts(pending=2, drafts=1, deferred=0, elsewhere=2, memories=1)
    assert queries.counts(desk.store, None) == Counts(pending=3, drafts=1, deferred=1, elsewhere=0, memories=2)


def test_the_whole_of_one_proposal(desk: Desk) -> None:
    first = desk.hold("Write in the active voice", key="style.voice")
    history.edit(desk.store, first.id, 1, first.entry.with_(content="Write in the active voice, always"), by=ANN)
    older, newer = desk.lay("Passive", key="style.voice"), desk.lay("Mixed", key="style.voice", session_id=None)
    decided = desk.lay("Decided", key="style.voice", status="withdrawn")
    found = queries.detail(desk.store, older)
    assert found is not None
    assert found.proposal.target is not None
    assert found.proposal.target.id == first.id
    assert [one.id for one in found.group] == [newer, older]
    assert decided not in [one.id for one in found.group]
    assert [version.revision for version in found.versions] == [2, 1]
    assert (found.sessions, found.refused_before) == (1, None)
    other = queries.detail(desk.store, newer)
    assert other is not None
    assert other.sessions == 0


def test_an_earlier_refusal_is_told_with_who_when_and_why_also_when_lifted(desk: Desk) -> None:
    first = desk.lay("Deploy on Fridays")
    review.reject(desk.store, desk.see(first), by=ANN, reason="never again")
    when = desk.clock.now
    desk.clock.jump(days=2)
    again = desk.lay("Deploy  on Fridays ")  # white space aside it is the same text
    for lifted in (False, True):
        if lifted:
            history.undo(desk.store, by=ANN)
        found = queries.detail(desk.store, again)
        assert found is not None
        assert found.refused_before is not None
        refused = found.refused_before
        assert (refused.cause, refused.at, refused.reason, refused.actor) == ("rejected", when, "never again", "ann")
    elsewhere = queries.detail(desk.store, desk.lay("Deploy on Fridays", scope="billing"))
    assert elsewhere is not None
    assert elsewhere.refused_before is None


def test_nothing_is_told_of_a_proposal_that_does_not_exist(desk: Desk) -> None:
    assert queries.detail(desk.store, "00000000-0000-0000-0000-000000000000") is None
    assert queries.detail(desk.store, "") is None


def test_rows_come_in_the_order_asked_for(desk: Desk) -> None:
    ids = [desk.lay(f"say {n}") for n in range(5)]
    asked = [ids[3], ids[0], "00000000-0000-0000-0000-000000000000", ids[4]]
    assert [row.id for row in queries.queue_rows(desk.store, asked)] == [ids[3], ids[0], ids[4]]
    packed = queries.queue_ids(desk.store, scopes=None, since=None)
    assert [row.id for row in queries.queue_rows(desk.store, packed[1:3])] == [ids[3], ids[2]]
    assert queries.queue_rows(desk.store, []) == []


def test_the_library_in_its_two_orders(desk: Desk) -> None:
    b = desk.hold("second by key", key="b.key")
    desk.clock.jump(minutes=1)
    bare = desk.hold("without a key")
    desk.clock.jump(minutes=1)
    a = desk.hold("first by key", key="a.key", scope="global")
    away = desk.hold("elsewhere", scope="billing")
    gone = desk.hold("gone")
    history.delete(desk.store, gone.id, gone.revision, by=ANN)
    desk.clock.jump(minutes=1)
    history.edit(desk.store, b.id, 1, b.entry.with_(content="changed"), by=ANN)
    assert list(queries.memory_ids(desk.store, scopes=VIEW)) == [b.id, a.id, bare.id]
    assert list(queries.memory_ids(desk.store, scopes=VIEW, order="key")) == [a.id, b.id, bare.id]
    assert away.id in queries.memory_ids(desk.store, scopes=None)
    assert [one.id for one in queries.memory_rows(desk.store, [bare.id, b.id])] == [bare.id, b.id]
    assert [one.revision for one in queries.memory_versions(desk.store, b.id)] == [2, 1]
    assert [one.revision for one in queries.memory_versions(desk.store, b.id, revisions=[1, 7])] == [1]
    assert queries.memory_versions(desk.store, b.id, revisions=[]) == []
    assert queries.memory_versions(desk.store, away.id[::-1]) == []


def test_the_library_by_filter(desk: Desk) -> None:
    pref = desk.hold("short", kind="preference", confidence=0.4)
    desk.clock.jump(days=5)
    fact = desk.hold("long", source="manual")

    def found(typed: str) -> list[str]:
        return list(queries.memory_ids(desk.store, parse(typed), scopes=None))

    assert found("kind:preference") == [pref.id]
    assert found("conf<0.5") == [pref.id]
    assert found("conf:unknown") == [fact.id]
    assert found("age>3d") == [pref.id]
    assert found("changed:3d") == [fact.id]
    assert found("source:manual agent:codex scope:shop") == [fact.id]
    assert found("session:s1 short") == [pref.id]
    assert found("flag:conflict") == []
    assert found("op:add") == []


def test_a_memory_past_its_date_is_not_active_for_the_library(desk: Desk) -> None:
    held = desk.hold("until tonight", valid_until=desk.clock.now + timedelta(hours=8))
    assert list(queries.memory_ids(desk.store, scopes=None)) == [held.id]
    desk.clock.jump(hours=9)
    assert list(queries.memory_ids(desk.store, scopes=None)) == []
    assert queries.counts(desk.store, None).memories == 0


def test_contains_like_and_pinned_narrow_memories(desk: Desk) -> None:
    retry, deploy, other = desk.hold_many(
        "The retry limit of a deploy is three", "Deploys run from the release branch", "Tabs are four wide"
    )
    tending.pin(desk.store, [(other.id, 1)], True, by=ANN)

    def found(typed: str) -> list[str]:
        flt = parse(typed)
        assert flt.errors == ()
        return list(queries.memory_ids(desk.store, flt, scopes=("shop",)))

    assert found("contains:etry") == [retry.id]
    assert found("etry") == []
    assert found("contains:%") == []
    assert found('like:"the retry limit"')[0] == retry.id
    assert found('like:"the retry limit" contains:release') == []
    assert found('like:"the retry limit" limit') == [retry.id]
    assert found("pinned:yes") == [other.id]
    assert set(found("pinned:no")) == {retry.id, deploy.id}
