"""What is no longer true as its list sees it: verdict by verdict under a heading, with what is chosen for each row.

A choice is expire, re-point or keep (None: nothing is done). Choosing changes nothing yet; settling does.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from store.outdated import Choice, Preview, Row

ORDER: Final[tuple[str | None, ...]] = ("moved", "gone", "ambiguous", "cannot_verify", None)
"""The verdicts from top to bottom; None is for rules that ask nothing of git."""
HEADING: Final = "verdict:"


def heading_of(verdict: str | None) -> str:
    """The id of the row that stands above a verdict's memories."""
    return f"{HEADING}{verdict or ''}"


class Found:
    """The rows of a preview in the order of the list, and what is chosen for each."""

    def __init__(self, preview: Preview | None = None, before: Found | None = None) -> None:
        """``before`` gives the choices that a person made already, for rows that still are what they were."""
        self.preview = preview
        rows = preview.rows if preview else ()
        self.rows: dict[str, Row] = {row.id: row for row in rows}
        self.choices: dict[str, Choice] = {row.id: row.suggested for row in rows if row.suggested is not None}
        self.kept: set[str] = {row.id for row in rows if row.kept}
        self.touched: set[str] = set()
        """The rows that the person has chosen for."""
        if before is not None:
            self._take_over(before)
        self._ids: list[str] = []
        for verdict in ORDER:
            under = [row.id for row in rows if row.verdict == verdict]
            self._ids += [heading_of(verdict), *under] if under else []
        self._places = {one: place for place, one in enumerate(self._ids)}

    def __len__(self) -> int:
        return len(self._ids)

    def __getitem__(self, at: int) -> str:
        return self._ids[at]

    def index(self, value: object) -> int | None:
        """The position of a row, or None."""
        return self._places.get(value) if isinstance(value, str) else None

    def under(self, heading: str) -> list[str]:
        """The memories under a heading."""
        verdict = heading.removeprefix(HEADING) or None
        return [one for one, row in self.rows.items() if row.verdict == verdict]

    def choose(self, ids: Iterable[str], choice: Choice | None) -> tuple[int, int]:
        """Choose for these memories. How many it was done for, and how many have no new path to be re-pointed to."""
        done = left = 0
        for one in ids:
            row = self.rows[one]
            if choice == "repoint" and not row.rewritable:
                left += 1
                continue
            done += 1
            self.touched.add(one)
            self.kept.discard(one)
            if choice is None:
                self.choices.pop(one, None)
            else:
                self.choices[one] = choice
        return done, left

    def number(self, choice: Choice) -> int:
        """How many are to be expired, or re-pointed."""
        return sum(one == choice for one in self.choices.values())

    def chosen_under(self, heading: str) -> dict[Choice, int]:
        """How many of a heading's memories are to be expired and re-pointed."""
        numbers: dict[Choice, int] = {"repoint": 0, "expire": 0}
        for one in self.under(heading):
            choice = self.choices.get(one)
            if choice is not None:
                numbers[choice] += 1
        return numbers

    def _take_over(self, before: Found) -> None:
        for one in before.touched:
            row, then = self.rows.get(one), before.rows[one]
            if row is None or row.cause != then.cause:
                continue
            self.touched.add(one)
            choice = before.choices.get(one)
            if choice is None:
                self.choices.pop(one, None)
            else:
                self.choices[one] = choice
