"""Scopes: what each holds, which are orphans, and what a person does to them; each act one operation with one undo."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from store import history, queries, review, scope_acts, scope_move, scopes, tending
from store.admit import admit
from store.context import Context
from store.elsewhere import elsewhere
from store.engine import Store
from store.errors import AlreadyKnown, Conflict, LaterOperation, NoneQualified, UsageError
from store.facts import Actor, Memory, Outcome
from store.given import profile_of
from store.intake import take
from store.outdated import Stopped
from store.project import Project, identify
from store.redact import redact
from store.retrieval import search
from store.verify import verify

MIA = Actor("mia", "cli")


def propose(store: Store, project: Project, content: str, **said: object) -> Outcome:
    values = {"content": content, "source_agent": "codex", **said}
    admitted = admit(json.dumps({name: value for name, value in values.items() if value is not None}).encode())
    assert not admitted.refusals, admitted.refusals
    context = Context(scope=project.identity, label=project.label, root=str(project.root))
    with store.write() as connection:
        (outcome,) = take(store, connection, [redact(one) for one in admitted.proposals], context=context)
    return outcome


def approve(store: Store, project: Project, content: str, **said: object) -> Memory:
    outcome = propose(store, project, content, **said)
    assert outcome.id is not None, outcome
    seen = queries.queue_rows(store, [outcome.id])[0].seen()
    return queries.memory_rows(store, review.approve(store, seen, by=MIA).memory_ids)[0]


def standing(store: Store, here: Project | None) -> dict[str, str]:
    return {one.label: one.standing for one in scopes.scopes(store, here)}


def of(store: Store, identity: str, here: Project | None = None) -> scopes.Scope:
    return next(one for one in scopes.scopes(store, here) if one.identity == identity)


@pytest.fixture
def old(tmp_path: Path, request: pytest.FixtureRequest) -> Project:
    """A folder, or (asked for by the parameter ``git``) a repository without a remote."""
    folder = tmp_path / "shop"
    folder.mkdir()
    if getattr(request, "param", "folder") == "git":
        (folder / ".git" / "objects").mkdir(parents=True)
        (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return identify(folder, git=None)


def moved(project: Project, to: Path) -> Project:
    shutil.move(project.root, to)
    return identify(to, git=None)


@pytest.mark.parametrize("old", ["folder", "git"], indirect=True)
def test_D074_a_folder_that_was_renamed_leaves_an_orphan_that_is_re_attached_in_one_undoable_step(
    store: Store, old: Project, tmp_path: Path
) -> None:
    held = approve(store, old, "Tests run with pytest -q", key="build.test")
    rejected = propose(store, old, "Deploy on Fridays")
    assert rejected.id is not None
    review.reject(store, queries.queue_rows(store, [rejected.id])[0].seen(), by=MIA)
    waits = propose(store, old, "Tests run with pytest -q -x", key="build.test")
    assert scopes.lost(store, identify(tmp_path, git=None)) == ()
    new = moved(old, tmp_path / "shop-api")
    assert (new.identity != old.identity, new.identity.partition(":")[0]) == (True, old.identity.partition(":")[0])
    propose(store, new, "The till speaks JSON")
    assert scopes.lost(store, new) == ("shop",), "asked for from the folder itself, whatever waits there"
    (orphan,) = [one for one in scopes.scopes(store, new) if one.orphan]
    assert (orphan.identity, orphan.label, orphan.memories, orphan.waiting) == (old.identity, "shop", 1, 1)

    there = scopes.Seen(new.identity, new.label, str(new.root))
    done = scope_move.move(store, old.identity, new.identity, by=MIA, there=there)
    assert done.title == "moved 2 entries from shop to shop-api"
    assert "pytest -q" in profile_of(store, new).text
    assert [hit.memory.id for hit in search(store, "pytest", scopes=(new.identity,)).hits] == [held.id]
    assert not [one for one in scopes.scopes(store, new) if one.orphan]
    assert scopes.lost(store, new) == ()
    assert waits.id is not None
    proposal = queries.queue_rows(store, [waits.id])[0]
    assert (proposal.op, proposal.target and proposal.target.id, proposal.flags) == ("update", held.id, ())
    assert propose(store, new, "Deploy on Fridays").status == "rejected_before"
    assert verify(store) is None

    history.undo(store, by=MIA)
    assert of(store, old.identity).memories == 1
    assert profile_of(store, new).given == ()
    proposal = queries.queue_rows(store, [waits.id])[0]
    assert (proposal.entry.scope, proposal.op, proposal.flags) == (old.identity, "update", ())
    assert propose(store, new, "Deploy on Fridays").status == "pending"
    history.redo(store, by=MIA)
    assert of(store, new.identity).memories == 1
    assert verify(store) is None


def test_what_cannot_go_along_is_left_and_named(store: Store, old: Project, tmp_path: Path) -> None:
    approve(store, old, "PostgreSQL 14", key="db.engine")
    approve(store, old, "Run make lint", key="build.lint")
    approve(store, old, "The office is in Kiel")
    new = moved(old, tmp_path / "new")
    approve(store, new, "PostgreSQL 16", key="db.engine")
    approve(store, new, "The office is in  Kiel")
    going = scope_move.preview(store, old.identity, new.identity)
    done = scope_move.move(store, old.identity, new.identity, by=MIA)
    assert (len(going.memories), going.left) == (len(done.memory_ids), done.left)
    assert sorted(why for _, why in done.left) == ["db.engine is held there already", "it is said there already"]
    assert of(store, old.identity, new).memories == 2
    with pytest.raises(NoneQualified):
        scope_move.move(store, old.identity, new.identity, by=MIA)
    assert verify(store) is None


def test_some_entries_alone_can_be_moved(store: Store, old: Project) -> None:
    first = approve(store, old, "Write in British English")
    approve(store, old, "Tests run with pytest")
    done = scope_move.move(store, old.identity, "global", by=MIA, ids=[first.id])
    assert done.memory_ids == (first.id,)
    assert done.title == "moved 1 entry from shop to everywhere"
    assert (of(store, "global", old).memories, of(store, old.identity, old).memories) == (1, 1)


def test_moving_can_be_stopped_before_it_is_done_and_then_nothing_was(store: Store, old: Project) -> None:
    approve(store, old, "Tests run with pytest")
    told: list[tuple[int, int]] = []

    def stopped() -> bool:
        return bool(told)

    with pytest.raises(Stopped):
        scope_move.move(
            store, old.identity, "global", by=MIA, progress=lambda done, of: told.append((done, of)), stopped=stopped
        )
    assert told == [(0, 1)]
    assert of(store, old.identity, old).memories == 1


def test_an_undo_is_refused_where_something_later_stands_on_it(store: Store, old: Project) -> None:
    held = approve(store, old, "Tests run with pytest")
    done = scope_move.move(store, old.identity, "global", by=MIA)
    now = queries.memory_rows(store, [held.id])[0]
    history.edit(store, held.id, now.revision, now.entry.with_(content="Tests run with pytest -q"), by=MIA)
    with pytest.raises(LaterOperation):
        history.undo(store, by=MIA, operation_id=done.operation.id)


@pytest.mark.parametrize("target", ["", "  "])
def test_D062_an_empty_scope_is_no_scope(store: Store, old: Project, target: str) -> None:
    approve(store, old, "Tests run with pytest")
    with pytest.raises(UsageError):
        scope_move.move(store, old.identity, target, by=MIA)


def test_a_label_is_given_taken_back_and_given_again(store: Store, old: Project) -> None:
    approve(store, old, "Tests run with pytest")
    first = scope_acts.rename(store, old.identity, "Shop", by=MIA)
    assert first.title == "renamed shop to Shop"
    assert scopes.as_known(store, old).label == "Shop"
    propose(store, old, "Lint runs with ruff")  # the folder's own name does not take its place
    assert of(store, old.identity).label == "Shop"
    scope_acts.rename(store, old.identity, "The shop", by=MIA)
    with pytest.raises(Conflict):
        history.undo(store, by=MIA, operation_id=first.operation.id)
    history.undo(store, by=MIA)
    assert of(store, old.identity).label == "Shop"
    history.undo(store, by=MIA, operation_id=first.operation.id)
    assert (of(store, old.identity).label, scopes.as_known(store, old).label) == ("shop", "shop")
    history.redo(store, by=MIA)
    assert of(store, old.identity).label == "Shop"
    with pytest.raises(AlreadyKnown):
        scope_acts.rename(store, old.identity, " Shop ", by=MIA)
    assert verify(store) is None


@pytest.mark.parametrize("label", ["", " \n ", "global", "GLOBAL", ".", "a\x1b[2Jb", "a\u202eb", "x" * 81])
def test_what_is_no_label_is_refused(store: Store, old: Project, label: str) -> None:
    with pytest.raises(UsageError):
        scope_acts.rename(store, old.identity, label, by=MIA)


def test_a_claim_is_honoured_only_after_a_person_confirmed_it_and_on_that_path(
    store: Store, old: Project, tmp_path: Path
) -> None:
    approve(store, old, "Tests run with pytest")
    clone, other = tmp_path / "clone", tmp_path / "other"
    for folder in (clone, other):
        folder.mkdir()
        (folder / ".meminbox.toml").write_text(f'scope = "{old.identity}"\n')
    asking = identify(clone, git=None)
    assert scopes.as_known(store, asking) == asking
    done = scope_acts.confirm(store, asking, by=MIA)
    assert done.title == f"confirmed {old.identity} for {clone}"
    assert scopes.as_known(store, asking).identity == old.identity
    assert scopes.as_known(store, identify(other, git=None)).identity != old.identity
    with pytest.raises(AlreadyKnown):
        scope_acts.confirm(store, asking, by=MIA)
    with pytest.raises(UsageError):
        scope_acts.confirm(store, old, by=MIA)
    history.undo(store, by=MIA)
    assert scopes.as_known(store, asking) == asking
    history.redo(store, by=MIA)
    assert scopes.as_known(store, asking).identity == old.identity
    assert verify(store) is None


def test_a_scope_that_was_only_looked_at_is_none(store: Store, old: Project) -> None:
    seen = scopes.Seen(old.identity, old.label, str(old.root))
    assert not scopes.needs_note(store, seen)
    with store.write() as connection:
        scopes.note(store, connection, [seen], known_only=True)
    assert standing(store, None) == {"global": "everywhere"}
    approve(store, old, "Tests run with pytest")
    assert standing(store, None) == {"global": "everywhere", "shop": "there"}
    assert standing(store, old) == {"shop": "here", "global": "everywhere"}


def test_a_preference_of_another_project_is_told_of_where_it_waits_again(
    store: Store, old: Project, tmp_path: Path
) -> None:
    (tmp_path / "web").mkdir()
    web = identify(tmp_path / "web", git=None)
    said = {"kind": "preference", "key": "style.english"}
    approve(store, old, "From now on write in British English.", **said)
    approve(store, old, "From now on: lint with ruff", kind="procedure")

    def told(content: str, **more: object) -> tuple[str, ...]:
        one = propose(store, web, content, **more)
        assert one.id is not None, one
        return elsewhere(store, queries.queue_rows(store, [one.id])[0])

    assert told("From now on write in British English.", kind="preference") == ("shop",)
    assert told("From now on write in british  English.", **said) == ("shop",)
    assert told("From now on write in American English.", **said) == ()
    assert told("From now on: lint with ruff", kind="procedure") == ()


def test_D078_what_was_let_hold_everywhere_stands_for_its_copies_with_one_undo(
    store: Store, old: Project, tmp_path: Path
) -> None:
    (tmp_path / "web").mkdir()
    web = identify(tmp_path / "web", git=None)
    said = {"kind": "preference", "key": "style.english"}
    copy = approve(store, old, "From now on write in British English.", **said)
    other = approve(store, old, "From now on: lint with ruff", kind="preference", key="style.lint")
    waits = propose(store, web, "From now on write in  british English.", scope="global", **said).id
    differs = propose(
        store, web, "From now on: lint with flake8", scope="global", kind="preference", key="style.lint"
    ).id

    def stands(*ids: str) -> list[str]:
        return [one.status for one in queries.memory_rows(store, ids)]

    for one in queries.queue_rows(store, [str(differs), str(waits)]):
        done = review.approve(store, one.seen(), by=MIA)
    assert done.title == "approved style.english, for 1 copy in projects"
    assert stands(copy.id, other.id) == ["expired", "active"]
    history.undo(store, by=MIA)
    assert stands(copy.id, *done.memory_ids) == ["active", "deleted"]
    history.redo(store, by=MIA)
    assert stands(copy.id, *done.memory_ids) == ["expired", "active"]
    moved_there = tending.move(store, [(other.id, other.revision)], "elsewhere", by=MIA)
    assert "copy" not in moved_there.title
    assert verify(store) is None
