"""``propose``: every line is answered with what really became of it, and what is acknowledged is kept."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
from pathlib import Path

import pytest

import meminbox
from console.proposing import BATCH
from tests.cli_kit import Cli


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path / "home", tmp_path / "shop")


SHAPE = {"line", "id", "status", "reason", "pending"}


def test_a_result_has_the_shape_that_scripts_rely_on(cli: Cli) -> None:
    ran = cli("propose", "-", stdin='{"content": "Tests run with pytest -q"}\n{"content": 7}\n')
    first, second = ran.lines
    assert set(first) == set(second) == SHAPE
    assert (first["line"], first["status"], first["pending"]) == (1, "pending", 1)
    assert (second["line"], second["status"], second["id"]) == (2, "refused", None)
    assert second["reason"]
    assert ran.code == 1
    assert ran.err == ""


def test_only_content_is_needed_and_the_scope_is_the_project(cli: Cli) -> None:
    (result,) = cli.propose("Tests run with pytest -q")
    (item,) = cli.waiting()
    assert (item["id"], item["content"], item["kind"], item["op"]) == (
        result["id"],
        "Tests run with pytest -q",
        "fact",
        "add",
    )
    assert "shop" in item["scope"]
    assert item["confidence"] is None


def test_by_hand_at_a_terminal_what_a_person_says_is_pending_at_once(cli: Cli) -> None:
    ran = cli.person("propose", "Write reports in the passive voice", "--kind", "preference", "--key", "style.voice")
    assert ran.code == 0
    assert "waits for review" in ran.out
    (item,) = cli.waiting()
    assert (item["status"], item["source"], item["key"]) == ("pending", "manual", "style.voice")


def test_by_hand_without_a_terminal_a_preference_said_once_is_a_draft(cli: Cli) -> None:
    ran = cli("propose", "--content", "Write reports in the passive voice", "--kind", "preference")
    assert ran.json["status"] == "draft"


def test_every_option_lands_in_its_field(cli: Cli) -> None:
    given = {
        "--kind": ("kind", "procedure"),
        "--key": ("key", "deploy.steps"),
        "--scope": ("scope", "global"),
        "--source": ("source", "task_success"),
        "--agent": ("source_agent", "codex"),
        "--session": ("session_id", "s-1"),
        "--ref": ("source_ref", "msg-3"),
        "--evidence": ("evidence", "it worked"),
        "--confidence": ("confidence", "0.5"),
        "--valid-until": ("valid_until", "2030-01-02T03:04:05+08:00"),
        "--idempotency-key": ("idempotency_key", "k-1"),
    }
    options = [word for option, (_, value) in given.items() for word in (option, value)]
    ran = cli(
        "propose", "Deploy in two steps", *options, "--alias", "ship", "--alias", "rollout", "--path", "ops/run.sh"
    )
    assert ran.code == 0, ran.err
    (item,) = cli.waiting()
    wanted = dict(given.values()) | {"confidence": 0.5, "valid_until": "2030-01-01T19:04:05.000000Z"}
    assert {name: item[name] for name in wanted} == wanted
    assert (item["aliases"], item["paths"]) == (["ship", "rollout"], ["ops/run.sh"])


def test_an_update_and_a_removal_by_hand_name_their_target(cli: Cli) -> None:
    memory = cli.approved(content="Deploys need two approvals", key="deploy.rule")
    removal = cli("propose", "--op", "remove", "--target", memory)
    assert removal.json["status"] == "pending", removal.out
    update = cli("propose", "Deploys need one approval", "--target", memory[-6:])
    assert update.json["status"] == "pending", update.out
    assert {(one["op"], one["target_id"]) for one in cli.waiting()} == {("remove", memory), ("update", memory)}


def test_a_file_is_read_and_a_missing_one_is_not_taken_for_a_text(cli: Cli) -> None:
    (cli.folder / "session.jsonl").write_text('{"content": "A"}\n{"content": "B"}\n', encoding="utf-8")
    assert [one["status"] for one in cli("propose", "session.jsonl").lines] == ["pending", "pending"]
    missing = cli("propose", "other.jsonl")
    assert missing.code == 3
    assert "other.jsonl" in missing.err


def test_nothing_to_propose_is_said_and_is_no_success(cli: Cli) -> None:
    assert cli("propose", stdin="").code == 2
    assert cli("propose", "-", stdin="\n\n").code == 2
    assert cli.person("propose").code == 2
    assert not cli.db.exists()


def test_quiet_says_only_what_was_refused(cli: Cli) -> None:
    ran = cli("propose", "-", "--quiet", stdin='{"content": "A"}\n{"content": ""}\n')
    assert ran.out == ""
    assert ran.code == 1
    assert "line 2" in ran.err


def test_a_dry_run_answers_and_keeps_nothing(cli: Cli) -> None:
    cli.propose("A")
    ran = cli("propose", "-", "--dry-run", stdin='{"content": "A"}\n{"content": "B"}\n')
    assert [one["status"] for one in ran.lines] == ["pending", "pending"]
    assert [one["content"] for one in cli.waiting()] == ["A"]
    assert cli.waiting()[0]["mentions"] == 1


def test_D015_the_reply_tells_what_really_became_of_it(cli: Cli) -> None:
    cli.approved(content="run 2: 39.8 ms")
    (result,) = cli.propose("run 3: 41.2 ms")
    assert result["status"] == "pending"
    assert [(one["id"], one["content"]) for one in cli.waiting()] == [(result["id"], "run 3: 41.2 ms")]


def test_D004_the_text_of_an_approved_memory_is_known_and_changes_nothing(cli: Cli) -> None:
    memory = cli.approved(content="Deploys need two approvals")
    for _ in range(3):
        ran = cli("propose", "-", stdin='{"content": "Deploys need two approvals"}')
        assert (ran.code, ran.json["status"], ran.json["id"]) == (0, "known", memory)
    assert [one["revision"] for one in cli.memories()] == [1]
    assert cli.waiting() == []


def test_what_was_rejected_is_answered_with_when_and_why(cli: Cli) -> None:
    (result,) = cli.propose("Use npm")
    assert cli.person("reject", result["id"], "--reason", "we use pnpm").code == 0
    ran = cli("propose", "-", stdin='{"content": "Use  npm "}')
    assert (ran.code, ran.json["status"]) == (0, "rejected_before")
    assert "we use pnpm" in ran.json["reason"]
    assert cli.waiting() == []


def test_a_person_is_shown_the_earlier_refusal_and_asked(cli: Cli) -> None:
    (result,) = cli.propose("Use npm")
    cli.person("reject", result["id"], "--reason", "we use pnpm")
    refused = cli.person("propose", "Use npm", typed="\n")
    assert "we use pnpm" in refused.err
    assert "?" in refused.err
    assert cli.waiting() == []
    gone_on = cli.person("propose", "Use npm", typed="y\n")
    assert gone_on.code == 0
    (item,) = cli.waiting()
    assert [flag["code"] for flag in item["flags"]] == ["rejected_before"]


def test_with_yes_a_person_is_not_asked_and_an_agent_cannot_use_it(cli: Cli) -> None:
    (result,) = cli.propose("Use npm")
    cli.person("reject", result["id"])
    assert cli("propose", "Use npm", "--yes").json["status"] == "rejected_before"
    agent = cli.person("propose", "Use npm", "--yes", env={"CLAUDECODE": "1"})
    assert "turned down on" in agent.out and "turned down before" not in agent.out
    assert "?" not in cli.person("propose", "Use npm", "--yes").err
    assert len(cli.waiting()) == 1


def test_D092_half_an_emoji_is_refused_with_its_place_and_its_neighbours_are_kept(cli: Cli) -> None:
    ran = cli(
        "propose",
        "-",
        stdin='{"content": "one"}\n{"content": "half \\ud83d"}\n{"content": "nul \\u0000"}\n{"content": "four"}\n',
    )
    assert [one["status"] for one in ran.lines] == ["pending", "refused", "refused", "pending"]
    assert "U+D83D" in ran.lines[1]["reason"]
    assert "U+0000" in ran.lines[2]["reason"]
    assert ran.code == 1
    assert {one["content"] for one in cli.waiting()} == {"one", "four"}


FENCED = "Here is what I learnt {so far}:\n```json\n[\n%s\n```\n"


def test_D106_fenced_and_prose_wrapped_json_is_taken(cli: Cli) -> None:
    items = ",\n".join(json.dumps({"content": f"fact {n}"}) for n in range(1, 4))
    ran = cli("propose", "-", stdin=FENCED % (items + "\n]"))
    assert [one["status"] for one in ran.lines] == ["pending"] * 3
    assert ran.code == 0
    assert "not as proposals: line 1." in ran.err


def test_D106_an_array_cut_inside_item_4_queues_three_and_reports_the_fourth(cli: Cli) -> None:
    items = ",\n".join(json.dumps({"content": f"fact {n}"}) for n in range(1, 4))
    ran = cli("propose", "-", stdin="[" + items + ',\n{"content": "fact 4, c')
    assert [one["status"] for one in ran.lines] == ["pending", "pending", "pending", "refused"]
    assert ran.code == 1
    assert len(cli.waiting()) == 3


def test_D090_short_chinese_facts_are_taken(cli: Cli) -> None:
    assert [cli.propose(one)[0]["status"] for one in ("用pnpm", "禁用ORM")] == ["pending", "pending"]


def test_F25_invalid_utf8_is_refused_with_the_byte_and_its_neighbour_is_kept(cli: Cli) -> None:
    ran = cli("propose", "-", stdin=b'{"content": "ok"}\n{"content": "\xff"}\n')
    assert [one["status"] for one in ran.lines] == ["pending", "refused"]
    assert ran.code == 1


def test_V37_the_same_name_twice_is_refused(cli: Cli) -> None:
    ran = cli("propose", "-", stdin='{"content": "x", "key": "safe", "key": "evil"}')
    assert ran.json["status"] == "refused"
    assert "key" in ran.json["reason"]


def test_V41_an_agent_cannot_set_state(cli: Cli) -> None:
    for field in ("id", "status", "approved_by", "version", "evil"):
        ran = cli("propose", "-", stdin=json.dumps({"content": "x", field: "approved"}))
        assert (ran.code, ran.json["status"]) == (1, "refused"), field
        assert field in ran.json["reason"]


@pytest.mark.long
def test_F28_thousands_of_lines_with_one_bad_one(cli: Cli) -> None:
    lines = [json.dumps({"content": f"fact number {n}", "session_id": "s"}) for n in range(5_000)]
    lines[3_333] = '{"content": '
    ran = cli("propose", "-", stdin="\n".join(lines))
    statuses = [one["status"] for one in ran.lines]
    assert statuses.count("pending") == 4_999
    assert [one["line"] for one in ran.lines if one["status"] == "refused"] == [3_334]
    assert cli("list", "--json", "--limit", "1").json["total"] == 4_999


def test_D047_a_busy_store_makes_propose_keep_its_lines_and_say_so(cli: Cli) -> None:
    cli.propose("first")
    with sqlite3.connect(cli.db, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        ran = cli("propose", "-", stdin='{"content": "second"}')
        other.execute("ROLLBACK")
    assert (ran.code, ran.json["status"]) == (0, "spooled")
    assert {one["content"] for one in cli.waiting()} == {"first", "second"}
    assert cli("status", "--json").json["spooled"] == 0


@pytest.mark.long
def test_lines_after_the_reader_has_gone_are_proposed_all_the_same(cli: Cli) -> None:
    """``meminbox propose - | head -1`` left out what came after, and ended with 0."""
    count = BATCH + 1
    given = b"".join(b'{"content": "fact number %d of many"}\n' % number for number in range(count))
    reading, writing = os.pipe()
    os.close(reading)
    try:
        command, refused = meminbox.command("propose", "-"), b'{"nothing": 1}\n'
        code = subprocess.run(
            command, input=given + refused, stdout=writing, cwd=cli.folder, env=cli.env, timeout=60, check=False
        ).returncode
    finally:
        os.close(writing)
    assert code == 1
    assert json.loads(cli("list", "--json", "--limit", "1").out)["total"] == count
