"""Pages for scripts, and the plans of the hot statements."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event, update

from store import queries, review, waiting
from store.engine import Store
from store.errors import NotFound, UsageError
from store.filters import parse
from store.queries import list_page
from tests.contract.decisions import ANN, TABLES, Desk


def walk(store: Store, **asked: Any) -> list[str]:
    """Every id, page by page."""
    ids: list[str] = []
    page = list_page(store, **asked)
    while True:
        ids += [item.id for item in page.items]
        if page.next is None:
            return ids
        assert page.next == ids[-1]
        page = list_page(store, **asked, after=page.next)


def test_pages_are_whole_whatever_their_size(desk: Desk) -> None:
    ids = desk.lay_many([{"content": f"say {n}", "session_id": None} for n in range(23)])
    table = TABLES["proposal"]
    with desk.store.write() as connection:  # sessions that interleave, and every open status
        for n, own in enumerate(ids):
            status = ("draft", "pending", "deferred")[n % 3]
            connection.execute(update(table).where(table.c.id == own).values(session_rank=ids[n // 5], status=status))
    order = sorted(range(23), key=lambda n: (n // 5, n), reverse=True)
    for limit in (1, 2, 5, 22, 23, 24):
        assert walk(desk.store, limit=limit) == [ids[n] for n in order]
    whole = list_page(desk.store, limit=None)
    assert (whole.total, len(whole.items), whole.next) == (23, 23, None)
    assert list_page(desk.store, limit=5).total == 23
    assert list_page(desk.store, limit=5, after=ids[order[6]]).total == 23
    assert list_page(desk.store, limit=5, counted=False).total is None


def test_filters_of_a_page(desk: Desk) -> None:
    a = desk.lay("a", kind="preference", flags=[{"code": "conflict", "detail": ""}])
    b = desk.lay("b", scope="billing")
    c = desk.lay("c")
    review.reject(desk.store, desk.see(c), by=ANN)
    assert walk(desk.store) == [b, a]
    assert walk(desk.store, statuses=["rejected"]) == [c]
    assert walk(desk.store, statuses=["pending", "rejected", "pending"]) == [c, b, a]
    assert walk(desk.store, scope="billing") == [b]
    assert walk(desk.store, scope="bill") == []
    assert walk(desk.store, kind="preference") == [a]
    assert walk(desk.store, flag="conflict") == [a]
    assert list_page(desk.store, flag="conflict", limit=1).total == 1
    assert list_page(desk.store, scope="nowhere").items == ()


def test_memories_by_page(desk: Desk) -> None:
    held = [desk.hold(f"held {n}", kind="preference" if n == 2 else "fact").id for n in range(7)]
    assert walk(desk.store, what="memory", limit=3) == held[::-1]
    assert walk(desk.store, what="memory", kind="preference") == [held[2]]
    assert walk(desk.store, what="memory", statuses=["deleted"]) == []
    assert list_page(desk.store, what="memory", limit=2).total == 7


def test_what_cannot_be_asked_is_said(desk: Desk) -> None:
    with pytest.raises(UsageError, match="no status"):
        list_page(desk.store, statuses=["gone"])
    with pytest.raises(UsageError, match="no status"):
        list_page(desk.store, what="memory", statuses=["pending"])
    with pytest.raises(UsageError, match="no flag"):
        list_page(desk.store, flag="zz")
    with pytest.raises(UsageError, match="no flags"):
        list_page(desk.store, what="memory", flag="conflict")
    with pytest.raises(UsageError, match="holds nothing"):
        list_page(desk.store, limit=0)
    with pytest.raises(UsageError, match="no kind"):
        list_page(desk.store, kind="zz")
    with pytest.raises(NotFound):
        list_page(desk.store, after="nobody")


@contextmanager
def statements(store: Store) -> Iterator[list[tuple[str, Any]]]:
    """The statements that are run meanwhile, with their values."""
    seen: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, values: Any, *_rest: Any) -> None:
        if statement.startswith(("SELECT", "WITH")):
            seen.append((statement, values))

    event.listen(store.engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(store.engine, "before_cursor_execute", note)


def plans(store: Store, seen: list[tuple[str, Any]]) -> str:
    """What SQLite says it would do for these statements."""
    with store.read() as connection:
        rows = [
            row
            for statement, values in seen
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
        ]
    return "\n".join(row.detail for row in rows)


HOT: dict[str, Callable[[Store, str], object]] = {
    "queue": lambda s, one: queries.queue_ids(s, scopes=None, since=None),
    "queue of a view": lambda s, one: queries.queue_ids(s, scopes=("shop", "global"), since=s.now()),
    "by age": lambda s, one: queries.queue_ids(s, scopes=("shop", "global"), since=s.now(), order="oldest"),
    "first by age": lambda s, one: queries.queue_first(
        s, parse("deploy"), scopes=("shop", "global"), since=s.now(), order="newest"
    ),
    "page by age": lambda s, one: list_page(s, sort="oldest", after=one),
    "drafts": lambda s, one: queries.draft_ids(s, scopes=("shop", "global")),
    "rows": lambda s, one: queries.queue_rows(s, [one]),
    "counts": lambda s, one: queries.counts(s, ("shop", "global")),
    "page": lambda s, one: list_page(s, after=one),
    "page of memories": lambda s, one: list_page(s, what="memory"),
    "detail": lambda s, one: queries.detail(s, one),
    "narrowed": lambda s, one: queries.queue_ids(
        s, parse("conf<0.6 agent:codex age>1d"), scopes=("a", "b"), since=None
    ),
    "number": lambda s, one: queries.queue_number(
        s, parse("conf<0.6 agent:codex age>1d source:manual kind:fact"), scopes=("a", "b")
    ),
    "first": lambda s, one: queries.queue_first(s, parse("deploy"), scopes=("shop", "global"), since=s.now()),
    "op": lambda s, one: queries.queue_ids(s, parse("op:update flag:stale_base"), scopes=None, since=None),
    "words": lambda s, one: queries.memory_ids(s, parse("deploy"), scopes=("shop", "global")),
}


@pytest.mark.parametrize("engine_name", ["sqlite"])
@pytest.mark.parametrize("name", HOT)
def test_hot_statements_use_their_index_and_never_scan(desk: Desk, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "LOOKED_THROUGH", 0)  # so that the first page of a filter is bound to the newest
    desk.hold("held", key="a.key")
    one = desk.lay("changed", key="a.key")
    desk.lay("another", scope="billing")
    review.defer(desk.store, desk.see(desk.lay("put off")), by=ANN)
    with statements(desk.store) as seen:
        HOT[name](desk.store, one)
    assert seen
    plan = plans(desk.store, seen)
    for line in plan.splitlines():
        assert not line.startswith(("SCAN proposal", "SCAN memory", "SCAN version", "SCAN operation")), plan
        assert not line.endswith("(tenant_id=?)"), plan  # a walk through all that a tenant has
    if name in ("queue", "drafts", "page", "page of memories"):
        assert "TEMP B-TREE" not in plan
    if name == "by age":
        assert "USING COVERING INDEX ix_proposal_age" in plan
    if name == "queue of a view":
        # only what was deferred since the console opened is sorted, by when
        assert plan.count("TEMP B-TREE") == 1
        assert "USING COVERING INDEX ix_proposal_queue" in plan
    if name == "first":
        assert "TEMP B-TREE" not in plan  # in the order of the index, and only as many as are looked through
        assert "scope=? AND session_rank>?" in plan
    if name == "first by age":
        assert "INDEX ix_proposal_age (tenant_id=? AND status=? AND created_at>?)" in plan
    if name in ("narrowed", "number"):
        assert "INDEX ix_proposal_open" in plan
        assert " USING INDEX" not in plan  # all from the index, no row is read
    if name == "rows":
        assert "uq_memory_key" in plan or "sqlite_autoindex_memory" in plan
