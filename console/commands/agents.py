"""How often each agent was right, and what the rules of config.toml approved. Reading only; nothing is switched on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from console.commands import options

if TYPE_CHECKING:
    from store.auto import Step
    from store.calibration import Kept, Record, Trust
    from store.config import Config
    from store.policy import Limits, Rules


def agents(
    approved: Annotated[
        bool, typer.Option("--approved", "-a", help="List what rules approved, the newest first; `undo ID` each.")
    ] = False,
    rule: Annotated[str | None, typer.Option("--rule", metavar="NAME", help="Only what this rule approved.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, metavar="N", help="With --approved: at most so many.")] = 50,
    db: options.Db = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> int:
    """Say how often each agent was right, and which rules hold.

    A rule of approval is suggested where at least 30 decisions support it, as the lines of config.toml that make it.

    \b
    [[approve]]
    name = "codex-facts"       # every approval, `auto:codex-facts` and the log name it
    agent = "codex"            # these four may be lists
    kind = "fact"
    source = "task_success"
    scope = "github.com/me/shop-api"   # whole identity, or "global"; without it any project, never global
    min_confidence = 0.8       # what was not stated is below

    \b
    [limits.codex]             # what an agent may propose; [limits."*"] for all others
    kinds = ["fact", "procedure"]
    per_session = 20           # the rest of a session waits folded
    """
    from console import output
    from console.commands import choices
    from console.commands.opening import reading
    from store import config

    scopes = choices.listed_from_here(None)
    within = (scopes,) if isinstance(scopes, str) else scopes
    read = config.load()
    with reading(db) as store:
        if approved or rule is not None:
            from store import auto

            steps = auto.steps(store, rule=rule, scopes=within, limit=limit) if store is not None else []
            _print_steps(steps, as_json=as_json)
            return 0
        from store.calibration import Trust
        from store.trust import trust

        told = trust(store, within) if store is not None else Trust((), ())
    if as_json:
        output.print_json(_json(told, read))
    else:
        _print_people(told, read, quiet=quiet)
    return 0


def _print_steps(steps: list[Step], *, as_json: bool) -> None:
    from console import output, tables, words
    from store.entry import iso

    if as_json:
        items = (
            {
                "operation_id": one.operation_id,
                "at": iso(one.at),
                "rule": one.rule,
                "proposal_id": one.proposal_id,
                "memory_id": one.memory_id,
                "source_agent": one.agent,
                "kind": one.kind,
                "scope": one.scope,
                "key": one.key,
                "content": one.content,
                "stands": one.stands,
            }
            for one in steps
        )
        output.print_list(len(steps), items, lines=False)
        return
    rows = (
        [
            tables.short(one.operation_id),
            tables.line(one.rule),
            words.KIND.get(one.kind, (one.kind, ""))[0],
            tables.line(one.key),
            tables.line(one.content),
            "" if one.stands else "changed since",
            tables.line(one.agent),
            tables.line(one.scope),
        ]
        for one in steps
    )
    tables.print_rows(rows, wide=4)
    output.hint("`meminbox undo ID` takes one back." if steps else "No rule has approved anything.")


def _json(told: Trust, read: Config) -> dict[str, Any]:
    from console import output

    kinds = [record for record in told.agents if record.kind is not None]
    return {
        "schema_version": output.SCHEMA_VERSION,
        "total": len(kinds),
        "items": [_record(record, read.rules) for record in kinds],
        "rules": _rules(told.rules, read.rules),
        "limits": _limits(read.limits),
        "messages": [one for one in read.messages if _of_policy(one)],
    }


def _record(record: Record, rules: Rules) -> dict[str, Any]:
    from store.calibration import Suggestion, interval, suggest

    found = suggest(record, rules)
    low, high = interval(record.right, record.decided)
    names = ("proposed", "waiting", "decided", "approved", "edited", "rejected", "taken_back", "by_rule", "rule_back")
    supported = isinstance(found, Suggestion)
    return {
        "agent": record.agent,
        "kind": record.kind,
        **{name: getattr(record, name) for name in names},
        "right": record.right,
        "right_low": round(low, 4) if record.decided else None,
        "right_high": round(high, 4) if record.decided else None,
        "calibration": [
            {"from": one.low, "stated": one.stated, "decided": one.decided, "right": one.right} for one in record.bins
        ],
        "suggested": _suggested(found) if isinstance(found, Suggestion) else None,
        "why_not": None if supported or isinstance(found, Suggestion) else found.why,
    }


def _suggested(found: Any) -> dict[str, Any]:
    from store.policy import config_lines

    lines = "\n".join(config_lines(found.rule)) + "\n"
    return {"toml": lines, "right": found.right, "of": found.of, "least": round(found.least, 4)}


def _rules(kept: tuple[Kept, ...], rules: Rules) -> list[dict[str, Any]]:
    """Every rule that stands in config.toml or has approved anything."""
    done = {one.rule: one for one in kept}
    names = dict.fromkeys([*(rule.name for rule in rules.all), *done])
    on = {rule.name for rule in rules.all}
    return [
        {
            "name": name,
            "on": name in on,
            "approved": done[name].approved if name in done else 0,
            "taken_back": done[name].taken_back if name in done else 0,
        }
        for name in names
    ]


def _of_policy(message: str) -> bool:
    """Whether a message about config.toml is about rules or limits."""
    return "[approve" in message or "limits" in message


def _limits(limits: Limits) -> list[dict[str, Any]]:
    """What config.toml lets each agent propose; null: anything."""
    return [
        {"agent": agent, "kinds": None if one.kinds is None else sorted(one.kinds), "per_session": one.per_session}
        for agent, one in sorted(limits.by_agent.items())
    ]


def _print_people(told: Trust, read: Config, *, quiet: bool) -> None:
    from console import output, tables

    tables.print_rows(map(_row, told.agents), wide=0)
    for one in _rules(told.rules, read.rules):
        state = "on" if one["on"] else "no longer in config.toml"
        back = f", {one['taken_back']:,} of them taken back" if one["taken_back"] else ""
        print(f"rule {tables.line(one['name'])} is {state}: {one['approved']:,} approved{back}")
    for limit in _limits(read.limits):
        parts = [f"only {', '.join(limit['kinds']) or 'nothing'}"] if limit["kinds"] is not None else []
        parts += [f"{limit['per_session']:,} a session"] if limit["per_session"] is not None else []
        who = "every other agent" if limit["agent"] == "*" else limit["agent"]
        print(f"limit of {tables.line(who)}: {', '.join(parts)}")
    for line in _suggestions(told, read.rules):
        print(line)
    for message in read.messages:
        if _of_policy(message):
            output.complain(message)
    if not told.agents:
        output.hint("No agent has proposed anything yet.", quiet=quiet)


def _row(record: Record) -> list[str]:
    from console import words
    from store.calibration import interval

    kind = words.KIND.get(record.kind, (record.kind, ""))[0] if record.kind is not None else "all"
    low, high = interval(record.right, record.decided)
    right = f"{record.right:,} of {record.decided:,} right ({low:.0%}-{high:.0%})" if record.decided else "not decided"
    numbers = (
        (record.waiting, "waiting"),
        (record.edited, "edited"),
        (record.rejected, "rejected"),
        (record.taken_back, "reversed later"),
        (record.by_rule, "by rule"),
    )
    return [
        _name(record),
        kind,
        f"{record.proposed:,} proposed",
        right,
        ", ".join(f"{number:,} {name}" for number, name in numbers if number),
    ]


def _name(record: Record) -> str:
    from console import tables

    return tables.line(record.agent) or "no name"


def _suggestions(told: Trust, rules: Rules) -> Iterator[str]:
    from store.calibration import Suggestion, suggest
    from store.policy import config_lines

    for record in told.agents:
        found = suggest(record, rules)
        if isinstance(found, Suggestion):
            share = (
                f"{found.right:,} of {found.of:,} were right, at least {found.least:.0%} of all by the 95 % interval"
            )
            yield f"\n# a rule that past decisions support: {share}"
            yield from config_lines(found.rule)
