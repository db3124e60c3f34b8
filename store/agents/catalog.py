"""Which agents are here, and how far each is connected. Reads their settings; starts nothing, writes nothing."""

from __future__ import annotations

import errno
import json
import os
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from store.agents import codex_trust
from store.agents.json_text import Form, NotJson, read
from store.agents.roster import AGENTS, SCOPES, SERVER, Agent, Ground, Scope, Spot, is_ours, our_handler

MOST_BYTES: Final = 32 * 1024 * 1024
"""A settings file beyond this is not read (Claude Code keeps its whole state beside its servers)."""


@dataclass(frozen=True, slots=True)
class AgentState:
    """How one agent stands. None means that it cannot be told, or that this agent has no such thing.

    ``found`` the agent is installed; ``connected`` our server is in its settings; ``command_works`` what it would
    start is there; ``hooks`` our events that it runs a hook for; ``allowed`` it may call our tools without asking each
    time; ``trusted`` it will use what it was given here, as far as its own trust goes. ``detail`` says where, ``todo``
    what a person should do (empty: nothing). ``scopes`` are those in which the server stands.
    """

    name: str
    title: str
    found: bool
    connected: bool
    command_works: bool | None
    hooks: tuple[str, ...]
    allowed: bool | None
    trusted: bool | None
    detail: str
    todo: str
    scopes: tuple[Scope, ...] = ()


class Unreadable(ValueError):
    """A settings file that cannot be read as what it should be; the message names the file and the place."""


def states(home: Path, project: Path | None, environ: Mapping[str, str] = os.environ) -> list[AgentState]:
    """The state of every agent we know, for this person and this project."""
    ground = Ground(home, project, environ)
    return [state(agent, ground) for agent in AGENTS]


def found(agent: Agent, ground: Ground) -> bool:
    """Whether an agent is installed: its program is on the path, or it has a folder of settings here."""
    base, name = agent.folder
    folder = ground.folder(base)
    return ground.program(agent.program) is not None or (folder is not None and (folder / name).is_dir())


def state(agent: Agent, ground: Ground) -> AgentState:
    """How one agent stands."""
    try:
        return _state(agent, ground)
    except Unreadable as error:
        return AgentState(
            agent.name, agent.title, found(agent, ground), False, None, (), None, None, str(error), "Mend that file."
        )


def _state(agent: Agent, ground: Ground) -> AgentState:
    servers = {scope: value for scope in SCOPES if (value := value_at(agent.server[scope], ground)) is not None}
    here = found(agent, ground)
    works = all(_runs(value, ground) for value in servers.values()) if servers else None
    trusted = _trusted(agent, ground, servers)
    events = tuple(event for event in agent.events if _hooked(agent, event, ground))
    todo = _strange(agent, ground) or _todo(
        agent, here=here, servers=servers, works=works, events=events, trusted=trusted, off=_off(agent, ground)
    )
    return AgentState(
        agent.name,
        agent.title,
        here,
        bool(servers),
        works,
        events,
        _allowed(agent, ground, servers),
        trusted,
        _detail(agent, ground, tuple(servers)),
        todo,
        tuple(servers),
    )


def value_at(spot: Spot, ground: Ground) -> Any:
    """What stands at a spot; None where the file or the entry is not there. Raises Unreadable."""
    path = spot.path(ground)
    held = load(path, spot.form) if path is not None else {}
    for name in spot.at:
        held = held.get(name) if isinstance(held, dict) else None
    return held


def load(path: Path, form: Form | None) -> Any:
    """A whole settings file, {} where there is none or an empty one. ``form`` None: TOML. Raises Unreadable."""
    try:
        return parse((contents(path) or b"").decode("utf-8-sig"), form)
    except OSError as error:
        raise Unreadable(f"{path} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise Unreadable(f"{path} is not UTF-8 (byte {error.start}).") from error
    except ValueError as error:
        raise Unreadable(f"{path}: {error}.") from error
    except RecursionError:
        raise Unreadable(f"{path}: it is nested too deeply.") from None


def contents(path: Path) -> bytes | None:
    """The bytes of a settings file, None where there is none. Never waits: what is no plain file is refused.

    Raises OSError, or ValueError for one that is too large.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "It is no plain file")
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ValueError("It is too large to be read")
    return data


def parse(text: str, form: Form | None) -> Any:
    """The values of a settings text; {} for an empty one. Raises ValueError with the place."""
    if not text.strip():
        return {}
    if form is None:
        return tomllib.loads(text.removeprefix("\ufeff"))
    try:
        return json.loads(text)  # a hundred times quicker than ours, and most files are plain
    except RecursionError:
        raise NotJson("It is nested too deeply", text, 0) from None
    except ValueError:
        return read(text, form).value


def argv_of(entry: object) -> list[str]:
    """The command line of a server's entry; empty where it has none."""
    if not isinstance(entry, dict) or not isinstance(entry.get("command"), str):
        return []
    arguments = entry.get("args", [])
    return [entry["command"], *map(str, arguments if isinstance(arguments, list) else [])]


def _runs(entry: object, ground: Ground) -> bool:
    """Whether what an entry names is there to be started, and is ours."""
    argv = argv_of(entry)
    if not argv or not is_ours(argv, "mcp"):
        return False
    there = ground.program(argv[0]) is not None
    return there and all(Path(one).is_file() for one in argv[1:] if one.endswith("meminbox.py"))


def _hooked(agent: Agent, event: str, ground: Ground) -> bool:
    return any(
        our_handler(handler)
        for scope in agent.hooks
        for group in _groups(agent, event, scope, ground)
        if isinstance(group, dict)
        for handler in _list(group.get("hooks"))
    )


def _strange(agent: Agent, ground: Ground) -> str:
    """What a project's files would start under our name, if it is not what setup writes there; else an empty text.

    Whoever wrote the project wrote them: a program, a store or variables of their choosing may stand in our place.
    """
    spot = agent.server["project"]
    entry = value_at(spot, ground)
    if entry is not None and not _as_written(entry, agent.server_entry(_PLAIN, "project")):
        return _LOOK.format(_place(spot, ground))
    for event in agent.events:
        wanted = agent.hook_entry(_PLAIN, event)["hooks"][0]["command"]
        for group in _groups(agent, event, "project", ground):
            handlers = _list(group.get("hooks")) if isinstance(group, dict) else []
            if any(our_handler(handler) and handler["command"] != wanted for handler in handlers):
                return _LOOK.format(_place(agent.hooks["project"], ground))
    return ""


def _as_written(entry: object, wanted: Mapping[str, Any]) -> bool:
    """Whether a server's entry starts what ``wanted`` does, in the environment that the agent gives it."""
    if not isinstance(entry, dict) or not _KNOWN.issuperset(entry):
        return False
    return argv_of(entry) == argv_of(wanted) and not entry.get("env")


_PLAIN: Final = ("meminbox", "mcp")
"""The command line that setup writes for a project."""
_KNOWN: Final = frozenset(
    ("type", "command", "args", "env", "enabled", "disabled", "trust", "description", "timeout",
     "startup_timeout_sec", "tool_timeout_sec")
)  # fmt: skip
"""Keys of a server's entry that leave what it starts as it is."""
_LOOK: Final = "{} starts something under our name that setup did not write: look at it before you trust it."


def _groups(agent: Agent, event: str, scope: Scope, ground: Ground) -> list[Any]:
    held = value_at(agent.hooks[scope], ground)
    return _list(held.get(agent.events[event])) if isinstance(held, dict) else []


def _list(value: object) -> list[Any]:
    """A list as it is; an empty one for whatever else stands where a list should."""
    return value if isinstance(value, list) else []


def _allowed(agent: Agent, ground: Ground, servers: Mapping[Scope, Any]) -> bool | None:
    if agent.name == "gemini-cli":
        return all(isinstance(one, dict) and one.get("trust") is True for one in servers.values()) if servers else None
    if not agent.allow:
        return None
    rules: set[str] = set()
    for spot in agent.allow.values():
        rules |= {one for one in _list(value_at(spot, ground)) if isinstance(one, str)}
    return bool(rules & {"mcp__meminbox", "mcp__meminbox__*"}) or rules.issuperset(agent.allow_rules())


def _trusted(agent: Agent, ground: Ground, servers: Mapping[Scope, Any]) -> bool | None:
    """Whether the agent's own trust lets it use what it was given; None where there is nothing to be trusted."""
    if agent.name == "codex":
        return _codex_trusts(agent, ground)
    if agent.name == "gemini-cli" and servers:
        return _gemini_trusts(ground)
    if agent.name == "claude-code" and "project" in servers and "user" not in servers:
        return _claude_approved(ground)
    return None


def _codex_trusts(agent: Agent, ground: Ground) -> bool | None:
    spot = agent.server["user"]
    file = spot.path(ground)
    config = load(file, None) if file is not None else {}
    said = []
    for scope, hooks in agent.hooks.items():
        path = hooks.path(ground)
        if path is not None:
            said.append(codex_trust.trusted(str(codex_file(path, ground)), value_at(hooks, ground), config))
        if scope == "project" and value_at(agent.server[scope], ground) is not None and ground.project is not None:
            projects = config.get("projects")
            known = projects.get(str(ground.project)) if isinstance(projects, dict) else None
            said.append(isinstance(known, dict) and known.get("trust_level") == "trusted")
    told = [one for one in said if one is not None]
    return all(told) if told else None


def codex_file(path: Path, ground: Ground) -> Path:
    """A file of Codex's as Codex spells it: CODEX_HOME is made real, the folder in the home is taken as it is."""
    return Path(os.path.realpath(path.parent)) / path.name if ground.environ.get("CODEX_HOME") else path


def _gemini_trusts(ground: Ground) -> bool | None:
    """Gemini CLI starts servers and hooks only in folders that a person trusted."""
    base = ground.folder("gemini-home")
    if base is None or ground.project is None:
        return None
    settings = load(base / ".gemini" / "settings.json", AGENTS[2].server["user"].form)
    security = settings.get("security") if isinstance(settings, dict) else None
    folder = security.get("folderTrust") if isinstance(security, dict) else None
    if isinstance(folder, dict) and folder.get("enabled") is False:
        return True
    said = ground.environ.get("GEMINI_CLI_TRUSTED_FOLDERS_PATH")
    rules = load(Path(said) if said else base / ".gemini" / "trustedFolders.json", AGENTS[2].server["user"].form)
    return _longest_rule(rules, os.path.realpath(ground.project)) if isinstance(rules, dict) else False


def _longest_rule(rules: Mapping[str, Any], place: str) -> bool:
    best, verdict = -1, False
    for path, level in rules.items():
        if "\x00" in path:
            continue  # no folder has such a name
        covered = os.path.realpath(os.path.dirname(path) if level == "TRUST_PARENT" else path)  # noqa: PTH120
        if (place == covered or place.startswith(covered.rstrip("/") + "/")) and len(path) > best:
            best, verdict = len(path), level in ("TRUST_FOLDER", "TRUST_PARENT")
    return verdict


def _claude_approved(ground: Ground) -> bool:
    """Whether a person approved the server of the project's .mcp.json in Claude Code."""
    lists: list[Any] = []
    for base, name in (("claude", "settings.json"), ("project", ".claude/settings.local.json")):
        folder = ground.folder(base)
        held = load(folder / name, Form()) if folder is not None else {}
        lists.append(held if isinstance(held, dict) else {})
    folder = ground.folder("claude-state")
    kept = load(folder / ".claude.json", Form()) if folder is not None else {}
    projects = kept.get("projects") if isinstance(kept, dict) else None
    one = projects.get(str(ground.project)) if isinstance(projects, dict) else None
    lists.append(one if isinstance(one, dict) else {})
    return any(
        held.get("enableAllProjectMcpServers") is True or SERVER in _list(held.get("enabledMcpjsonServers"))
        for held in lists
    )


def _detail(agent: Agent, ground: Ground, scopes: tuple[Scope, ...]) -> str:
    places = [agent.server[scope].path(ground) for scope in scopes]
    return ", ".join(shown(place, ground.home) for place in places if place is not None)


def shown(path: Path, home: Path) -> str:
    """A path for people, the home as ~."""
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


def _todo(
    agent: Agent,
    *,
    here: bool,
    servers: Mapping[Scope, Any],
    works: bool | None,
    events: tuple[str, ...],
    trusted: bool | None,
    off: str,
) -> str:
    if not servers:
        return f"`meminbox setup {agent.name}` connects it." if here else ""
    if not here:
        return ""
    if not works:
        return f"What it starts is not there: `meminbox setup {agent.name}` mends it."
    if off:
        return off
    if agent.events and "session-start" not in events:
        return f"Its hooks are not there: `meminbox setup {agent.name}` adds them."
    return _TRUST.get(agent.name, "") if trusted is False else ""


def _off(agent: Agent, ground: Ground) -> str:
    """What a person switched off in the agent's own settings and is needed; empty where nothing is."""
    if agent.name == "claude-code":
        for scope, spot in agent.hooks.items():
            if value_at(replace(spot, at=("disableAllHooks",)), ground) is True:
                return f"Hooks are switched off in {_place(agent.hooks[scope], ground)} (disableAllHooks)."
    if agent.name == "codex":
        spot = agent.server["user"]
        for at in (("features", "hooks"), (*spot.at, "enabled")):
            if value_at(replace(spot, at=at), ground) is False:
                return f"{'.'.join(at)} is false in {_place(spot, ground)}."
    if agent.name == "gemini-cli":
        spot = agent.hooks["user"]
        excluded = value_at(replace(spot, at=("mcp", "excluded")), ground)
        if isinstance(excluded, list) and SERVER in excluded:
            return f"The server is switched off in {_place(spot, ground)} (mcp.excluded)."
        if value_at(replace(spot, at=("hooksConfig", "enabled")), ground) is False:
            return f"Hooks are switched off in {_place(spot, ground)} (hooksConfig.enabled)."
    return ""


def _place(spot: Spot, ground: Ground) -> str:
    path = spot.path(ground)
    return "" if path is None else shown(path, ground.home)


_TRUST: Final = {
    "claude-code": "Start `claude` in this project once, and approve the server meminbox (/mcp).",
    "codex": "Start `codex` here once, and trust the hooks of meminbox when it asks (/hooks).",
    "gemini-cli": "Start `gemini` in this project once, and trust the folder (/permissions).",
}
"""What a person does where an agent does not trust what it was given."""
