"""The transcript that an agent writes, and the user's words in it before a call.

Where each stands, as seen on Claude Code 2.1, Codex 0.171 and Gemini CLI 0.61:

- ``~/.claude/projects/<folder with - for every other sign>/<session>.jsonl``
- ``~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<session>.jsonl``
- ``~/.gemini/tmp/<project>/chats/session-<time>-<first eight of the session>.jsonl``

Transcripts are hostile input: a regular file is read from its end, a bounded number of bytes for a bounded time, and
what comes out is short and admissible. Nothing is ever written there.
"""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from store.agents import excerpts
from store.agents.provenance import CLAUDE, CODEX, GEMINI, Caller, Excerpt, session_name
from store.agents.transcript_lines import OUTCOMES, USER_MARKS, user_words
from store.regular import first_bytes, json_object, open_regular

__all__ = ["Excerpt", "find", "folders", "locate"]

TAIL: Final = 16 * 1024 * 1024
"""Bytes from the end in which the call and the user's words are looked for."""
COUNTED: Final = 4
"""How many times ``tail`` a file may hold for its lines to be counted; in a longer one the line stays unknown."""
SECONDS: Final = 0.25
"""The longest that reading may take."""
PATIENCE: Final = 0.4
"""Seconds that a server waits for a line to be written: Claude Code writes its transcript a moment after it calls."""
MOST_NAMES: Final = 5_000
"""Names of a folder that are looked at."""
_MENTIONS: Final = 8
"""Lines that name one call which are looked at."""
_MOST_SMALL: Final = 1024 * 1024
_SLACK: Final = 5.0
_STARTED: Final = time.time()
_UUID7: Final = r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{20,24}"


def find(
    caller: Caller, quote: str | None, *, patience: float = 0.0, tail: int = TAIL, seconds: float = SECONDS
) -> Excerpt | None:
    """What the caller's transcript holds of this call, or None where no transcript of it is known.

    ``line`` is that of the user's words that hold ``quote``, else of the call, else of the user's last words. ``text``
    is what the user typed there or last before it. ``patience`` is how long a call that is not written yet is waited
    for; a shell command, whose time is short, does not wait. Never raises and never hangs, whatever the files are.
    """
    until = time.monotonic() + patience
    while True:
        found, complete = _found(caller, quote, tail, seconds)
        if complete or time.monotonic() >= until:
            return found
        time.sleep(min(0.05, patience))


def _found(caller: Caller, quote: str | None, tail: int, seconds: float) -> tuple[Excerpt | None, bool]:
    """What there is now, and whether waiting could not make it better."""
    path, session = locate(caller)
    if path is None:
        return None, caller.session_id is None
    end = _end_of(path, tail)
    if end is None:
        return None, True
    look = _Look(caller.agent, end, time.monotonic() + seconds)
    call = look.call(caller.call_id)
    at, words = look.words(quote, before=call)
    missing = caller.call_id is not None and call is None
    place = at if at is not None and (call is None or look.quoted) else call
    if place is None:
        return Excerpt(path, None, "", session), not missing
    return Excerpt(path, end.line(place, look.until), words, session), not missing


# The tail of a file


class _End(NamedTuple):
    """The end of a file: its bytes from a line's start on, where in the file that is, and up to where lines count."""

    path: str
    data: bytes
    offset: int
    counted: int

    def line(self, at: int, until: float) -> int | None:
        """The number of the line that holds the byte ``at`` of the data, or None where counting is too much."""
        if self.offset + at > self.counted:
            return None
        handle = open_regular(self.path)
        if handle is None:
            return None
        count, left = 1 + self.data.count(b"\n", 0, at), self.offset
        try:
            while left > 0:
                part = os.read(handle, min(left, 1 << 20))
                if not part or time.monotonic() > until:
                    return None
                count, left = count + part.count(b"\n"), left - len(part)
        except OSError:
            return None
        finally:
            os.close(handle)
        return count


def _end_of(path: str, most: int) -> _End | None:
    handle = open_regular(path)
    if handle is None:
        return None
    try:
        size = os.fstat(handle).st_size
        start = max(0, size - most)
        data = os.pread(handle, size - start, start)
    except OSError:
        return None
    finally:
        os.close(handle)
    if start > 0:
        cut = data.find(b"\n") + 1
        data, start = (data[cut:], start + cut) if cut else (b"", size)
    return _End(path, data, start, COUNTED * most)


class _Look:
    """One look into the end of a transcript. Places are offsets of bytes in it."""

    def __init__(self, agent: str | None, end: _End, until: float) -> None:
        self.until = until
        self.quoted = False
        self._agent = agent
        self._data = end.data

    def call(self, name: str | None) -> int | None:
        """Where the line of a call starts: the last that names it and is not what came of it."""
        wanted, end = b'"' + (name or "").encode("ascii") + b'"', len(self._data)
        found: int | None = None
        for _ in range(_MENTIONS if name is not None else 0):
            at = self._data.rfind(wanted, 0, end)
            if at < 0:
                break
            end = self._data.rfind(b"\n", 0, at) + 1
            stop = self._data.find(b"\n", at)
            found = end
            if not any(mark in self._data[end : stop if stop >= 0 else len(self._data)] for mark in OUTCOMES):
                break
        return found

    def words(self, quote: str | None, *, before: int | None) -> tuple[int | None, str]:
        """The user's words that hold the quote, else the last ones, and where their line starts."""
        end = len(self._data) if before is None else before
        wanted = excerpts.folded(quote) if quote else ""
        first: tuple[int, str] | None = None
        more: list[str] = []
        for at, said in self._said(end):
            if wanted and wanted in excerpts.folded(said):
                self.quoted = True
                return at, excerpts.around(said, quote or "")
            if first is None:
                first = at, said
            elif not more or more[-1] != said:
                more.append(said)
            if not wanted and excerpts.enough(first[1], more):
                break
        if first is None:
            return None, ""
        return first[0], excerpts.last_words(first[1], more)

    def _said(self, end: int) -> Iterator[tuple[int, str]]:
        """What the user typed in the lines before ``end``, the last first; each message once."""
        # From mark to mark, not from line to line: most of a transcript is what tools put out.
        nearest = {mark: self._data.rfind(mark, 0, end) for mark in USER_MARKS.get(self._agent or "", ())}
        held: tuple[int, str] | None = None
        while time.monotonic() < self.until:
            nearest |= {mark: self._data.rfind(mark, 0, end) for mark, at in nearest.items() if at >= end}
            at = max(nearest.values(), default=-1)
            if at < 0:
                break
            start, stop = self._data.rfind(b"\n", 0, at) + 1, self._data.find(b"\n", at)
            said = user_words(self._agent, self._data[start : stop if stop >= 0 else len(self._data)])
            if said:
                # Codex writes what was typed twice, first as the model is given it: that is its place.
                if held is not None and held[1] != said:
                    yield held
                held = start, said
            end = start
        if held is not None:
            yield held


# Where transcripts stand


def folders(home: str, environ: Mapping[str, str]) -> list[str]:
    """The folders below which the agents write their transcripts: the usual ones, and where the environment says."""
    usual = (
        ("CLAUDE_CONFIG_DIR", ".claude", "", ("projects",)),
        ("CODEX_HOME", ".codex", "", ("sessions", "archived_sessions")),
        ("GEMINI_CLI_HOME", ".gemini", ".gemini", ("tmp",)),
    )
    found = []
    for variable, ours, inside, names in usual:
        said = environ.get(variable)
        bases = [os.path.join(home, ours), *([os.path.join(said, inside)] if said else [])]
        found += [os.path.join(base, name) for base in bases for name in names]
    return found


def locate(caller: Caller) -> tuple[str | None, str | None]:
    """The transcript of the caller's session, and the session that the transcript names where the caller did not."""
    if caller.transcript is not None:
        return (caller.transcript if _there(caller.transcript) else None), None
    where = {CLAUDE: _of_claude, CODEX: _of_codex}.get(caller.agent or "")
    if where is not None and caller.session_id is not None:
        return next((path for path in where(caller) if _there(path)), None), None
    return _of_gemini(caller) if caller.agent == GEMINI else (None, None)


def _there(path: str) -> bool:
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except (OSError, ValueError):
        return False


def _names(folder: str) -> list[str]:
    """What a folder holds, so far as it is looked at."""
    names: list[str] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                names.append(entry.name)
                if len(names) >= MOST_NAMES:
                    break
    except (OSError, ValueError):
        return []
    return names


def _of_claude(caller: Caller) -> Iterator[str]:
    projects = os.path.join(caller.settings or os.path.join(caller.home, ".claude"), "projects")
    name = f"{caller.session_id}.jsonl"
    for folder in (caller.cwd, os.path.realpath(caller.cwd)) if caller.cwd else ():
        yield os.path.join(projects, re.sub(r"[^A-Za-z0-9]", "-", folder), name)
    yield from (os.path.join(projects, one, name) for one in _names(projects))


def _of_codex(caller: Caller) -> Iterator[str]:
    """By the day that the session's name tells (it is a UUIDv7); one that was archived since stands elsewhere."""
    base, session = caller.settings or os.path.join(caller.home, ".codex"), caller.session_id or ""
    if re.fullmatch(_UUID7, session) is None:
        return
    began = datetime.fromtimestamp(int(session[:8] + session[9:13], 16) / 1000)
    days = (began + timedelta(days=more) for more in (0, -1, 1))
    folders = [os.path.join(base, "sessions", day.strftime("%Y/%m/%d")) for day in days]
    for folder in (*folders, os.path.join(base, "archived_sessions")):
        yield from (os.path.join(folder, name) for name in _names(folder) if name.endswith(f"-{session}.jsonl"))


def _of_gemini(caller: Caller) -> tuple[str | None, str | None]:
    """Gemini CLI names no session. Where one chat alone of this project was written since we were started, it is it."""
    base = os.path.join(caller.settings or caller.home, ".gemini")
    chats = next((one for one in _gemini_chats(base, caller.cwd) if _names(one)), None)
    if chats is None:
        return None, None
    wanted = caller.session_id
    found = []
    for name in sorted(_names(chats)):
        path = os.path.join(chats, name)
        if not (name.startswith("session-") and name.endswith(".jsonl")):
            continue
        if name.endswith(f"-{wanted[:8]}.jsonl") if wanted is not None else _written_since(path, _STARTED - _SLACK):
            found.append(path)
    heads = [(path, head) for path in found if (head := _head(path)).get("kind", "main") == "main"]
    if len(heads) != 1:
        return None, None
    path, head = heads[0]
    return path, session_name(head.get("sessionId"))


def _gemini_chats(base: str, cwd: str | None) -> Iterable[str]:
    known = json_object(first_bytes(os.path.join(base, "projects.json"), _MOST_SMALL)).get("projects")
    folders = (cwd, os.path.realpath(cwd)) if cwd else ()
    for folder in folders:
        name = known.get(folder) if isinstance(known, dict) else None
        if isinstance(name, str) and session_name(name) is not None:
            yield os.path.join(base, "tmp", name, "chats")


def _written_since(path: str, moment: float) -> bool:
    try:
        state = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISREG(state.st_mode) and state.st_mtime >= moment


def _head(path: str) -> dict[str, Any]:
    """The first line of a transcript, where it is short."""
    return json_object(first_bytes(path, 64 * 1024).partition(b"\n")[0])
