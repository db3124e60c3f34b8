"""The terminal that the console would be painted on: size, colours, encoding, fonts as far as they can be told."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from typing import Final

from console import terminal, theme
from console.health import Finding, tmux, widths
from store.location import search_path

SAMPLE: Final = "● ▌ ━ … 中文 é 😀"
"""What a person looks at: no program can tell how it is drawn."""
FONTS_WAIT: Final = 3.0
_LANGUAGES: Final = {"Chinese": ":lang=zh", "emoji": ":lang=und-zsye"}


def look(environ: Mapping[str, str]) -> list[Finding]:
    """Everything about the terminal. Paints a line for a moment where there is one to ask."""
    if not any(map(terminal.is_terminal, (sys.stdin, sys.stdout, sys.stderr))):
        return [Finding("terminal", "note", "none here: its colours, widths and fonts are looked at in one")]
    fence = terminal.agent_around(environ)
    return [
        *([Finding("fence", "note", f"the environment of {fence}: the console only looks here")] if fence else []),
        size(*terminal.size()),
        *widths.look(),
        colours(environ),
        encoding(environ),
        *tmux.look(environ),
        *fonts(environ),
    ]


def size(columns: int, lines: int) -> Finding:
    """Whether the console fits."""
    told = f"{columns}x{lines}"
    if columns < terminal.MIN_COLUMNS or lines < terminal.MIN_LINES:
        return Finding(
            "size", "todo", f"{told}: too small", f"{terminal.MIN_COLUMNS}x{terminal.MIN_LINES} is the least."
        )
    return Finding("size", "ok", told + (": one pane at a time" if columns < 80 else ""))


def colours(environ: Mapping[str, str]) -> Finding:
    """How many colours the console will use, as Rich reads TERM and COLORTERM."""
    term = environ.get("TERM", "")
    if term in terminal.NO_DRAWING:
        return Finding("colours", "todo", f"TERM is {term or 'not set'}: the console cannot draw", "Set TERM.")
    if theme.none_asked_for(environ):
        return Finding("colours", "ok", "none, as NO_COLOR asks")
    from rich.console import Console

    told = Console(force_terminal=True, _environ=environ).color_system
    if told == "truecolor":
        return Finding("colours", "ok", f"24 bits (COLORTERM is {environ.get('COLORTERM', '').strip()})")
    if told == "256":
        return Finding("colours", "ok", f"256 (TERM is {term})")
    return Finding("colours", "note", f"16 (TERM is {term})", "TERM=xterm-256color, if your terminal has 256.")


def encoding(environ: Mapping[str, str]) -> Finding:
    """Whether the locale says UTF-8: editors, tmux and ssh go by it."""
    name = next((one for one in ("LC_ALL", "LC_CTYPE", "LANG") if environ.get(one)), None)
    if name is not None and re.search(r"utf-?8", environ[name], re.IGNORECASE):
        return Finding("encoding", "ok", f"UTF-8 ({name} is {environ[name]})")
    told = f"{name} is {environ[name]}" if name else "none of LC_ALL, LC_CTYPE and LANG is set"
    return Finding("encoding", "todo", f"not UTF-8: {told}", "export LANG=C.UTF-8")


def fonts(environ: Mapping[str, str]) -> list[Finding]:
    """Which scripts have a font here, where here is where one looks; and a line to look at in any case."""
    look_at = Finding("sample", "note", f"{SAMPLE}  (a box in place of one: no font has it)")
    if environ.get("SSH_CONNECTION") or environ.get("SSH_TTY"):
        return [Finding("fonts", "note", "those of the machine you sit at: not known here"), look_at]
    missing = _missing(environ)
    if missing is None:
        return [look_at]
    if missing:
        return [Finding("fonts", "note", f"none installed here for {' and '.join(missing)}"), look_at]
    return [Finding("fonts", "ok", "there are some for Chinese and emoji"), look_at]


def _missing(environ: Mapping[str, str]) -> list[str] | None:
    """The scripts without a font, as fontconfig knows it; None where it is not there."""
    command = shutil.which("fc-list", path=search_path(environ))
    if command is None:
        return None
    missing = []
    for name, pattern in _LANGUAGES.items():
        try:
            ran = subprocess.run(
                [command, "--quiet", pattern],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=FONTS_WAIT,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        if ran.returncode != 0:
            missing.append(name)
    return missing
