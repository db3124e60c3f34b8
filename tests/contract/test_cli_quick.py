"""What runs at every prompt: ``context``, ``status --short``, and the count after every command in a terminal."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import meminbox
from console import quick
from store import block, notes
from store.desk import open_desk
from store.location import Location, locate
from store.project import identify
from tests.cli_kit import Cli
from tests.contract.decisions import Desk

HEAVY = ("dataclasses", "mcp", "pydantic", "rich", "sqlalchemy", "sqlmodel", "textual", "typer", "typing")


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path / "home", tmp_path / "shop-api")


def place(cli: Cli) -> Location:
    return locate(str(cli.db), {})


class TestContext:
    def test_it_prints_what_was_approved_and_notes_that_it_did(self, cli: Cli) -> None:
        one = cli.approved(content="Write in the past voice.", key="style.voice", kind="preference")
        cli.propose("Not yet.")
        ran = cli("context", "--session", "s1", "--agent", "codex")
        assert (ran.code, ran.err) == (0, "")
        assert [(said.id, said.content) for said in block.parse(ran.out.rstrip("\n"))] == [
            (one[-6:], "Write in the past voice.")
        ]
        assert len(notes.files(place(cli).notes)) == 1

    def test_both_ways_say_the_same(self, cli: Cli) -> None:
        cli.approved(content="One.\nTwo.", valid_until="2099-01-01T00:00:00Z")
        plain = cli("context").out
        told = cli("context", "--json").json
        assert told["text"] + "\n" == plain
        assert (len(told["given"]), told["left"], told["left_ids"], told["scorer"]) == (1, 0, [], None)
        assert cli("context", f"--db={cli.db}").out == plain
        assert cli("context", "--db", str(cli.db), "--json", "--session=s2").json == told

    def test_where_nothing_stands_it_says_nothing_and_makes_nothing(self, cli: Cli) -> None:
        ran = cli("context")
        assert (ran.code, ran.out, ran.err) == (0, "", "")
        assert not cli.home.exists()

    def test_what_it_does_not_know_is_answered_by_typer(self, cli: Cli) -> None:
        assert "--task" in cli("context", "--help").out
        assert cli("context", "--nonsense").code == 2
        assert cli("context", "--session").code == 2

    def test_to_a_person_what_is_invisible_is_shown(self, cli: Cli) -> None:
        store = open_desk(place(cli))
        Desk(store).hold("a\u202ecba", scope=identify(cli.folder).identity)
        store.close()
        assert "a\u202ecba" in cli("context").out
        assert "a⟨U+202E⟩cba" in cli.person("context").out

    def test_a_hand_out_that_cannot_be_noted_is_told_and_given_all_the_same(self, cli: Cli) -> None:
        cli.approved(content="A")
        place(cli).notes.write_text("in its place")
        ran = cli("context")
        assert ran.code == 0
        assert "] A\n" in ran.out
        assert "not noted" in ran.err

    def test_it_imports_nothing_that_costs(self, cli: Cli) -> None:
        cli.approved(content="A")
        code = (
            "import sys, meminbox; code = meminbox.main(['context']);"
            f"print(code, sorted({{*{HEAVY!r}}} & {{*sys.modules}}), file=sys.stderr)"
        )
        root = Path(meminbox.__file__).parent
        env = {**cli.env, "PYTHONPATH": str(root)}
        ran = subprocess.run([sys.executable, "-c", code], cwd=cli.folder, env=env, capture_output=True, text=True)
        assert ran.stderr.strip() == "0 []"
        assert "] A\n" in ran.stdout


class TestStatusShort:
    def test_it_counts_here_first(self, cli: Cli) -> None:
        assert cli("status", "--short").out == ""
        cli.propose("A", "B", {"content": "C", "scope": "elsewhere"})
        ran = cli("status", "--short")
        assert (ran.code, ran.out, ran.err) == (0, "2 to review +1 elsewhere\n", "")
        assert cli("status", f"--db={cli.db}", "--short").out == ran.out

    def test_only_elsewhere(self, cli: Cli) -> None:
        cli.propose({"content": "C", "scope": "elsewhere"})
        assert cli("status", "--short").out == "1 to review elsewhere\n"

    @pytest.mark.parametrize("data", [b"", b"no store", b"SQLite format 3\x00" + b"\xff" * 4096])
    def test_trouble_is_none_of_a_prompts_business(self, cli: Cli, data: bytes) -> None:
        cli.home.mkdir()
        cli.db.write_bytes(data)
        ran = cli("status", "--short")
        assert (ran.code, ran.out, ran.err) == (0, "", "")
        assert cli("status", "--short", "--db", "mysql://x").code == 0

    def test_with_other_options_it_is_typer_who_answers(self, cli: Cli) -> None:
        cli.propose("A")
        assert "--short" in cli("status", "--help").out
        assert cli("status", "--short", "--json").out == "1 to review\n"
        assert cli("status", "--json").json["pending"] == 1

    def test_an_older_store_is_not_brought_up_to_date_by_a_prompt(self, cli: Cli) -> None:
        import sqlite3

        cli.propose("A")
        raw = sqlite3.connect(cli.db)
        raw.execute("PRAGMA user_version = 2")
        raw.close()
        assert cli("status", "--short").out == ""
        assert not (cli.home / "meminbox.db.backups").exists()


class TestToldAfter:
    def test_a_command_in_a_terminal_ends_with_what_waits(self, cli: Cli) -> None:
        assert "wait" not in cli.person("where").err
        first, _ = cli.propose("A", "B")
        cli.propose({"content": "C", "scope": "elsewhere"})
        assert cli.person("where").err.endswith("2 wait for review, 1 elsewhere: `meminbox`\n")
        assert cli.person("approve", first["id"]).err.count("1 waits for review, 1 elsewhere") == 1

    def test_where_it_would_be_in_the_way_it_is_not_said(self, cli: Cli) -> None:
        cli.propose("A")
        for arguments in (["status", "--short"], ["context"], ["where", "--help"], ["list", "-q"], ["--version"]):
            assert "for review" not in cli.person(*arguments).err, arguments
        assert "for review" not in cli("where").err
        assert "for review" not in cli.person("show", "--nonsense").err

    def test_it_is_about_the_store_that_was_named(self, cli: Cli, tmp_path: Path) -> None:
        cli.propose("A")
        other = tmp_path / "other.db"
        assert "for review" not in cli.person("where", "--db", str(other)).err
        assert "for review" not in cli.person(f"--db={other}", "where").err
        assert "for review" in cli.person("where", "--db", str(cli.db)).err


def test_a_server_that_the_command_did_not_need_is_not_asked(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "sqlalchemy", raising=False)
    monkeypatch.setattr(quick, "_waiting", lambda db: pytest.fail(f"asked {db}"))
    assert cli.person("where", "--db", "postgresql://nowhere.invalid/x").code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], {}),
        (["--db", "x", "--json"], {"--db": "x", "--json": ""}),
        (["--db=x=y"], {"--db": "x=y"}),
        (["--db"], None),
        (["--json=1"], None),
        (["what"], None),
    ],
)
def test_options(arguments: list[str], said: dict[str, str] | None) -> None:
    assert quick._options(arguments, valued=("--db",), switches=("--json",)) == said
