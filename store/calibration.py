"""What past decisions say of an agent: how often it is right, how sure it says it is, would a rule hold. Pure.

The numbers come from ``store.trust``. A share is never given without the interval that so few decisions allow: Wilson's
score interval (E. B. Wilson, JASA 22, 1927, 209-212), which holds for small numbers and for shares near one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from store.policy import Rule, Rules

SURE: Final = 1.959964
"""Standard deviations that hold 95 % of a normal distribution."""
VERY_SURE: Final = 2.575829
"""The same for 99 %: the 5 % shared among five minima that are looked at."""
LEAST_DECISIONS: Final = 30
"""Decisions below which no rule is suggested, however good they were."""
LEAST_SHARE: Final = 0.85
"""The share that the lower bound must reach: 30 of 30 do (88.6 %), 29 of 30 do not (83.3 %)."""
LOOKED_AT: Final = 100_000
"""Proposals that are looked at, the newest: older habits say little of an agent, and the time must have an end."""
EDGES: Final = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9)
"""Where the bins of stated confidence begin; most of what is stated is high, so there they are finer."""
MINIMA: Final = EDGES[1:]
"""The minimum confidences that a suggestion may ask for."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Decisions on proposals whose stated confidence is from ``low`` to below the next edge; None: none was stated.

    ``right`` of ``decided`` were approved as they were proposed and not taken back; ``stated`` is the mean of what was
    stated. ``plain`` and ``plain_right`` are those that a rule could have been about: additions without a flag.
    """

    low: float | None
    decided: int = 0
    right: int = 0
    stated: float | None = None
    plain: int = 0
    plain_right: int = 0


@dataclass(frozen=True, slots=True)
class Record:
    """What became of an agent's proposals of one kind (None: of every kind).

    ``approved`` as proposed, ``edited`` and ``rejected`` are a person's decisions; ``taken_back`` of the approved and
    edited were rolled back, deleted or turned down afterwards. ``by_rule`` were approved by a rule, ``rule_back`` of
    those taken back by a person later: none of these are decisions. ``waiting`` nobody has decided; ``proposed`` is
    all of them. ``scopes`` are the projects of the plain decisions, at most two of them.
    """

    agent: str | None
    kind: str | None
    proposed: int = 0
    waiting: int = 0
    approved: int = 0
    edited: int = 0
    rejected: int = 0
    taken_back: int = 0
    by_rule: int = 0
    rule_back: int = 0
    bins: tuple[Bin, ...] = ()
    scopes: tuple[str, ...] = ()

    @property
    def decided(self) -> int:
        """A person's decisions."""
        return self.approved + self.edited + self.rejected

    @property
    def right(self) -> int:
        """Approved as proposed, and still held to be right."""
        return sum(one.right for one in self.bins)


@dataclass(frozen=True, slots=True)
class Kept:
    """What a rule has done: its approvals, and how many of them a person has undone or taken back since."""

    rule: str
    approved: int
    taken_back: int


@dataclass(frozen=True, slots=True)
class Trust:
    """What past decisions say. ``agents`` has one record an agent, for all its kinds, each followed by those kinds.

    ``more``: agents and kinds that were left out. ``older``: whether there are proposals beyond those looked at.
    """

    agents: tuple[Record, ...]
    rules: tuple[Kept, ...]
    more: int = 0
    older: bool = False


def interval(right: int, of: int, wide: float = SURE) -> tuple[float, float]:
    """Wilson's interval for the share behind ``right`` of ``of``, as two numbers from 0 to 1; (0, 1) for none.

    ``wide`` is its half in standard deviations: 95 % unless said otherwise.
    """
    if of <= 0:
        return 0.0, 1.0
    share, square = right / of, wide * wide
    middle = share + square / (2 * of)
    half = wide * math.sqrt(share * (1 - share) / of + square / (4 * of * of))
    whole = 1 + square / of
    return max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole)


def bin_of(confidence: float | None) -> float | None:
    """The lower edge of the bin that a stated confidence belongs to."""
    return None if confidence is None else max(edge for edge in EDGES if edge <= max(confidence, 0.0))


def added(records: Sequence[Record], agent: str | None) -> Record:
    """The records of one agent's kinds as one record, for all kinds."""
    bins: dict[float | None, list[Bin]] = {}
    for record in records:
        for one in record.bins:
            bins.setdefault(one.low, []).append(one)
    scopes = sorted({scope for record in records for scope in record.scopes})
    return Record(
        agent,
        None,
        **{name: sum(getattr(record, name) for record in records) for name in _COUNTS},
        bins=tuple(_merged(low, bins[low]) for low in sorted(bins, key=_order)),
        scopes=tuple(scopes[:2]),
    )


_COUNTS: Final = ("proposed", "waiting", "approved", "edited", "rejected", "taken_back", "by_rule", "rule_back")


def _order(low: float | None) -> float:
    return -1.0 if low is None else low


def _merged(low: float | None, bins: Sequence[Bin]) -> Bin:
    stated = [(one.stated, one.decided) for one in bins if one.stated is not None and one.decided]
    weight = sum(number for _, number in stated)
    return Bin(
        low,
        sum(one.decided for one in bins),
        sum(one.right for one in bins),
        sum(value * number for value, number in stated) / weight if weight else None,
        sum(one.plain for one in bins),
        sum(one.plain_right for one in bins),
    )


@dataclass(frozen=True, slots=True)
class Stated:
    """How sure an agent says it is, and how often it is right where it says so. ``word``: surer, less sure or fair."""

    stated: float
    right: int
    of: int
    word: str


def stated(record: Record) -> Stated | None:
    """Stated confidence against decisions in one sentence's worth; None where too little was stated to tell."""
    told = [one for one in record.bins if one.stated is not None and one.decided]
    of = sum(one.decided for one in told)
    if of < 5:
        return None
    mean = sum((one.stated or 0.0) * one.decided for one in told) / of
    right = sum(one.right for one in told)
    low, high = interval(right, of)
    return Stated(mean, right, of, "surer" if mean > high else ("less sure" if mean < low else "fair"))


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A rule that past decisions support: ``right`` of ``of`` such additions; ``least`` is the lower bound."""

    rule: Rule
    right: int
    of: int
    least: float


@dataclass(frozen=True, slots=True)
class NoRule:
    """Why no rule is suggested, in words for people."""

    why: str


def suggest(record: Record, rules: Rules) -> Suggestion | NoRule:
    """The widest rule for an agent's additions of one kind that past decisions support, or why there is none.

    Only decisions that such a rule could have been about count: additions without a flag, outside of global. Looking at
    several minimum confidences finds a good one by chance the sooner, so each of these must hold with an interval that
    is wider accordingly (Bonferroni). Nothing is ever switched on by this.
    """
    if record.agent is None or record.kind is None:
        return NoRule("a rule is for one agent and one kind" if record.agent else "a rule needs an agent's name")
    covering = next((rule for rule in rules.all if _covers(rule, record)), None)
    if covering is not None:
        return NoRule(f"the rule {covering.name} is about these already")
    of, right = sum(one.plain for one in record.bins), sum(one.plain_right for one in record.bins)
    if of < LEAST_DECISIONS:
        return NoRule(f"{of:,} of the {LEAST_DECISIONS} decisions that it takes, on additions without a warning")
    least = interval(right, of)[0]
    if least >= LEAST_SHARE:
        return Suggestion(_rule(record, rules, None), right, of, least)
    return _above_a_minimum(record, rules) or NoRule(
        f"{right:,} of {of:,} were right, which makes sure of {least:.0%} only; {LEAST_SHARE:.0%} is asked"
    )


def _above_a_minimum(record: Record, rules: Rules) -> Suggestion | None:
    for minimum in MINIMA:
        told = [one for one in record.bins if one.low is not None and one.low >= minimum]
        of, right = sum(one.plain for one in told), sum(one.plain_right for one in told)
        least = interval(right, of, VERY_SURE)[0]
        if of >= LEAST_DECISIONS and least >= LEAST_SHARE:
            return Suggestion(_rule(record, rules, minimum), right, of, least)
    return None


def _covers(rule: Rule, record: Record) -> bool:
    return record.agent in rule.agents and (rule.kinds is None or record.kind in rule.kinds)


def _rule(record: Record, rules: Rules, minimum: float | None) -> Rule:
    assert record.agent is not None and record.kind is not None
    scopes = frozenset(record.scopes) if len(record.scopes) == 1 else None
    name = _free_name(f"{record.agent}-{record.kind}", (rule.name for rule in rules.all))
    return Rule(name, frozenset({record.agent}), frozenset({record.kind}), None, scopes, minimum)


def _free_name(wanted: str, taken: Iterable[str]) -> str:
    """A name for a rule that says what it is about, whatever the agent calls itself."""
    base = re.sub(r"[^a-z0-9._]+", "-", wanted.lower(), flags=re.ASCII).strip("-._")[:56] or "rule"
    names, number, name = set(taken), 1, base
    while name in names:
        number += 1
        name = f"{base}-{number}"
    return name
