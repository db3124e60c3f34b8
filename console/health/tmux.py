"""tmux between the console and the terminal: how long it holds esc back, and which colours it lets through."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from typing import Final

from console.health import Finding
from store.location import search_path

WAIT: Final = 2.0
"""Seconds after which a tmux that does not answer is left alone."""
SLOW: Final = 100
"""Milliseconds of ``escape-time`` beyond which a person notices that esc comes late."""
ASKED: Final = (
    "version",
    "escape-time",
    "focus-events",
    "set-clipboard",
    "client_utf8",
    "client_termname",
    "client_termfeatures",
)
CONF: Final = "In ~/.tmux.conf: "


def look(environ: Mapping[str, str]) -> list[Finding]:
    """What tmux is set to; nothing where this is no tmux."""
    if not environ.get("TMUX"):
        return []
    said = asked(environ)
    if said is None:
        return [Finding("tmux", "note", "there, but it could not be asked how it is set")]
    return judged(said, environ)


def asked(environ: Mapping[str, str]) -> dict[str, str] | None:
    """The options and formats of ``ASKED`` as the tmux around us has them (empty where it has none), or None."""
    tmux = shutil.which("tmux", path=search_path(environ))
    if tmux is None:
        return None
    pane = environ.get("TMUX_PANE")
    command = [tmux, "display-message", "-p", *(["-t", pane] if pane else [])]
    command.append("\n".join(f"#{{{name}}}" for name in ASKED))
    try:
        ran = subprocess.run(
            command, env=dict(environ), stdin=subprocess.DEVNULL, capture_output=True, timeout=WAIT, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = ran.stdout.decode("utf-8", "replace").split("\n")
    if ran.returncode != 0 or len(lines) < len(ASKED):
        return None
    return dict(zip(ASKED, lines, strict=False))


def judged(said: Mapping[str, str], environ: Mapping[str, str]) -> list[Finding]:
    """Findings from what tmux said of itself."""
    return [
        _escape_time(said["escape-time"]),
        _focus(said["focus-events"]),
        _colours(said, environ),
        _clipboard(said["set-clipboard"]),
        *_utf8(said["client_utf8"]),
    ]


def _escape_time(value: str) -> Finding:
    if not value.isdecimal():
        return Finding("tmux escape-time", "note", "not known")
    if int(value) <= SLOW:
        return Finding("tmux escape-time", "ok", f"{value} ms")
    return Finding(
        "tmux escape-time", "todo", f"{value} ms: esc takes that long to arrive", f"{CONF}set -sg escape-time 10"
    )


def _focus(value: str) -> Finding:
    if value in ("on", "1"):
        return Finding("tmux focus-events", "ok", "on")
    return Finding("tmux focus-events", "note", "off: programs do not learn of it", f"{CONF}set -g focus-events on")


def _colours(said: Mapping[str, str], environ: Mapping[str, str]) -> Finding:
    features, outer = said["client_termfeatures"].split(","), said["client_termname"]
    if not outer:
        return Finding("tmux colours", "note", "nobody is attached: not known")
    if "RGB" in features:
        return Finding("tmux colours", "ok", f"all of them reach {outer}")
    wanted = f"{CONF}set -as terminal-features ',{outer}:RGB', if your terminal has 24-bit colours"
    if environ.get("COLORTERM") in ("truecolor", "24bit"):
        return Finding("tmux colours", "note", f"24-bit colours are cut to what {outer} is said to have", wanted)
    return Finding("tmux colours", "ok", f"those of {outer}")


def _clipboard(value: str) -> Finding:
    if value in ("on", "2"):
        return Finding("tmux clipboard", "ok", "on: y copies to the terminal's")
    return Finding(
        "tmux clipboard", "note", "y does not reach the terminal's clipboard", f"{CONF}set -s set-clipboard on"
    )


def _utf8(value: str) -> list[Finding]:
    if value != "0":
        return []
    return [Finding("tmux UTF-8", "todo", "tmux takes your terminal for one without UTF-8", "Start it with tmux -u.")]
