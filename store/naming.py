"""What a mention stood for before, and stands for now: names in a text against the names of files. Pure."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from store.mention_words import CJK, COMMON, ending
from store.mentions import Mention
from store.move_map import GENERAL, Moves
from store.tree import Tree

MODULE_ENDINGS: Final = (
    "py", "pyi", "pyx", "ts", "tsx", "js", "jsx", "mjs", "cjs", "vue", "svelte", "rs", "go", "java", "kt", "scala",
    "rb", "php", "ex", "exs", "cs", "swift", "lua", "jl", "dart", "hs", "ml", "c", "h", "cpp", "hpp",
)  # fmt: skip
"""Endings of files that other files import by their name without it."""
_GLUED: Final = re.compile(f"[ {CJK}]")
_WORD: Final = re.compile(r"[A-Za-z0-9_.@+-]+")
_SUFFIX: Final = re.compile(r"\.(?:test|spec|d|config|min)$", re.IGNORECASE)
_UNUSUAL: Final = re.compile(r"[\w-][_.-]\w|\d|[a-z][A-Z]|^[A-Z]{3,}$")
"""What makes a name one that few files have: several words, digits, small and capital letters mixed, all capitals."""
MOST_GLUED: Final = 2_000
"""Paths that are looked for letter by letter, at most."""
Outcome = Literal["there", "moved", "gone", "ambiguous", "cannot_verify"]


@dataclass(frozen=True, slots=True)
class Found:
    """What one name means: the ``old`` path it stood for, whether the text gave it ``whole``, and what became of it."""

    old: str
    verdict: Outcome
    reason: str
    new: str | None = None
    commit: str | None = None
    whole: bool = True
    prefix: str = ""
    choices: tuple[str, ...] = ()


def shown(path: str) -> str:
    """A path as text: bytes of a file's name that are no UTF-8 are replaced."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


class Names:
    """All names that ``moves`` and the files ``now`` tell of. ``called``: what the repository itself is called."""

    def __init__(self, moves: Moves, now: Tree | None, called: Iterable[str] = ()) -> None:
        self.moves = moves
        self.now = now
        self.called = frozenset(one.lower() for one in called if one)
        self.before = Tree((*moves.renamed, *moves.deleted))
        # Without the files now, what something moved to is all that is known to be there.
        self.known = now if now is not None else Tree(new for new, _ in moves.renamed.values())
        self._left = frozenset((*moves.renamed, *moves.deleted, *moves.folder_moves))
        self._glued: list[str] | None = None
        self._words: tuple[frozenset[str], tuple[str, ...]] | None = None

    def may_be_in(self, text: str) -> bool:
        """Whether a name that changed may be in ``text``: its last part is a word of it."""
        if self._words is None:
            self._words = _last_words(self._left)
        plain, odd = self._words
        if "%" in text or "\\ " in text:
            return True
        return not plain.isdisjoint(_words(text)) or any(one in text for one in odd)

    def was_file(self, path: str) -> bool:
        """Whether a file of this path is there or was."""
        return path in self.known.files or path in self.before.files

    def find(self, mention: Mention) -> Found | None:
        """What ``mention`` means here; None where no file or folder has, or had, such a name."""
        fallback = None
        for path, prefix in self._readings(mention):
            found = self._one(replace(mention, path=path))
            if found is not None:
                found = replace(found, prefix=prefix)
                if found.verdict != "there" or prefix == "" or mention.base:
                    return found
                fallback = fallback or found
        return fallback

    def in_plain_text(self, text: str) -> Iterator[Mention]:
        """Mentions of changed paths that no piece of a text shows: with blanks, or in a script without them."""
        if self._glued is None:
            self._glued = sorted(path for path in self._left if _GLUED.search(path))[:MOST_GLUED]
        for path in self._glued:
            at = text.find(path)
            while at >= 0:
                end = at + len(path)
                if not _joined(text[at - 1 : at], path[0]) and not _joined(path[-1], text[end : end + 1]):
                    kind: Literal["folder", "path"] = "folder" if path in self.moves.folder_moves else "path"
                    yield Mention(at, end, path, kind, path)
                at = text.find(path, end)

    # -- readings of one mention

    def _readings(self, mention: Mention) -> Iterator[tuple[str, str]]:
        """Paths that a mention may mean, with what the text has before them: below its folder, from the top, …"""
        path = mention.path
        if mention.base and not mention.tree:
            joined = posixpath.normpath(posixpath.join(mention.base, path))
            if not joined.startswith(".."):
                yield joined, ""
        if not path.startswith("../"):
            yield path, ""
        first, slash, rest = path.partition("/")
        if not slash or not rest or mention.kind in ("module", "function"):
            return
        # "shop/src/pay.py" of the repository shop; "acme/shop" is that repository's address, not a folder of it.
        within = "/" in rest or "." in rest or mention.kind == "folder" or mention.tree
        called = first.lower() in self.called and within
        # The name over a drawn tree may be any; over a branch told on one line only what lies right below it counts.
        drawn = mention.tree and first not in self.known.folders and (mention.base or rest in self._left)
        if called or drawn:
            yield rest, first + "/"

    def _one(self, mention: Mention) -> Found | None:
        if mention.kind == "glob":
            return self._glob(mention)
        if mention.kind in ("module", "function"):
            return self._module(mention)
        if mention.kind == "folder" and mention.path in self.moves.deleted and self.now is None:
            # A link of that name went; whether a folder stands in its place a bare list does not tell.
            return None
        if mention.kind == "folder" and not mention.sure and "/" not in mention.path:
            return self._path(mention.path) if mention.path in self._left or mention.path in self.known else None
        found = self._path(mention.path, bare=mention.kind == "file" or "/" not in mention.path)
        if found is None and "/" in mention.path and "." not in mention.path.rpartition("/")[2]:
            found = self._without_ending(mention.path)
        return found

    def _path(self, path: str, *, bare: bool = False) -> Found | None:
        if path in self.moves.renamed or path in self.moves.folder_moves or path in self.moves.deleted:
            return self._fate(path)
        if path in self.known:
            return Found(path, "there", self._note(path))
        module = self.known.submodule_of(path)
        if module is not None:
            return Found(path, "cannot_verify", f"in the submodule {module}, another repository")
        found = self._by_ending(path, bare=bare)
        other = self.now.in_other_case(path) if found is None and self.now is not None else None
        return found if other is None else Found(path, "there", f"there, written {shown(other)}")

    def _note(self, path: str) -> str:
        copy = self.moves.copied.get(path)
        return f"there; what stood in it is also in {shown(copy[0])}" if copy is not None else "there"

    def _fate(self, path: str, *, whole: bool = True) -> Found:
        """What became of a path that is no more."""
        said = self.moves.renamed.get(path)
        if said is not None:
            return Found(path, "moved", f"moved to {shown(said[0])}{self._by(path, said[1])}", said[0], said[1], whole)
        folder = self.moves.folder_moves.get(path)
        if folder is None:
            commit = self.moves.deleted.get(path)
            return Found(path, "gone", f"deleted{self._by(path, commit)}", None, commit, whole)
        by = self._by(path, folder.commit)
        if folder.new is not None:
            rest = f"; {folder.deleted} of its files were deleted" if folder.deleted else ""
            return Found(path, "moved", f"moved to {shown(folder.new)}/{by}{rest}", folder.new, folder.commit, whole)
        if folder.places:
            places = ", ".join(
                f"{count} to {shown(place)}/" if place else f"{count} to the top" for place, count in folder.places
            )
            names = tuple(shown(place) for place, _ in folder.places)
            if folder.split:
                return Found(path, "ambiguous", f"split up{by}: {places}", None, folder.commit, whole, choices=names)
            return Found(path, "gone", f"scattered{by}: {places} …", None, folder.commit, whole, choices=names)
        return Found(path, "gone", f"deleted with its files{by}", None, folder.commit, whole)

    def _by(self, path: str, commit: str | None) -> str:
        if commit is None:
            return ", not committed" if self.uncommitted(path) else ""
        known = self.moves.commits.get(commit)
        return f" in {commit[:8]} ({known.at:%d %b %Y})" if known is not None else f" in {commit[:8]}"

    def uncommitted(self, path: str) -> bool:
        """Whether what became of a path, or of most that was in it, stands only in the working tree."""
        loose = self.moves.uncommitted
        folder = self.moves.folder_moves.get(path)
        return path in loose or (bool(loose) and folder is not None and folder.commit is None)

    # -- part of a path, a bare name

    def _by_ending(self, path: str, *, bare: bool) -> Found | None:
        here = self.known.ending(path)
        if here:
            where = f"there, as {shown(here[0])}" if len(here) == 1 else f"there, in {len(here)} places"
            return Found(path, "there", where, choices=tuple(map(shown, here[:5])) if len(here) > 1 else ())
        was = [one for one in self.before.ending(path) if not self._another(path, one)]
        if not was:
            return None
        if bare and not self._surely_one(path, was):
            names = tuple(map(shown, was[:5]))
            return Found(path, "ambiguous", f"may be {', '.join(names[:3])}, or another of that name", choices=names)
        fates = [self._fate(one, whole=False) for one in was if one in self._left]
        if not fates:
            return None
        if len(fates) == 1 or all(one.verdict == "gone" for one in fates):
            return fates[0]
        names = tuple(shown(one.new or one.old) for one in fates[:5])
        return Found(path, "ambiguous", f"{len(fates)} were of that name: {', '.join(names[:3])}", choices=names)

    def _another(self, path: str, was: str) -> bool:
        """Whether the path ``was`` that ends in ``path`` is likely another than is meant, by the names alone.

        .github/x, tests/unit and src/main/index.ts are said from the top; a longer one is hardly there twice.
        """
        if self.now is not None or was == path:
            return False
        first, slash, rest = path.partition("/")
        if not slash or first not in GENERAL:
            return bool(slash) and first.startswith(".")
        general = not ending(rest) or _stem(rest.rpartition("/")[2]).lower() in COMMON
        return general and rest.count("/") < 2

    def _surely_one(self, path: str, was: list[str]) -> bool:
        """Whether a bare name means the file that is no more: with all files known, else by how unusual it is."""
        stem = _stem(path.rpartition("/")[2])
        common = stem.lower() in COMMON or stem.lower().startswith("readme")
        if self.now is not None:
            return not common or "/" not in was[0] or len(was) > 1
        folder = self.moves.folder_moves.get(was[0])
        known = was[0] in self.before.files or (folder is not None and folder.new is not None)
        return len(was) == 1 and known and not common and ("/" not in was[0] or _UNUSUAL.search(stem) is not None)

    # -- modules, extensionless names

    def _module(self, mention: Mention) -> Found | None:
        """A dotted name: the file or folder it stands for, cut from behind until one is known (a class, a function)."""
        parts = mention.path.split("/")
        least = 1 if mention.sure and mention.kind == "module" else 2
        for count in range(len(parts), least - 1, -1):
            name = "/".join(parts[:count])
            found = self._without_ending(name)
            if found is not None and (count > 1 or found.verdict == "there" or self._at_top(found.old)):
                return found
            if name in self.before.folders and name not in self.moves.folder_moves:
                return None
        return None

    @staticmethod
    def _at_top(path: str) -> bool:
        """Whether a file stands where modules of one word are imported from."""
        folder = path.rpartition("/")[0]
        return folder in ("", "src", "lib", "python") or path.endswith(("/__init__.py", "/mod.rs"))

    def _without_ending(self, path: str) -> Found | None:
        """The file that ``path`` names without its ending, or the folder; what is there wins."""
        wanted = [f"{path}.{one}" for one in MODULE_ENDINGS]
        single = "/" not in path
        for name in (path, *wanted):
            here = [name] if name in self.known else self.known.ending(name)
            if here and not self._left_whole(here[0]):
                return Found(path, "there", f"there, as {shown(here[0])}")
        for name in (path, *wanted):
            was = [one for one in self.before.ending(name) if one in self._left and not self._another(name, one)]
            if not was:
                continue
            if single and self.now is None and not self._surely_one(name, was):
                return None
            fates = [self._fate(one, whole=False) for one in was]
            if len(fates) == 1 or all(one.verdict == "gone" for one in fates):
                return fates[0]
            names = tuple(shown(one.new or one.old) for one in fates[:5])
            return Found(path, "ambiguous", f"{len(fates)} were of that name", choices=names)
        return None

    def _left_whole(self, path: str) -> bool:
        return path in self.moves.renamed or path in self.moves.folder_moves

    # -- globs

    def _glob(self, mention: Mention) -> Found | None:
        """A pattern: there while something matches it or its folder stands; else what became of what it matched."""
        path = mention.path
        fixed = re.split(r"[*?\[{<]", path, maxsplit=1)[0].rpartition("/")[0]
        pattern = re.compile(_pattern(path))
        if not fixed:
            return None
        if fixed in self.moves.folder_moves:
            found = self._fate(fixed)
            return replace(found, new=found.new + path[len(fixed) :]) if found.new is not None else found
        if self.now is None:
            return Found(path, "there", "its folder is there") if fixed in self.known.folders else None
        if any(pattern.fullmatch(one) for one in self.now.files if one.startswith(fixed + "/")):
            return Found(path, "there", "there")
        was = [one for one in self.before.files if one.startswith(fixed + "/") and pattern.fullmatch(one)]
        if was and fixed not in self.now.folders:
            return self._fate(was[0])
        if was:
            return Found(
                path, "ambiguous", "none of what it matched is there any more", choices=tuple(map(shown, was[:5]))
            )
        return (
            Found(path, "there", "its folder is there")
            if fixed in self.now.folders
            else self._by_ending(fixed, bare=False)
        )


def _stem(name: str) -> str:
    """A name without its ending, and without what a test or a setting has before that; nothing of ``.env.example``."""
    return _SUFFIX.sub("", name.rpartition(".")[0] or name) if not name.startswith(".") else ""


def _joined(before: str, after: str) -> bool:
    """Whether two characters side by side belong to one name: none of a script without blanks, or a slash."""
    if not before or not after:
        return False
    glued = _GLUED.match(before) or _GLUED.match(after)
    return not glued and (before.isalnum() or before in "/_-") and (after.isalnum() or after in "/_-")


def _words(text: str) -> set[str]:
    found = set(_WORD.findall(text))
    for word in tuple(found):
        if "." in word:
            found.add(word.strip("."))
            found.update(word.split("."))
    return found


def _last_words(paths: Iterable[str]) -> tuple[frozenset[str], tuple[str, ...]]:
    """The last part of each path, with and without its ending, and those parts that are no single plain word."""
    plain: set[str] = set()
    odd: set[str] = set()
    for path in paths:
        parts = path.split("/")
        last = parts[-2] if parts[-1].startswith(("__init__.", "mod.")) and len(parts) > 1 else parts[-1]
        for name in (last, parts[-1]):
            if _WORD.fullmatch(name):
                plain.add(name)
                plain.add(name.partition(".")[0] or name)
            else:
                odd.add(name)
                if "." in name:
                    odd.add(name.rpartition(".")[0])
    return frozenset(plain), tuple(odd)


def _pattern(glob: str) -> str:
    """A glob as a regular expression: ``**`` crosses folders, ``{a,b}`` is one of them, ``<id>`` and ``{id}`` any."""
    glob = re.sub(r"<[\w-]+>|\{[\w-]+\}", "*", glob)
    parts = []
    for piece in re.split(r"(\*\*/|\*\*|\*|\?|\{[^{}]*\})", glob):
        if piece in ("**/", "**"):
            parts.append(r"(?:.*/)?" if piece == "**/" else ".*")
        elif piece == "*":
            parts.append("[^/]*")
        elif piece == "?":
            parts.append("[^/]")
        elif piece.startswith("{") and piece.endswith("}"):
            parts.append("(?:" + "|".join(re.escape(one) for one in piece[1:-1].split(",")) + ")")
        else:
            parts.append(re.escape(piece))
    return "".join(parts)
