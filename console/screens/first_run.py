"""What an empty queue says: where nothing has happened yet, what this is and how it begins; else the one next step.

The words depend on how far agents reach this store (``Reach``), which only a queue with nothing in it asks for.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from console import keys, words
from console.visible import Shown, visible
from console.widgets.shown import Line, Part, own, said

if TYPE_CHECKING:
    from store.engine import Store


@dataclass(frozen=True, slots=True)
class Reach:
    """How far agents reach this store. ``found`` and ``connected`` are titles of agents, in our own words.

    ``heard``: an agent was there, at whatever time. ``kept``: something waits or is remembered, in any project.
    """

    found: tuple[str, ...]
    connected: tuple[str, ...]
    heard: bool
    kept: bool

    @property
    def first_run(self) -> bool:
        """Whether nothing has happened yet."""
        return not (self.connected or self.heard or self.kept)


def look(store: Store, project: Path, environ: Mapping[str, str] = os.environ) -> Reach:
    """Ask the store and the agents' settings; starts nothing and writes nothing. For a worker."""
    from console.health.agents import states_here
    from store import queries
    from store.notes import last_seen

    counts = queries.counts(store, None)
    states = states_here(project, environ)
    return Reach(
        found=tuple(one.title for one in states if one.found),
        connected=tuple(one.title for one in states if one.connected),
        heard=bool(last_seen(store)),
        kept=bool(counts.pending or counts.deferred or counts.drafts or counts.memories),
    )


def lost(labels: Sequence[str]) -> list[Line]:
    """Where the project gives nothing and there are orphans: one may be this folder, before it was moved."""
    if not labels:
        return []
    names, asks, takes = _lost(labels)
    return [[], [own(""), said(names, "bold $warn"), own(asks), _key("screen.scopes"), own(takes)]]


def lost_beside(labels: Sequence[str]) -> Shown:
    """The same in one line, beside what waits in the project."""
    names, asks, takes = _lost(labels)
    return visible(f"{names}{asks}{keys.shown('screen.scopes')} {takes}", multiline=False)


def _lost(labels: Sequence[str]) -> tuple[Shown, str, str]:
    one = len(labels) == 1
    asks = f" lost {'its folder' if one else 'their folders'}. Was it this one? "
    takes = f"takes what {'it' if one else 'one of them'} held into this project"
    return visible(", ".join(labels[:3]), multiline=False), asks, takes


def lines(reach: Reach | None, elsewhere: int, memories: int, orphans: Sequence[str] = ()) -> list[Line]:
    """What to say. ``elsewhere`` waits in other projects, ``memories`` are held in this view.

    Nothing at all while it cannot be known whether this is the first run: no words are painted only to be replaced.
    """
    title = _plain("Nothing waits for a decision.", "bold")
    if orphans:
        return [title, *lost(orphans), *([[], _elsewhere(elsewhere)] if elsewhere else [])]
    if elsewhere:
        return [title, [], _elsewhere(elsewhere)]
    if reach is None:
        return [title] if memories else []
    return welcome(reach) if reach.first_run else [title, [], _next_step(reach)]


def welcome(reach: Reach) -> list[Line]:
    """What this is, and how it begins."""
    connects = f"connects {_listed(reach.found, 'and')}" if reach.found else "connects an agent"
    demo = own("meminbox demo", "bold $key")
    return [
        _plain("Nothing is remembered yet, and no agent is connected.", "bold"),
        [],
        _plain(
            "Coding agents propose what is worth remembering. It waits here until you approve, edit or reject it, "
            "and only what you approved is given back to them."
        ),
        [],
        [_key("agents.setup"), own(f"{connects}; every change is shown before it is made")],
        [_key("leave"), own("leaves; then "), demo, own(" has a session to try")],
        [_key("help"), own("every key")],
    ]


def _elsewhere(number: int) -> Line:
    wait = words.count(number, "item waits", "items wait")
    return [
        own(f"{wait} in other projects: "),
        own(keys.shown("filter.open"), "bold $accent"),
        own(" scope:NAME shows them", "$quiet"),
    ]


def _next_step(reach: Reach) -> Line:
    """The one thing to do next where nothing waits anywhere."""
    if not (reach.connected or reach.heard):
        return [_key("agents.setup"), own("connects an agent, so that it proposes by itself", "$quiet")]
    if not reach.heard:
        who = _listed(reach.connected, "or")
        return _plain(f"Start {who}: what it proposes appears here at once.", "$quiet")
    return [_key("screen.library"), own("shows what agents are given", "$quiet")]


def _key(action_id: str) -> Part:
    """The key of an action, before what it does."""
    return own(f"{keys.shown(action_id)}  ", "bold $accent")


def _plain(text: str, style: str = "") -> Line:
    """A paragraph: it has no label, so it may be wrapped whole."""
    return [own(""), own(text, style)]


def _listed(names: tuple[str, ...], word: str) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"
