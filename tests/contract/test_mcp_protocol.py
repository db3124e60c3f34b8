"""The MCP server as the SDK's own client meets it, in both eras of the protocol; the pipes are in test_mcp_process."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types.methods import serialize_server_result
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from store import spool
from store.agents import offers, proposing, server, transcripts
from store.agents.serving import Front
from store.engine import open_store
from store.entry import KINDS, OPS
from store.notes import last_seen, take_notes
from store.project import identify
from tests.contract.mcp_kit import Rig, rig
from tests.contract.proposing import PROPOSAL, rows
from tests.contract.test_mcp_tools import held

LEGACY, MODERN = "legacy", "2026-07-28"
CLAUDE = types.Implementation(name="claude-code", version="2.1.0")


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcripts, "PATIENCE", 0.0)


@pytest.fixture
def agent(sqlite_template: Path, tmp_path: Path) -> Rig:
    return rig(sqlite_template, tmp_path)


def client(
    agent: Rig, mode: str = LEGACY, project: str | None = None, env: dict[str, str] | None = None, **more: Any
) -> Client:
    session = server.Session(agent.location, project, env or {}, str(agent.folder))
    who = {"client_info": CLAUDE} | more
    return Client(session.server(), mode=mode, cache=None, **who)  # type: ignore[arg-type]


# -- what is offered


def schemas() -> Iterator[dict[str, Any]]:
    def inner(value: Any) -> Iterator[dict[str, Any]]:
        if isinstance(value, dict):
            yield value
            for one in value.values():
                yield from inner(one)
        elif isinstance(value, list):
            for one in value:
                yield from inner(one)

    for tool in offers.TOOLS:
        yield from inner(tool["inputSchema"])
        yield from inner(tool["outputSchema"])


def test_the_tools_are_six_and_every_hint_of_each_is_set() -> None:
    assert [tool["name"] for tool in offers.TOOLS] == list(server._tools())
    for tool in offers.TOOLS:
        hints = {name: value for name, value in tool["annotations"].items() if name.endswith("Hint")}
        assert hints.keys() == {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
        assert hints["destructiveHint"] is False
        assert tool["inputSchema"]["type"] == tool["outputSchema"]["type"] == "object"
        assert len(tool["description"]) < 500
    reading = {tool["name"] for tool in offers.TOOLS if tool["annotations"]["readOnlyHint"]}
    assert reading == {"search_memory", "get_profile", "proposal_status"}


def test_the_schemas_are_flat_and_hold_only_what_every_host_understands() -> None:
    known = {"type", "properties", "required", "description", "items", "enum", "minimum", "maximum"}
    for schema in schemas():
        if isinstance(schema.get("type"), str):
            assert schema.keys() <= known
    spelled = json.dumps(offers.TOOLS)
    assert not [word for word in ("$ref", "$defs", "anyOf", "oneOf", "null", "additionalProperties") if word in spelled]


def test_the_words_of_the_schemas_are_those_of_the_store() -> None:
    said = offers.TOOLS[0]["inputSchema"]["properties"]
    assert said["kind"]["enum"] == list(KINDS)
    assert said["op"]["enum"] == list(OPS)
    assert "session_id" not in said
    assert "source_agent" not in said


def test_the_instructions_are_two_sentences_and_the_prompt_says_what_not_to_store() -> None:
    assert offers.INSTRUCTIONS.count(". ") == 1
    asked = offers.REVIEW_SESSION
    assert "What was solved?" in asked
    assert "Which decisions were made" in asked
    assert "What is worth remembering:" in asked
    assert "Do not store: secrets" in asked
    assert "at most ten" in asked


async def test_what_is_answered_before_the_sdk_is_there_is_what_the_sdk_answers(agent: Rig) -> None:
    assert offers.VERSIONS == HANDSHAKE_PROTOCOL_VERSIONS
    made = server.Session(agent.location, None, {}, str(agent.folder)).server()
    told = made.create_initialization_options()
    for version in (*offers.VERSIONS, "1999-01-01", MODERN):
        known = version if version in offers.VERSIONS else offers.VERSIONS[-1]
        sdk = types.InitializeResult(
            protocol_version=known,
            capabilities=told.capabilities,
            server_info=types.Implementation(name=told.server_name, version=told.server_version),
            instructions=told.instructions,
        )
        shaped = sdk.model_dump(by_alias=True, mode="json", exclude_none=True)
        assert offers.initialized(version) == serialize_server_result("initialize", known, shaped)
        for method, result in offers.LISTS.items():
            assert serialize_server_result(method, known, result) == result


@pytest.mark.parametrize("mode", [LEGACY, MODERN])
async def test_the_lists_are_the_same_in_both_eras(agent: Rig, mode: str) -> None:
    async with client(agent, mode) as it:
        tools = (await it.list_tools()).tools
        assert [tool.input_schema for tool in tools] == [tool["inputSchema"] for tool in offers.TOOLS]
        assert [tool.output_schema for tool in tools] == [tool["outputSchema"] for tool in offers.TOOLS]
        assert [one.uri for one in (await it.list_resources()).resources] == [offers.PROFILE_URI]
        templates = (await it.list_resource_templates()).resource_templates
        assert [one.uri_template for one in templates] == ["meminbox://memory/{id}"]
        assert [one.name for one in (await it.list_prompts()).prompts] == ["review_session"]
        (said,) = (await it.get_prompt("review_session")).messages
        assert said.content.text == offers.REVIEW_SESSION  # type: ignore[union-attr]
        with pytest.raises(MCPError, match="The prompt here is"):
            await it.get_prompt("other")


# -- calls


@pytest.mark.parametrize("mode", [LEGACY, MODERN])
async def test_every_tool_answers_by_its_schema(agent: Rig, mode: str) -> None:
    """The client holds what comes back against the output schema."""
    memory = agent.approved("Deploy with make ship", key="deploy.how", paths=["Makefile"])
    calls: list[tuple[str, dict[str, Any]]] = [
        ("propose_memory", {"content": "A fact"}),
        ("propose_memory", {"content": "A fact"}),
        ("propose_memory", {"content": "Deploy with make ship"}),
        ("propose_memory", {"content": "I like tabs", "kind": "preference"}),
        ("propose_memories", {"memories": [{"content": "one"}, {"content": ""}]}),
        ("search_memory", {"query": "deploy"}),
        ("search_memory", {"id": memory}),
        ("search_memory", {"query": "nothing of it"}),
        ("get_profile", {}),
        ("get_profile", {"task": "deploy"}),
        ("report_evidence", {"memory": memory, "kind": "commit", "ref": "1a2b3c4"}),
        ("proposal_status", {}),
    ]
    async with client(agent, mode, env={"CLAUDE_CODE_SESSION_ID": "s1"}) as it:
        await it.list_tools()
        for name, arguments in calls:
            told = await it.call_tool(name, arguments)
            assert not told.is_error, told
            assert told.structured_content
            (text,) = told.content
            assert name == "get_profile" or json.loads(text.text) == told.structured_content  # type: ignore[union-attr]
        told = await it.call_tool("propose_memory", {"content": "\ud800"})
        assert told.is_error
        assert "half a character" in told.structured_content["reason"]  # type: ignore[index]


async def test_D029_a_tool_that_would_decide_is_none_of_ours(agent: Rig) -> None:
    told = agent("propose_memory", content="A fact")
    async with client(agent) as it:
        for name in (
            "approve",
            "approve_memory",
            "reject_memory",
            "delete_memory",
            "undo",
            "meminbox_approve",
            "\ud800",
        ):
            with pytest.raises(MCPError, match="a person decides"):
                await it.call_tool(name, {"id": told["id"]})
    assert [row.status for row in held(agent)] == ["pending"]


async def test_the_caller_is_known_from_what_the_client_sends(agent: Rig) -> None:
    env = {"CLAUDE_CODE_SESSION_ID": "0f3a-7", "CLAUDE_PROJECT_DIR": str(agent.folder)}
    async with client(agent, env=env) as it:
        await it.call_tool("propose_memory", {"content": "A fact"}, meta={"claudecode/toolUseId": "toolu_01"})
    (row,) = held(agent)
    assert (row.source_agent, row.session_id) == ("claude-code", "0f3a-7")
    store = open_store(agent.location)
    take_notes(store)  # what the proposal has not taken in already
    seen = last_seen(store)["claude-code"]
    store.close()
    assert (seen.event, seen.version) == ("initialize", "2.1.0")


async def test_resources_give_the_block_and_one_memory_whole(agent: Rig) -> None:
    memory = agent.approved("Deploy with make ship", key="deploy.how")
    async with client(agent) as it:
        (profile,) = (await it.read_resource(offers.PROFILE_URI)).contents
        assert "Deploy with make ship" in profile.text  # type: ignore[union-attr]
        for token in (memory, "deploy.how"):
            (one,) = (await it.read_resource(offers.MEMORY_URI + token)).contents
            assert one.text.endswith("Deploy with make ship")  # type: ignore[union-attr]
        for uri in (offers.MEMORY_URI + "no.such", offers.MEMORY_URI, "meminbox://other", "file:///etc/passwd"):
            with pytest.raises(MCPError, match="no such resource"):
                await it.read_resource(uri)
    agent.folder = agent.at("other").folder
    async with client(agent) as it:
        with pytest.raises(MCPError, match="no such resource"):
            await it.read_resource(offers.MEMORY_URI + memory)
        (profile,) = (await it.read_resource(offers.PROFILE_URI)).contents
        assert "make ship" not in profile.text  # type: ignore[union-attr]


# -- the project


async def scope_of(agent: Rig, **more: Any) -> str:
    async with client(agent, **more) as it:
        told = await it.call_tool("propose_memory", {"content": f"fact {len(held(agent))}"})
    wanted = told.structured_content["id"]  # type: ignore[index]
    return str(next(row.scope for row in held(agent) if row.id == wanted))


async def test_the_project_is_the_one_told_else_the_clients_root_else_the_agents_else_the_folder(agent: Rig) -> None:
    folders = {name: agent.at(name).folder for name in ("told", "root one", "claude", "shop")}
    scopes = {name: identify(folder, git=None).identity for name, folder in folders.items()}

    def roots(*uris: str) -> Any:
        async def answer(_: Any) -> types.ListRootsResult:
            return types.ListRootsResult(roots=[types.Root(uri=uri) for uri in uris])  # type: ignore[arg-type]

        return answer

    async def refusing(_: Any) -> types.ErrorData:
        return types.ErrorData(code=-32000, message="no")

    root = folders["root one"].as_uri()
    env = {"CLAUDE_PROJECT_DIR": str(folders["claude"])}
    told = str(folders["told"])
    assert await scope_of(agent, env=env, project=told, list_roots_callback=roots(root)) == scopes["told"]
    assert await scope_of(agent, env=env, list_roots_callback=roots("file:///no/such", root)) == scopes["root one"]
    assert await scope_of(agent, env=env, list_roots_callback=roots("file://elsewhere/tmp")) == scopes["claude"]
    assert await scope_of(agent, env=env, list_roots_callback=refusing) == scopes["claude"]
    assert await scope_of(agent, env=env) == scopes["claude"]
    assert await scope_of(agent, env={"CLAUDE_PROJECT_DIR": "relative"}) == scopes["shop"]
    assert await scope_of(agent, mode=MODERN) == scopes["shop"]
    gone = identify(folders["shop"] / "gone", git=None).identity
    assert await scope_of(agent, list_roots_callback=roots((folders["shop"] / "gone").as_uri())) == gone
    inside = types.Implementation(name="codex-mcp-client", version="1")
    assert await scope_of(agent, env=env, client_info=inside) == scopes["shop"]


async def test_a_client_that_never_names_its_roots_is_served_all_the_same(
    agent: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "ROOTS_WAIT", 0.05)

    async def never(_: Any) -> types.ListRootsResult:
        await anyio.sleep_forever()
        raise AssertionError

    assert await scope_of(agent, list_roots_callback=never) == agent.call().project.identity


# -- cancelled and retried


async def test_D104_a_call_the_client_gave_up_is_finished_and_its_retry_is_the_same_proposal(
    agent: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    held_up, go_on = threading.Event(), threading.Event()
    real = proposing.desk.propose

    def slow(*arguments: Any, **more: Any) -> Any:
        held_up.set()
        go_on.wait(30)
        return real(*arguments, **more)

    said = {"content": "Said once and again"}
    async with client(agent) as it:
        with monkeypatch.context() as patch:
            patch.setattr(proposing.desk, "propose", slow)
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(it.call_tool, "propose_memory", said)
                await anyio.to_thread.run_sync(held_up.wait)
                tasks.cancel_scope.cancel()
            go_on.set()
        told = (await it.call_tool("propose_memory", said)).structured_content
        again = (await it.call_tool("propose_memory", said)).structured_content
    (row,) = held(agent)
    assert told["id"] == again["id"] == row.id  # type: ignore[index]


async def test_many_calls_at_once_are_all_answered(agent: Rig) -> None:
    told: list[Any] = []
    async with client(agent) as it:

        async def one(number: int) -> None:
            told.append(await it.call_tool("propose_memory", {"content": f"fact {number}"}))

        async with anyio.create_task_group() as tasks:
            for number in range(12):
                tasks.start_soon(one, number)
    assert {one.structured_content["status"] for one in told} <= {"pending", "spooled"}
    with_spool = open_store(agent.location)
    try:
        proposing.desk.drain(with_spool)
        assert len(rows(with_spool, PROPOSAL)) == 12
    finally:
        with_spool.close()


# -- trouble


def test_D051_a_damaged_store_is_an_answer_and_what_is_proposed_is_kept(agent: Rig) -> None:
    agent.approved("Deploy with make ship")
    path = agent.location.path
    assert path is not None
    data = bytearray(path.read_bytes())
    data[: len(data)] = b"\x55" * len(data)
    path.write_bytes(data)
    for tool, said in (("search_memory", {"query": "deploy"}), ("get_profile", {}), ("proposal_status", {})):
        answer = server._answered(tool, agent.call(), said)
        assert answer.error
        assert str(path) in answer.values["message"]
    told = server._answered("propose_memory", agent.call(), {"content": "said in trouble"})
    assert told.values["status"] == "spooled"
    assert path.read_bytes() == bytes(data)
    assert len(spool.files(agent.location.spool)) == 1


# -- before the SDK is there


def asked(method: str, params: Any = None, number: object = 1) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, **({} if params is None else {"params": params})}


HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {"roots": {"listChanged": True}, "sampling": {}},
    "clientInfo": {"name": "x", "title": "X", "version": "1"},
}


def test_the_probe_of_newer_clients_is_answered_at_once_and_never_passed_on() -> None:
    said, passed = Front().answer(asked("server/discover", number="probe-1"))
    assert said == {"jsonrpc": "2.0", "id": "probe-1", "error": {"code": -32601, "message": "Method not found"}}
    assert passed is None


def test_a_handshake_is_answered_at_once_and_the_sdk_is_told_what_it_is_sure_to_take() -> None:
    front = Front()
    said, passed = front.answer(asked("initialize", HELLO))
    assert said is not None
    assert said["result"]["protocolVersion"] == "2025-06-18"
    assert passed is not None
    assert passed["params"]["capabilities"] == {"roots": {}}
    assert types.InitializeRequestParams.model_validate(passed["params"], by_name=False).client_info.name == "x"
    assert front.answer(asked("tools/list")) == (
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": list(offers.TOOLS)}},
        None,
    )
    again = asked("initialize", HELLO, 2)
    assert front.answer(again) == (None, again)


@pytest.mark.parametrize(
    "params",
    [
        None,
        [],
        {},
        {**HELLO, "protocolVersion": 7},
        {**HELLO, "capabilities": None},
        {**HELLO, "clientInfo": {"name": "x"}},
        {**HELLO, "clientInfo": "x"},
    ],
)
def test_what_is_no_proper_handshake_is_left_to_the_sdk(params: Any) -> None:
    message = asked("initialize", params)
    assert Front().answer(message) == (None, message)


def test_only_a_client_that_was_greeted_is_told_the_lists_and_only_from_their_beginning() -> None:
    front = Front()
    early = asked("tools/list")
    assert front.answer(early) == (None, early)
    front.answer(asked("initialize", HELLO))
    for params in ({"cursor": "x"}, {"_meta": {"io.modelcontextprotocol/protocolVersion": MODERN}}, [], {"_meta": 7}):
        message = asked("tools/list", params)
        assert front.answer(message) == (None, message)
    for message in ({"jsonrpc": "2.0", "method": "tools/list"}, asked("tools/list", number=None), asked("tools/call")):
        assert front.answer(message) == (None, message)
