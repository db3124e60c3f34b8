"""``propose``: from arguments or a stream to one result a line. Light, so that what is proposed is durable at once.

The order is what makes it safe under a kill: lines are admitted, spooled and synced to the disk before the store is
even imported; then the spool is drained, and the outcomes are told. Whoever opens the store next drains what a killed
process left.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from store.errors import NotFound, StoreTrouble, UsageError
from store.location import locate, present_folder

if TYPE_CHECKING:
    from store.admit import Raw
    from store.context import Context
    from store.engine import Store
    from store.facts import Outcome

BATCH: Final = 2_000
"""Lines that are made durable and taken in together; a session's end is far below, and so is whole or not at all."""

SHELL_TAIL: Final = 4 * 1024 * 1024
"""Bytes of a transcript that are looked into before a proposal is durable."""

TEXTS: Final = {
    "--content": "content",
    "--op": "op",
    "--kind": "kind",
    "--key": "key",
    "--scope": "scope",
    "--source": "source",
    "--agent": "source_agent",
    "--session": "session_id",
    "--ref": "source_ref",
    "--evidence": "evidence",
    "--confidence": "confidence",
    "--valid-until": "valid_until",
    "--target": "target",
    "--idempotency-key": "idempotency_key",
}
"""Options with a value, and the name of the value in a proposal (design section 8)."""
LISTS: Final = {"--alias": "aliases", "--path": "paths"}
"""Options that may be given again."""
SWITCHES: Final = {
    "--json": "as_json",
    "--yes": "go_on",
    "-y": "go_on",
    "--quiet": "quiet",
    "-q": "quiet",
    "--dry-run": "dry_run",
    "-n": "dry_run",
}


@dataclass
class Asked:
    """What ``propose`` was called with.

    ``what`` is a file, ``-`` or a text; ``said`` one proposal by hand, by the names of design section 8.
    """

    what: str | None = None
    said: dict[str, Any] = field(default_factory=dict)
    db: str | None = None
    as_json: bool = False
    go_on: bool = False
    quiet: bool = False
    dry_run: bool = False


def parse(arguments: Sequence[str]) -> Asked | None:
    """Arguments as they are usually given; None for anything else (help, mistakes), which Typer answers."""
    asked = Asked()
    rest = iter(arguments)
    for one in rest:
        name, equals, value = one.partition("=") if one.startswith("--") else (one, "", "")
        if name in SWITCHES and not equals:
            setattr(asked, SWITCHES[name], True)
            continue
        if name == "--db" or name in TEXTS or name in LISTS:
            given = value if equals else next(rest, None)
            if given is None:
                return None
            _give(asked, name, given)
        elif (one.startswith("-") and one != "-") or asked.what is not None:
            return None
        else:
            asked.what = one
    return asked


def _give(asked: Asked, name: str, value: str) -> None:
    if name == "--db":
        asked.db = value
    elif name in LISTS:
        asked.said.setdefault(LISTS[name], []).append(value)
    else:
        asked.said[TEXTS[name]] = value


def run(asked: Asked) -> int:
    """Propose, and answer one result a line. Returns 1 where a line was refused, else 0."""
    from store.admit import admit_lines

    by_hand, stream = _input(asked)
    context = _context(asked, by_hand=by_hand)
    defaults = {"source": "manual"} if context.person else None
    answer = _Answer(asked)
    passed: list[int] = []
    with stream, _Desk(asked.db) as desk:
        for batch in _batches(admit_lines(stream, defaults=defaults, passed=passed)):
            told = _take(asked, batch, context, desk)
            if context.person and not context.go_on:
                told = _ask_again(asked, batch, told, context, desk)
            answer.tell(told)
    if answer.lines == 0:
        raise UsageError("There was nothing to propose: no text and no JSON.", todo="`meminbox propose --help`.")
    answer.tell_passed(passed)
    return answer.code


def _input(asked: Asked) -> tuple[bool, IO[bytes]]:
    """Where the lines come from, and whether they are one proposal written by hand."""
    import io

    if asked.what is not None and asked.what != "-" and not _names_file(asked):
        if "content" in asked.said:
            raise UsageError("The text was given twice.", todo="Give it once, alone or with --content.")
        asked.said["content"] = asked.what
    elif asked.said and asked.what is not None:
        raise UsageError(f"{asked.what} and options for one proposal do not go together.")
    if asked.said:
        # The same door as for everyone: what was typed becomes one line of JSON, surrogates and all.
        return True, io.BytesIO(json.dumps(asked.said).encode("ascii"))
    if asked.what in (None, "-"):
        if asked.what is None and sys.stdin.isatty():
            raise UsageError("There is nothing to propose.", todo="Give a text, a file, or JSON on standard input.")
        return False, sys.stdin.buffer
    try:
        return False, Path(asked.what or "").open("rb")
    except OSError as error:
        raise NotFound(f"{asked.what} cannot be read: {error.strerror}.") from error


def _names_file(asked: Asked) -> bool:
    """Whether the argument is a file: one that is there, or that has the look of a file of proposals."""
    what = asked.what or ""
    if "\n" in what:
        return False
    try:
        there = Path(what).exists()
    except (OSError, ValueError):
        return False
    looks = not asked.said and " " not in what and what.endswith((".json", ".jsonl", ".ndjson", ".md", ".txt"))
    return there or looks


def _context(asked: Asked, *, by_hand: bool) -> Context:
    from console import terminal
    from store.claims import confirmed
    from store.context import Context
    from store.project import identify

    project = identify(present_folder(), git=None, confirmed=confirmed(locate(asked.db)))
    person = by_hand and terminal.fenced() is None
    return Context(
        scope=project.identity,
        label=project.label,
        branch=project.branch,
        commit=project.commit,
        surface="cli",
        person=person,
        go_on=asked.go_on and person,
        name=terminal.actor("cli").name,
        root=str(project.root),
    )


def _batches(lines: Iterable[Raw | Outcome]) -> Iterator[list[Raw | Outcome]]:
    batch: list[Raw | Outcome] = []
    for one in lines:
        batch.append(one)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


class _Desk:
    """Takes batches in: the first before the store is even imported, those after it through one open store."""

    def __init__(self, db: str | None) -> None:
        self._location = locate(db)
        self._store: Store | None = None
        self._batches = 0

    def __enter__(self) -> _Desk:
        return self

    def __exit__(self, *_: object) -> None:
        if self._store is not None:
            self._store.close()

    def propose(self, admitted: Sequence[Raw], context: Context) -> list[Outcome]:
        """Make a batch durable, take it in if the store can be had, and say what became of each."""
        from store.desk import propose

        self._batches += 1
        if self._batches == 2:
            self._open()
        return propose(self._location, admitted, context=context, store=self._store)

    def _open(self) -> None:
        from store.desk import PROPOSE_WAIT
        from store.engine import open_store

        try:
            self._store = open_store(self._location, wait=PROPOSE_WAIT)
        except StoreTrouble:
            self._store = None  # each batch tries for itself, and is spooled where it cannot


def _take(asked: Asked, batch: Sequence[Raw | Outcome], context: Context, desk: _Desk) -> list[Outcome]:
    """What became of a batch, in the order of its lines; what the border refused is among it."""
    from store.admit import Raw

    admitted = [one for one in batch if isinstance(one, Raw)]
    admitted = admitted if context.person else _attributed(admitted)
    refused = [one for one in batch if not isinstance(one, Raw)]
    taken = _rehearse(asked, admitted, context) if asked.dry_run else desk.propose(admitted, context)
    pending = next((one.pending for one in taken if one.pending is not None), None)
    refused = [replace(one, pending=pending) for one in refused]
    return sorted([*taken, *refused], key=lambda one: one.line)


def _attributed(admitted: Sequence[Raw]) -> list[Raw]:
    """What an agent proposes in a shell, with its session and the user's words before it where its environment tells.

    The session is the agent's word only: whoever may run a command may set a variable.
    """
    from store.agents.provenance import attach, caller

    who = caller(None, os.environ, None, cwd=os.fspath(present_folder()))
    if who.agent is None or not admitted:
        return list(admitted)
    from store.agents.transcripts import find

    excerpt = find(who, admitted[0].evidence if len(admitted) == 1 else None, tail=SHELL_TAIL)
    return [attach(raw, who, excerpt) for raw in admitted]


class _Rehearsed(Exception):
    """Ends the transaction of a dry run, so that nothing of it is kept."""


def _rehearse(asked: Asked, admitted: Sequence[Raw], context: Context) -> list[Outcome]:
    """What would become of a batch, from the store as it stands; nothing of it is kept."""
    from store import config
    from store.desk import open_desk, redacted
    from store.intake import take

    store = open_desk(locate(asked.db), drain=False)
    told: list[Outcome] = []
    try:
        with store.write() as connection:
            told = take(store, connection, redacted(admitted), context=context, limits=config.load().limits)
            raise _Rehearsed
    except _Rehearsed:
        return told
    finally:
        store.close()


def _ask_again(
    asked: Asked, batch: Sequence[Raw | Outcome], told: list[Outcome], context: Context, desk: _Desk
) -> list[Outcome]:
    """Show a person what was turned down before, and go on with it where they say so."""
    from console.output import ask, say

    if asked.dry_run or not any(one.status == "rejected_before" for one in told):
        return told
    for one in told:
        if one.status == "rejected_before":
            say(f"The same text was {one.reason or 'turned down before'}.")
    if not ask("Propose it all the same?"):
        return told
    return _take(asked, batch, replace(context, go_on=True), desk)


class _Answer:
    """The results as they are told, and the exit code they come to."""

    def __init__(self, asked: Asked) -> None:
        self.lines = 0
        self.code = 0
        self._quiet = asked.quiet
        self._json = asked.as_json or not sys.stdout.isatty()

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """One line for each; with ``--quiet`` only what was refused, on stderr. Nobody has to listen to the end."""
        self.lines += len(outcomes)
        self.code = 1 if any(one.status == "refused" for one in outcomes) else self.code
        try:
            self._tell(outcomes)
        except BrokenPipeError:
            from console.ending import let_the_pipe_go

            let_the_pipe_go()  # what is read after this is taken all the same: only the answer was not wanted

    def _tell(self, outcomes: Sequence[Outcome]) -> None:
        from console import output

        for one in outcomes:
            if self._quiet:
                if one.status == "refused":
                    output.complain(f"line {one.line}: {one.reason}")
            elif self._json:
                output.print_json(one.as_dict())
            else:
                print(output.outcome_words(one))
        sys.stdout.flush()

    def tell_passed(self, lines: Sequence[int]) -> None:
        """Say on stderr which lines of the input were taken for prose around the JSON: nothing is left out unsaid."""
        from console import output

        if lines and not self._quiet:
            named = ", ".join(map(str, lines[:10])) + (" and more" if len(lines) > 10 else "")
            output.say(f"Read as text around the JSON, not as proposals: line {named}.")
