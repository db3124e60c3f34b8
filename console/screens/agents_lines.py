"""What the Agents screen says: a row for each agent and kind, and a page about the one under the cursor. Pure.

A share stands beside the numbers behind it and the interval that so few of them allow: a bare percentage of three
decisions looks like knowledge.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from console import keys, words
from console.visible import Shown, visible
from console.widgets import shown
from console.widgets.shown import Line, Part, own, said
from store.calibration import (
    EDGES,
    LEAST_DECISIONS,
    Bin,
    Kept,
    NoRule,
    Record,
    Suggestion,
    interval,
    stated,
    suggest,
)
from store.policy import Rule, Rules, config_lines

AGENT: Final = 17
"""Cells of an agent's name in a row, its beginning included."""
KIND: Final = 6
CELL: Final = 9
"""Cells of a number in a row."""
COLUMNS: Final = (
    ("proposed", "proposed"),
    ("waiting", "waits"),
    ("approved", "approved"),
    ("edited", "edited"),
    ("rejected", "rejected"),
    ("taken_back", "reversed"),
    ("by_rule", "by rule"),
)
"""The numbers of a row, and what stands above them. Where room is short the least telling give way (``_NEEDED``)."""
_NEEDED: Final = ("approved", "rejected", "edited", "proposed", "taken_back", "by_rule", "waiting")
_STYLE: Final = {"approved": "$added", "rejected": "$removed", "taken_back": "$warn", "by_rule": "$accent"}
LABEL: Final = 10
"""Cells before a bar of the plot."""
SHORTEST, LONGEST = 8, 30
"""Cells of a bar."""
BEHIND: Final = 30
"""Cells for the numbers behind a bar; the last of them, the interval, goes where there are fewer."""
WORD: Final = {"surer": "surer than it should be", "less sure": "less sure than it could be", "fair": "fairly said"}


def columns(room: int) -> list[str]:
    """The numbers that a row of so many cells has room for, in their order."""
    many = max(1, (room - AGENT - KIND - 1) // CELL)
    kept = _NEEDED[:many]
    return [name for name, _ in COLUMNS if name in kept]


def heading(room: int) -> Line:
    """What stands above the numbers."""
    titles = dict(COLUMNS)
    numbers = [part for name in columns(room) for part in shown.pad([own(titles[name], "$quiet")], CELL, right=True)]
    return [*shown.pad([own("   agent", "$quiet")], AGENT), *shown.pad([own("kind", "$quiet")], KIND), *numbers]


def row(record: Record, room: int, here: bool) -> list[Part]:
    """One agent with all its kinds, or one kind of it; the first part is one blank, where the cursor's bar goes."""
    whole = record.kind is None
    name = own("") if not whole else said(agent(record), "bold $key" if record.agent else "bold $quiet")
    kind = own("all" if record.kind is None else kind_word(record, short=True), "$quiet" if whole else "")
    cells: list[Part] = []
    for column in columns(room):
        value: int = getattr(record, column)
        style = "$quiet" if not value else _STYLE.get(column, "")
        cells += shown.pad(
            [own(f"{value:,}" if value else "·", f"bold {style}".strip() if here else style)], CELL, right=True
        )
    return [own(" "), *shown.pad([own("  "), name], AGENT - 2), own(" "), *shown.pad([kind], KIND), *cells]


def agent(record: Record) -> Shown:
    """An agent's name as it is shown."""
    return visible(record.agent, multiline=False) if record.agent else Shown("no name")


def kind_word(record: Record, *, short: bool = False) -> str:
    """A kind in words; every kind together where it is None."""
    if record.kind is None:
        return "every kind"
    return words.KIND.get(record.kind, (record.kind, record.kind))[0 if short else 1]


# -- the page about one record


def page(record: Record, rules: Rules, kept: Sequence[Kept], place: Shown, room: int) -> list[Line]:
    """What there is to know of one agent's proposals of one kind, or of all. ``place`` is where config.toml stands."""
    lines: list[Line] = [[said(agent(record), "bold $key"), own(f"  {kind_word(record)}", "bold")]]
    lines += shown.flow(_sums(record), room)
    lines += _of_rules(record, rules, kept, room)
    found = suggest(record, rules)
    lines += _verdict(record, found, room)
    lines += [[], *_plot(record, room)]
    if isinstance(found, Suggestion):
        lines += [[], *([own("  "), own(line, "$key")] for line in config_lines(found.rule)), [], *_how(place, room)]
    return lines


def _sums(record: Record) -> Line:
    parts = [own(words.count(record.decided, "decision", "decisions"))]
    if record.decided:
        parts.append(own(f"{record.right:,} approved as proposed and kept", "$added"))
    if record.edited:
        parts.append(own(f"{record.edited:,} edited first"))
    if record.rejected:
        parts.append(own(f"{record.rejected:,} rejected", "$removed"))
    if record.taken_back:
        parts.append(own(f"{record.taken_back:,} reversed later", "$warn"))
    if record.waiting:
        parts.append(own(f"{record.waiting:,} waiting", "$quiet"))
    line: list[Part] = []
    for part in parts:
        line += [*([own(shown.DOT, "$quiet")] if line else []), part]
    return line


def _plot(record: Record, room: int) -> list[Line]:
    """Stated confidence against decisions: a bar as long as the share that was right, a mark where it was stated."""
    if not record.bins:
        return [[own("Nothing of it has been decided yet.", "$quiet")]]
    bar = max(SHORTEST, min(LONGEST, room - LABEL - BEHIND))
    title = [own("stated".ljust(LABEL), "$quiet"), own("approved as proposed, and kept", "$quiet")]
    lines: list[Line] = [shown.fit(title, room)]
    lines += [
        shown.fit(_bar(one, bar), room)
        for one in sorted(record.bins, key=lambda one: -(one.low if one.low is not None else -1))
    ]
    told = stated(record)
    if told is not None:
        style = {"surer": "$warn", "less sure": "$key", "fair": "$added"}[told.word]
        said_so = f"It says {told.stated:.2f} on average, and {told.right / told.of:.2f} of it was right: "
        lines += shown.flow([own(said_so, "$quiet"), own(WORD[told.word], style)], room)
    return lines


def _bar(one: Bin, bar: int) -> Line:
    filled = round(one.right / one.decided * bar)
    mark = None if one.stated is None else min(bar - 1, max(0, round(one.stated * bar) - 1))
    parts: list[Part] = [own(_range(one.low).ljust(LABEL), "$quiet")]
    for at in range(bar):
        if at == mark:
            parts.append(own("│", "bold $foreground"))
        else:
            parts.append(own("━", "$accent") if at < filled else own("─", "$rule"))
    low, high = interval(one.right, one.decided)
    parts.append(own(f" {one.right / one.decided:4.0%}", "bold"))
    parts.append(own(f"  {one.right:,} of {one.decided:,}"))
    parts.append(own(f"  {low:.0%}–{high:.0%}", "$quiet"))
    return parts


def _range(low: float | None) -> str:
    if low is None:
        return "not said"
    after = [edge for edge in EDGES if edge > low]
    return f"{low:.1f} – {after[0] if after else 1.0:.1f}"


def covering(record: Record, rules: Rules) -> list[Rule]:
    """The rules that are about a record."""
    return [
        rule
        for rule in rules.all
        if record.agent in rule.agents and (rule.kinds is None or record.kind is None or record.kind in rule.kinds)
    ]


def _of_rules(record: Record, rules: Rules, kept: Sequence[Kept], room: int) -> list[Line]:
    """Every rule that is about it, how it has done, and how to look at that."""
    by_name = {one.rule: one for one in kept}
    lines: list[Line] = []
    for rule in covering(record, rules):
        one = by_name.get(rule.name, Kept(rule.name, 0, 0))
        facts = [own("rule ", "$quiet"), own(rule.name, "bold $accent"), own(f" is on: {one.approved:,} approved")]
        if one.taken_back:
            facts.append(own(f", {one.taken_back:,} of them taken back", "bold $warn"))
        lines += shown.flow(facts, room)
    if record.by_rule:
        opens = [own(keys.shown("agents.open"), "bold $accent"), own(" shows what rules approved of it", "$quiet")]
        lines += shown.flow(opens, room)
    return lines


def _verdict(record: Record, found: Suggestion | NoRule, room: int) -> list[Line]:
    """Whether past decisions support a rule, and what speaks for or against it."""
    if isinstance(found, Suggestion):
        why = (
            f": {found.right:,} of {found.of:,} plain additions were right; "
            f"of all, by the 95 % interval, at least {found.least:.0%} are. "
        )
        copies = [own(keys.shown("copy.text"), "bold $accent"), own(" copies its lines", "$quiet")]
        return shown.flow([own("A rule is supported", "bold $added"), own(why), *copies], room)
    if record.kind is None:
        return shown.flow([own("A rule is for one kind: those stand below the agent's name.", "$quiet")], room)
    return shown.flow([own(f"No rule suggested: {found.why}.", "$quiet")], room)


def _how(place: Shown, room: int) -> list[Line]:
    """What to do with the lines; nobody else does it."""
    line = [
        own(keys.shown("copy.text"), "bold $accent"),
        own(" copies these lines, ", "$quiet"),
        own(keys.shown("copy.file"), "bold $accent"),
        own(" writes them to a file. They hold once you have put them into ", "$quiet"),
        said(place, "$quiet"),
    ]
    return shown.flow(line, room)


def lines_to_take(record: Record, rules: Rules) -> str | None:
    """The lines of config.toml that are suggested for a record, or None."""
    found = suggest(record, rules)
    return "\n".join(config_lines(found.rule)) + "\n" if isinstance(found, Suggestion) else None


def nothing(room: int) -> list[Line]:
    """What is said where no agent has proposed anything."""
    told = (
        "No agent has proposed anything yet.",
        f"Once {LEAST_DECISIONS} of an agent's additions of one kind are decided, this page says how often it was "
        "right, and whether a rule in config.toml could approve such additions for you.",
    )
    lines = [line for text in told for line in (*shown.flow([own(text)], room), [])]
    return [*lines, [own(keys.shown("screen.queue"), "bold $accent"), own(" shows what waits, and how to connect one")]]
