"""The border: bytes -> proposals, or named refusals. The only constructor of a proposal (design 4.1).

``admit(data, defaults=...)`` takes what an agent wrote, in any shape that ``store.recover`` finds; ``admit_lines`` does
the same from a stream, holding one value at a time; ``admit_values`` takes values that are already decoded (the MCP
door). ``readmit`` puts an edited entry through the same rules. For all bytes they give proposals and refusals, and
never another exception; ``admit(canonical(p).encode())`` gives p again.

``defaults`` are values for fields that a line does not say (design section 8 names), checked like what it says.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO, Any

from store.entry import Entry
from store.facts import Flag, Outcome
from store.fields import MAX_CONTENT as MAX_CONTENT
from store.fields import check, hidden_detail
from store.raw import NotAdmitted as NotAdmitted
from store.raw import Raw as Raw
from store.recover import Lost, pieces


@dataclass(slots=True)
class Admitted:
    """What one input gave. ``passed`` are the numbers of lines of prose around the JSON, which nobody proposed."""

    proposals: list[Raw] = field(default_factory=list)
    refusals: list[Outcome] = field(default_factory=list)
    passed: list[int] = field(default_factory=list)


def admit(data: bytes, *, defaults: Mapping[str, Any] | None = None) -> Admitted:
    """Everything in ``data``: an object, an array, JSON lines, also fenced or inside prose. Empty gives nothing."""
    made = Admitted()
    for one in admit_lines(io.BytesIO(data), defaults=defaults, passed=made.passed):
        if isinstance(one, Raw):
            made.proposals.append(one)
        else:
            made.refusals.append(one)
    return made


def admit_lines(
    stream: IO[bytes], *, defaults: Mapping[str, Any] | None = None, passed: list[int] | None = None
) -> Iterator[Raw | Outcome]:
    """The same from a binary stream, one after the other in the order of the input, with flat memory."""
    for piece in pieces(stream, passed):
        if isinstance(piece, Lost):
            yield _refused(piece.line, piece.reason)
        else:
            yield _one(piece.value, piece.line, piece.where, defaults)


def admit_values(values: Iterable[object], *, defaults: Mapping[str, Any] | None = None) -> Iterator[Raw | Outcome]:
    """Values that another door has decoded already, numbered from 1."""
    for line, value in enumerate(values, 1):
        yield _one(value, line, "", defaults)


def canonical(raw: Raw) -> str:
    """The one spelling of an admitted proposal: what was said, as JSON on one line."""
    return json.dumps(raw.as_dict(), ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def readmit(entry: Entry) -> tuple[Entry, tuple[Flag, ...]]:
    """An entry that a person edited, through the same rules: as it is to be stored, and the flags it carries now.

    Raises NotAdmitted with the field and the reason.
    """
    checked = check({name: value for name, value in entry.as_dict().items() if value is not None})
    detail = hidden_detail(checked)
    return checked.entry(entry.scope), ((Flag("hidden", detail),) if detail else ())


def _one(value: object, line: int, where: str, defaults: Mapping[str, Any] | None) -> Raw | Outcome:
    if defaults and isinstance(value, Mapping):
        said = {name: given for name, given in value.items() if given is not None}
        value = {**defaults, **said, **{name: None for name in value if name not in said and name not in defaults}}
    try:
        return check(value, line=line)
    except NotAdmitted as error:
        return _refused(line, f"{where}: {error}" if where else str(error))


def _refused(line: int, reason: str) -> Outcome:
    """A refusal in words. They may quote what was said, and so are redacted like everything that was said."""
    from store.redact import redact_text

    told = redact_text(reason)[0]
    return Outcome(line=line, status="refused", reason=told if told.endswith((".", "?")) else f"{told}.")
