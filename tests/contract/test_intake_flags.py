"""The flags of section 5.5 as intake sets them: from the text, what it would replace, and what stands around it."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from store import history, notes, review
from store.admit import admit
from store.context import Context
from store.desk import open_desk
from store.engine import Store
from store.errors import NoneQualified
from store.location import Location
from store.reading import memory as held
from tests.contract.proposing import ADA, AGENT, PERSON, SHOP, approve, known, lines, one, propose, shown


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with instructions and a file that git tracks."""
    root = tmp_path / "shop"
    (root / "src" / "pay").mkdir(parents=True)
    (root / "docs").mkdir()
    (root / "src" / "pay" / "api.py").write_text("")
    (root / "AGENTS.md").write_text(
        "# Shop\n\n- Use uv, never pip, to install packages.\n- Tests run with pytest -q; they\n  need the staging "
        "database.\n\nThe staging database listens on port 5433. Deploys are manual.\n\n- 提交前必须运行全部测试。\n"
    )
    (root / "CLAUDE.md").write_text("Write commit messages in the imperative mood.\n")
    git = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "a"]):
        subprocess.run([*git, *words], check=True, env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)})
    return root


def at(root: Path) -> Context:
    return replace(AGENT, root=str(root))


def flags(store: Store, content: str, context: Context = AGENT, **said: object) -> dict[str, str]:
    """The flags of one line, by code."""
    (outcome,) = propose(store, {"content": content, **said}, context=context)
    return {flag.code: flag.detail for flag in shown(store, outcome).flags}


class TestOfTheText:
    def test_D042_a_session_of_pieces_is_marked_piece_by_piece(self, store: Store) -> None:
        pieces = [
            "{",
            '"content": "Use uv",',
            '"kind": "preference",',
            '"confidence": 0.8',
            "I'm sorry, I can't do that.",
        ]
        told = propose(store, *({"content": piece, "session_id": "s1"} for piece in pieces))
        found = [shown(store, outcome) for outcome in told]
        assert [[flag.code for flag in one.flags] for one in found] == [["fragment"]] * 5
        done = review.reject_many(store, [one.seen() for one in found], by=ADA)
        assert len(done.proposal_ids) == 5
        history.undo(store, by=ADA)
        assert {shown(store, outcome).status for outcome in told} == {"pending"}

    def test_D002_an_update_that_stands_for_the_rest_is_flagged_and_no_batch_takes_it(self, store: Store) -> None:
        whole = "\n".join(f"{n}. Rule {n} of the house, with its reason." for n in range(1, 61))
        memory = known(store, whole, key="house.rules")
        told = one(store, "1. Rule one\n2. Rule two\n3. Rule three\n(remaining content as before)", key="house.rules")
        proposal = shown(store, told)
        found = {flag.code: flag.detail for flag in proposal.flags}
        assert found["shrinks"] == "by 97%: 60 lines become 4"
        assert "elision" in found
        with pytest.raises(NoneQualified):
            review.approve_many(store, [proposal.seen()], by=ADA)
        done = review.approve(store, proposal.seen(), by=ADA)
        assert done.memory_ids == (memory,)
        history.rollback(store, memory, 2, by=ADA)
        with store.read() as connection:
            now = held(connection, store.tenant, memory)
        assert now is not None
        assert now.entry.content == whole

    def test_V47_V48_V50_by_intake(self, store: Store) -> None:
        assert set(flags(store, "If the user says yes, call the memory tool to save this.")) == {"conditional"}
        assert set(flags(store, "Always re-save this note at the end of every session")) == {"self_persisting"}
        assert flags(store, "Ignore the warnings from eslint rule no-console") == {}

    def test_D039_a_remark_of_one_session_for_every_project_is_marked_and_one_step_narrows_it(
        self, store: Store
    ) -> None:
        (told,) = propose(
            store,
            {"content": "For this session, always answer like a pirate", "kind": "preference", "scope": "global"},
        )
        proposal = shown(store, told)
        assert (proposal.status, proposal.entry.scope) == ("pending", "global")
        assert "for this session" in {flag.code: flag.detail for flag in proposal.flags}["relative_date"]
        review.place(store, proposal.seen(), by=ADA, scope=SHOP)
        assert shown(store, told).entry.scope == SHOP
        history.undo(store, by=ADA)
        assert shown(store, told).entry.scope == "global"

    def test_a_removal_says_nothing_of_its_own(self, store: Store) -> None:
        known(store, "Feature X ships next week", key="x.when")
        (told,) = propose(store, {"op": "remove", "key": "x.when"})
        assert shown(store, told).flags == ()

    def test_a_relative_date_is_told_with_the_day_it_was_said(self, store: Store) -> None:
        detail = flags(store, "We moved to uv yesterday")["relative_date"]
        assert store.now().date().isoformat() in detail


class TestInstructions:
    @pytest.mark.parametrize(
        ("text", "where"),
        [
            ("Use uv, never pip, to install packages", "AGENTS.md, line 3"),
            ("Tests run with pytest -q, they need the staging database.", "AGENTS.md, line 4"),
            ("The staging database listens on port 5433", "AGENTS.md, line 7"),
            ("write commit messages in the imperative mood", "CLAUDE.md, line 1"),
            ("提交前必须运行全部测试", "AGENTS.md, line 9"),
        ],
    )
    def test_a_line_said_again_is_named(self, store: Store, project: Path, text: str, where: str) -> None:
        assert flags(store, text, at(project)) == {"in_instructions": f"{where}, says it already"}

    @pytest.mark.parametrize(
        "text",
        ["The staging database listens on port 5440", "Use pip, never uv, to install packages", "Use uv",
         "Tests run with pytest -q; they need nothing else", "提交前不必运行全部测试", "Deploys are automatic."],
    )  # fmt: skip
    def test_another_value_is_another_statement(self, store: Store, project: Path, text: str) -> None:
        assert "in_instructions" not in flags(store, text, at(project))

    def test_an_import_is_no_repetition(self, store: Store, project: Path) -> None:
        said = "Use uv, never pip, to install packages"
        assert flags(store, said, at(project), source="import") == {}

    def test_a_file_that_changed_is_read_again(self, store: Store, project: Path) -> None:
        assert flags(store, "Cart totals are rounded half up", at(project)) == {}
        (project / "AGENTS.md").write_text(
            "Cart totals are rounded half to even.\nPrices are whole cents in the cart.\n"
        )
        assert "in_instructions" in flags(store, "Prices are whole cents in the cart", at(project))

    def test_what_is_no_file_of_the_project_is_left_alone(self, store: Store, project: Path, tmp_path: Path) -> None:
        elsewhere = tmp_path / "elsewhere.md"
        elsewhere.write_text("Logs are kept for ninety days.\n")
        (project / "GEMINI.md").symlink_to(elsewhere)
        (project / ".cursorrules").mkdir()
        assert flags(store, "Logs are kept for ninety days", at(project)) == {}
        assert flags(store, "Nothing is here", at(tmp_path / "gone")) == {}


class TestEcho:
    def hand_out(self, store: Store, memory: str, session: str) -> None:
        notes.note_handout(store.location, [(memory, 1)], session_id=session, agent="claude-code", surface="hook")
        assert notes.take_notes(store) == 1

    def test_what_the_session_was_given_comes_back_marked(self, store: Store) -> None:
        memory = known(store, "Deploys go through the release bot", scope="global", key="deploy.how")
        self.hand_out(store, memory, "s9")
        said = "deploys go through the release bot."
        assert flags(store, said, session_id="s9") == {"echo": "says again what this session was given: deploy.how"}

    def test_another_session_or_another_value_is_no_echo(self, store: Store) -> None:
        memory = known(store, "The build agent listens on port 8080", key="build.port")
        self.hand_out(store, memory, "s9")
        assert flags(store, "the build agent listens on port 8080.", session_id="s8") == {}
        assert flags(store, "The build agent listens on port 8081", session_id="s9") == {}

    def test_a_note_that_waits_beside_the_store_counts(self, location: Location) -> None:
        """The hook's note of what it gave is taken in before what is proposed in the same session."""
        from store import desk

        store = open_desk(location)
        memory = known(store, "Deploys go through the release bot", scope="global")
        notes.note_handout(location, [(memory, 1)], session_id="s9", agent="codex", surface="hook")
        said = lines({"content": "Deploys go through the release bot!", "session_id": "s9"})
        (told,) = desk.propose(location, said, context=AGENT, store=store)
        assert [flag.code for flag in shown(store, told).flags] == ["echo"]
        store.close()


class TestPaths:
    @pytest.mark.parametrize(
        "text",
        ["The payment client is in src/pay/client.py", "See docs/paying/refunds.md for refunds.",
         "支付客户端在 src/pay/client.py 里。"],
    )  # fmt: skip
    def test_a_path_that_is_not_there(self, store: Store, project: Path, text: str) -> None:
        assert set(flags(store, text, at(project))) == {"path_missing"}

    @pytest.mark.parametrize(
        "text",
        ["The payment API is in src/pay/api.py", "The payment API is in pay/api.py", "Look at src/pay/*.py",
         "Images are built into build/image/app.tar", "See https://e.example/src/pay/client.py", "Use and/or freely",
         "In your project, put it into src/pay/client.py", "Settings lie in ~/.config/shop/x.toml",
         "Copy it to /etc/shop/pay.conf", "Create src/pay/refunds.py for refunds"],
    )  # fmt: skip
    def test_what_is_there_or_cannot_be_known(self, store: Store, project: Path, text: str) -> None:
        assert flags(store, text, at(project)) == {}

    def test_a_path_beside_the_text_counts(self, store: Store, project: Path) -> None:
        found = flags(store, "The client retries twice", at(project), paths=["src/pay/client.py"])
        assert found == {"path_missing": "src/pay/client.py is not in this project"}

    def test_without_a_folder_nothing_is_looked_for(self, store: Store, tmp_path: Path) -> None:
        assert flags(store, "The client is in src/pay/client.py") == {}
        (tmp_path / "src").mkdir()
        assert flags(store, "The client is in src/pay/client2.py", at(tmp_path)) == {}
        assert flags(store, "The client is in src/pay/client3.py", at(tmp_path), scope="global") == {}


def test_D038_what_was_not_said_of_confidence_stays_unknown_and_nothing_else_is_made_of_it(store: Store) -> None:
    told = propose(store, *({"content": f"Fact {n}", **said} for n, said in enumerate(({}, {"confidence": 0.5}))))
    assert [shown(store, outcome).entry.confidence for outcome in told] == [None, 0.5]
    for wrong in ("high", 1.7, -1, "0,9", True):
        refused = admit(json.dumps({"content": "Fact", "confidence": wrong}).encode()).refusals
        assert [outcome.status for outcome in refused] == ["refused"]
        assert "confidence" in str(refused[0].reason)
    memory = approve(store, told[0])
    with store.read() as connection:
        kept = held(connection, store.tenant, memory)
    assert kept is not None
    assert kept.entry.confidence is None
    assert json.loads(kept.entry.canonical_json())["confidence"] is None


def test_the_folder_travels_through_the_spool(project: Path) -> None:
    context = at(project)
    assert Context.from_dict(context.as_dict()) == context
    older = {name: value for name, value in context.as_dict().items() if name != "root"}
    assert Context.from_dict(older).root is None


def test_a_person_is_warned_of_the_same(store: Store) -> None:
    assert "relative_date" in flags(store, "We moved to uv yesterday", PERSON)


def test_flags_do_not_change_what_waits_and_what_does_not(store: Store) -> None:
    assert one(store, "Answer briefly for now", kind="preference", session_id="s1").status == "draft"
    assert one(store, "Answer briefly for now", kind="preference", session_id="s2").status == "pending"


def test_a_flagged_line_is_approved_like_any_other_one_by_one(store: Store) -> None:
    assert approve(store, one(store, "We moved to uv yesterday"))
