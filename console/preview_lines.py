"""A preview of what is no longer true, as lines for people and as JSON (design section 8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from console import tables, words
from console.visible import Shown, visible
from store.outdated import Preview, Row

if TYPE_CHECKING:
    from store.engine import Store
    from store.facts import Memory
    from store.verdicts import TextVerdict, Verdict

VERDICT: Final = {
    "moved": "moved",
    "gone": "gone",
    "ambiguous": "ambiguous",
    "cannot_verify": "cannot be verified",
    "there": "there",
}
"""The verdicts in words for people."""
_PAGE: Final = 500


def pages(store: Store, preview: Preview) -> Iterator[tuple[Row, Memory]]:
    """The rows of a preview with their memories, as they stand now, page by page."""
    from store.queries import memory_rows

    for start in range(0, len(preview.rows), _PAGE):
        rows = preview.rows[start : start + _PAGE]
        found = {one.id: one for one in memory_rows(store, [row.id for row in rows])}
        yield from ((row, found[row.id]) for row in rows if row.id in found)


def item(row: Row, memory: Memory, preview: Preview) -> dict[str, Any]:
    """One memory of a preview as scripts get it."""
    said = preview.verdict(memory)
    mentions = said.mentions if said else ()
    first = next((one for one in mentions if one.stale), None) or next((one for one in mentions if one.new_path), None)
    return {
        "id": row.id,
        "key": memory.entry.key,
        "content": memory.entry.content,
        "revision": row.revision,
        "scope": memory.entry.scope,
        "mentions": [_mention(one) for one in mentions],
        "verdict": row.verdict,
        "new_path": first.new_path if first else None,
        "commit": first.commit if first else None,
        "branch_only": row.branch_only,
        "suggested": row.suggested,
        "rewritten": said.rewritten if said else None,
        "kept": row.kept,
    }


def _mention(one: Verdict) -> dict[str, Any]:
    return {
        "text": one.mention.text,
        "kind": one.mention.kind,
        "path": one.mention.path,
        "line": one.mention.line,
        "verdict": one.verdict,
        "reason": one.reason,
        "new_path": one.new_path,
        "commit": one.commit,
        "branch_only": one.branch_only,
        "choices": list(one.choices),
    }


def lines(row: Row, memory: Memory, preview: Preview) -> Iterator[str]:
    """One memory of a preview for people: what is suggested, its text or the change to it, and why."""
    said = preview.verdict(memory)
    name = f"  {tables.line(memory.entry.key)}" if memory.entry.key else ""
    yield f"{_SUGGESTED[row.suggested]:9} {tables.short(row.id)}{name}{'  kept before' if row.kept else ''}"
    if row.suggested == "repoint" and said is not None and said.rewritten is not None:
        yield from tables.diff_lines(memory.entry.content, said.rewritten)
    else:
        yield from tables.text_lines(memory.entry.content)
    yield from (f"    {line}" for line in reasons(said))


_SUGGESTED: Final = {"expire": "expire", "repoint": "re-point", None: "-"}


def reasons(said: TextVerdict | None) -> Iterator[Shown]:
    """Why, a line for each name; none where all of them are simply there."""
    named = said.mentions if said else ()
    if any(one.verdict != "there" for one in named):
        yield from (visible(f"{one.mention.text}: {_why(one)}", multiline=False) for one in named)


def why(one: Verdict) -> Shown:
    """A verdict with its reason."""
    return visible(_why(one), multiline=False)


def _why(one: Verdict) -> str:
    # Of these the reason begins with the verdict's own word.
    told = one.verdict in ("moved", "gone", "there") and bool(one.reason)
    return one.reason if told else f"{VERDICT[one.verdict]}: {one.reason}"


def counts(preview: Preview) -> str:
    """How many of each verdict, in words: "38 moved, 2 gone"."""
    found = preview.by_verdict()
    said = [f"{found[name]:,} {word}" for name, word in VERDICT.items() if found.get(name)]
    other = found.get(None, 0)
    return ", ".join([*said, *([words.count(other, "memory", "memories")] if other else [])])


def left(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    """What was left alone: each with its reason, and what is new counted in one line."""
    from store.settling import NEW

    fresh = 0
    for identity, why in pairs:
        if why == NEW:
            fresh += 1
        else:
            yield f"Left as it was: {tables.short(identity)}, {why}"
    if fresh:
        one = "1 new match was" if fresh == 1 else f"{fresh:,} new matches were"
        yield f"{one} left out: not there when this was shown."
