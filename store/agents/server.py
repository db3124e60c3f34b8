"""The MCP server on the SDK: tools, resources and the prompt of ``offers``, for one client over a ``Wire``.

The schemas are ours, and arguments reach the tools as they were sent; what a tool does stands in ``proposing``,
``recalling`` and ``standing``, which are imported after the handshake. A tool runs in a thread to its end, also when
the client has given up: what it was asked to keep is kept, and saying it again changes nothing.
"""

from __future__ import annotations

import gc
import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter
from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from meminbox import __version__
from store.agents import offers
from store.agents.answers import Answer, failed, whole
from store.agents.calling import Call
from store.agents.place import folder
from store.agents.provenance import CLAUDE, Caller, agent_name, caller
from store.agents.stdio import INVALID_REQUEST, Wire
from store.claims import confirmed
from store.errors import MeminboxError, StoreTrouble
from store.location import Location
from store.project import Project, identify

Context = ServerRequestContext[dict[str, Any], Any]
Tool = Callable[[Call, Mapping[str, Any]], Answer]
ROOTS_WAIT: Final = 2.0
"""Seconds that a client has to name its roots; after it the folder is found without."""
AT_ONCE: Final = 8
"""Calls that run at the same time; the others wait for their turn."""


def serve(wire: Wire, location: Location, project: str | None, environ: Mapping[str, str]) -> None:
    """Serve the client of a wire until it has gone."""
    anyio.run(partial(_serve, wire, Session(location, project, dict(environ), _started_in(environ))))


def _started_in(environ: Mapping[str, str]) -> str:
    """The folder that we were started in, also where it has been deleted since: then as the environment names it."""
    try:
        return os.getcwd()  # noqa: PTH109
    except OSError:
        said = environ.get("PWD", "")
        return said if os.path.isabs(said) else os.sep  # noqa: PTH117


async def _serve(wire: Wire, session: Session) -> None:
    server = session.server()
    wire.serving = True
    into, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, out = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_receive, wire, into)
        tasks.start_soon(_send, wire, out)
        tasks.start_soon(session.warm)
        await server.run(incoming, outgoing, server.create_initialization_options())
        tasks.cancel_scope.cancel()


async def _receive(wire: Wire, into: Any) -> None:
    """The client's messages to the SDK, until the wire ends. What is no message of the protocol is answered so."""
    alone = anyio.CapacityLimiter(1)
    async with into:
        while True:
            message = await anyio.to_thread.run_sync(wire.inbox.get, abandon_on_cancel=True, limiter=alone)
            if message is None:
                return
            try:
                known = jsonrpc_message_adapter.validate_python(message, by_name=False)
            except ValidationError:
                wire.refuse(message, INVALID_REQUEST, "This is not a message of JSON-RPC 2.0.")
                continue
            await into.send(SessionMessage(known))


async def _send(wire: Wire, out: Any) -> None:
    alone = anyio.CapacityLimiter(1)
    async with out:
        async for item in out:
            line = _spelled(item.message)
            answers = None if isinstance(item.message, types.JSONRPCRequest) else getattr(item.message, "id", None)
            await anyio.to_thread.run_sync(wire.send, line, answers, limiter=alone)


def _spelled(message: Any) -> str:
    """A message of the SDK on one line. What it cannot spell itself, half a character of the client's, is escaped."""
    try:
        return str(message.model_dump_json(by_alias=True, exclude_unset=True))
    except PydanticSerializationError:
        return json.dumps(message.model_dump(by_alias=True, exclude_unset=True))


@dataclass
class Session:
    """One client: what it may ask, who it is, and where it works."""

    location: Location
    project: str | None
    environ: dict[str, str]
    started_in: str
    _roots: list[object] | None = None
    _asking: anyio.Lock = field(default_factory=anyio.Lock)
    _calls: anyio.CapacityLimiter = field(default_factory=lambda: anyio.CapacityLimiter(AT_ONCE))
    _seen: bool = False
    _projects: dict[Path, Project] = field(default_factory=dict)

    def server(self) -> Server[dict[str, Any]]:
        """The SDK's server for this client."""
        made = Server(
            offers.NAME,
            version=__version__,
            instructions=offers.INSTRUCTIONS,
            on_list_tools=_listed(types.ListToolsResult, "tools/list"),
            on_call_tool=self._call_tool,
            on_list_resources=_listed(types.ListResourcesResult, "resources/list"),
            on_list_resource_templates=_listed(types.ListResourceTemplatesResult, "resources/templates/list"),
            on_read_resource=self._read_resource,
            on_list_prompts=_listed(types.ListPromptsResult, "prompts/list"),
            on_get_prompt=self._get_prompt,
        )
        made.add_notification_handler("notifications/initialized", types.NotificationParams, self._initialized)
        made.add_notification_handler("notifications/roots/list_changed", types.NotificationParams, self._moved)
        return made

    async def warm(self) -> None:
        """Import what the first call would wait for, and look for garbage from then on."""
        await anyio.to_thread.run_sync(_tools, abandon_on_cancel=True)
        gc.freeze()
        gc.enable()

    # What the client says of itself

    async def _initialized(self, context: Context, _: types.NotificationParams) -> None:
        await self._notice(context, await self._asked_roots(context))

    async def _moved(self, context: Context, _: types.NotificationParams) -> None:
        self._roots = None
        await self._asked_roots(context)

    async def _notice(self, context: Context, roots: list[object]) -> None:
        """Note once that this agent was here."""
        client = context.session.client_params
        agent = agent_name(client.client_info.name) if client is not None else None
        if self._seen or client is None or agent is None:
            return
        self._seen = True
        who = caller(None, self.environ, agent, cwd=str(self._folder(roots, agent)))
        await anyio.to_thread.run_sync(_note_seen, self.location, who, client.client_info.version)

    async def _asked_roots(self, context: Context) -> list[object]:
        """The roots that the client names; none where it has none, or does not answer."""
        async with self._asking:
            if self._roots is None:
                can = context.session.client_capabilities
                asks = self.project is None and can is not None and can.roots is not None
                self._roots = await _roots(context) if asks and context.session.can_send_request else []
            return self._roots

    async def _called(self, context: Context) -> Call:
        roots = await self._asked_roots(context)
        await self._notice(context, roots)
        client = context.session.client_params
        name = client.client_info.name if client is not None else ""
        call: Call = await self._run(self._call, (context.params or {}).get("_meta"), name, roots)
        return call

    def _call(self, meta: object, name: str, roots: list[object]) -> Call:
        """The project is looked at for every call: its branch and commit change while a client works."""
        place = self._folder(roots, agent_name(name))
        who = caller(meta if isinstance(meta, dict) else None, self.environ, name, cwd=str(place))
        return Call(self.location, self._project(place), who)

    def _project(self, place: Path) -> Project:
        """The project of a folder; of one that is gone, as it was: what is said in it belongs to no other."""
        if os.path.exists(place) or place not in self._projects:  # noqa: PTH110 (a name may be too long to ask for)
            self._projects[place] = identify(place, git=None, confirmed=confirmed(self.location))
        return self._projects[place]

    def _folder(self, roots: list[object], agent: str | None) -> Path:
        # Another agent may have been started by Claude Code, and have its environment, elsewhere.
        return folder(self.project, roots, self.environ if agent == CLAUDE else {}, self.started_in)

    # What it asks for

    async def _call_tool(self, context: Context, asked: types.CallToolRequestParams) -> types.CallToolResult:
        if asked.name not in _NAMES:
            raise MCPError(types.INVALID_PARAMS, _no_tool(asked.name))
        call = await self._called(context)
        answer = await self._run(_answered, asked.name, call, asked.arguments or {})
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=whole(answer.as_text()))],
            structured_content=whole(answer.values),
            is_error=answer.error,
        )

    async def _read_resource(
        self, context: Context, asked: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(asked.uri)
        call = await self._called(context)
        try:
            text = await self._run(_document, call, uri)
        except MeminboxError as error:
            raise MCPError(types.INTERNAL_ERROR, str(error)) from None
        if text is None:
            raise MCPError(types.INVALID_PARAMS, "There is no such resource here.", {"uri": uri})
        document = types.TextResourceContents(uri=uri, mime_type="text/markdown", text=text)
        return types.ReadResourceResult(contents=[document])

    async def _get_prompt(self, _: Context, asked: types.GetPromptRequestParams) -> types.GetPromptResult:
        known = {one["name"]: one["description"] for one in offers.PROMPTS}
        if asked.name not in known:
            raise MCPError(types.INVALID_PARAMS, f"The prompt here is {', '.join(known)}.")
        said = types.PromptMessage(role="user", content=types.TextContent(type="text", text=offers.REVIEW_SESSION))
        return types.GetPromptResult(description=known[asked.name], messages=[said])

    async def _run(self, what: Callable[..., Any], *arguments: Any) -> Any:
        return await anyio.to_thread.run_sync(partial(what, *arguments), limiter=self._calls)


_NAMES: Final = frozenset(tool["name"] for tool in offers.TOOLS)


@cache
def _tools() -> dict[str, Tool]:
    """The tools by name. They bring the whole store along, which no client need wait for as it connects."""
    from store.agents import proposing, recalling, standing

    tools: tuple[Tool, ...] = (
        proposing.propose_memory,
        proposing.propose_memories,
        recalling.search_memory,
        recalling.get_profile,
        recalling.report_evidence,
        standing.proposal_status,
    )
    return {tool.__name__: tool for tool in tools}


def _answered(name: str, call: Call, arguments: Mapping[str, Any]) -> Answer:
    """What a tool answers. Trouble with the store is an answer too: the agent can go on without its memory."""
    try:
        return _tools()[name](call, arguments)
    except (MeminboxError, OSError) as error:
        return failed(error)


def _document(call: Call, uri: str) -> str | None:
    """The text of a resource, or None where there is no such one."""
    from store.agents import recalling

    if uri == offers.PROFILE_URI:
        return recalling.profile_resource(call)
    if uri.startswith(offers.MEMORY_URI):
        return recalling.memory_resource(call, unquote(uri.removeprefix(offers.MEMORY_URI)))
    return None


def _no_tool(name: str) -> str:
    from store.redact import redact_text

    named = redact_text(name[:400])[0].encode("ascii", "backslashreplace").decode()[:60]
    return (
        f"There is no tool {named!r}. Agents propose and read; what is approved, changed or deleted a person decides."
    )


def _listed(model: type[Any], method: str) -> Any:
    """A handler that gives one of the lists of ``offers``."""

    async def handler(_: Context, __: Any) -> Any:
        return model.model_validate(offers.LISTS[method])

    return handler


async def _roots(context: Context) -> list[object]:
    """The URIs of the client's roots; none where it answers with an error, too late, or with something else."""
    try:
        asked = types.ListRootsRequest()
        found = await context.session.send_request(asked, _Roots, request_read_timeout_seconds=ROOTS_WAIT)
    except (MCPError, ValidationError):
        return []
    return [root["uri"] for root in found.roots if isinstance(root, dict) and isinstance(root.get("uri"), str)]


class _Roots(types.Result):
    """Roots as they come: one that the SDK would not take (of another scheme) must not hide the others."""

    roots: list[Any]


def _note_seen(location: Location, who: Caller, version: str) -> None:
    from store import notes

    with suppress(StoreTrouble):
        notes.note_seen(
            location, who.agent or "", "initialize", version=version, session_id=who.session_id, cwd=who.cwd
        )
