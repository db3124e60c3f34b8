"""The text of a memory with the new path of what moved, written as the old one was. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import quote

from store.mentions import Mention

if TYPE_CHECKING:
    from store.naming import Found


def replaced(text: str, changes: Iterable[tuple[Mention, str | None]]) -> str | None:
    """``text`` with each mention replaced; None where none can be or nothing changes."""
    done = [(one.start, one.end, new) for one, new in changes if new is not None]
    if not done:
        return None
    for start, end, new in sorted(done, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def spelled(mention: Mention, found: Found) -> str | None:
    """What to write for ``mention`` now; None where the new place cannot be said in its form."""
    new = found.new
    if new is None:
        return None
    if mention.kind in ("module", "function"):
        return _module(mention, found)
    if mention.tree and mention.base:
        return None if new.rpartition("/")[0] != found.old.rpartition("/")[0] else new.rpartition("/")[2]
    said = mention.path.rpartition("/")[2]
    old = found.old
    if "." not in said and old.rpartition("/")[2].startswith(said + "."):
        # Said without its ending, as an import says it.
        old, new = (re.sub(r"\.\w+$", "", one) for one in (old, new))
    if old == mention.path:
        pass
    elif not found.whole:
        new = _ending(mention.path, old, new)
    elif mention.base and old.startswith(mention.base + "/"):
        return None
    return _dressed(mention, found.prefix + new if not found.prefix or found.whole else new)


def _ending(said: str, old: str, new: str) -> str:
    """The part of ``new`` to say where of ``old`` only its end was said: without the folders that stayed."""
    if "/" not in said:
        return new.rpartition("/")[2]
    front = old[: len(old) - len(said)]
    return new[len(front) :] if front and new.startswith(front) else new


def _dressed(mention: Mention, path: str) -> str:
    """``path`` with what the text had around the old one: ``./``, a slash behind, backslashes, ``%20``."""
    text = mention.text
    if mention.kind == "windows":
        return path.replace("/", "\\")
    if "%20" in text:
        path = quote(path, safe="/@+~()[]")
    elif "\\ " in text:
        path = path.replace(" ", "\\ ")
    lead = "./" if text.startswith("./") else "/" if text.startswith("/") else ""
    return lead + path + ("/" if text.endswith("/") and not path.endswith("/") else "")


def _module(mention: Mention, found: Found) -> str | None:
    """The dotted name of where a module went, cut at the folder from which the old one was named."""
    separator = "::" if "::" in mention.text else "."
    parts = mention.path.split("/")
    old = re.sub(r"(?:/__init__)?\.\w+$", "", found.old)
    said = next(
        (n for n in range(len(parts), 0, -1) if old == "/".join(parts[:n]) or old.endswith("/" + "/".join(parts[:n]))),
        0,
    )
    if said == 0 or found.new is None:
        return None
    front = old[: len(old) - len("/".join(parts[:said]))]
    new = re.sub(r"(?:/__init__)?\.\w+$", "", found.new)
    if front and new.startswith(front):
        new = new[len(front) :]
    elif front:
        last = front.rstrip("/").rpartition("/")[2]
        at = f"/{new}".find(f"/{last}/")
        new = new[at + len(last) + 1 :] if at >= 0 else new
    return separator.join((*new.split("/"), *parts[said:]))
