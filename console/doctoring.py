"""`meminbox doctor`: what is connected, how the store stands, what this terminal can do, and what to do about it.

It looks and changes nothing, but that it takes in what waits beside the store, as every command does.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from console.health import Finding
from store.errors import MeminboxError, UsageError
from store.location import Location, locate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from console.health.agents import AgentHealth
    from store.engine import Store

MARK: Final = {"ok": "ok", "note": "--", "todo": "!!"}
LABEL: Final = 18


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that was found."""

    agents: list[AgentHealth]
    store: list[Finding]
    terminal: list[Finding]

    @property
    def findings(self) -> list[Finding]:
        """All of them in the order they are told."""
        return [*(one.finding for one in self.agents), *self.store, *self.terminal]

    @property
    def todo(self) -> int:
        """How many things need doing."""
        return sum(one.state == "todo" for one in self.findings)


def run(as_json: bool, db: str | None = None) -> int:
    """Look, tell, and give the exit code: 0 where all is well, 1 where something needs doing."""
    report = look(locate(db), os.environ)
    if as_json:
        _print_json(report)
    else:
        _print_people(report)
    return 1 if report.todo else 0


def look(location: Location, environ: Mapping[str, str]) -> Report:
    """Look at everything. The terminal comes first: it is asked before anything of ours is on it."""
    from console.at_work import at_work
    from console.health import agents, kept, screen

    terminal = screen.look(environ)
    with at_work("looking", act=False, kept=""), _store(location) as (store, trouble):
        seen: Mapping[str, Any] = {}
        if store is not None:
            from store.notes import last_seen

            try:
                seen = last_seen(store)
            except MeminboxError as error:  # it opens, and is damaged: what else there is to tell is told
                store, trouble = None, error
        states = _states(environ)
        now = store.now() if store is not None else datetime.now(UTC)
        return Report(agents.look(states, seen, now), kept.look(location, store, trouble), terminal)


def _states(environ: Mapping[str, str]) -> list[Any]:
    from console.health.agents import states_here
    from store.location import present_folder
    from store.project import identify

    try:
        project = identify(present_folder()).root
    except UsageError:  # a person's own settings are there all the same
        project = None
    return states_here(project, environ)


@contextmanager
def _store(location: Location) -> Iterator[tuple[Store | None, MeminboxError | None]]:
    """The store if it stands and opens, else why it does not."""
    from console.commands.opening import stands
    from store.desk import take_in
    from store.engine import open_store

    try:
        if not stands(location):
            yield None, None
            return
        store = open_store(location)
        take_in(store)
    except MeminboxError as error:
        yield None, error
        return
    try:
        yield store, None
    finally:
        store.close()


def _print_json(report: Report) -> None:
    from console.health import agents
    from console.output import SCHEMA_VERSION, print_json

    told = {part: [_plain(one) for one in getattr(report, part)] for part in ("store", "terminal")}
    shown = [agents.as_json(one) for one in report.agents]
    print_json({"schema_version": SCHEMA_VERSION, "ok": not report.todo, "agents": shown, **told})


def _plain(finding: Finding) -> dict[str, Any]:
    return {**asdict(finding), "todo": finding.todo or None}


def _print_people(report: Report) -> None:
    from console import words

    there = [one.finding for one in report.agents if not one.absent]
    absent = ", ".join(one.finding.name for one in report.agents if one.absent)
    agents = [*there, *([Finding("not here", "note", absent)] if absent else [])]
    parts = (("agents", agents), ("store", report.store), ("terminal", report.terminal))
    for place, (title, findings) in enumerate(parts):
        if place:
            print()
        print(title)
        for finding in findings:
            _print(finding)
    print(f"\n{words.count(report.todo, 'thing needs', 'things need')} doing." if report.todo else "\nAll is well.")


def _print(finding: Finding) -> None:
    from console import prose
    from console.visible import visible

    columns = prose.room(sys.stdout)
    # The room it leaves is for what a terminal draws wider than it says.
    room = None if columns is None else max(prose.LEAST, columns - LABEL - 9)
    texts = [finding.says, *([f"-> {finding.todo}"] if finding.todo and finding.state != "ok" else [])]
    head = f"{MARK[finding.state]} {visible(finding.name, multiline=False):{LABEL}} "
    for text in texts:
        told = visible(text, multiline=False)
        for line in [told] if room is None else prose.wrapped(told, room):
            print(f" {head}{line}".rstrip())
            head = " " * len(head)
