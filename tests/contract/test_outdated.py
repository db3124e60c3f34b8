"""What is no longer true: a rule, its preview, one operation and its undo, in real repositories, on both engines."""

from __future__ import annotations

import shutil
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from store import history, kept, outdated, retrieval, settling, verify
from store.errors import NoneQualified, NotFound, UsageError
from store.filters import parse
from store.outdated import Preview
from store.project import Project
from store.scopes_named import named_scope
from store.selecting import Rule
from tests.contract.decisions import ANN, START, Desk
from tests.git_kit import Repository, body

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "shop")
    made.date = (START - timedelta(days=5)).isoformat()
    made.commit({f"services/{one}.py": body(one) for one in ("pay", "ship", "tax")} | {"run.py": body("run")})
    made.date = (START + timedelta(days=5)).isoformat()
    return made


@pytest.fixture
def here(repo: Repository) -> Project:
    return Project("shop", "shop", repo.folder)


def moved(repo: Repository) -> None:
    repo.move("services", "core")
    repo.commit({"core/tax.py": None})


def found(desk: Desk, here: Project, **rule: object) -> Preview:
    return outdated.preview(desk.store, Rule(**({"scopes": ("shop",)} | rule)), here)  # type: ignore[arg-type]


def chosen(preview: Preview) -> dict[str, outdated.Choice]:
    return {row.id: row.suggested for row in preview.rows if row.suggested is not None}


def test_after_a_move_what_moved_is_rewritten_and_what_went_expires_in_one_step(
    desk: Desk, repo: Repository, here: Project
) -> None:
    said = ("Payment is in services/pay.py", "Tax is in services/tax.py", "run.py starts it", "Ask before you deploy")
    pay, tax, run, ask = desk.hold_many(*said)
    moved(repo)
    preview = found(desk, here, since="HEAD~1")
    assert {row.id: (row.verdict, row.suggested) for row in preview.rows} == {
        pay.id: ("moved", "repoint"),
        tax.id: ("gone", "expire"),
    }
    before = {one.id: (one.entry, one.status) for one in (pay, tax)}
    desk.clock.jump(days=30)
    done = settling.settle(desk.store, preview, chosen(preview), here, by=ANN)
    assert done.title == "settled 2"
    assert done.operation.count == 2
    assert repo.git("rev-parse", "HEAD")[:10] in str(done.operation.reason)
    assert set(desk.served().values()) == {"Payment is in core/pay.py", "run.py starts it", "Ask before you deploy"}
    assert [(one.action, one.status) for one in desk.versions(tax.id)] == [("approve", "active"), ("expire", "expired")]
    assert desk.memory(pay.id).previous_value == "Payment is in services/pay.py"
    assert retrieval.get(desk.store, tax.id, scopes=("shop",)) is None
    assert verify.verify(desk.store) is None
    history.undo(desk.store, by=ANN)
    assert {one: (desk.memory(one).entry, desk.memory(one).status) for one in before} == before
    assert desk.memory(pay.id).previous_value is None
    assert verify.verify(desk.store) is None
    assert {run.id, ask.id} <= set(desk.served())


def test_D066_a_moved_file_offers_its_new_path_and_keeps_the_line(desk: Desk, repo: Repository, here: Project) -> None:
    memory = desk.hold("charge() stands in services/pay.py:18", paths=("services/pay.py", "run.py"))
    moved(repo)
    preview = found(desk, here, judged=True)
    settling.settle(desk.store, preview, chosen(preview), here, by=ANN)
    after = desk.memory(memory.id).entry
    assert (after.content, after.paths) == ("charge() stands in core/pay.py:18", ("core/pay.py", "run.py"))


def test_D064_what_lies_outside_the_repository_is_shown_and_never_chosen(
    desk: Desk, repo: Repository, here: Project
) -> None:
    texts = (
        "Settings are in ~/.config/x.toml", "The tool is $HOME/bin/t", r"On Windows it is C:\tools\t.exe",
        "See https://example.org/services/pay.py", "The other repository has /srv/other/services/pay.py",
    )  # fmt: skip
    held = desk.hold_many(*texts)
    moved(repo)
    preview = found(desk, here, since="HEAD~1")
    assert {row.id: row.verdict for row in preview.rows} == {one.id: "cannot_verify" for one in held}
    assert chosen(preview) == {}


def test_what_is_true_on_a_branch_only_is_not_chosen(desk: Desk, repo: Repository, here: Project) -> None:
    memory = desk.hold("Payment is in services/pay.py")
    repo.git("checkout", "-q", "-b", "feature")
    moved(repo)
    (row,) = found(desk, here, judged=True).rows
    assert (row.id, row.verdict, row.suggested, row.branch_only) == (memory.id, "moved", None, True)


def test_D060_all_of_250_expire_and_the_number_is_the_number(desk: Desk, here: Project) -> None:
    desk.hold_many(*(f"Deploy step {n} needs the old gateway" for n in range(250)), "Tests run with pytest")
    preview = found(desk, here, flt=parse("gateway"))
    done = settling.settle(desk.store, preview, chosen(preview), here, by=ANN)
    assert done.operation.count == len(done.memory_ids) == 250
    assert list(desk.served().values()) == ["Tests run with pytest"]
    assert found(desk, here, flt=parse("gateway")).rows == ()
    history.undo(desk.store, by=ANN)
    assert len(desk.served()) == 251


def test_D062_a_misspelt_empty_or_wild_scope_is_an_error_and_changes_nothing(desk: Desk) -> None:
    desk.hold_many({"content": "A", "scope": "shop-api"}, {"content": "B", "scope": "other"})
    for said in ("shop-ap", "", " ", "*", "%", "sh_p", "shop*", "SHOP-AP"):
        with pytest.raises(UsageError) as caught:
            named_scope(desk.store, said, here=("git:x", "x"))
        if said.lower() == "shop-ap":
            assert "shop-api" in caught.value.todo
    assert len(desk.served()) == 2


def test_D063_only_what_was_previewed_is_touched_and_the_new_one_is_named(desk: Desk, here: Project) -> None:
    first, second = desk.hold_many("The old gateway is slow", "The old gateway needs a token")
    preview = found(desk, here, flt=parse("gateway"))
    assert {row.id for row in preview.rows} == {first.id, second.id}
    later = desk.hold("The old gateway is in Frankfurt")
    changed = history.edit(
        desk.store, first.id, 1, first.entry.with_(content="The old gateway is very slow"), by=ANN
    ).memory_ids[0]
    done = settling.settle(desk.store, preview, chosen(preview), here, by=ANN)
    assert done.memory_ids == (second.id,)
    assert dict(done.left) == {changed: "revision 1 has become 2", later.id: settling.NEW}
    assert set(desk.served()) == {first.id, later.id}


def test_a_batch_that_finds_nothing_left_to_do_changes_nothing(desk: Desk, here: Project) -> None:
    memory = desk.hold("The old gateway is slow")
    preview = found(desk, here, flt=parse("gateway"))
    history.delete(desk.store, memory.id, 1, by=ANN)
    number = len(desk.operations())
    with pytest.raises(NoneQualified) as caught:
        settling.settle(desk.store, preview, chosen(preview), here, by=ANN)
    assert caught.value.left == ((memory.id, "revision 1 has become 2"),)
    assert len(desk.operations()) == number
    with pytest.raises(UsageError, match="not previewed"):
        settling.settle(desk.store, preview, {"0" * 32: "expire"}, here, by=ANN)


def test_D020_what_became_true_again_is_a_new_version_of_the_same_memory_with_its_own_dates(
    desk: Desk, here: Project
) -> None:
    memory = desk.hold("The gateway is in Frankfurt", key="gateway.place")
    preview = found(desk, here, flt=parse("gateway"))
    settling.settle(desk.store, preview, chosen(preview), here, by=ANN)
    desk.clock.jump(days=150)
    again = desk.hold("The gateway is in Frankfurt", key="gateway.place", valid_until=START + timedelta(days=400))
    assert (again.id, again.revision, again.status) == (memory.id, 3, "active")
    assert again.entry.valid_until == START + timedelta(days=400)
    assert [(one.status, one.at) for one in desk.versions(memory.id)] == [
        ("active", START),
        ("expired", START),
        ("active", START + timedelta(days=150)),
    ]


def test_a_new_path_that_another_memory_says_already_is_left_and_named(
    desk: Desk, repo: Repository, here: Project
) -> None:
    old, new = desk.hold_many("Payment is in services/pay.py", "Payment is in core/pay.py")
    moved(repo)
    preview = found(desk, here, since="HEAD~1")
    with pytest.raises(NoneQualified) as caught:
        settling.settle(desk.store, preview, {old.id: "repoint"}, here, by=ANN)
    assert caught.value.left == ((old.id, "another memory says the same with the new path"),)
    assert desk.memory(new.id).revision == 1


def test_what_was_kept_is_not_chosen_again_until_something_else_happens_to_it(
    desk: Desk, repo: Repository, here: Project
) -> None:
    memory = desk.hold("Payment is in services/pay.py, tax in services/tax.py")
    repo.move("services/pay.py", "core/pay.py")
    repo.commit()
    (row,) = found(desk, here, judged=True).rows
    kept.keep(desk.store, {row.id: row.cause})
    kept.keep(desk.store, {row.id: row.cause})
    (again,) = found(desk, here, judged=True).rows
    assert again == replace(row, kept=True, suggested=None)
    repo.commit({"services/tax.py": None})
    (third,) = found(desk, here, judged=True).rows
    assert (third.id, third.kept, third.suggested) == (memory.id, False, "expire")
    kept.keep(desk.store, {row.id: third.cause})
    kept.unkeep(desk.store, [row.id])
    assert not found(desk, here, judged=True).rows[0].kept


def test_all_parts_of_a_rule_must_hold(desk: Desk, here: Project) -> None:
    a = desk.hold("Payment is in services/pay.py", kind="fact", confidence=0.4)
    desk.hold("Shipping is in services/ship.py", kind="fact", confidence=0.9)
    desk.hold("services/pay.py is ours", kind="requirement", confidence=0.4)
    preview = found(desk, here, path="services/pay.py", flt=parse("kind:fact conf<0.6"))
    assert [row.id for row in preview.rows] == [a.id]
    assert found(desk, here, package="services.ship").by_source() == {"unknown": 1}
    desk.clock.jump(days=100)
    assert len(found(desk, here, unverified=timedelta(days=90)).rows) == 3
    history.edit(desk.store, a.id, 1, a.entry.with_(confidence=0.5), by=ANN)
    assert len(found(desk, here, unverified=timedelta(days=90)).rows) == 2
    assert len(found(desk, here, flt=parse("age>99d")).rows) == 3
    with pytest.raises(UsageError, match="every memory"):
        found(desk, here)


def test_like_this_one(desk: Desk, here: Project) -> None:
    one = desk.hold("The staging database runs PostgreSQL 14 on port 5433")
    near = desk.hold("The staging database runs PostgreSQL on port 5433 behind pgbouncer")
    desk.hold("Write reports in the passive voice")
    assert {row.id for row in found(desk, here, like=one.id).rows} == {one.id, near.id}
    with pytest.raises(NotFound):
        found(desk, here, like="01890000-0000-7000-8000-000000000000")


def test_memories_of_another_scope_are_never_touched(desk: Desk, repo: Repository, here: Project) -> None:
    desk.hold("Payment is in services/pay.py", scope="other")
    desk.hold("Everywhere: services/pay.py", scope="global")
    moved(repo)
    assert found(desk, here, judged=True).rows == ()
    assert outdated.preview(desk.store, Rule(scopes=None, judged=True), here).rows == ()
    with pytest.raises(UsageError, match="project of this folder"):
        found(desk, here, scopes=("other",), since="HEAD~1")


@pytest.mark.parametrize("said", ["no-such-tag", "--output=/tmp/x", "HEAD~99"])
def test_a_revision_that_is_none_is_an_error_in_words(desk: Desk, repo: Repository, here: Project, said: str) -> None:
    with pytest.raises(UsageError, match="revision"):
        found(desk, here, since=said)


def test_without_a_repository_git_is_not_asked(desk: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    desk.hold("Payment is in services/pay.py")
    with pytest.raises(UsageError, match="repository"):
        found(desk, Project("shop", "shop", folder), since="HEAD~1")
    assert len(found(desk, Project("shop", "shop", folder), path="services").rows) == 1


def test_whoever_no_longer_wants_a_preview_gets_none(desk: Desk, here: Project) -> None:
    desk.hold("The old gateway is slow")
    with pytest.raises(outdated.Stopped):
        outdated.preview(desk.store, Rule(scopes=("shop",), flt=parse("gateway")), here, stopped=lambda: True)
