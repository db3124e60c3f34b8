"""``meminbox hook EVENT``: what an agent runs when a session starts, when it is about to stop, and when a session ends.

- session-start: the block of approved memories for the model, and to the person what waits for review. That it was
  given is on disk before it is printed.
- stop: once a session, after real work, the question what is worth remembering (it is set up only where the person said
  yes to it); after the agent's answer, to the person what waits.
- session-end: what was proposed is taken in, by a child that outlives the agent.

A hook never stands in an agent's way: whatever comes, it ends with 0 and prints one JSON object or nothing. It is quick
(design section 11), and may be killed at any moment: what it must not lose is on disk already.
"""

from __future__ import annotations

import json
import os
import sys
import time

from store.agents import hook_answer, hook_input, hook_later, hook_sessions, hook_stop
from store.errors import MeminboxError
from store.location import locate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from store.agents.hook_input import Said
    from store.block import Block
    from store.location import Location
    from store.project import Project

LATER = "later"
"""The event of our own child."""
PATIENCE = 1.0
"""Seconds that a busy store is waited for, at a time: agents end a hook after ten."""
_OPTIONS = ("--agent", "--db")
_QUIET_STARTS = ("clear", "compact")
"""Starts in the middle of what the person is doing: they have been told already."""


def main(arguments: Sequence[str]) -> int | None:
    """Answer a hook. Always 0; None asks Typer to print the help."""
    if any(one in ("-h", "--help") for one in arguments):
        return None
    event, options = _parsed(arguments)
    answer: dict[str, Any] = {}
    more = False
    try:
        answer, more = _answered(event, options)
    except MeminboxError as error:
        answer = hook_answer.spoken(f"meminbox: {error} `meminbox doctor` says more.")
    except (Exception, KeyboardInterrupt) as error:  # the last resort: an agent must not stumble over a fault of ours
        answer = hook_answer.spoken(f"meminbox: the hook failed ({type(error).__name__}); `meminbox doctor` says more.")
    if event == LATER:
        return 0
    _say(answer)
    if more:
        hook_later.spawn(options.get("--db"))
    return 0


def _answered(event: str | None, options: Mapping[str, str]) -> tuple[dict[str, Any], bool]:
    """The answer, and whether there is something to do afterwards, by a child."""
    location = locate(options.get("--db"))
    if event == LATER:
        hook_later.run(location)
        return {}, False
    said = hook_input.hear(event, options.get("--agent"), os.environ)
    answers = {hook_input.START: _start, hook_input.STOP: _stop, hook_input.END: _end}
    if said.event is None:
        print(f"meminbox hook: no such event: {event!a}. There are {', '.join(answers)}.", file=sys.stderr)
        return {}, False
    return answers[said.event](said, location), said.event != hook_input.STOP


def _parsed(arguments: Sequence[str]) -> tuple[str | None, dict[str, str]]:
    """The event and the options; what nobody knows is passed over, because an agent cannot mend its settings."""
    event, options, rest = None, dict[str, str](), iter(arguments)
    for one in rest:
        name, equals, value = one.partition("=")
        if name in _OPTIONS:
            options[name] = value if equals else next(rest, "")
        elif not one.startswith("-") and event is None:
            event = one
    return event, options


def _start(said: Said, location: Location) -> dict[str, Any]:
    if hook_sessions.just_now(location, said, f"given-{said.source}", time.time()):
        return {}
    project = _project(said, location)
    block = _given(location, project, said)
    untold = _noted(location, said, block)
    _seen(location, said)
    waiting = "" if said.source in _QUIET_STARTS else _waiting(location, project)
    return hook_answer.start(block.text, _told(untold, waiting))


def _stop(said: Said, location: Location) -> dict[str, Any]:
    if hook_stop.wanted(location, said):
        return hook_answer.ask(said, hook_stop.QUESTION)
    asked = said.active and hook_sessions.was(location, said, "asked")
    if asked and hook_sessions.once(location, said, "told"):
        return hook_answer.spoken(_told("", _waiting(location, _project(said, location))))
    return {}


def _end(said: Said, location: Location) -> dict[str, Any]:
    _seen(location, said)
    # Gemini CLI ends a session twice.
    if said.agent in hook_answer.SILENT_ENDS or (said.session_id and not hook_sessions.once(location, said, "ended")):
        return {}
    return hook_answer.spoken(_told("", _waiting(location, _project(said, location))))


def _project(said: Said, location: Location) -> Project:
    from pathlib import Path

    from store.claims import confirmed
    from store.project import identify

    return identify(Path(said.folder or os.sep), git=None, confirmed=confirmed(location))


def _given(location: Location, project: Project, said: Said) -> Block:
    from store import given

    most = hook_answer.MOST_BYTES.get(said.agent or "")
    return given.profile(location, project, most_bytes=most, wait=PATIENCE)


def _waiting(location: Location, project: Project) -> str:
    """What waits, in words. A store that cannot be asked is told of where the block is read, and nowhere else."""
    from store import given

    try:
        return given.in_words(given.waiting(location, given.scopes_of(project), slow=False))
    except MeminboxError:
        return ""


def _noted(location: Location, said: Said, block: Block) -> str:
    """Note that the block is given, before it is; why that could not be done, or an empty text."""
    from store.notes import note_handout

    try:
        note_handout(location, block.given, session_id=said.session_id, agent=said.agent, surface="hook")
    except MeminboxError as error:
        return f"what this session was given is not noted: {error}"
    return ""


def _seen(location: Location, said: Said) -> None:
    """Note that the agent is there. It is for the doctor alone: where it cannot be kept, nothing else suffers."""
    from store.notes import note_seen

    if said.agent is None or said.event is None:
        return
    known = {"session_id": said.session_id, "transcript": said.transcript, "cwd": said.folder}
    try:
        note_seen(location, said.agent, said.event, version=said.version, **known)
    except MeminboxError:
        return


def _told(untold: str, waiting: str) -> str:
    """What the person is told: one line each, or nothing."""
    lines = [f"meminbox: {untold}"] if untold else []
    if waiting:
        lines.append(f"meminbox: {waiting}. Run `meminbox` in a terminal.")
    return "\n".join(lines)


def _say(answer: Mapping[str, Any]) -> None:
    """Print an answer, if there is one. An agent that does not listen, or a full disk, is no failure."""
    if not answer:
        return
    try:
        sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")
        sys.stdout.flush()
    except (OSError, ValueError):
        _let_it_go()


def _let_it_go() -> None:
    """What is left in the buffer goes nowhere, so that the interpreter does not stumble over it at its end."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        return
