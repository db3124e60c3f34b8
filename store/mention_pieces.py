"""The pieces of a line that may name something, and what kind each is of. Pure; see ``store.mentions``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import unquote

from store import mention_words as words

if TYPE_CHECKING:
    from store.mention_lines import Line

Kind = Literal["path", "file", "folder", "module", "function", "glob", "windows", "url", "home", "package", "command"]


@dataclass(frozen=True, slots=True)
class Mention:
    """Something that a text names, at ``start`` to ``end`` of it (characters; ``text`` is what stands there).

    ``path`` is the name in one spelling: slashes, no ``./`` before and no slash behind; of a module the dots are
    slashes. ``line`` is the number in ``file.py:186``. ``base`` is the folder that a ``cd`` before it (or the branch of
    a drawn tree above it) gives; ``tree`` says that ``path`` has it in front already. ``sure`` is False for what may
    be something else (a word with a dot, two words with a slash) and counts only where such a file is or was.
    """

    start: int
    end: int
    text: str
    kind: Kind
    path: str
    line: int | None = None
    base: str = ""
    sure: bool = True
    tree: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """What stands between quotes, at ``start`` of the text. ``link``: it is the plain target of a link."""

    start: int
    end: int
    text: str
    code: bool = False
    link: bool = False


# A piece: what stands between blanks, quotes, bars, arrows and the punctuation of either script. A placeholder such as
# ``<id>`` inside a path and a ``{a,b}`` stay whole.
_PIECE: Final = re.compile(
    r"(?:[^\s`\"“”‘’「」『』《》〈〉【】（）<>|,;，。；：、！？…→←⇒▶►─━│├└┣┗|{}']"
    r"|\{[^{}\s]{0,80}\}|\$\{\w{1,40}\}|[{}]|(?<=[/\w.-])<[\w-]{1,40}>(?=[/\w.-]|$)|(?<=\w)'(?=\w)|\\ )+"
)
_LINK: Final = re.compile(r"\]\(")
_LINE_NUMBER: Final = re.compile(r"(?::|#L|#)(\d{1,7})(?:[:-]L?\d{1,7})*$")
_LINE_AFTER: Final = re.compile(r"[`\"]?(?:,|,? ?\()?[ \t]*(?:lines?|L|第)[ \t]*(\d{1,7})")
_CALL: Final = re.compile(r"(?P<name>[A-Za-z_$][\w$]*(?:(?:\.|::|->|#)[A-Za-z_$][\w$]*){0,8})\((?P<inside>[^()]*)\)?$")
_MODULE: Final = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*){1,12}")
_IMPORT: Final = re.compile(
    r"(?<![\w.])(?:from[ \t]+(?P<a>\.{0,3}[A-Za-z_][\w.]{0,200})[ \t]+import\b|import[ \t]+(?:static[ \t]+)?"
    r"(?P<b>[A-Za-z_][\w.]{0,200}(?:[ \t]*,[ \t]*[A-Za-z_][\w.]{0,200}){0,5})"
    r"|python3?[ \t]+(?:-[A-Za-z][ \t]+)?-m[ \t]+(?P<c>[A-Za-z_][\w.]{0,200})|-m[ \t]+(?P<d>[A-Za-z_][\w.]{1,200}))"
)
_GLOB: Final = re.compile(r"[*?]|\[[^\]\s]{1,40}\]|\{[^{}\s]{1,80}\}|<[\w-]{1,40}>|\.\.\.")
_ARROW: Final = re.compile(r"->|=>|&&|\|\|")
_AND: Final = re.compile(r"(?<=[A-Za-z0-9_/)])[和与或及跟到](?=[A-Za-z0-9_./~@])")
_CJK_EDGE: Final = re.compile(f"[{words.CJK}]")
_UNGLUED: Final = re.compile(f"[^{words.CJK}]{{3,}}")
_CJK_HEAD: Final = re.compile(f"^[^/\\\\]*[{words.CJK}](?=[A-Za-z0-9_.@~$/])")
_CJK_TAIL: Final = re.compile(f"(?<=[A-Za-z0-9_/)\\]])[{words.CJK}][^/\\\\]*$")
_CJK_AFTER_ENDING: Final = re.compile(f"\\.([A-Za-z0-9]{{1,10}})(?=[{words.CJK}])")
_ASSIGNED: Final = re.compile(r"^(?:--?)?[A-Za-z_][\w.-]{0,60}=(?=.)")
_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}://|git@|mailto:|www\.")
_URL_END: Final = re.compile(f"[{words.CJK}]")
_EXPLAINED: Final = re.compile(r"[`/*]*[ \t]+[—–][ \t]")
_OPEN_CLOSE: Final = {"(": ")", "[": "]", "{": "}", "<": ">"}
_CLOSE_OPEN: Final = {close: open_ for open_, close in _OPEN_CLOSE.items()}
_SIGN: Final = re.compile(r"[/\\.(@$%*]")
_SIGN_IN_LINE: Final = re.compile(r"[/\\(@$%*]|\.\w")
MOST_PIECE: Final = 400
"""Characters of one piece that is looked at; a longer run without a blank names no file."""


def of_span(line: Line, span: Span) -> Iterator[Mention]:
    """What a span in quotes names as a whole: a path with blanks or CJK characters in it, a command."""
    text = span.text.strip()
    start = span.start + span.text.find(text) if text else span.start
    if not text:
        return
    if span.link:
        # A title may follow the target; a blank in the target itself is written as %20.
        target = text.split(" ")[0].partition("#")[0]
        yield from _classified(line, start, target, quoted=True)
        return
    if span.code:
        first = text.lstrip("$ ").split(" ", 1)[0]
        if first in words.COMMANDS and " " in text:
            yield Mention(start, start + len(text), text, "command", text, base=line.base(start))
    if " " in text and ("/" in text or words.ending(text) in words.ENDINGS) and len(text) <= 200:
        path, first = _plain(text), text.split(" ", 1)[0]
        kind: Kind = "folder" if text.endswith("/") else "path" if "/" in text else "file"
        sure = span.code and "/" in first and not words.ending(first) and words.ending(text) in words.ENDINGS
        yield Mention(start, start + len(text), text, kind, path, base=line.base(start), sure=sure)
    elif " " not in text:
        yield from _classified(line, start, text, quoted=True)


def pieces(line: Line) -> Iterator[Mention]:
    """What the pieces of a line name, and its imports, installs, and folders after ``cd``."""
    text = line.text
    # Before the pieces, for of two sure readings of one place the first counts.
    if "import" in text or "-m" in text:
        yield from _imports(line)
    named = _SIGN_IN_LINE.search(text) is not None or any(name in text for name in words.FILE_NAMES)
    for match in _PIECE.finditer(text) if named else ():
        piece = match[0]
        # Most pieces are plain words: nothing in them is a sign of a name.
        if len(piece) <= MOST_PIECE and (_SIGN.search(piece) is not None or piece.strip(":!?*_") in words.FILE_NAMES):
            yield from _split(line, line.start + match.start(), piece)
    yield from _packages(line)
    yield from _named_folders(line)


def _split(line: Line, start: int, piece: str) -> Iterator[Mention]:
    """Cut a piece where it holds several: at a link's ``](``, at arrows, at ``name=``, at colons."""
    for separator in (_LINK, _ARROW, _AND):
        match = separator.search(piece)
        if match is not None:
            yield from _split(line, start, piece[: match.start()])
            yield from _split(line, start + match.end(), piece[match.end() :])
            return
    match = _ASSIGNED.match(piece)
    if match is not None:
        start, piece = start + match.end(), piece[match.end() :]
    start, piece = _trimmed(start, piece)
    if not piece or not any(char.isalnum() for char in piece):
        return
    yield from _classified(line, start, piece, quoted=False)


def _trimmed(start: int, piece: str) -> tuple[int, str]:
    """Without the marks around it: bold, brackets that do not belong to it, a full stop."""
    bold = False
    while piece:
        before = piece
        if (piece[0] in "([{<" and not _closes_inside(piece)) or (
            piece[0] in "!&~^=+" and piece[1:2] not in ("/", "\\") and not piece[1:2].isdigit()
        ):
            start, piece = start + 1, piece[1:]
        if piece.startswith("**") and not piece.startswith("**/"):
            start, piece, bold = start + 2, piece[2:], True
        if piece.endswith("**") and (bold or not piece.endswith("/**")):
            piece = piece[:-2]
        if piece.startswith("*") and piece.endswith("*") and len(piece) > 2 and "/" not in (piece[1], piece[-2]):
            start, piece = start + 1, piece[1:-1]
        if piece[-1:] in ".:!?&=+^" and not piece.endswith(("..", "/?")):
            piece = piece[:-1]
        if piece.endswith("..."):
            piece = piece[:-3]
        if piece[-1:] in _CLOSE_OPEN and piece.count(_CLOSE_OPEN[piece[-1]]) < piece.count(piece[-1]):
            piece = piece[:-1]
        if piece == before:
            break
    return start, piece


def _closes_inside(piece: str) -> bool:
    """Whether the bracket at the front belongs to a name: it closes again, with more behind it."""
    at = piece.find(_OPEN_CLOSE[piece[0]])
    return 0 < at < len(piece) - 1 and piece[at + 1] in "/.-_" and piece[0] != "<"


def _classified(line: Line, start: int, piece: str, *, quoted: bool) -> Iterator[Mention]:
    """What kind of thing ``piece`` is, if any; bare text beside CJK characters is narrowed to the name."""
    address = _ADDRESS.search(piece)
    if address is not None:
        start, piece = start + address.start(), piece[address.start() :]
        cut = None if quoted else _URL_END.search(piece)
        piece = piece[: cut.start()] if cut is not None else piece
        yield Mention(start, start + len(piece), piece, "url", piece)
        return
    if not quoted and _CJK_EDGE.search(piece) is not None:
        wide = _one(line, start, piece, quoted=quoted)
        if wide is not None:
            yield _unsure(wide)
        for part in _UNGLUED.finditer(piece):
            narrow = _one(line, start + part.start(), part[0], quoted=quoted) if _SIGN.search(part[0]) else None
            if narrow is not None:
                yield _unsure(narrow)
        start, piece = _narrowed(start, piece)
    found = _one(line, start, piece, quoted=quoted)
    if found is not None:
        yield found


def _narrowed(start: int, piece: str) -> tuple[int, str]:
    """Without the CJK characters that lead to a name and follow it."""
    for ended in _CJK_AFTER_ENDING.finditer(piece):
        if ended[1].lower() in words.ENDINGS:
            piece = piece[: ended.end()]
            break
    head = _CJK_HEAD.match(piece)
    if head is not None and piece[head.end() + 1 :].lower() not in words.ENDINGS:
        start, piece = start + head.end(), piece[head.end() :]
    tail = _CJK_TAIL.search(piece)
    if tail is not None and words.ending(piece) not in words.ENDINGS:
        piece = piece[: tail.start()]
    return start, piece


def _unsure(one: Mention) -> Mention:
    return Mention(one.start, one.end, one.text, one.kind, one.path, one.line, one.base, False, one.tree)


def _one(line: Line, start: int, piece: str, *, quoted: bool) -> Mention | None:
    """The mention that ``piece`` is as a whole, or None."""
    if not piece:
        return None
    if words.HOME.match(piece):
        return Mention(start, start + len(piece), piece, "home", piece)
    if piece.startswith("mdc:"):
        # How a rule of Cursor's links to a file.
        start, piece = start + 4, piece[4:]
    match = words.ROOT_VARIABLE.match(piece)
    if match is not None:
        start, piece = start + match.end(), piece[match.end() :]
    if piece.startswith("@") and ("." in piece or piece.startswith(("@./", "@~/", "@/"))):
        # What some agents read as "include this file", and what bundlers read as "the source folder".
        cut = 2 if piece.startswith("@/") else 1
        start, piece = start + cut, piece[cut:]
        if piece.startswith("~/"):
            return Mention(start, start + len(piece), piece, "home", piece)
    if re.match(r"[A-Za-z]:[\\/]|\\\\\w", piece):
        return Mention(start, start + len(piece), piece, "windows", piece.replace("\\", "/"))
    call = _CALL.fullmatch(piece)
    if call is not None and (call["inside"] == "" or quoted) and piece.endswith(")"):
        name = call["name"]
        path = re.sub(r"\.|::|->|#", "/", name)
        return Mention(start, start + len(name), name, "function", path, base=line.base(start))
    piece, number = _numbered(line, start, piece)
    base = line.base(start)
    if "/" in piece or "\\" in piece.replace("\\ ", ""):
        found = _with_slashes(start, piece, number, base, quoted=quoted)
        return replace(found, tree=True) if found is not None and _heads_a_line(line, found) else found
    return _without_slashes(start, piece, number, base, quoted=quoted)


def _heads_a_line(line: Line, found: Mention) -> bool:
    """Whether a path begins a line and is explained behind a dash, as a tree's branch is."""
    if found.kind not in ("path", "folder"):
        return False
    at = found.start - line.start
    return not line.text[:at].strip(" \t*-`") and _EXPLAINED.match(line.text, at + len(found.text)) is not None


def _numbered(line: Line, start: int, piece: str) -> tuple[str, int | None]:
    """The piece without ``:186`` or ``#L186`` or ``::test_name`` behind it, and the number."""
    match = _LINE_NUMBER.search(piece)
    if match is not None and match.start() > 0:
        return piece[: match.start()], int(match[1])
    for mark in ("::", ":", "#"):
        front, found, _ = piece.partition(mark)
        if found and front and (words.ending(front) in words.ENDINGS or "/" in front):
            return front, None
    after = _LINE_AFTER.match(line.text, start - line.start + len(piece))
    if after is not None and words.ending(piece) in words.ENDINGS:
        return piece, int(after[1])
    return piece, None


def _plain(piece: str) -> str:
    """One spelling of a path: no ``./``, no slash behind, no blank written as ``%20`` or with a backslash."""
    path = unquote(piece) if "%" in piece else piece
    path = path.replace("\\ ", " ")
    while path.startswith("./"):
        path = path[2:]
    if "//" in path:
        path = re.sub("/{2,}", "/", path)
    return path.rstrip("/") or path


def _with_slashes(start: int, piece: str, number: int | None, base: str, *, quoted: bool) -> Mention | None:
    end = start + len(piece)
    if "\\" in piece.replace("\\ ", "") and "/" not in piece:
        parts = piece.replace("\\ ", " ").split("\\")
        shaped = all(re.fullmatch(r"[\w.@ +-]+", part) for part in parts[:-1]) and len(parts) > 1
        known = words.ending(parts[-1]) in words.ENDINGS or len(parts) > 2
        if not shaped or parts[0] == "":
            return None
        path = "/".join(part for part in parts if part not in ("", "."))
        return Mention(start, end, piece, "windows", path, number, base, sure=known)
    if piece.startswith("@"):
        kind: Kind = "package"
        return Mention(start, end, piece, kind, piece.rstrip("/"), sure=piece.count("/") == 1)
    path = _plain(piece)
    if not path.strip("/.") or path[0] in "#…":
        return None
    if _GLOB.search(path) is not None:
        # "/users/{id}" is the address of a web service.
        sure = not path.startswith("/") or words.SYSTEM.match(path) is not None
        return Mention(start, end, piece, "glob", path.replace("...", "*"), number, base, sure=sure)
    if not quoted and path.lower() in words.PAIRS and not piece.endswith("/"):
        return None
    first = path.split("/", 1)[0]
    if words.DOMAIN.fullmatch(first):
        return Mention(start, end, piece, "url", path)
    named = words.ending(path.rsplit("/", 1)[-1]) in words.ENDINGS
    kind = "folder" if piece.endswith("/") else "path"
    sure = named or piece.endswith("/") or piece.startswith(("./", "../")) or quoted or path.count("/") >= 2
    if path.startswith("/") and not named:
        sure = words.SYSTEM.match(path) is not None
    return Mention(
        start,
        end,
        piece,
        kind,
        path,
        number,
        base,
        sure=sure and (kind == "folder" or not words.is_alternatives(path, quoted=quoted)),
    )


def _without_slashes(start: int, piece: str, number: int | None, base: str, *, quoted: bool) -> Mention | None:
    end = start + len(piece)
    if re.fullmatch(r"\*+\.[\w.{},-]+", piece) or (
        quoted and _GLOB.search(piece) and words.ending(piece) in words.ENDINGS
    ):
        return Mention(start, end, piece, "glob", piece, None, base)
    if words.is_file_name(piece):
        return Mention(start, end, piece, "file", _plain(piece), number, base)
    module = _MODULE.fullmatch(piece)
    if module is not None and piece.lower() not in words.PRODUCTS and not words.DOMAIN.fullmatch(piece):
        return Mention(start, end, piece, "module", re.sub(r"\.|::", "/", piece), None, base, sure=False)
    if "." in piece.strip(".") and re.fullmatch(r"[\w.@+() -]{2,120}", piece):
        return Mention(start, end, piece, "file", piece, number, base, sure=False)
    return None


def _imports(line: Line) -> Iterator[Mention]:
    for match in _IMPORT.finditer(line.text):
        group = str(match.lastgroup)
        if group == "b" and not line.code and "`" not in line.text and not line.text.lstrip().startswith("import "):
            continue
        at = match.start(group)
        for name in match[group].split(","):
            inner = name.strip()
            place = line.start + at + len(name) - len(name.lstrip())
            at += len(name) + 1
            sure = group in "acd" or "." in inner
            path = inner.strip(".").replace(".", "/")
            if path:
                yield Mention(place, place + len(inner), inner, "module", path, None, line.base(place), sure=sure)


def _packages(line: Line) -> Iterator[Mention]:
    for match in words.INSTALLS.finditer(line.text):
        at = match.end()
        for word in re.finditer(r"[ \t]+([^\s`\"'|;&，。）)]+)", line.text[at : at + 300]):
            if word.start() > 0 and line.text[at + word.start() - 1] in "`\"'|;&，。)）":
                break
            name = word[1]
            if name.startswith("-") and name not in ("-e", "--editable"):  # after these a folder follows
                continue
            if name[0] in "./#" or not words.PACKAGE.fullmatch(name) or words.is_file_name(name):
                break
            place = line.start + at + word.start(1)
            yield Mention(place, place + len(name), name, "package", re.split(r"[\[=~<>!]", name)[0])


def _named_folders(line: Line) -> Iterator[Mention]:
    """Single words that a sign makes a folder: after ``cd``, beside "folder" or 目录."""
    for place, folder in line.folders:
        at = place - line.start
        name = line.text[:at].rsplit(None, 1)[-1].strip("\"'`") if at > 0 else ""
        if name and "/" not in name and re.fullmatch(r"[\w.@+-]+", name) and name.strip("."):
            start = place - len(name)
            base = folder.rpartition("/")[0]
            yield Mention(start, place, name, "folder", name, base=base)
    if not any(
        sign in line.text.lower()
        for sign in ("folder", "dir", "package", "module", "目录", "文件夹", "模块", "workspace")
    ):
        return
    for match in re.finditer(r"[A-Za-z0-9_@][A-Za-z0-9_.@-]{1,80}", line.text):
        name, end = match[0].rstrip("."), match.start() + len(match[0].rstrip("."))
        after = end + 1 if line.text[end : end + 1] in "`\"'”」" else end
        marked = words.FOLDER_AFTER.match(line.text, after) or words.FOLDER_BEFORE.search(
            line.text[max(0, match.start() - 16) : match.start()]
        )
        if marked and (line.text[match.start() - 1 : match.start()] not in ("/", "\\", ".")):
            place = line.start + match.start()
            # "the core package" alone may be a product or a distribution: only a quoted or joined one is surely named.
            sure = after > end or "_" in name
            yield Mention(place, place + len(name), name, "folder", name, base=line.base(place), sure=sure)
