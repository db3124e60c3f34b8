"""What setup would do, worked out in full before anything is done: which files change from what to what.

A plan is made of edits (a file's bytes before and after), of calls of an agent's own command, and of what a person
must do by hand because a file cannot be read or is not ours to rewrite. Nothing here writes.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from store.agents import json_edit, toml_edit
from store.agents.catalog import argv_of, contents, shown, value_at
from store.agents.json_edit import NotThere
from store.agents.json_text import LOOSE, Form, NotJson, read
from store.agents.roster import SERVER, Agent, Ground, Scope, Spot, is_ours, our_group, our_handler


@dataclass(frozen=True, slots=True)
class Wishes:
    """What is to be written. None for ``ask`` (the stop hook) and ``allow``: as it is now."""

    scope: Scope
    argv: tuple[str, ...]
    remove: bool = False
    ask: bool | None = None
    allow: bool | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """One file's change. ``before`` None: it is not there yet; ``after`` None: it goes, as nothing of it is left.

    ``path`` is the name that the agent reads, ``real`` the file it leads to (a dotfile may be a link).
    """

    agent: str
    path: Path
    real: Path
    before: bytes | None
    after: bytes | None
    shared: bool = False
    """Whether the file belongs to a project, whose people all read it."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of an agent's own command, which changes ``path``."""

    agent: str
    argv: tuple[str, ...]
    path: Path


@dataclass(frozen=True, slots=True)
class ByHand:
    """What could not be planned: why, and the lines that a person may add (empty: to be taken out)."""

    agent: str
    path: Path
    why: str
    lines: str


@dataclass(slots=True)
class Plan:
    """Everything that setup would do, in order; ``unchanged`` names the agents for which there is nothing to do."""

    calls: list[Call] = field(default_factory=list)
    edits: list[Edit] = field(default_factory=list)
    by_hand: list[ByHand] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to be written or called."""
        return not self.calls and not self.edits


Change = Callable[[str], str]


def plan(agents: Sequence[Agent], wishes: Wishes, ground: Ground) -> Plan:
    """Work out what is to be done for these agents."""
    made = Plan()
    for agent in agents:
        before = (len(made.calls), len(made.edits), len(made.by_hand))
        _Planner(agent, wishes, ground, made).run()
        if before == (len(made.calls), len(made.edits), len(made.by_hand)):
            made.unchanged.append(agent.name)
    return made


class _Planner:
    """Plans for one agent: collects the changes by file, then applies them to each file's text."""

    def __init__(self, agent: Agent, wishes: Wishes, ground: Ground, made: Plan) -> None:
        self.agent = agent
        self.wishes = wishes
        self.ground = ground
        self.made = made
        self.changes: dict[Path, list[Change]] = {}

    def run(self) -> None:
        self._server()
        self._hooks()
        self._allow()
        for path, changes in self.changes.items():
            self._apply(path, changes)

    def _change(self, spot: Spot, change: Change) -> None:
        path = spot.path(self.ground)
        if path is not None:
            self.changes.setdefault(path, []).append(change)

    def _server(self) -> None:
        spot = self.agent.server[self.wishes.scope]
        path = spot.path(self.ground)
        allow = self.wishes.allow
        entry = self.agent.server_entry(self.wishes.argv, self.wishes.scope, allow=bool(allow))
        if path is None or self._by_own_command(path, spot, entry):
            return
        self._change(spot, lambda text: _expect_ours(text, spot))
        if self.wishes.remove:
            self._change(spot, lambda text: _drop(text, spot))
            return
        if spot.form is None:
            self._change(spot, lambda text: toml_edit.put(text, spot.at, entry))
            return
        for name, value in entry.items():
            if name == "env":
                self._change(spot, lambda text: _put_if_missing(text, spot, ("env",), {}))
            else:
                self._change(spot, _putter(spot, name, value))
        if self.agent.name == "gemini-cli" and allow is False:
            self._change(spot, lambda text: json_edit.drop(text, (*spot.at, "trust"), spot.form or LOOSE))

    def _by_own_command(self, path: Path, spot: Spot, entry: Mapping[str, Any]) -> bool:
        """Whether the agent's own command does it. Claude Code keeps its whole state in the file of its servers, and
        rewrites it while it runs: there only its own command is safe. (Codex's and Gemini CLI's commands write what we
        write, but rewrite other people's entries beside it, comments and all.)"""
        program = self.ground.program(self.agent.program)
        if self.agent.name != "claude-code" or self.wishes.scope != "user" or program is None:
            return False
        try:
            old = value_at(spot, self.ground)
        except ValueError:
            return False  # its command would not read it either; the edit tells the place
        if old is not None and not is_ours(argv_of(old), "mcp"):
            return False
        calls: list[tuple[str, ...]] = []
        if old is not None and (self.wishes.remove or argv_of(old) != argv_of(entry)):
            calls.append(("claude", "mcp", "remove", SERVER, "--scope", "user"))
        if not self.wishes.remove and (old is None or argv_of(old) != argv_of(entry)):
            calls.append(("claude", "mcp", "add", SERVER, "--scope", "user", "--", *self.wishes.argv))
        self.made.calls += [Call(self.agent.name, call, path) for call in calls]
        return True

    def _hooks(self) -> None:
        if not self.agent.hooks:
            return
        spot = self.agent.hooks[self.wishes.scope]
        for event, name in self.agent.events.items():
            wanted: dict[str, Any] | None = self.agent.hook_entry(self.wishes.argv, event)
            if self.wishes.remove or (event == "stop" and not self._asks(spot, name)):
                wanted = None
            self._change(spot, _hook_setter(spot, name, wanted))

    def _asks(self, spot: Spot, name: str) -> bool:
        """Whether the stop hook is wanted: as asked for, else as it stands."""
        if self.wishes.ask is not None:
            return self.wishes.ask
        try:
            held = value_at(Spot(spot.base, spot.file, (*spot.at, name), spot.form), self.ground)
        except ValueError:
            return False
        return any(our_group(group) for group in held) if isinstance(held, list) else False

    def _allow(self) -> None:
        spot = self.agent.allow.get(self.wishes.scope)
        if spot is None or (self.wishes.allow is None and not self.wishes.remove):
            return
        rules = self.agent.allow_rules()
        if self.wishes.remove or not self.wishes.allow:
            form = spot.form or LOOSE
            self._change(spot, lambda text: json_edit.drop_items(text, spot.at, lambda one: one in rules, form))
        else:
            for rule in rules:
                self._change(spot, _appender(spot, rule))

    def _apply(self, path: Path, changes: Sequence[Change]) -> None:
        """Put a file's changes into the plan, or what a person must do where they cannot be planned."""
        try:
            before = contents(path)
            text = before.decode() if before is not None else ""
            after = text
            for change in changes:
                after = change(after)
            made = after.encode()
        except (OSError, ValueError, RecursionError) as error:
            self._tell(path, changes, error)
            return
        if after != text:
            # A link that a person made stays, and so does what it leads to.
            gone = self.wishes.remove and after.strip() in ("", "{}") and not path.is_symlink()
            real = Path(os.path.realpath(path))
            shared = self.wishes.scope == "project"
            self.made.edits.append(Edit(self.agent.name, path, real, before, None if gone else made, shared))

    def _tell(self, path: Path, changes: Sequence[Change], error: Exception) -> None:
        lines = ""
        if not self.wishes.remove:
            for change in changes:
                lines = change(lines)
        self.made.by_hand.append(ByHand(self.agent.name, path, _why(error), lines))


def _why(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"it cannot be read ({error.strerror or error})"
    if isinstance(error, UnicodeDecodeError):
        return f"it is not UTF-8 (byte {error.start})"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, NotJson | tomllib.TOMLDecodeError):
        return f"it cannot be read: {error}"
    return str(error)[:1].lower() + str(error)[1:]


def _expect_ours(text: str, spot: Spot) -> str:
    """The text as it is. Raises NotThere where our name stands for a server that does not run us."""
    held = _value(_values(text, spot.form), *spot.at)
    if held is not None and not is_ours(argv_of(held), "mcp"):
        raise NotThere(f"{'.'.join(spot.at)} is a server that setup did not write")
    return text


def _drop(text: str, spot: Spot) -> str:
    return toml_edit.drop(text, spot.at) if spot.form is None else json_edit.drop(text, spot.at, spot.form)


def _putter(spot: Spot, name: str, value: Any) -> Change:
    form = spot.form or LOOSE
    return lambda text: json_edit.put(text, (*spot.at, name), value, form)


def _put_if_missing(text: str, spot: Spot, at: tuple[str, ...], value: Any) -> str:
    held = _value(_parsed(text), *spot.at, *at)
    return text if held is not None else json_edit.put(text, (*spot.at, *at), value, spot.form or LOOSE)


def _appender(spot: Spot, rule: str) -> Change:
    form = spot.form or LOOSE

    def change(text: str) -> str:
        held = _value(_parsed(text), *spot.at)
        return text if isinstance(held, list) and rule in held else json_edit.append(text, spot.at, rule, form)

    return change


def _hook_setter(spot: Spot, name: str, wanted: Mapping[str, Any] | None) -> Change:
    """Makes our group of one event be ``wanted``, once; a group that a person mixed with other handlers keeps those."""
    at = (*spot.at, name)
    form = spot.form or LOOSE

    def change(text: str) -> str:
        groups = _value(_parsed(text), *at)
        ours = [group for group in groups if our_group(group)] if isinstance(groups, list) else []
        if wanted is not None and [_commands(group) for group in ours] == [_commands(wanted)]:
            return text  # a time limit or a matcher that a person changed stays theirs
        text = json_edit.drop_items(text, at, our_group, form)
        mixed = _value(_parsed(text), *at)
        if isinstance(mixed, list) and any(_has_ours(group) for group in mixed):
            raise NotThere(f"{'.'.join(at)} runs our hook together with something else: take it out there")
        return text if wanted is None else json_edit.append(text, at, wanted, form)

    return change


def _commands(group: Mapping[str, Any]) -> list[object]:
    return [handler.get("command") for handler in group["hooks"]]


def _has_ours(group: object) -> bool:
    handlers = group.get("hooks") if isinstance(group, dict) else None
    return isinstance(handlers, list) and any(map(our_handler, handlers))


def _values(text: str, form: Form | None) -> Any:
    return tomllib.loads(text.removeprefix("\ufeff")) if form is None else _parsed(text)


def _parsed(text: str) -> Any:
    return read(text).value if text.strip("\ufeff \t\r\n") else {}


def _value(held: Any, *at: str) -> Any:
    for name in at:
        held = held.get(name) if isinstance(held, dict) else None
    return held


def notes(agents: Sequence[Agent], wishes: Wishes, ground: Ground) -> list[str]:
    """What a person should know beside the plan: an agent connected in the other scope as well runs hooks twice."""
    other: Scope = "project" if wishes.scope == "user" else "user"
    told = []
    for agent in agents:
        spot = agent.server[other]
        path = spot.path(ground)
        try:
            there = path is not None and is_ours(argv_of(value_at(spot, ground)), "mcp")
        except ValueError:
            continue
        if there and path is not None and not wishes.remove:
            told.append(
                f"{agent.title} is connected in {shown(path, ground.home)} as well: "
                f"`meminbox setup {agent.name} --scope {other} --remove` takes that away."
            )
    return told
