"""The user's config.toml. What is unknown or malformed becomes a message, never a crash. Pure."""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from store.keeping import Copies, Retention, read_copies, read_retention
from store.location import config_file
from store.policy import NO_LIMITS, NO_RULES, Limits, Rules, read_limits, read_rules
from store.rules.policy import read_policy

MOST_BYTES: Final = 256 * 1024
SECTIONS: Final = ("limits", "approve", "console", "keys", "model", "redact", "retention", "backup")
"""The tables that some part of Meminbox reads."""


@dataclass(frozen=True, slots=True)
class Config:
    """What config.toml says. ``messages`` name each thing in it that was not understood, in words for people."""

    path: Path
    limits: Limits = NO_LIMITS
    rules: Rules = NO_RULES
    retention: Retention = field(default_factory=Retention)
    copies: Copies = field(default_factory=Copies)
    sections: Mapping[str, Any] = field(default_factory=dict)
    messages: tuple[str, ...] = ()

    def section(self, name: str) -> Mapping[str, Any]:
        """One table as it stands in the file; empty where there is none. Its reader checks what it holds."""
        found = self.sections.get(name)
        return found if isinstance(found, dict) else {}


def load(environ: Mapping[str, str] = os.environ) -> Config:
    """Read the user's config.toml, wherever ``location.config_file`` says it stands; a missing file is an empty one."""
    return read(config_file(environ))


def read(path: Path) -> Config:
    """Read one config file. Never raises for what the file is or holds: that is told in ``messages``."""
    try:
        with path.open("rb") as file:
            data, mode = file.read(MOST_BYTES + 1), os.fstat(file.fileno()).st_mode
    except FileNotFoundError:
        return Config(path)
    except OSError as error:
        return _unread(path, f"cannot be read ({error.strerror})")
    if len(data) > MOST_BYTES:
        return _unread(path, f"is larger than {MOST_BYTES // 1024} KiB")
    try:
        values = tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        return _unread(path, f"is not UTF-8 (byte {error.start})")
    except tomllib.TOMLDecodeError as error:
        return _unread(path, f"is not TOML: {error}")
    except RecursionError:
        return _unread(path, "is nested too deeply")
    limits, of_limits = read_limits(values.get("limits"))
    rules, of_rules = read_rules(values.get("approve"))
    if rules and mode & stat.S_IWOTH:
        rules, of_rules = (
            NO_RULES,
            (*of_rules, "[[approve]] is left aside: anybody on this machine may write the file."),
        )
    retention, of_retention = read_retention(values.get("retention"))
    copies, of_copies = read_copies(values.get("backup"))
    _, of_redaction = read_policy(values.get("redact"))
    unknown = tuple(f"{name} is not known." for name in values if name not in SECTIONS)
    of_keeping = (*of_retention, *of_copies)
    told = (*unknown, *of_limits, *of_rules, *of_redaction, *of_keeping)
    messages = tuple(f"{path}: {message}" for message in told)
    return Config(path, limits, rules, retention, copies, values, messages)


def _unread(path: Path, why: str) -> Config:
    return Config(path, messages=(f"{path} {why}; it was left aside.",))
