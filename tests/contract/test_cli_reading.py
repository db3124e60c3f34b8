"""Reading commands: shapes that scripts rely on, quiet pipes, and words for people that cannot move a terminal."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

import meminbox
from store.location import locate
from tests.cli_kit import Cli


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path / "home", tmp_path / "shop")


ENTRY = {
    "scope",
    "content",
    "kind",
    "key",
    "aliases",
    "paths",
    "source",
    "source_agent",
    "session_id",
    "source_ref",
    "evidence",
    "confidence",
    "valid_until",
}
PROPOSAL = ENTRY | {
    "id",
    "op",
    "target_id",
    "base_revision",
    "content_hash",
    "flags",
    "redaction_version",
    "idempotency_key",
    "status",
    "mentions",
    "branch",
    "commit",
    "created_at",
}
MEMORY = ENTRY | {
    "id",
    "content_hash",
    "previous_value",
    "status",
    "pinned",
    "revision",
    "created_at",
    "updated_at",
}
UTC_TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"


def test_list_has_the_shape_and_the_columns_of_the_tables(cli: Cli) -> None:
    cli.propose({"content": "A", "confidence": 0.4, "valid_until": "2030-01-01T00:00:00Z"})
    told = cli("list", "--json").json
    assert set(told) == {"schema_version", "total", "items"}
    assert (told["schema_version"], told["total"]) == (1, 1)
    (item,) = told["items"]
    assert set(item) == PROPOSAL
    assert (item["confidence"], item["key"], item["flags"], item["branch"]) == (0.4, None, [], None)
    assert re.fullmatch(UTC_TIME, item["created_at"])
    assert item["valid_until"] == "2030-01-01T00:00:00.000000Z"


def test_list_of_memories_has_their_columns(cli: Cli) -> None:
    cli.approved(content="A", key="k.k")
    told = cli("list", "--memories", "--json").json
    (item,) = told["items"]
    assert set(item) == MEMORY
    assert (item["status"], item["revision"], item["pinned"], item["previous_value"]) == ("active", 1, False, None)


def test_a_flag_is_a_code_and_a_detail(cli: Cli) -> None:
    cli.propose({"content": "pass\u200bword rules"})
    (item,) = cli.waiting()
    assert item["flags"]
    assert all(set(flag) == {"code", "detail"} for flag in item["flags"])
    assert [one["id"] for one in cli("list", "--flag", "hidden", "--json").json["items"]] == [item["id"]]


def test_an_empty_list_says_why_and_an_unknown_id_where_ids_are(cli: Cli) -> None:
    assert "Nothing has been decided yet." in cli.person("history").err
    cli.approved(content="Use uv", key="tool")
    assert "`meminbox list` (`--memories`) shows" in cli.person("show", "no.such.key").err
    assert cli.person("delete", "tool").code == 0
    assert "Nothing is remembered yet" in cli.person("list", "--memories").err
    assert "Nothing waits." in cli.person("list").err
    assert cli("list", "--memories").err == ""
    assert "Nothing matches." in cli.person("list", "--memories", "--kind", "fact").err


def test_jsonl_is_one_item_a_line(cli: Cli) -> None:
    cli.propose("A", "B", "C")
    assert [set(one) for one in cli("list", "--jsonl").lines] == [PROPOSAL] * 3


def test_total_counts_all_whatever_the_limit_and_after_goes_on(cli: Cli) -> None:
    cli.propose(*(f"fact {n}" for n in range(7)))
    seen: list[str] = []
    after: list[str] = []
    while True:
        told = cli("list", "--json", "--limit", "3", *after).json
        assert told["total"] == 7
        if not told["items"]:
            break
        seen += [one["content"] for one in told["items"]]
        after = ["--after", told["items"][-1]["id"]]
    assert sorted(seen) == sorted(f"fact {n}" for n in range(7))
    assert cli("list", "--json").json["total"] == len(cli("list", "--json").json["items"]) == 7


def test_more_than_one_page_is_listed_whole(cli: Cli) -> None:
    cli.propose(*(f"fact {n}" for n in range(1_100)))
    told = cli("list", "--json").json
    assert told["total"] == len({one["id"] for one in told["items"]}) == 1_100


def test_statuses_scope_and_kind_choose(cli: Cli) -> None:
    cli.propose(
        {"content": "here"}, {"content": "there", "scope": "other"}, {"content": "said once", "kind": "preference"}
    )
    cli.approved(content="approved")

    def contents(*options: str) -> set[str]:
        return {one["content"] for one in cli("list", "--json", *options).json["items"]}

    assert contents() == {"here", "there", "said once"}
    assert contents("--status", "draft") == {"said once"}
    assert contents("--status", "approved,draft") == {"said once", "approved"}
    assert contents("--status", "approved", "--status", "draft") == {"said once", "approved"}
    assert contents("--scope", "other") == {"there"}
    assert contents("--scope", ".") == {"here", "said once"}
    assert contents("--kind", "preference") == {"said once"}


@pytest.mark.parametrize(
    "options", [("--status", "open"), ("--kind", "thing"), ("--flag", "nope"), ("--limit", "0"), ("--limit", "x")]
)
def test_a_choice_that_does_not_exist_is_a_usage_error(options: tuple[str, str], cli: Cli) -> None:
    cli.propose("A")
    ran = cli("list", *options)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err


def test_show_is_one_item_with_flags_similar_and_versions(cli: Cli) -> None:
    cli.approved(content="A", key="k.k")
    cli.propose({"content": "B", "key": "k.k"})
    proposal = cli("show", cli.waiting()[0]["id"][-6:], "--json").json
    assert set(proposal) == PROPOSAL | {"similar", "support", "versions"}
    assert (proposal["op"], proposal["similar"]) == ("update", [])
    assert [one["revision"] for one in proposal["versions"]] == [1]
    memory = cli("show", "k.k", "--json").json
    assert set(memory) == MEMORY | {"flags", "similar", "support", "versions"}
    assert memory["versions"][0]["entry"]["content"] == "A"


def test_show_for_people_names_everything_said(cli: Cli) -> None:
    cli.propose(
        {
            "content": "Write reports in the passive voice, signed gR7tQ2mXv9LpZ4sKd8WnB3yHc6JfT1aE",
            "key": "style.voice",
            "source": "user_feedback",
            "source_agent": "claude-code",
            "session_id": "7f3a",
            "evidence": "could you write it more formally?",
            "confidence": 0.62,
        }
    )
    told = cli.person("show", "style.voice").out
    for part in ("passive voice", "style.voice", "claude-code", "7f3a", "more formally", "0.62", "user feedback"):
        assert part in told
    assert "secret? looks random" in told  # the word that stands on the screen, not our code for it
    assert "maybe_secret" not in told


def test_D011_any_version_is_read_and_any_two_are_compared(cli: Cli) -> None:
    cli.approved(content="text one", key="k.k")
    for n in ("two", "three", "four", "five"):
        assert cli.person("edit", "k.k", "--content", f"text {n}").code == 0
    second = cli("history", "k.k", "--revision", "2")
    assert "text two" in second.out
    compared = cli("history", "k.k", "--revision", "4", "--against", "1")
    assert "[-one-]{+four+}" in compared.out
    assert [one["content"] for one in cli.memories()] == ["text five"]
    assert cli("history", "k.k", "--revision", "9").code == 3
    told = cli("history", "k.k", "--json").json
    assert [one["revision"] for one in told["items"]] == [5, 4, 3, 2, 1]


def test_status_counts(cli: Cli) -> None:
    cli.approved(content="A")
    cli.propose({"content": "B"}, {"content": "C", "scope": "other"}, {"content": "D", "kind": "preference"})
    told = cli("status", "--json").json
    assert {name: told[name] for name in ("pending", "elsewhere", "drafts", "memories", "spooled", "read_only")} == {
        "pending": 1,
        "elsewhere": 1,
        "drafts": 1,
        "memories": 1,
        "spooled": 0,
        "read_only": None,
    }
    assert told["store"] == str(cli.db)
    assert "pending" in cli("status").out


def test_status_names_what_was_set_aside_and_what_the_configuration_says_in_vain(cli: Cli) -> None:
    cli.propose({"content": "A"})
    spool = cli.db.parent / f"{cli.db.name}.spool"
    spool.mkdir(exist_ok=True)
    (spool / "01a22c5b-13f6-73d3-84e6-bf3c9c64d28c.jsonl").write_text("not what we wrote\n")
    (cli.db.parent / "config.toml").write_text("[limits.codex]\nper_sesion = 3\n")
    cli("list")
    told = cli("status")
    assert "could not be read; kept in" in told.err
    assert "per_sesion is not known" in told.err
    assert len(cli("status", "--json").json["warnings"]) == 2


def test_D053_where_prints_the_real_place_and_creates_nothing(cli: Cli, tmp_path: Path) -> None:
    relative = cli("where", "--db", "data/my store.db", "--json").json
    assert relative["store"] == str(cli.folder / "data" / "my store.db")
    home = cli("where", "--json", env={"MEMINBOX_HOME": "~/mem 新聞"}).json
    assert home["store"] == str(cli.home / "mem 新聞" / "meminbox.db")
    unset = cli("where", "--json", env={"MEMINBOX_HOME": ""}).json
    assert unset["store"] == str(cli.home / ".local" / "share" / "meminbox" / "meminbox.db")
    named = cli("where", "--json", env={"MEMINBOX_DB": str(tmp_path / "x.db")}).json
    assert named["store"] == str(tmp_path / "x.db")
    assert not cli.home.exists() or list(cli.home.iterdir()) == []
    assert str(cli.db) in cli("where").out


def test_D053_a_missing_folder_is_made_and_the_data_is_there_again(cli: Cli) -> None:
    place = ("--db", "deep/新 聞/store.db")
    assert cli("propose", "A", *place).code == 0
    assert [one["content"] for one in cli("list", "--json", *place).json["items"]] == ["A"]
    assert (cli.folder / "deep" / "新 聞" / "store.db").stat().st_mode & 0o777 == 0o600


def test_where_follows_a_link_and_hides_a_password(cli: Cli) -> None:
    cli.propose("A")
    (cli.folder / "link.db").symlink_to(cli.db)
    assert cli("where", "--db", "link.db", "--json").json["store"] == str(cli.db)
    told = cli("where", "--db", "postgresql://me:hunter2@localhost/x", "--json")
    assert "hunter2" not in told.out
    assert "localhost" in told.json["store"]


def test_the_option_db_goes_before_or_after_the_command(cli: Cli) -> None:
    cli("propose", "A", "--db", "one.db")
    assert cli("--db", "one.db", "list", "--json").json["total"] == 1
    assert cli("list", "--db", "one.db", "--json").json["total"] == 1
    assert cli("--db", "two.db", "list", "--db", "one.db", "--json").json["total"] == 1


def test_reading_where_nothing_stands_is_empty_and_creates_nothing(cli: Cli) -> None:
    told = cli("list", "--json")
    assert (told.code, told.json) == (0, {"schema_version": 1, "total": 0, "items": []})
    assert "no store" in told.err
    assert cli("show", "abcd", "--json").code == 3
    assert cli("verify").code == 3
    assert cli("status", "--json").json["pending"] == 0
    assert not cli.db.exists()


def test_D023_verify_says_that_nothing_drifted_or_names_the_first_broken_thing(cli: Cli) -> None:
    cli.approved(content="A", key="k.k")
    assert cli("verify").code == 0
    assert cli("verify", "--json").json == {"ok": True, "broken": None}
    with sqlite3.connect(cli.db) as planted:
        planted.execute("DROP TRIGGER IF EXISTS version_no_update")
        for (name,) in planted.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            planted.execute(f'DROP TRIGGER "{name}"')
        planted.execute("UPDATE version SET status = 'expired'")
    broken = cli("verify", "--json")
    assert broken.code == 5
    assert broken.json["ok"] is False
    assert broken.json["broken"]["what"]


@pytest.mark.parametrize("damage", ["zero", "garbage", "newer"])
def test_a_store_that_cannot_be_read_is_named_and_ends_with_5(damage: str, cli: Cli) -> None:
    cli.propose("A")
    if damage == "newer":
        with sqlite3.connect(cli.db) as planted:
            planted.execute("PRAGMA user_version = 9999")
    else:
        cli.db.write_bytes(b"" if damage == "zero" else b"not a database, not at all" * 400)
    before = cli.db.read_bytes()
    ran = cli("list", "--json")
    assert (ran.code, ran.out) == (5, "")
    assert str(cli.db) in ran.err
    assert cli.db.read_bytes() == before


def test_an_unknown_command_or_option_is_a_usage_error(cli: Cli) -> None:
    for arguments in (("frobnicate",), ("list", "--frobnicate"), ("show",), ("--frobnicate",)):
        ran = cli(*arguments)
        assert (ran.code, ran.out) == (2, ""), arguments
        assert "--help" in ran.err
        assert "Traceback" not in ran.err


def test_F35_a_fault_of_ours_is_a_report_without_values_and_no_traceback(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli.propose("A secret sentence")
    monkeypatch.setattr("store.queries.list_page", lambda *_, **__: {}["A secret sentence"])
    ran = cli("list")
    assert ran.code == 1
    assert "Traceback" not in ran.err
    (report,) = (cli.home / "reports").iterdir()
    assert str(report) in ran.err
    text = report.read_text(encoding="utf-8")
    assert "KeyError" in text
    assert "reading.py" in text
    assert "secret" not in text + ran.err
    assert report.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "form", ["", pytest.param("--json", marks=pytest.mark.long), pytest.param("--jsonl", marks=pytest.mark.long)]
)
def test_D108_a_pipe_that_is_closed_early_ends_quietly(unbuffered: str, form: str, cli: Cli) -> None:
    cli.propose(*(f"fact {n} {'long ' * 40}" for n in range(400)))
    listed = subprocess.Popen(
        meminbox.command("list", *filter(None, [form])),
        cwd=cli.folder,
        env={**cli.env, "PYTHONUNBUFFERED": unbuffered},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert listed.stdout is not None
    assert listed.stderr is not None
    assert os.read(listed.stdout.fileno(), 1)
    listed.stdout.close()
    assert (listed.wait(60), listed.stderr.read()) == (0, b"")
    listed.stderr.close()


def test_F19_a_closed_stdout_is_no_traceback(cli: Cli) -> None:
    cli.propose("A")
    line = " ".join(f"'{word}'" for word in meminbox.command("list"))
    ran = subprocess.run(["sh", "-c", f"{line} >&-"], env=cli.env, cwd=cli.folder, capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"")


@pytest.mark.long
@pytest.mark.parametrize(
    "env",
    [
        {"LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        pytest.param({"LC_ALL": "POSIX"}, marks=pytest.mark.long),
    ],
)
def test_F38_chinese_survives_a_locale_without_utf8(env: dict[str, str], cli: Cli) -> None:
    bare = {name: value for name, value in cli.env.items() if name != "LANG"}
    cli.env = bare
    proposed = cli.child("propose", "禁用ORM，直接写 SQL", "--json", env=env)
    assert proposed.returncode == 0, proposed.stderr
    piped = cli.child("propose", "-", input='{"content": "用pnpm"}'.encode(), env=env)
    assert piped.returncode == 0, piped.stderr
    listed = cli.child("list", "--json", env=env)
    assert {one["content"] for one in json.loads(listed.stdout)["items"]} == {"禁用ORM，直接写 SQL", "用pnpm"}
    assert "禁用ORM".encode() in cli.child("list", env=env).stdout


def test_json_carries_no_character_that_moves_or_hides(cli: Cli) -> None:
    cli.propose({"content": "a\u202ecba \u200b \U0001f468\u200d\U0001f469\u200d\U0001f467 中文"})
    out = cli("list", "--json").out
    assert not set("\u202e\u200b\u200d") & set(out)
    assert "中文" in out
    assert json.loads(out)["items"][0]["content"] == "a\u202ecba \u200b \U0001f468\u200d\U0001f469\u200d\U0001f467 中文"


def test_a_pipe_gets_whole_rows_with_tabs_and_a_terminal_gets_rows_that_fit(cli: Cli) -> None:
    long = "Retry the deploy twice before paging anyone, and write down what was tried. " * 3
    cli.propose({"content": long, "key": "deploy.retry"})
    piped = cli("list").out
    assert long.strip() in piped
    assert piped.count("\n") == 1
    shown = cli.person("list").out
    assert all(len(line) <= 80 for line in shown.splitlines())
    assert "…" in shown


def test_locate_and_where_agree(cli: Cli) -> None:
    assert cli("where", "--json").json["spool"] == str(locate(None, cli.env).spool)


def test_D001_show_says_in_numbers_how_much_would_be_lost(cli: Cli) -> None:
    cli.approved(content="A day of notes, " * 10, key="daily-log")
    (result,) = cli.propose({"content": "Only this.", "key": "daily-log"})
    assert "160 → 10 characters (-94%)" in cli("show", str(result["id"])).out


def test_an_answer_for_which_there_is_no_room_is_no_fault_of_ours(cli: Cli) -> None:
    cli.propose({"content": "A"})
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "meminbox", "list"], env=cli.env, cwd=cli.folder, stdout=full, stderr=subprocess.PIPE
        )
    assert done.returncode == 1
    assert b"could not be written" in done.stderr
    assert b"fault" not in done.stderr
