"""The tools that propose, and the one that tells what became of it. No tool decides anything.

What is proposed is on the disk, redacted, before the store is touched; the tools finish even where the client has
given up, and the same text again is the same proposal, so that a retry never makes a second one.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from store import desk
from store.admit import Raw, admit_values
from store.agents import transcripts
from store.agents.answers import Answer, one_outcome, outcomes, refused
from store.agents.calling import Call
from store.agents.offers import MOST_BATCH
from store.agents.provenance import Excerpt, attach
from store.decoding import NotDecoded, decode
from store.errors import StoreTrouble
from store.facts import Outcome
from store.recover import Lost, pieces

Arguments = Mapping[str, Any]
_SERVERS: Final = ("source_agent", "session_id", "source_ref")
"""Fields of a proposal that the server fills in from what it sees: an agent does not say who it is."""
LOOKING: Final = 0.6
"""Seconds in which a batch's quotes are looked for in the transcript, before anything is durable."""
_PEOPLES: Final = ("manual", "import")


def propose_memory(call: Call, arguments: Arguments) -> Answer:
    """One proposal; what became of it."""
    (told,), pending = _propose(call, [dict(arguments)])
    return one_outcome(told, pending)


def propose_memories(call: Call, arguments: Arguments) -> Answer:
    """A session's batch; one outcome each, in order. It is made durable as one file, whole or not at all."""
    others = [name for name in arguments if name != "memories"]
    if others or "memories" not in arguments:
        named = f"; {', '.join(others)} belongs inside each of them" if others else ""
        return refused(f"Give the memories as a list under the one name memories{named[:300]}.")
    values = _items(arguments["memories"])
    if not values:
        return refused("There was nothing to propose: memories is empty.")
    told, pending = _propose(call, values)
    return outcomes(told, pending)


def _items(given: object) -> list[object]:
    """The memories of a batch: a list, or the text of one; an item may be JSON as text, or just its content."""
    if isinstance(given, str):
        found = [_item(one) for one in pieces_of(given)]
        return found if found or not given.strip() else [{"content": given}]
    if isinstance(given, Mapping):
        return [dict(given)]
    return [_item(one) for one in given] if isinstance(given, list) else [given]


def _item(value: object) -> object:
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("{"):
        try:
            inner, _ = decode(value.strip())
        except NotDecoded:
            return {"content": value}
        return inner
    return {"content": value}


def pieces_of(text: str) -> list[object]:
    """The values in a text of JSON, JSON lines, or JSON inside prose; what was cut or broken says so when admitted."""
    import io

    found = pieces(io.BytesIO(text.encode("utf-8", "surrogatepass")), [])
    return [Outcome(0, "refused", reason=one.reason) if isinstance(one, Lost) else one.value for one in found]


def _propose(call: Call, values: Sequence[object]) -> tuple[list[Outcome], int | None]:
    """What became of these values, in order, and how many proposals wait, where that can be told."""
    admitted: list[Raw] = []
    told: list[Outcome] = []
    for line, value in enumerate(values[:MOST_BATCH], 1):
        made = replace(_admitted(call, value), line=line)
        (admitted if isinstance(made, Raw) else told).append(made)  # type: ignore[arg-type]
    if len(values) > MOST_BATCH:
        why = (
            f"{len(values):,} in one call; at most {MOST_BATCH} are taken. Send those from line {MOST_BATCH + 1} again."
        )
        told.append(Outcome(MOST_BATCH + 1, "refused", reason=why))
    known = _with_provenance(call, admitted)
    try:
        told += desk.propose(call.location, known, context=call.context())
    except StoreTrouble as error:
        told += [Outcome(raw.line, "refused", reason=str(error)) for raw in known]
    pending = next((one.pending for one in told if one.pending is not None), None)
    # A server that could not be reached just now would only be waited for once more.
    away = call.location.path is None and any(one.status == "spooled" for one in told)
    pending = waiting(call) if pending is None and not away else pending
    return sorted(told, key=lambda one: one.line), pending


def _admitted(call: Call, value: object) -> Raw | Outcome:
    """One value through the border, and through what holds for agents beyond it."""
    if isinstance(value, Outcome):
        return value
    if isinstance(value, Mapping):
        value = {name: one for name, one in value.items() if one is not None}
        why = _not_theirs(value)
        if why is None:
            value, why = _placed(call, value)
        if why is not None:
            return Outcome(0, "refused", reason=why)
    (made,) = admit_values([value])
    return made


def _not_theirs(value: Mapping[str, Any]) -> str | None:
    """Why an agent may not say this, or None."""
    named = [name for name in _SERVERS if name in value]
    if named:
        return f"{', '.join(named)}: filled in by the server from what it sees; leave it out."
    if value.get("source") in _PEOPLES:
        return f"source {value['source']} is not for agents: user_feedback, task_success, task_failure or unknown."
    return None


def _placed(call: Call, value: Mapping[str, Any]) -> tuple[Mapping[str, Any], str | None]:
    """A proposal for this project or for everywhere; for no other project, whatever it names."""
    scope = value.get("scope")
    if scope is None or scope == "global":
        return value, None
    if isinstance(scope, str) and scope.strip() in ("", "project", call.project.label, call.project.identity):
        return {name: one for name, one in value.items() if name != "scope"}, None
    return value, "scope is project or global; a memory of another project is proposed from there."


def _with_provenance(call: Call, admitted: Sequence[Raw]) -> list[Raw]:
    """The proposals with what the server knows of who made them, and the user's words before the call.

    The transcript is searched for each quote, as long as ``LOOKING`` allows; for the others only its place is told.
    """
    made: list[Raw] = []
    found: dict[str | None, Excerpt | None] = {}
    late = time.monotonic() + LOOKING
    for raw in admitted:
        quote = raw.evidence
        if quote not in found:
            if found and time.monotonic() > late:
                first = next(iter(found.values()))
                found[quote] = None if first is None else first._replace(line=None, text="")
            else:
                patience = 0.0 if found else transcripts.PATIENCE
                found[quote] = transcripts.find(call.caller, quote, patience=patience)
        made.append(attach(raw, call.caller, found[quote]))
    return made


def waiting(call: Call) -> int | None:
    """How many proposals wait for a person, anywhere; None where that cannot be told now."""
    from store import given

    try:
        found = given.waiting(call.location, call.scopes)
    except (StoreTrouble, OSError):
        return None
    return found.here + found.elsewhere
