"""A secret through every door of a person's home, and then: not a byte of it in any file, nor in anything told.

Held text is the exception that the design makes: it stands in the queue until a person has said a word, and from then
on only masked. What an agent keeps in its own transcript is its own.
"""

from __future__ import annotations

import json
import sqlite3
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from console import faults
from store import spool
from store.config import load
from store.location import locate
from tests import hook_kit
from tests.cli_kit import Cli, Ran
from tests.contract.mcp_kit import Rig
from tests.contract.test_secrecy import TOKEN
from tests.secret_samples import sample

SECRETS = {
    "github": sample("github token"),
    "aws": sample("aws access key"),
    "stripe": sample("stripe key"),
    "slack": sample("slack token"),
    "anthropic": sample("anthropic key"),
    "npm": sample("npm token").lower(),
    "password": "Tr0ub4dor&3xyz",
    "chinese": "Kx9!mimaQ2",
    "card": "6222021234567890128",
    "resident": "11010519491231002X",
    "mail": "zhang.wei@corp-demo.cn",
    "pem": "MIIEpAIBAAKCAQEA7bq1Zk3v9QpL7mWx2RtY8bNc4HdS6gJf",
    "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.dBjftJeZ4CVPmB92K27uhbUJU1p1r",
}


def forms(secret: str) -> list[bytes]:
    """The spellings in which a file could hold it; a piece of 14 characters gives a key away as well."""
    piece = secret[4:18]
    said = {secret, piece, json.dumps(secret)[1:-1]}
    return [text.encode(coding) for text in said for coding in ("utf-8", "utf-16-le")]


def files_with(folder: Path, secrets: list[str], *, but: tuple[Path, ...] = ()) -> list[tuple[str, str]]:
    found = []
    wanted = [(secret, form) for secret in secrets for form in forms(secret)]
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or any(path.is_relative_to(one) for one in but):
            continue
        data = path.read_bytes()
        found += [(str(path.relative_to(folder)), secret) for secret, form in wanted if form in data]
    return found


def told_of(rans: list[Ran], secrets: list[str]) -> list[str]:
    said = "".join(ran.out + ran.err for ran in rans)
    return [secret for secret in secrets if secret in said or secret[4:18] in said]


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cli]:
    scratch = tmp_path / "tmp"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    yield Cli(home=tmp_path / "home", folder=tmp_path / "work", env={"TMPDIR": str(scratch)})


def said(kind: str) -> str:
    """One sentence that holds a secret."""
    secret = SECRETS[kind]
    return {
        "password": f"the database password is {secret}",
        "chinese": f"数据库密码：{secret}",
        "pem": f"use -----BEGIN PRIVATE KEY-----\n{secret}\n{secret}",
        "npm": f"deploy with {secret} please",
    }.get(kind, f"remember {secret} for {kind}")


def test_I21_propose_in_every_way(cli: Cli) -> None:
    rans = [cli("propose", said(kind)) for kind in ("github", "password", "card")]
    rans += [cli("propose", "--content", said("aws"), "--evidence", said("slack"), "--alias", said("jwt"))]
    lines = [{"content": said(kind), "paths": [f"a/{SECRETS['npm']}"]} for kind in SECRETS]
    fields = ("source_ref", "session_id", "source_agent", "idempotency_key", "scope", "target")
    lines += [{"content": f"a fact {number}", name: f"x {SECRETS['github']}"} for number, name in enumerate(fields)]
    lines += [{"content": "keyed", "key": f"a.{SECRETS['npm']}"}]
    rans += [cli("propose", "-", stdin="\n".join(map(json.dumps, lines)))]
    # what is refused, broken, or no proposal at all
    wrong = [
        {"content": "x", "evil": said("github")},
        {"content": "x", said("aws"): 1},
        {"content": "x", "kind": said("slack")},
        {"content": "x", "key": f"Key {SECRETS['github']}"},
        {"content": "x", "confidence": said("password")},
        {"content": "x", "valid_until": SECRETS["jwt"]},
        {"content": "x", "session_id": f" {SECRETS['anthropic']}"},
    ]
    rans += [cli("propose", "-", stdin="\n".join(map(json.dumps, wrong)))]
    rans += [
        cli("propose", "-", stdin='{"content": "' + said("github")),
        cli("propose", "-", stdin=f"[{said('stripe')}"),
    ]
    file = cli.folder / "proposals.jsonl"
    file.write_text(json.dumps({"content": said("stripe")}), encoding="utf-8")
    rans += [cli("propose", str(file)), cli("propose", "-n", said("anthropic"))]
    assert told_of(rans, list(SECRETS.values())) == []
    rans = [cli("list", "--json", "--status", "draft,pending,deferred"), cli("list")]
    assert len(rans[0].json["items"]) >= len(SECRETS)
    assert told_of(rans, list(SECRETS.values())) == []
    assert files_with(cli.home.parent, list(SECRETS.values()), but=(file,)) == []


def test_I21_what_waits_in_the_spool_while_the_store_is_busy(cli: Cli) -> None:
    cli("propose", "something first")
    holder = sqlite3.connect(cli.db, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    try:
        rans = [cli("propose", said(kind)) for kind in ("github", "password")]
        assert [ran.lines[0]["status"] for ran in rans] == ["spooled", "spooled"]
        waiting = list(spool.files(locate(str(cli.db), {"MEMINBOX_HOME": str(cli.home)}).spool))
        assert len(waiting) == 2
        assert files_with(cli.home.parent, list(SECRETS.values())) == []
        waiting[0].path.write_bytes(waiting[0].path.read_bytes()[:-20])
    finally:
        holder.close()
    cli("list")
    assert list((cli.home / "meminbox.spool" / "bad").glob("*.reason")) or list(cli.home.rglob("bad/*.reason"))
    assert files_with(cli.home.parent, list(SECRETS.values())) == []


def test_I21_decisions_edits_reasons_undo_and_the_editor(cli: Cli) -> None:
    editor = cli.folder / "ed"
    editor.write_text(
        f"#!{sys.executable}\nimport sys\nopen(sys.argv[-1], 'w').write({said('stripe')!r})\n", encoding="utf-8"
    )
    editor.chmod(editor.stat().st_mode | stat.S_IXUSR)
    first, second, third = (one["id"] for one in cli.propose("A fact", "Another fact", "A third fact"))
    rans = [
        cli.person("edit", first, "--content", said("github")),
        cli.person("edit", second, env={"EDITOR": str(editor)}),
        cli.person("reject", third, "--reason", said("password")),
    ]
    assert [ran.code for ran in rans] == [0, 0, 0], rans
    held = [one["id"] for one in cli.memories()]
    rans += [
        cli.person("edit", held[0], "--content", said("aws"), "--reason", said("slack")),
        cli.person("undo"),
        cli.person("redo"),
        cli.person("rollback", held[0], "--reason", said("chinese")),
        cli.person("delete", held[1], "--reason", said("mail")),
        cli.person("undo"),
        cli("history", held[0]),
        cli("show", held[0], "--json"),
        cli("search", "remember", "--json"),
        cli("context"),
        cli("status"),
        cli("propose", said("github")),
    ]
    assert told_of(rans, list(SECRETS.values())) == []
    assert files_with(cli.home.parent, list(SECRETS.values()), but=(editor,)) == []


def test_I21_what_is_held_is_gone_once_masked(cli: Cli) -> None:
    (one,) = cli.propose(f"The bot signs in with {TOKEN} nightly")
    refused = cli.person("approve", one["id"])
    assert refused.code == 4
    assert "It may hold a secret" in refused.err
    assert TOKEN not in refused.err + refused.out
    both = cli.person("approve", one["id"], "--mask", "--not-secret")
    assert both.code == 2
    masked = cli.person("approve", one["id"], "--mask")
    assert masked.code == 0, masked.err
    assert "[secret]" in masked.out
    assert TOKEN not in masked.out
    assert [one["content"] for one in cli.memories()] == ["The bot signs in with [secret] nightly"]
    assert TOKEN not in cli("context").out
    assert cli.person("undo").code == 0
    assert [one["content"] for one in cli.waiting()] == ["The bot signs in with [secret] nightly"]
    assert cli.person("redo").code == 0
    cli("backup")
    assert files_with(cli.home.parent, [TOKEN]) == []


def test_I21_not_a_secret_holds_for_the_same_text(cli: Cli) -> None:
    (one,) = cli.propose(f"The bot signs in with {TOKEN} nightly")
    assert cli.person("approve", one["id"], "--not-secret").code == 0
    cli.propose(f"Weekly as well: {TOKEN}")
    (waiting,) = cli.waiting()
    assert waiting["flags"] == []
    assert cli.person("approve", waiting["id"]).code == 0


def test_I21_agents_by_their_server_and_their_hooks(cli: Cli, tmp_path: Path) -> None:
    cli.propose("A fact")
    desk = Rig(locate(str(cli.db), {"MEMINBOX_HOME": str(cli.home)}), cli.folder)
    answers = [
        desk.answer("propose_memory", content=said("github"), evidence=said("password"), aliases=[said("slack")]),
        desk.answer("propose_memories", memories=[{"content": said(kind)} for kind in SECRETS]),
        desk.answer("propose_memories", memories=f'[{{"content": "{said("aws")}"'),
        desk.answer("propose_memory", content="x", evil=said("jwt")),
        desk.answer("propose_memory", content="x", scope=said("stripe")),
    ]
    which = desk.approved("Run the tests with pytest from the root")
    answers += [
        desk.answer("report_evidence", memory=which, kind="test", ref=SECRETS["github"]),
        desk.answer("search_memory", query=said("anthropic")),
    ]
    posing = json.dumps({"session_id": SECRETS["github"], "hook_event_name": "SessionStart", "cwd": str(cli.folder)})
    assert cli("hook", "session-start", "--agent", "claude-code", stdin=posing).code == 0
    assert told_of([cli("show", SECRETS["github"])], [SECRETS["github"]]) == []
    assert [secret for secret in SECRETS.values() if secret in repr([answer.values for answer in answers[:3]])] == []

    path = hook_kit.worked(tmp_path, hook_kit.CLAUDE)
    with path.open("a", encoding="utf-8") as more:
        more.write(json.dumps({"type": "user", "message": {"role": "user", "content": said("password")}}) + "\n")
    for event in ("session-start", "stop", "session-end"):
        told = json.dumps(hook_kit.said(hook_kit.CLAUDE, event, cli.folder, path))
        ran = cli("hook", event, "--agent", "claude-code", stdin=told)
        assert ran.code == 0
    env = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": hook_kit.SESSION}
    cli("propose", "-", stdin=json.dumps({"content": "from a shell", "evidence": said("password")}), env=env)
    cli("list")
    assert files_with(cli.home.parent, list(SECRETS.values()), but=(path,)) == []


def test_I21_a_fault_of_ours_tells_no_value(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MEMINBOX_HOME", str(cli.home))
    monkeypatch.delenv("MEMINBOX_DEBUG", raising=False)
    try:
        held = said("github")
        raise RuntimeError(held) from ValueError(said("password"))
    except RuntimeError as error:
        words = faults.told(error)
    assert told_of([Ran(1, words, capsys.readouterr().err)], list(SECRETS.values())) == []
    assert list((cli.home / "reports").iterdir())
    assert files_with(cli.home.parent, list(SECRETS.values())) == []


def test_the_policy_of_the_config_holds_at_every_door(cli: Cli) -> None:
    cli.home.mkdir(parents=True, exist_ok=True)
    (cli.home / "config.toml").write_text('[redact]\nemail = "keep"\nphone = "hold"\nwrong = 1\n', encoding="utf-8")
    cli.propose("Ask zhang.wei@corp-demo.cn or 13912345678")
    (waiting,) = cli.waiting()
    assert waiting["content"] == "Ask zhang.wei@corp-demo.cn or 13912345678"
    assert waiting["flags"] == [{"code": "maybe_secret", "detail": "phone in the text"}]
    assert any("redact.wrong is not known" in one for one in load({"MEMINBOX_HOME": str(cli.home)}).messages)
    ran = cli.person("approve", waiting["id"], "--mask")
    assert ran.code == 0
    assert [one["content"] for one in cli.memories()] == ["Ask zhang.wei@corp-demo.cn or [secret]"]


def test_files_are_the_owners_alone(cli: Cli) -> None:
    cli.propose("A fact")
    assert all(not path.stat().st_mode & 0o077 for path in cli.home.rglob("*") if not path.is_symlink())
