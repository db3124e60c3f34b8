"""``meminbox check``: this project's memories against its files, verdict by verdict. It changes nothing."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from console import output, preview_lines, tables, words
from console.at_work import at_work
from console.commands import choices, opening
from store import outdated
from store.errors import MeminboxError
from store.selecting import Rule

if TYPE_CHECKING:
    from store.outdated import Preview
    from store.project import Project


def run(*, since: str | None, uncommitted: bool, brief: bool, as_json: bool, db: str | None) -> int:
    """Say what of it was moved or is gone. 1 where something is that nobody has kept; ``brief`` always ends with 0."""
    if brief:
        return _brief(since, db)
    project = choices.here()
    with opening.reading(db) as store:
        if store is None:
            if as_json:
                output.print_list(0, (), lines=False)
            return 0
        rule = _rule(project, since, uncommitted=uncommitted, everything=as_json)
        with at_work("looking", act=False) as tell:
            found = outdated.preview(
                store, rule, project, progress=lambda done, of: tell(f"{done:,} of {of:,} looked at")
            )
        if as_json:
            items = (preview_lines.item(row, memory, found) for row, memory in preview_lines.pages(store, found))
            output.print_list(len(found.rows), items, lines=False)
        else:
            for row, memory in preview_lines.pages(store, found):
                for line in preview_lines.lines(row, memory, found):
                    print(line)
            sys.stdout.flush()
            output.say(_summary(found, project))
    return 1 if _false(found) else 0


def _rule(project: Project, since: str | None, *, uncommitted: bool, everything: bool) -> Rule:
    return Rule(
        scopes=(project.identity,), judged=True, everything=everything, since=since or None, uncommitted=uncommitted
    )


def _false(found: Preview) -> int:
    """How many name something that was moved or is gone, those aside that a person looked at and kept."""
    return sum(row.verdict in ("moved", "gone") and not row.kept for row in found.rows)


def _summary(found: Preview, project: Project) -> str:
    looked = words.count(len(found.looked_at), "memory", "memories")
    said = (
        f"{looked} of {tables.line(project.label)}: {preview_lines.counts(found) or 'nothing they name has changed'}."
    )
    said += f" Of the history, {found.missing}." if found.missing else ""
    return said + (" `meminbox expire --since REV` settles it, or the console's screen 3." if _false(found) else "")


def _brief(since: str | None, db: str | None) -> int:
    """For a hook of git: never in its way, whatever the store or the repository is like."""
    try:
        project = choices.here()
        with opening.reading(db) as store:
            if store is None:
                return 0
            rule = _rule(project, since, uncommitted=False, everything=False)
            number = _false(outdated.preview(store, rule, project))
    except MeminboxError:
        return 0
    if number:
        many = "1 memory names" if number == 1 else f"{number:,} memories name"
        output.say(f"meminbox: {many} what was moved or deleted: `meminbox`, then 3, settles it.")
    return 0
