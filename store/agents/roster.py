"""The agents that Meminbox can be connected to: their names, files, and the entries they read. Pure.

What stands here was learnt from the agents themselves: the files are those that their own commands write, the events
those that their hooks are run for.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from store.agents.json_text import COMMENTS, LOOSE, STRICT, Form
from store.location import search_path

Scope = Literal["user", "project"]
SCOPES: Final[tuple[Scope, ...]] = ("user", "project")
SERVER: Final = "meminbox"
"""The name of our server in every agent's settings."""
TOOLS: Final = (
    "propose_memory",
    "propose_memories",
    "search_memory",
    "get_profile",
    "report_evidence",
    "proposal_status",
)
"""What an agent may be allowed to call without asking each time: everything we offer, since no tool decides."""
EVENTS: Final = ("session-start", "stop", "session-end")
"""Our names of the hooks' events."""
HOOK_SECONDS: Final = 10
CODEX_END_SECONDS: Final = 3
"""The most that Codex gives a hook of a session's end; it warns of more at every start."""


@dataclass(frozen=True, slots=True)
class Ground:
    """Where settings are looked for: a person's home, a project's folder (None for no project), the environment.

    The home itself is no project: agents keep a person's settings under the same names there as a project's.
    """

    home: Path
    project: Path | None = None
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)

    def __post_init__(self) -> None:
        if self.project is not None and os.path.realpath(self.project) == os.path.realpath(self.home):
            object.__setattr__(self, "project", None)

    def folder(self, base: str) -> Path | None:
        """A folder that files are named from; None for the project's where there is no project."""
        if base == "project":
            return self.project
        if base in _MOVED:
            variable, otherwise = _MOVED[base]
            said = self.environ.get(variable)
            return Path(said) if said else self.home / otherwise
        if base == "vscode":
            return self._vscode()
        return self.home

    def _vscode(self) -> Path:
        if sys.platform == "darwin":
            return self.home / "Library" / "Application Support" / "Code"
        said = self.environ.get("XDG_CONFIG_HOME")
        return (Path(said) if said else self.home / ".config") / "Code"

    def program(self, name: str) -> str | None:
        """Where a program is on the path, if it is."""
        import shutil

        return shutil.which(name, path=search_path(self.environ))


_MOVED: Final = {
    "claude": ("CLAUDE_CONFIG_DIR", ".claude"),
    "claude-state": ("CLAUDE_CONFIG_DIR", "."),
    "codex": ("CODEX_HOME", ".codex"),
    "gemini-home": ("GEMINI_CLI_HOME", "."),
}
"""Folders that a variable of the agent's own moves: the variable, and the place under home without it."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a settings file: the folder it is named from, the file, the way to the entry, how it is written.

    ``form`` None means TOML.
    """

    base: str
    file: str
    at: tuple[str, ...]
    form: Form | None = STRICT

    def path(self, ground: Ground) -> Path | None:
        """The file, wherever the ground says its folder is."""
        folder = ground.folder(self.base)
        return None if folder is None else folder / self.file


@dataclass(frozen=True, slots=True)
class Agent:
    """One agent. ``events`` maps our events to the agent's names; ``allow`` is where a list of allowed tools stands."""

    name: str
    title: str
    program: str
    folder: tuple[str, str]
    server: Mapping[Scope, Spot]
    server_extra: Mapping[str, Any] = field(default_factory=dict)
    hooks: Mapping[Scope, Spot] = field(default_factory=dict)
    events: Mapping[str, str] = field(default_factory=dict)
    allow: Mapping[Scope, Spot] = field(default_factory=dict)
    milliseconds: bool = False
    """Whether the time limit of a hook counts in milliseconds."""

    def server_entry(self, argv: Sequence[str], scope: Scope, *, allow: bool = False) -> dict[str, Any]:
        """What stands under our server's name."""
        arguments = list(argv[1:])
        if self.name == "vscode" and scope == "project":
            arguments += ["--project", "${workspaceFolder}"]
        entry: dict[str, Any] = {**self.server_extra, "command": argv[0], "args": arguments}
        if self.name == "claude-code":
            entry["env"] = {}
        if self.name == "gemini-cli" and allow:
            entry["trust"] = True
        return entry

    def hook_entry(self, argv: Sequence[str], event: str) -> dict[str, Any]:
        """What stands in the list of one event. ``argv`` is the command up to and without ``hook``'s arguments."""
        seconds = CODEX_END_SECONDS if (self.name, event) == ("codex", "session-end") else HOOK_SECONDS
        handler: dict[str, Any] = {
            "type": "command",
            "command": shlex.join(hook_argv(argv, event, self.name)),
            "timeout": seconds * (1000 if self.milliseconds else 1),
        }
        if self.name == "gemini-cli":
            handler = {"name": f"meminbox-{event}", **handler}
        return {"hooks": [handler]}

    def allow_rules(self) -> list[str]:
        """The rules for the list of allowed tools."""
        return [f"mcp__{SERVER}__{tool}" for tool in TOOLS]


def hook_argv(argv: Sequence[str], event: str, agent: str) -> list[str]:
    """The command line of a hook; options of ``argv`` (as ``--db``) go to the end."""
    program, options = split_argv(argv)
    return [*program, "hook", event, "--agent", agent, *options]


def split_argv(argv: Sequence[str]) -> tuple[list[str], list[str]]:
    """A server's command line as the program and its options, the word ``mcp`` between them left out."""
    words = list(argv)
    place = words.index("mcp") if "mcp" in words else len(words)
    return words[:place], words[place + 1 :]


def is_ours(argv: Sequence[str], word: str) -> bool:
    """Whether a command line runs our ``mcp`` or ``hook``: the word comes right after our program."""
    for place, one in enumerate(argv[:-1]):
        if os.path.basename(one) in ("meminbox", "meminbox.exe", "meminbox.py") and argv[place + 1] == word:  # noqa: PTH119
            return True
    return False


def our_handler(handler: object) -> bool:
    """Whether one handler of a hook runs ours."""
    if not isinstance(handler, dict) or not isinstance(handler.get("command"), str):
        return False
    try:
        return is_ours(shlex.split(handler["command"]), "hook")
    except ValueError:
        return False


def our_group(group: object) -> bool:
    """Whether a hook's group is ours alone: one that a person mixed with anything of theirs stays theirs."""
    handlers = group.get("hooks") if isinstance(group, dict) else None
    return isinstance(handlers, list) and bool(handlers) and all(map(_alone, handlers))


def _alone(handler: object) -> bool:
    """Whether one handler runs ours and nothing else: no pipe, no second command."""
    if not our_handler(handler):
        return False
    assert isinstance(handler, dict)
    words = shlex.shlex(handler["command"], posix=True, punctuation_chars=True)
    words.whitespace_split, words.commenters = True, ""
    return "\n" not in handler["command"] and not any(set(word) <= set("();<>|&") for word in words if word)


AGENTS: Final = (
    Agent(
        "claude-code",
        "Claude Code",
        "claude",
        ("claude", "."),
        server={
            "user": Spot("claude-state", ".claude.json", ("mcpServers", SERVER)),
            "project": Spot("project", ".mcp.json", ("mcpServers", SERVER)),
        },
        server_extra={"type": "stdio"},
        hooks={
            "user": Spot("claude", "settings.json", ("hooks",)),
            "project": Spot("project", ".claude/settings.json", ("hooks",)),
        },
        events={"session-start": "SessionStart", "stop": "Stop", "session-end": "SessionEnd"},
        allow={
            "user": Spot("claude", "settings.json", ("permissions", "allow")),
            "project": Spot("project", ".claude/settings.json", ("permissions", "allow")),
        },
    ),
    Agent(
        "codex",
        "Codex",
        "codex",
        ("codex", "."),
        server={
            "user": Spot("codex", "config.toml", ("mcp_servers", SERVER), None),
            "project": Spot("project", ".codex/config.toml", ("mcp_servers", SERVER), None),
        },
        hooks={
            "user": Spot("codex", "hooks.json", ("hooks",)),
            "project": Spot("project", ".codex/hooks.json", ("hooks",)),
        },
        events={"session-start": "SessionStart", "stop": "Stop", "session-end": "SessionEnd"},
    ),
    Agent(
        "gemini-cli",
        "Gemini CLI",
        "gemini",
        ("gemini-home", ".gemini"),
        server={
            "user": Spot("gemini-home", ".gemini/settings.json", ("mcpServers", SERVER), COMMENTS),
            "project": Spot("project", ".gemini/settings.json", ("mcpServers", SERVER), COMMENTS),
        },
        hooks={
            "user": Spot("gemini-home", ".gemini/settings.json", ("hooks",), COMMENTS),
            "project": Spot("project", ".gemini/settings.json", ("hooks",), COMMENTS),
        },
        events={"session-start": "SessionStart", "stop": "AfterAgent", "session-end": "SessionEnd"},
        milliseconds=True,
    ),
    Agent(
        "cursor",
        "Cursor",
        "cursor",
        ("home", ".cursor"),
        server={
            "user": Spot("home", ".cursor/mcp.json", ("mcpServers", SERVER)),
            "project": Spot("project", ".cursor/mcp.json", ("mcpServers", SERVER)),
        },
        server_extra={"type": "stdio"},
    ),
    Agent(
        "vscode",
        "VS Code",
        "code",
        ("vscode", "."),
        server={
            "user": Spot("vscode", "User/mcp.json", ("servers", SERVER), LOOSE),
            "project": Spot("project", ".vscode/mcp.json", ("servers", SERVER), LOOSE),
        },
        server_extra={"type": "stdio"},
    ),
)
"""The agents, in the order in which they are told of."""

BY_NAME: Final = {agent.name: agent for agent in AGENTS}
