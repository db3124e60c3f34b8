"""A rule for what is no longer true as one line: ``since:v1.2 path:services kind:fact "old gateway"``. Pure.

``since``, ``path``, ``package`` and ``unverified`` are its own terms, all others those of the filter language. An empty
line asks git about everything that this project's memories name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeVar

from store import selecting
from store.errors import UsageError
from store.filters import parse
from store.selecting import Rule

T = TypeVar("T")
_OWN: Final = re.compile(
    r"(?<!\S)(since|path|package|unverified|like|uncommitted)(?:\s*[:：>＞]\s*(\"[^\"]*\"|[^\s\"]*)|(?!\S))",
    re.IGNORECASE,
)


def read_rule(line: str, scopes: tuple[str, ...]) -> tuple[Rule, tuple[str, ...]]:
    """The rule that a line means in these scopes, and in words what of it was not understood (then do not use it)."""
    found: dict[str, str] = {}
    errors: list[str] = []
    for term in _OWN.finditer(line):
        name = term[1].lower()
        if name in found:
            errors.append(f"{name} stands there twice.")
        found[name] = (term[2] or "").strip('"').strip()
    flt = parse(_OWN.sub(" ", line).strip())
    if "like" in found:
        errors.append("like is for the command line: meminbox expire --like ID.")
    since = _value(found, errors, "since", _given)
    path = _value(found, errors, "path", selecting.folder)
    package = _value(found, errors, "package", selecting.package)
    unverified = _value(found, errors, "unverified", lambda said: selecting.span(said, "unverified"))
    narrowed = path is not None or package is not None or unverified is not None or not flt.empty
    rule = Rule(
        scopes=scopes,
        judged=since is not None or not narrowed or "uncommitted" in found,
        since=since,
        uncommitted="uncommitted" in found,
        path=path,
        package=package,
        unverified=unverified,
        flt=flt,
    )
    return rule, (*errors, *flt.errors)


def _given(said: str) -> str:
    if not said:
        raise UsageError("since needs a revision or a date, as in since:HEAD~20.")
    return said


def _value(found: dict[str, str], errors: list[str], name: str, read: Callable[[str], T]) -> T | None:
    """The value of a term, None where it is not there or not right; then ``errors`` says what is wrong."""
    if name not in found:
        return None
    try:
        return read(found[name])
    except UsageError as error:
        errors.append(str(error))
        return None
