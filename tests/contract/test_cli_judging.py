"""`meminbox retire` and `meminbox support`: a person's judgement, behind the fence, told after the commit."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from store import notes
from store.location import locate
from tests.cli_kit import Cli


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path / "home", tmp_path / "shop")


@pytest.mark.parametrize("command", [("retire", "x123", "-r", "no"), ("support", "x123", "--test", "a")])
def test_D029_both_are_for_people(command: tuple[str, ...], cli: Cli) -> None:
    cli.propose("A")
    for ran in (cli(*command), cli.person(*command, env={"CODEX_SANDBOX": "seatbelt"})):
        assert ran.code == 2
        assert "Nothing was changed." in ran.err


class TestRetire:
    def test_a_proposal_is_turned_down_with_its_reason_and_shown_with_it(self, cli: Cli) -> None:
        (result,) = cli.propose("Keep sessions in the cache")
        ran = cli.person("retire", result["id"][-8:], "--reason", "They were lost at every deploy.")
        assert ran.code == 0
        assert ran.out.startswith("Turned down “Keep sessions in the cache”.")
        assert cli.waiting() == []
        assert cli.memories() == []
        (kept,) = cli("list", "--memories", "--status", "retired", "--json").json["items"]
        shown = cli("show", kept["id"]).out
        assert "turned down, revision 1" in shown
        assert "They were lost at every deploy. (mia, " in shown
        (again,) = cli.propose("Keep sessions in the cache")
        assert again["status"] == "rejected_before"
        assert cli.person("undo").code == 0
        assert [one["id"] for one in cli.waiting()] == [result["id"]]

    def test_a_memory_by_its_key_and_the_reason_is_asked_for(self, cli: Cli) -> None:
        cli.approved(content="Keep sessions in the cache", key="sessions.where")
        ran = cli.person("retire", "sessions.where", typed="They were lost.\n")
        assert ran.code == 0
        assert "Why is it turned down?" in ran.err
        assert cli.memories() == []
        assert "They were lost." in cli("history", "--json").out

    def test_without_a_reason_nothing_happens(self, cli: Cli) -> None:
        cli.approved(content="Keep sessions in the cache", key="sessions.where")
        ran = cli.person("retire", "sessions.where", typed="\n")
        assert ran.code == 2
        assert "kept for its reason" in ran.err
        assert len(cli.memories()) == 1

    def test_a_dry_run_tells_the_text_and_does_nothing(self, cli: Cli) -> None:
        cli.approved(content="Keep sessions in the cache", key="sessions.where")
        ran = cli.person("retire", "sessions.where", "-n")
        assert (ran.code, len(cli.memories())) == (0, 1)
        assert "Would turn down:" in ran.out
        assert "Keep sessions in the cache" in ran.out


def test_D039_an_approval_for_every_project_says_so(cli: Cli) -> None:
    (wide,), (narrow,) = cli.propose({"content": "Talk like a pirate", "scope": "global"}), cli.propose("Use pnpm")
    assert "everywhere: agents of every project would be given it" in cli.person("approve", wide["id"], "-n").out
    assert "everywhere" not in cli.person("approve", narrow["id"], "-n").out


class TestSupport:
    def test_a_test_and_a_commit_are_shown_apart_from_a_claim(self, cli: Cli) -> None:
        memory = cli.approved(content="Tests run with pytest -q", key="build.test")
        place = locate(str(cli.db), {"MEMINBOX_HOME": str(cli.home)})
        notes.note_claim(place, memory, "commit", "feedfacefeed")
        assert cli.person("support", "build.test", "--test", "tests/test_a.py").code == 0
        assert cli.person("support", "build.test", "--commit", "1a2b3c4d").code == 0
        ran = cli("show", "build.test")
        assert "support   " in ran.out
        lines = {line.split()[0]: line for line in ran.out.splitlines() if line.strip()}
        assert "commit 1a2b3c4d" in lines["support"]
        assert "test tests/test_a.py" in lines["support"]
        assert "commit feedfacefeed" in lines["claimed"]
        told = cli("show", "build.test", "--json").json["support"]
        assert {(one["kind"], one["ref"], one["claimed"]) for one in told} == {
            ("commit", "1a2b3c4d", False), ("test", "tests/test_a.py", False), ("commit", "feedfacefeed", True),
        }  # fmt: skip

    def test_in_a_repository_the_commit_must_be_there_and_is_kept_whole(self, cli: Cli) -> None:
        git = ["git", "-C", str(cli.folder), "-c", "user.name=a", "-c", "user.email=a@b"]
        env = {"PATH": "/usr/bin:/bin", "HOME": str(cli.home)}
        subprocess.run([*git, "init", "-q"], check=True, env=env)
        subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "a"], check=True, env=env)
        whole = subprocess.run([*git, "rev-parse", "HEAD"], check=True, env=env, capture_output=True, text=True)
        cli.approved(content="Tests run with pytest -q", key="build.test")
        assert cli.person("support", "build.test", "--commit", "HEAD").code == 0
        (told,) = (one for one in cli("show", "build.test", "--json").json["support"] if one["kind"] == "commit")
        assert told["ref"] == whole.stdout.strip()
        again = cli.person("support", "build.test", "--commit", whole.stdout[:8])
        assert (again.code, "already" in again.err) == (4, True)
        gone = cli.person("support", "build.test", "--commit", "1234567")
        assert (gone.code, "no such commit" in gone.err) == (3, True)

    def test_one_of_the_two_is_needed(self, cli: Cli) -> None:
        cli.approved(content="Tests run with pytest -q", key="build.test")
        assert cli.person("support", "build.test").code == 2
        assert cli.person("support", "build.test", "--test", "a", "--commit", "abcdef1").code == 2

    def test_undo_names_the_step(self, cli: Cli) -> None:
        cli.approved(content="Tests run with pytest -q", key="build.test")
        cli.person("support", "build.test", "--test", "a")
        ran = cli.person("undo")
        assert "bore out build.test by the test a" in ran.out
        assert cli("show", "build.test", "--json").json["support"] == []
