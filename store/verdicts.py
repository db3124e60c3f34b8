"""Whether what a memory names is still so: a verdict per mention with its reason, and the text re-pointed. Pure.

A name counts as stale only where it stood for something before and stands for nothing now. What cannot be checked
(outside the repository, an address, generated, still written by the project) is shown and never selected.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from store.mention_words import CJK
from store.mentions import Mention, candidates
from store.move_map import Moves
from store.naming import Found, Names, shown
from store.repoint import replaced, spelled
from store.signs_elsewhere import elsewhere, told
from store.tree import Tree

VerdictWord = Literal["there", "moved", "gone", "ambiguous", "cannot_verify"]
Suggestion = Literal["expire", "repoint"]
WORST: Final[tuple[VerdictWord, ...]] = ("gone", "moved", "ambiguous", "cannot_verify", "there")
"""The verdicts, the one that decides a text first."""
_NOT_PLACES: Final = ("package", "command")
_HEAD: Final = re.compile(f"[{CJK}]+")
_TAIL: Final = re.compile(f"[{CJK}]+$")
MOST_CUT: Final = 8
"""Characters that are taken off an end of a name at most, to find one that is known."""
_UNCHECKED: Final = {
    "url": "an address",
    "home": "in a home folder, outside the repository",
    "package": "a package",
    "command": "a command; the paths in it are looked at by themselves",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one mention. ``new_path`` is where it went (from the top of the repository), ``commit`` the whole
    hash of what did it, None where that is not known or not committed. ``branch_only``: that commit is not on the
    shared branch, so nothing is suggested. ``instead`` is what to write for it, ``choices`` what else it may be."""

    mention: Mention
    verdict: VerdictWord
    reason: str
    new_path: str | None = None
    commit: str | None = None
    branch_only: bool = False
    instead: str | None = None
    choices: tuple[str, ...] = ()

    @property
    def stale(self) -> bool:
        """Whether this alone makes the text false on the shared branch."""
        return self.verdict in ("moved", "gone") and not self.branch_only


@dataclass(frozen=True, slots=True)
class TextVerdict:
    """What became of all that a text names. ``overall`` is the worst verdict, None where it names no place.

    ``suggested`` is what to do about it (None: nothing), ``rewritten`` the text with every moved name re-pointed, None
    where none can be.
    """

    mentions: tuple[Verdict, ...]
    overall: VerdictWord | None
    suggested: Suggestion | None
    rewritten: str | None


class Judge:
    """Judges the texts of one project by what git told.

    ``tree`` are its files now (default: what ``moves`` knows), ``names`` what the repository is called, which texts
    put before a path; ``root`` where it lies on this machine (for absolute paths); ``kept`` are paths that stand on
    disk, or may, though git has them no more (``store.left_over``), with the reason.
    """

    def __init__(
        self,
        moves: Moves,
        tree: Tree | None = None,
        *,
        names: Iterable[str] = (),
        root: str | None = None,
        kept: dict[str, str] | None = None,
    ) -> None:
        self.moves = moves
        self.names = Names(moves, tree if tree is not None else moves.now, names)
        self.root = root.rstrip("/") if root else None
        self.kept = kept or {}

    def text(self, text: str) -> TextVerdict:
        """The verdicts of all that ``text`` names."""
        verdicts = self._chosen(text)
        counted = {one.verdict for one in verdicts if one.mention.kind not in _NOT_PLACES}
        overall = next((word for word in WORST if word in counted), None)
        rewritten = replaced(text, [(one.mention, one.instead) for one in verdicts if one.stale])
        return TextVerdict(tuple(verdicts), overall, _suggestion(verdicts, rewritten), rewritten)

    def mention(self, mention: Mention) -> Verdict | None:
        """The verdict of one mention; None where it is not sure to name anything and nothing here has such a name."""
        if mention.kind in _UNCHECKED:
            return Verdict(mention, "cannot_verify", _UNCHECKED[mention.kind])
        outside = self._outside(mention)
        if outside is not None:
            return Verdict(mention, "cannot_verify", outside) if mention.sure else None
        found = self.names.find(self._inside(mention))
        if found is None:
            for narrower in _narrower(mention):
                found = self.names.find(narrower)
                if found is not None:
                    return self._verdict(narrower, found)
            if not mention.sure or mention.kind in ("module", "function"):
                return None
            return Verdict(mention, "cannot_verify", self._unknown())
        return self._verdict(mention, found)

    def _unknown(self) -> str:
        """Why nothing is known of a name: it never was, as far as the history that is here goes back."""
        if self.moves.cut is None:
            return "nothing of this name is known here, now or before"
        return f"nothing of this name is known here, but {self.moves.cut}"

    def may_concern(self, text: str) -> bool:
        """Whether ``text`` can name anything that moved or went: quick, and never False where ``text()`` is stale."""
        return self.names.may_be_in(text)

    def _kept(self, mention: Mention, found: Found) -> str | None:
        if found.whole or "/" in mention.path:
            return self.kept.get(found.old)
        return self.kept.get(found.old) or self.kept.get(mention.path)

    def _chosen(self, text: str) -> list[Verdict]:
        """Of readings over each other the longest one that resolves."""
        said = [(one, self.mention(one)) for one in (*candidates(text), *self.names.in_plain_text(text))]
        ranked = sorted(
            (one for _, one in said if one is not None),
            key=lambda one: (
                one.mention.kind == "command",
                one.verdict == "cannot_verify",
                one.mention.start - one.mention.end,
                not one.mention.sure,
            ),
        )
        chosen: list[Verdict] = []
        for one in ranked:
            if not any(
                one.mention.start < other.mention.end and other.mention.start < one.mention.end for other in chosen
            ):
                chosen.append(one)
        chosen.sort(key=lambda one: one.mention.start)
        return [elsewhere(text, told(one, chosen)) if one.stale else one for one in chosen]

    def _outside(self, mention: Mention) -> str | None:
        path = mention.path
        if mention.kind == "windows" and (path[1:2] == ":" or path.startswith("//")):
            return "an absolute path, outside the repository"
        if path.startswith("/"):
            if self.root is not None and path.startswith(self.root + "/"):
                return None
            if self.names.was_file(path[1:]):
                return None
            return "an absolute path, outside the repository"
        if path.startswith("../") and not mention.base:
            return "relative to a folder that is not known"
        return None

    def _inside(self, mention: Mention) -> Mention:
        path = mention.path
        if not path.startswith("/"):
            return mention
        within = self.root is not None and path.startswith(self.root + "/")
        return replace(mention, path=path[len(str(self.root)) + 1 :] if within else path[1:])

    def _verdict(self, mention: Mention, found: Found) -> Verdict:
        if found.verdict not in ("moved", "gone"):
            return Verdict(mention, found.verdict, found.reason, choices=found.choices)
        commit = self.moves.commits.get(found.commit) if found.commit else None
        if commit is not None:
            branch_only = commit.branch_only
        else:
            elsewhere_out = self.moves.branch != self.moves.default_branch
            branch_only = elsewhere_out and self.names.uncommitted(found.old)
        kept = self._kept(mention, found) if found.verdict == "gone" else None
        if kept is not None:
            return Verdict(mention, "cannot_verify", kept, commit=found.commit)
        reason = found.reason
        if branch_only:
            reason += f"; true on {self.moves.branch} only"
        # A name with characters that nobody sees, or that is no text, is never written into a memory.
        instead = spelled(mention, found) if found.new is not None and found.new.isprintable() else None
        new = shown(found.new) if found.new is not None else None
        return Verdict(mention, found.verdict, reason, new, found.commit, branch_only, instead, found.choices)


def _narrower(mention: Mention) -> Iterator[Mention]:
    """The mention without some of the characters of a script without blanks that its ends may have caught."""
    path = mention.path
    if mention.tree or path != mention.text.rstrip("/") or mention.kind not in ("path", "folder", "file"):
        return
    head = _HEAD.match(path)
    for cut in range(1, min(len(head[0]), MOST_CUT) + 1) if head is not None else ():
        yield replace(mention, start=mention.start + cut, text=mention.text[cut:], path=path[cut:])
    tail = _TAIL.search(path) if mention.text == path else None
    for cut in range(1, min(len(tail[0]), MOST_CUT) + 1) if tail is not None else ():
        yield replace(mention, end=mention.end - cut, text=mention.text[:-cut], path=path[:-cut])


def judge(mention: Mention, moves: Moves, tree: Tree | None = None, *, names: Iterable[str] = ()) -> Verdict | None:
    """The verdict of one mention; for many texts make one ``Judge``."""
    return Judge(moves, tree, names=names).mention(mention)


def judge_text(text: str, moves: Moves, tree: Tree | None = None, *, names: Iterable[str] = ()) -> TextVerdict:
    """The verdicts of one text; for many texts make one ``Judge``."""
    return Judge(moves, tree, names=names).text(text)


def _suggestion(verdicts: list[Verdict], rewritten: str | None) -> Suggestion | None:
    """Expire where something is gone, re-point where all that is stale moved and can be written anew."""
    stale = [one for one in verdicts if one.stale]
    if not stale:
        return None
    return "repoint" if rewritten is not None and all(one.verdict == "moved" for one in stale) else "expire"
