"""Codex runs a hook only once a person trusted it: which of our hooks are, by what Codex itself writes down. Pure.

For each hook, Codex keeps a hash of its event, matcher and handler in ``config.toml``, under ``hooks.state`` and a key
of file, event and place. (Codex 0.171; ``codex app-server``'s ``hooks/list`` names the same keys and hashes.)
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from store.agents.roster import CODEX_END_SECONDS, our_handler

_SECONDS: Final = {"SessionEnd": (1, CODEX_END_SECONDS)}
"""Event -> the time limit where none is said, and the most there is; for every other event 600 and no bound."""


def label(event: str) -> str:
    """Codex's own spelling of an event in keys: SessionStart -> session_start."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", event).lower()


def fingerprint(event: str, handler: Mapping[str, Any], matcher: str | None = None) -> str:
    """The hash that Codex gives a command hook: over what it does, not over how it is written."""
    said = handler.get("timeout")
    otherwise, most = _SECONDS.get(event, (600, None))
    seconds = said if type(said) is int else otherwise
    known: dict[str, Any] = {
        "type": "command",
        "command": handler["command"],
        "timeout": max(1, seconds if most is None else min(most, seconds)),
        "async": bool(handler.get("async", False)),
    }
    for name in ("statusMessage", "additionalContextLimit"):
        if handler.get(name) is not None:
            known[name] = handler[name]
    identity: dict[str, Any] = {"event_name": label(event), "hooks": [known]}
    if matcher is not None:
        identity["matcher"] = matcher
    spelled = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(spelled.encode('utf-8', 'surrogatepass')).hexdigest()}"


def ours(file: str, hooks: object) -> Iterator[tuple[str, str]]:
    """Key and hash of each of our hooks in ``hooks`` (the value under "hooks" of the file at ``file``)."""
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for place, group in enumerate(groups if isinstance(groups, list) else ()):
            handlers = group.get("hooks") if isinstance(group, dict) else None
            for number, handler in enumerate(handlers if isinstance(handlers, list) else ()):
                if our_handler(handler):
                    key = f"{file}:{label(event)}:{place}:{number}"
                    yield key, fingerprint(event, handler, group.get("matcher") if event == "SessionStart" else None)


def trusted(file: str, hooks: object, config: Mapping[str, Any]) -> bool | None:
    """Whether Codex would run every hook of ours; None where there is none. ``config`` is the parsed config.toml."""
    wanted = dict(ours(file, hooks))
    if not wanted:
        return None
    section = config.get("hooks")
    states = section.get("state") if isinstance(section, dict) else None
    known = states if isinstance(states, dict) else {}
    return all(_holds(known.get(key), value) for key, value in wanted.items())


def _holds(state: object, value: str) -> bool:
    return isinstance(state, dict) and state.get("trusted_hash") == value and state.get("enabled") is not False
