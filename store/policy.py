"""What an agent may propose: intake limits per agent, off by default (design section 5.7). Pure.

Auto-approval rules, trust and calibration belong here too, when they come.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from store.entry import KINDS

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
