"""The demo is what the README says: a sample session over two projects, with one of each thing a reviewer meets."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from console import demo
from store import clusters, history, outdated, queries, similar
from store.agents.passages import passage
from store.engine import Store, open_store
from store.facts import Actor, Proposal
from store.location import locate
from store.selecting import Rule
from store.verify import verify

ADA = Actor("ada", "console")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    location = locate(str(tmp_path_factory.mktemp("demo") / "demo.db"))
    demo.build(location, person=ADA, now=datetime(2026, 11, 30, 14, 0, tzinfo=UTC))
    store = open_store(location)
    yield store
    store.close()


@pytest.fixture(scope="module")
def session(built: Store) -> list[Proposal]:
    ids = [*queries.queue_ids(built, scopes=None, since=None), *queries.draft_ids(built, scopes=None)]
    return queries.queue_rows(built, ids)


def test_it_is_a_session_over_two_projects_in_two_languages(built: Store, session: list[Proposal]) -> None:
    assert 20 <= len(session) <= 32
    assert {one.entry.scope for one in session} == {"shop-api", "billing-web", "global"}
    assert any("\u4e00" <= char <= "\u9fff" for one in session for char in one.entry.content)
    assert len({one.entry.source_agent for one in session}) >= 3
    assert verify(built) is None


def test_it_has_one_of_everything_a_reviewer_meets(session: list[Proposal]) -> None:
    flags = {flag.code for one in session for flag in one.flags}
    assert {"conflict", "hidden", "guess", "masked", "maybe_secret"} <= flags
    assert {one.op for one in session} == {"add", "update", "remove"}
    assert {one.status for one in session} == {"pending", "draft"}
    assert any(len(one.entry.content) > 1400 for one in session), "a long text"
    assert sum("uv" in one.entry.content.split() for one in session) >= 3, "near-copies"
    assert any(one.target and one.target.entry.source_agent != one.entry.source_agent for one in session), "a conflict"


def test_its_near_copies_are_gathered_and_what_was_turned_down_stands_beside_what_is_like_it(
    built: Store, session: list[Proposal]
) -> None:
    waiting = [one.id for one in session if one.status == "pending"]
    (copies,) = clusters.clusters(built, waiting).items
    assert all("uv" in one.entry.content for one in session if one.id in copies.ids) and copies.size >= 3
    prices = next(one for one in session if one.entry.content.startswith("Cache prices"))
    (before,) = similar.similar(built, prices, scopes=("shop-api", "global")).retired
    assert before.reason == "two customers paid a price of the day before"


def test_what_an_agent_quoted_stands_in_the_sample_transcript(built: Store, session: list[Proposal]) -> None:
    root = str(built.location.folder)
    referred = [one for one in session if one.entry.source_ref]
    assert len(referred) == 3
    for one in referred:
        found = passage(one.entry.source_ref, home="/nowhere", root=root)
        (place,) = [row for row in found.rows if row.here]
        assert (found.state, place.who) == ("there", "you")
        assert one.entry.evidence is not None and one.entry.evidence in place.text


def test_an_overwritten_preference_comes_back_in_it(built: Store, session: list[Proposal]) -> None:
    first = session[0]
    assert first.entry.key == "style.report_voice"
    assert first.target is not None and first.target.previous_value is not None
    done = history.rollback(built, first.target.id, first.target.revision, by=ADA)
    (memory,) = queries.memory_rows(built, list(done.memory_ids))
    assert memory.entry.content == first.target.previous_value


@pytest.mark.parametrize("keep", [False, True])
def test_keep_says_where_it_stays_and_else_nothing_stays(
    keep: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("console.running.open_console", lambda *_, **__: 0)
    assert demo.run(keep=keep) == 0
    left = list(tmp_path.glob("meminbox-demo-*/demo.db"))
    assert len(left) == (1 if keep else 0)
    if keep:
        assert str(left[0]) in capsys.readouterr().err


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_its_repository_was_refactored_so_that_some_of_what_is_known_is_false(built: Store) -> None:
    here = demo.project(built.location.folder)
    found = outdated.preview(built, Rule(scopes=(here.identity,), judged=True), here)
    assert sorted(row.suggested or "" for row in found.rows) == ["expire", "repoint", "repoint"]
