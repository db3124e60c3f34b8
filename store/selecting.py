"""Which memories a person means when they look for what is no longer true. Pure.

All parts of a rule must hold. It may ask git (``since``), the words of a memory (``path``, ``package``, the terms of
the filter language), and when it was last borne out. Everything is literal: a pattern in a path or a package is an
error, never a wider selection.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Final

from store.errors import UsageError
from store.filters import EVERYTHING, UNITS, Filter
from store.mentions import mentions

_WILD: Final = re.compile(r"[*?\[\]%]")
_SPAN: Final = re.compile(r"(\d{1,5})\s*(h|d|w|m|mo|y)", re.ASCII | re.IGNORECASE)
_DAYS: Final = {"today": 0, "yesterday": 1}
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ].*)?", re.ASCII)
_OLDEST: Final = datetime(1970, 1, 2, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Rule:
    """What is looked for.

    ``scopes`` are exact identities (None: everywhere). ``since`` is a revision or a date as typed; ``judged`` asks git
    about every memory of the project, from the oldest one on where there is no ``since``; ``everything`` also keeps
    those whose names are all there. ``unverified`` is for how
    long nothing has borne a memory out; ``like`` the id of one that others resemble, ``only`` the one that is meant.
    """

    scopes: tuple[str, ...] | None
    judged: bool = False
    everything: bool = False
    since: str | None = None
    uncommitted: bool = False
    path: str | None = None
    package: str | None = None
    unverified: timedelta | None = None
    like: str | None = None
    only: str | None = None
    flt: Filter = EVERYTHING

    @property
    def words(self) -> str:
        """The rule as a person would type it; it may hold what they typed, so it is painted through ``visible``."""
        parts = [f"since:{self.since}"] if self.since else []
        parts += ["with uncommitted moves"] if self.uncommitted else []
        parts += [f"{name}:{value}" for name, value in (("path", self.path), ("package", self.package)) if value]
        parts += [f"not verified for {self.unverified.days:,} days"] if self.unverified is not None else []
        parts += [f"like {self.like[-6:]}"] if self.like else []
        parts += [self.flt.given] if self.flt.given else []
        return " · ".join(parts) or ("all that git can tell" if self.judged else "everything here")

    @property
    def narrows(self) -> bool:
        """Whether anything but the scopes chooses: without that, a rule would be about all there is."""
        chosen = (self.since, self.path, self.package, self.unverified, self.like, self.only)
        return self.judged or any(one is not None for one in chosen) or not self.flt.empty


def instant(said: str, now: datetime) -> datetime | None:
    """The moment that ``said`` means: a date (its midnight in the person's zone), a time, ``30d``, ``yesterday``.

    None where it is none of these, and so may be a revision. Raises UsageError for a date that does not exist.
    """
    text = said.strip()
    span = _SPAN.fullmatch(text)
    if span is not None:
        return max(now - _least(int(span[1]) * UNITS[span[2].lower()]), _OLDEST)
    if text.lower() in _DAYS:
        day = now.astimezone().date() - timedelta(days=_DAYS[text.lower()])
        return datetime.combine(day, time()).astimezone()
    if _DATE.fullmatch(text) is None:
        return None
    try:
        found = datetime.fromisoformat(text)
        # A time without a zone is the person's own, as everything that they read here is.
        return found if found.tzinfo is not None else found.astimezone()
    except (ValueError, OverflowError, OSError):
        raise UsageError(f'There is no date "{text}".', todo="A date is written 2026-11-30.") from None


def span(said: str, option: str) -> timedelta:
    """How long ``90d``, ``6w``, ``3m`` or ``1y`` is; a bare number is days. Raises UsageError."""
    text = said.strip().lower()
    found = _SPAN.fullmatch(f"{text}d" if text.isascii() and text.isdigit() else text)
    if found is None or int(found[1]) == 0:
        raise UsageError(f'{option} is a time such as 90d, 6w or 1y, not "{said}".')
    return int(found[1]) * UNITS[found[2]]


def folder(said: str) -> str:
    """A path inside the repository as it is compared. Raises UsageError for an empty one, a pattern, or one outside."""
    path = said.strip().replace("\\", "/")
    while path.startswith("./"):
        path = path[2:]
    path = path.rstrip("/")
    if not path or path == ".":
        raise UsageError("An empty path would mean everything.", todo="Name a file or a folder of the repository.")
    if _WILD.search(path):
        raise UsageError(
            f'A path is taken literally, and "{said}" looks like a pattern.',
            todo="Name the folder: --path services/pay",
        )
    if path.startswith(("/", "~", "../")) or path == "..":
        raise UsageError(f'"{said}" is not inside the repository.', todo="Name it from the top of the repository.")
    return path


def package(said: str) -> str:
    """The name of a package or module as it is compared. Raises UsageError for an empty one or a pattern."""
    name = said.strip().rstrip(".")
    if not name:
        raise UsageError("An empty package would mean everything.", todo="Name one: --package services.pay")
    if _WILD.search(name) or any(one.isspace() for one in name):
        raise UsageError(f'"{said}" is not the name of a package.', todo="Name one: --package services.pay")
    return name


def names_path(path: str, *, module: bool = False) -> Callable[[str, Iterable[str]], bool]:
    """Whether a content, or the paths kept beside it, names ``path`` or something below it (compared in full parts).

    ``module``: its file, ``path`` with an ending, is meant as well.
    """
    last = path.rpartition("/")[2]
    file_of = (path + ".",) if module else ()

    def within(one: str) -> bool:
        one = one.replace("\\", "/").removeprefix("./").rstrip("/")
        return one == path or one.startswith((path + "/", *file_of))

    def named(content: str, paths: Iterable[str]) -> bool:
        if any(within(one) for one in paths):
            return True
        # Most texts do not even hold the folder's name: only the others are read closely.
        if last not in content:
            return False
        inside = (one for one in mentions(content) if one.kind not in ("url", "home"))
        return any(within(one.path) or (one.base and within(f"{one.base}/{one.path}")) for one in inside)

    return named


def names_package(name: str) -> Callable[[str, Iterable[str]], bool]:
    """Whether a content names this package or something within it: ``services.pay`` in ``services.pay.run()``."""
    dotted = re.compile(rf"(?<![\w.@/-]){re.escape(name)}(?![\w-])")
    slashed = name.replace(".", "/") if re.fullmatch(r"\w+(\.\w+)+", name) else None
    by_path = names_path(slashed, module=True) if slashed else None

    def named(content: str, paths: Iterable[str]) -> bool:
        return dotted.search(content) is not None or (by_path is not None and by_path(content, paths))

    return named


def _least(ago: timedelta) -> timedelta:
    return min(ago, timedelta(days=365 * 1000))
