"""What one spool file holds: the context of a call, and its admitted lines. Texts of one line each; pure.

The first line says how many follow, so that a file that lost its end is known for what it is. What comes back is
checked like anything from outside: the spool is a folder, and folders get edited, copied and cut.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from store.context import Context
from store.facts import Flag
from store.fields import NotAdmitted, Raw, check

FORMAT: Final = 1


class Unreadable(ValueError):
    """This is not what ``pack`` wrote; the message says why."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The proposals of one call, and where they came from."""

    context: Context
    proposals: tuple[Raw, ...]


def pack(proposals: Sequence[Raw], context: Context) -> list[str]:
    """The lines of a spool file, without line ends."""
    head = {"meminbox": FORMAT, "lines": len(proposals), "context": context.as_dict()}
    return [_spell(head), *(_spell(_packed(raw)) for raw in proposals)]


def _packed(raw: Raw) -> dict[str, Any]:
    flags = [flag.as_dict() for flag in raw.flags]
    return {"line": raw.line, "said": raw.as_dict(), "flags": flags, "redaction_version": raw.redaction_version}


def _spell(values: dict[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def unpack(lines: Iterable[str]) -> Batch:
    """What ``pack`` was given. Raises Unreadable, and nothing else, for anything that it did not write."""
    try:
        head, *rest = (json.loads(line) for line in lines)
        if head["meminbox"] != FORMAT:
            raise Unreadable(f"written in format {head['meminbox']}; this Meminbox reads {FORMAT}")
        if head["lines"] != len(rest):
            raise Unreadable(f"{head['lines']} lines were written, {len(rest)} are there")
        return Batch(Context.from_dict(head["context"]), tuple(_unpacked(values) for values in rest))
    except NotAdmitted as error:
        raise Unreadable(str(error)) from error
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
        if isinstance(error, Unreadable):
            raise
        raise Unreadable(f"not a spool file ({type(error).__name__})") from error


def _unpacked(values: dict[str, Any]) -> Raw:
    raw = check(values["said"], line=int(values["line"]))
    flags = tuple(Flag(str(flag["code"]), str(flag["detail"])) for flag in values["flags"])
    version = values["redaction_version"]
    return replace(raw, flags=flags, redaction_version=None if version is None else int(version))
