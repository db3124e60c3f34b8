"""The coding agents as `meminbox doctor` looks at them: what setup wrote, and when each was last heard of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from console import words
from console.health import Finding

if TYPE_CHECKING:
    from store.agents.catalog import AgentState
    from store.taking_notes import Seen


@dataclass(frozen=True, slots=True)
class AgentHealth:
    """One agent: how it is set up (None for one we know only from hearing of it), when it was heard of, the verdict."""

    name: str
    state: AgentState | None
    seen: Seen | None
    finding: Finding

    @property
    def absent(self) -> bool:
        """Whether there is no trace of it."""
        return self.state is not None and not self.state.found and not self.state.detail and self.seen is None


_NOBODY: Final = AgentHealth(
    "agents",
    None,
    None,
    Finding("agents", "todo", "none was found here", "`meminbox setup --help` names those it knows."),
)


def states_here(project: Path | None, environ: Mapping[str, str]) -> list[AgentState]:
    """How every agent is set up for this person and project; none where this person has no home. For a worker."""
    from store.agents import catalog

    try:
        home = Path.home()
    except RuntimeError:
        return []
    return catalog.states(home, project, environ)


def look(states: Sequence[AgentState], seen: Mapping[str, Seen], now: datetime) -> list[AgentHealth]:
    """A verdict for every agent that we know or have heard of.

    An agent that is here and not connected has to be connected only where no other is: one may well do.
    """
    lonely = not any(state.connected for state in states)
    seen = _by_our_names(seen)
    known = [
        AgentHealth(state.name, state, seen.get(state.name), _judged(state, seen.get(state.name), now, lonely=lonely))
        for state in states
    ]
    strangers = sorted(set(seen) - {state.name for state in states})
    heard = [AgentHealth(name, None, seen[name], Finding(name, "ok", _heard(seen[name], now))) for name in strangers]
    return [*known, *heard, *([] if heard or not all(one.absent for one in known) else [_NOBODY])]


_CALLS_ITSELF: Final = (("cursor", "cursor"), ("visual studio code", "vscode"))
"""How the name begins that an editor's client gives itself, and what we call it."""


def _by_our_names(seen: Mapping[str, Seen]) -> dict[str, Seen]:
    """What was heard under our names; of two clients of one editor the one heard last."""
    told: dict[str, Seen] = {}
    for said, one in sorted(seen.items(), key=lambda item: item[1].last):
        name = next((ours for begins, ours in _CALLS_ITSELF if said.casefold().startswith(begins)), said)
        told[name] = one
    return told


def _judged(state: AgentState, seen: Seen | None, now: datetime, *, lonely: bool) -> Finding:
    heard = _heard(seen, now) if seen is not None else ""
    if not state.connected:
        if state.detail:  # its settings cannot be read, so nobody knows
            return Finding(state.title, "todo", state.detail, state.todo)
        said = ", ".join(part for part in ("not connected" if state.found else "not here", heard) if part)
        needed = state.found and lonely and not heard
        return Finding(state.title, "todo" if needed else "note", said, state.todo)
    facts = [f"connected ({state.detail})", *_facts(state), heard or "not heard of yet"]
    return Finding(state.title, "todo" if state.todo else "ok", ", ".join(facts), state.todo)


def _facts(state: AgentState) -> list[str]:
    told = []
    if not state.found:
        told.append("the agent itself was not found")
    if state.command_works is False:
        told.append("what it starts is not there")
    if state.hooks:
        told.append("asks at session end" if "stop" in state.hooks else "hooks")
    if state.trusted is False:
        told.append("not trusted yet")
    if state.allowed:
        told.append("may propose unasked")
    return told


def _heard(seen: Seen, now: datetime) -> str:
    age = words.age(seen.last, now)
    when = "just now" if age == "now" else f"{age} ago"
    return f"heard of {when}" + (f", version {seen.version}" if seen.version else "")


def as_json(one: AgentHealth) -> dict[str, Any]:
    """An agent's facts by name, absent ones null."""
    from store.entry import iso

    state, seen, finding = one.state, one.seen, one.finding
    return {
        "name": one.name,
        "state": finding.state,
        "says": finding.says,
        "todo": finding.todo or None,
        "found": state.found if state else None,
        "connected": state.connected if state else None,
        "command_works": state.command_works if state else None,
        "hooks": list(state.hooks) if state else [],
        "allowed": state.allowed if state else None,
        "trusted": state.trusted if state else None,
        "first_seen": iso(seen.first) if seen else None,
        "last_seen": iso(seen.last) if seen else None,
        "version": seen.version if seen else None,
    }
