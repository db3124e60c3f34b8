"""The lines of a text and the place each gives to what it names: fences, drawn trees, folders after ``cd``. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from store.mention_pieces import Kind, Mention, Span

MOST_LINES: Final = 2_000
_FENCE: Final = re.compile(r"[ \t]*(?:```|~~~)")
_BRANCH: Final = re.compile(
    r"(?P<indent>[ \t│┃|\u00a0]*)(?:[├└┣┗╰╠╚]|[|+`\\](?=--))[─━═-]*[ \t\u00a0]*(?P<name>[^\s#]+)"
)
_TREE_TOP: Final = re.compile(r"[ \t]*(?P<name>[\w.@~$][\w.@/-]{0,200})(?:[ \t]*(?:#|<-|—|–|//).*)?")
_INDENTED: Final = re.compile(
    r"(?P<indent>[ \t]*)(?:[-*] )?(?P<name>[\w.@\[\](){}-][\w.@\[\](){}+-]{0,120}/?)"
    r"(?P<note>[ \t]+(?:#|—|–|<-|//|- ).*|[ \t]*)"
)
_CD: Final = re.compile(r"(?<![\w./-])(?:cd|pushd)[ \t]+(?P<quote>[\"'])?(?P<name>[^\s;&|`\"'()，。；）]{1,300})")
_RETURN: Final = re.compile(r"(?<![\w./-])popd(?![\w./-])")
_QUOTED: Final = re.compile(
    r"``(?P<a>[^`\n]{1,400})``|`(?P<b>[^`\n]{1,400})`|\"(?P<c>[^\"\n]{1,300})\"|“(?P<d>[^”\n]{1,300})”"
    r"|「(?P<e>[^」\n]{1,300})」|『(?P<f>[^』\n]{1,300})』|(?<![\w'])'(?P<g>[^'\n]{1,300})'(?!\w)"
    r"|\]\(<(?P<j>[^<>\n]{1,400})>\)|\]\((?P<h>[^()\n]{1,400})\)|《(?P<i>[^》\n]{1,300})》"
)


@dataclass(slots=True)
class Line:
    """One line: its text, where it starts in the whole, the spans in quotes, what a tree's branch names.

    ``folders`` are the folders that a ``cd`` of this line (or, in a fence, of an earlier one) leads to: from which
    place in the whole text on, and where to. ``code`` says that the line is a command or stands in a fence.
    """

    text: str
    start: int
    code: bool = False
    tree: Mention | None = None
    spans: list[Span] = field(default_factory=list)
    folders: list[tuple[int, str]] = field(default_factory=list)

    def base(self, at: int) -> str:
        """The folder in which what stands at ``at`` is said; empty for the top."""
        found = ""
        for place, folder in self.folders:
            if place > at:
                break
            found = folder
        return found


def lines(text: str) -> Iterator[Line]:
    """The lines of ``text`` with their places."""
    reader = _Reader(text)
    start = 0
    for at, raw in enumerate(text.split("\n")):
        if at >= MOST_LINES:
            return
        yield reader.read(raw, start)
        start += len(raw) + 1


class _Reader:
    """Keeps what earlier lines say of later ones: an open fence, the folder a shell is in, the branches of a tree."""

    def __init__(self, text: str) -> None:
        self.fenced = False
        self.folder = ""
        self.branches: list[tuple[int, str]] = []
        self.top = ""
        self.drawn = any(mark in text for mark in "├└┣┗╰") or "|--" in text or "+--" in text or "`--" in text

    def read(self, raw: str, start: int) -> Line:
        if _FENCE.match(raw):
            self.fenced = not self.fenced
            self.folder, self.branches, self.top = "", [], ""
            return Line("", start)
        line = Line(raw, start, code=self.fenced or raw.lstrip().startswith(("$ ", "> $ ", "% ")))
        if not self.fenced:
            self.folder = ""
        line.tree = self._branch(raw, start) if self.drawn or self.fenced else None
        line.folders = self._follow(line)
        line.spans = list(_spans(raw, start))
        return line

    def _follow(self, line: Line) -> list[tuple[int, str]]:
        places: list[tuple[int, str]] = []
        if self.folder:
            places.append((line.start, self.folder))
        if "cd" not in line.text and "push" not in line.text and "popd" not in line.text:
            return places
        here = self.folder
        for match in _CD.finditer(line.text):
            here = _joined(here, match["name"])
            places.append((line.start + match.end(), here))
        if _RETURN.search(line.text):
            here = ""
        if self.fenced:
            self.folder = here
        return places

    def _branch(self, raw: str, start: int) -> Mention | None:
        """What a line of a drawn tree names: its own name below those it hangs on."""
        match = _BRANCH.match(raw) if self.drawn else None
        if match is not None:
            depth = len(match["indent"].expandtabs(4)) + 1
        else:
            match = (_INDENTED if self.fenced and not self.drawn else _TREE_TOP).fullmatch(raw)
            if match is None:
                if not raw.strip():
                    self.branches = []
                return None
            depth = len(raw) - len(raw.lstrip()) if not self.drawn else 0
        name = match["name"].rstrip(",;")
        while self.branches and self.branches[-1][0] >= depth:
            self.branches.pop()
        above = "/".join(part for _, part in self.branches)
        folder = name.endswith("/")
        inner = name.strip("/")
        while inner.startswith("./"):
            inner = inner[2:]
        if depth > 0 and not self.branches and match.re is not _BRANCH:
            return None
        self.branches.append((depth, inner if inner != "." else ""))
        if not above or inner in ("", ".", "..", "...", "…"):
            return None
        path = "/".join(part for part in (*above.split("/"), *inner.split("/")) if part)
        place = start + match.start("name")
        drawn = match.re is _BRANCH
        kind: Kind = "folder" if folder else "path"
        if above.startswith(("~", "$HOME")):
            kind = "home"
        return Mention(place, place + len(name), name, kind, path, base=above, sure=drawn, tree=True)


def _joined(here: str, name: str) -> str:
    """The folder that ``cd name`` leads to from ``here``; one outside is the top again, for nothing is known of it."""
    name = name.rstrip("/")
    if name.startswith(("/", "~", "$", "-")) or ":" in name or "\\" in name:
        return ""
    parts = here.split("/") if here else []
    for part in name.split("/"):
        if part == "..":
            if parts:
                parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)[:300]


def _spans(raw: str, start: int) -> Iterator[Span]:
    if not any(mark in raw for mark in "`\"“「『'](《"):
        return
    for match in _QUOTED.finditer(raw):
        group = str(match.lastgroup)
        place = start + match.start(group)
        yield Span(place, place + len(match[group]), match[group], code=group in "ab", link=group == "h")
