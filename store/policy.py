"""What a person lets agents do without being asked: intake limits and rules of approval, off by default. Pure.

Both stand in config.toml (design section 5.7). Limits narrow what an agent may propose::

    [limits.codex]
    kinds = ["fact", "procedure"]
    per_session = 20

Rules approve additions that nothing speaks against, of the agents that are named::

    [[approve]]
    name = "codex-facts"
    agent = "codex"
    kind = "fact"
    min_confidence = 0.8

What is not understood limits nothing and approves nothing: each time the person is asked, and told of the mistake.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from store.entry import GLOBAL, KINDS, SOURCES, Entry

EVERY_AGENT: Final = "*"
"""The name under which config.toml limits every agent that has no limits of its own."""


@dataclass(frozen=True, slots=True)
class Limit:
    """The limits of one agent. None means no limit. ``per_session`` counts queued proposals."""

    kinds: frozenset[str] | None = None
    per_session: int | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """All limits, by the agent's name as it proposes."""

    by_agent: Mapping[str, Limit] = field(default_factory=dict)

    def of(self, agent: str | None) -> Limit:
        """The limits of an agent; one that gives no name has those of ``*``."""
        named = self.by_agent.get(agent) if agent is not None else None
        return named or self.by_agent.get(EVERY_AGENT) or UNLIMITED

    def __bool__(self) -> bool:
        return bool(self.by_agent)


UNLIMITED: Final = Limit()
NO_LIMITS: Final = Limits()


def read_limits(section: object) -> tuple[Limits, tuple[str, ...]]:
    """The limits of config.toml's ``[limits]``, and a message for each thing that is not understood.

    The section holds one table an agent: ``[limits.codex]`` with ``kinds = ["fact"]`` and ``per_session = 20``. What is
    not understood limits nothing.
    """
    if section is None:
        return NO_LIMITS, ()
    if not isinstance(section, dict):
        return NO_LIMITS, ("[limits] is not a table.",)
    messages: list[str] = []
    found = {str(agent): _read_one(f"limits.{agent}", values, messages) for agent, values in section.items()}
    return Limits({agent: limit for agent, limit in found.items() if limit != UNLIMITED}), tuple(messages)


def _read_one(where: str, values: object, messages: list[str]) -> Limit:
    if not isinstance(values, dict):
        messages.append(f"[{where}] is not a table.")
        return UNLIMITED
    messages.extend(f"{where}.{name} is not known." for name in values if name not in ("kinds", "per_session"))
    return Limit(kinds=_kinds(where, values, messages), per_session=_per_session(where, values, messages))


def _kinds(where: str, values: dict[str, Any], messages: list[str]) -> frozenset[str] | None:
    said = values.get("kinds")
    if said is None:
        return None
    if not isinstance(said, list) or not all(isinstance(kind, str) and kind in KINDS for kind in said):
        messages.append(f"{where}.kinds is not a list of kinds ({', '.join(KINDS)}).")
        return None
    return frozenset(said)


def _per_session(where: str, values: dict[str, Any], messages: list[str]) -> int | None:
    said = values.get("per_session")
    if said is None:
        return None
    if isinstance(said, bool) or not isinstance(said, int) or said < 0:
        messages.append(f"{where}.per_session is not a whole number of 0 or more.")
        return None
    return said


# -- rules of approval


RULE_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}", re.ASCII)
"""What a rule may be called: every approval, its filter and the log name it."""
MOST_RULES: Final = 100
"""Rules of one config.toml; further ones are told and approve nothing."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One ``[[approve]]`` of config.toml. ``None`` asks for nothing, but a rule without ``scopes`` is never for global.

    ``agents`` are names as agents propose under them, ``scopes`` whole identities of projects (never their labels,
    which a repository chooses itself), or ``global``. A confidence that was not stated is below every minimum.
    """

    name: str
    agents: frozenset[str]
    kinds: frozenset[str] | None = None
    sources: frozenset[str] | None = None
    scopes: frozenset[str] | None = None
    min_confidence: float | None = None

    def covers(self, entry: Entry) -> bool:
        """Whether what an entry says of itself is what the rule asks for."""
        return (
            entry.source_agent in self.agents
            and (self.kinds is None or entry.kind in self.kinds)
            and (self.sources is None or entry.source in self.sources)
            and (entry.scope != GLOBAL if self.scopes is None else entry.scope in self.scopes)
            and (self.min_confidence is None or _reaches(entry.confidence, self.min_confidence))
        )


@dataclass(frozen=True, slots=True)
class Rules:
    """All rules, in the order of config.toml."""

    all: tuple[Rule, ...] = ()

    def for_entry(self, entry: Entry) -> Rule | None:
        """The first rule that covers an entry."""
        return next((rule for rule in self.all if rule.covers(entry)), None)

    def __bool__(self) -> bool:
        return bool(self.all)


NO_RULES: Final = Rules()
TAKEN_NAMES: Final = ("any", "none")
"""What the filter ``auto:`` understands as something else than the name of a rule."""
_RULE_FIELDS: Final = ("name", "agent", "kind", "source", "scope", "min_confidence")


class _Unclear(Exception):
    """A rule that is not understood; the message is for people."""


def read_rules(section: object) -> tuple[Rules, tuple[str, ...]]:
    """The rules of config.toml's ``[[approve]]`` tables, and a message for each that is not understood.

    A rule has a ``name`` of its own and an ``agent``, and may ask for ``kind``, ``source``, ``scope`` (each one or a
    list of several) and ``min_confidence``. A rule with any part that is not understood approves nothing.
    """
    if section is None:
        return NO_RULES, ()
    if not isinstance(section, list):
        return NO_RULES, ("[approve] is not a list of rules: write [[approve]] above each.",)
    messages: list[str] = []
    found: dict[str, Rule] = {}
    for number, values in enumerate(section[:MOST_RULES], 1):
        try:
            rule = _read_rule(values)
            if rule.name in found:
                raise _Unclear(f"another rule is called {rule.name}")
        except _Unclear as unclear:
            messages.append(f"[[approve]] number {number} approves nothing: {unclear}.")
        else:
            found[rule.name] = rule
    if len(section) > MOST_RULES:
        messages.append(f"Only the first {MOST_RULES} rules of [[approve]] are read.")
    return Rules(tuple(found.values())), tuple(messages)


def _read_rule(values: object) -> Rule:
    if not isinstance(values, dict):
        raise _Unclear("it is not a table")
    unknown = [name for name in values if name not in _RULE_FIELDS]
    if unknown:
        raise _Unclear(f"{unknown[0]} is not known; a rule has {', '.join(_RULE_FIELDS)}")
    name = values.get("name")
    if not isinstance(name, str) or not RULE_NAME.fullmatch(name):
        raise _Unclear("it needs a name of small letters, digits, dots and dashes")
    if name in TAKEN_NAMES:
        raise _Unclear(f"the filter auto:{name} means something else; give it another name")
    agents = _texts(values, "agent")
    if agents is None:
        raise _Unclear("it names no agent")
    if EVERY_AGENT in agents:
        raise _Unclear("it is for every agent; name those you trust")
    scopes = _texts(values, "scope")
    if scopes and EVERY_AGENT in scopes:
        raise _Unclear("scope * is no project; leave scope out for every project but global")
    return Rule(
        name=name,
        agents=agents,
        kinds=_texts(values, "kind", KINDS),
        sources=_texts(values, "source", SOURCES),
        scopes=scopes,
        min_confidence=_share(values.get("min_confidence")),
    )


def _texts(values: dict[str, Any], name: str, known: tuple[str, ...] | None = None) -> frozenset[str] | None:
    """One text or a list of several, each among ``known``; None where nothing is said."""
    said = values.get(name)
    if said is None:
        return None
    several = [said] if isinstance(said, str) else said
    if not isinstance(several, list) or not several or not all(isinstance(one, str) and one for one in several):
        raise _Unclear(f"{name} is neither a text nor a list of texts")
    wrong = next((one for one in several if known is not None and one not in known), None)
    if wrong is not None and known is not None:
        raise _Unclear(f"there is no {name} {wrong!r}; there are {', '.join(known)}")
    return frozenset(several)


def _share(said: object) -> float | None:
    if said is None:
        return None
    if isinstance(said, bool) or not isinstance(said, (int, float)) or not 0 <= said <= 1:
        raise _Unclear("min_confidence is not a number from 0 to 1")
    return float(said)


def _reaches(confidence: float | None, minimum: float) -> bool:
    return confidence is not None and confidence >= minimum


def toml_text(text: str) -> str:
    """A text as a TOML basic string, whatever stands in it: agents choose their names themselves."""
    return '"' + "".join(_toml_character(char) for char in text) + '"'


def _toml_character(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    if " " <= char <= "~":
        return char
    code = ord(char)
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"


def config_lines(rule: Rule) -> tuple[str, ...]:
    """A rule as the lines of config.toml that make it."""
    lines = ["[[approve]]", f"name = {toml_text(rule.name)}"]
    for name, several in (
        ("agent", rule.agents),
        ("kind", rule.kinds),
        ("source", rule.sources),
        ("scope", rule.scopes),
    ):
        if several is not None:
            spelled = [toml_text(one) for one in sorted(several)]
            lines.append(f"{name} = {spelled[0] if len(spelled) == 1 else '[' + ', '.join(spelled) + ']'}")
    if rule.min_confidence is not None:
        lines.append(f"min_confidence = {rule.min_confidence:g}")
    return tuple(lines)
