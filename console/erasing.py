"""``meminbox erase``: what would go, the word typed, the erasure, and its proof."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from console import output, tables, words
from console.at_work import at_work
from console.caring import _scope
from console.commands import choices, opening
from store.errors import UsageError

if TYPE_CHECKING:
    from store.engine import Store
    from store.erase import Extent
    from store.erasing import Proof

_NOTHING: Final = "Nothing was changed."
_GONE: Final = "The texts are gone from the store; the files are not clean yet: `meminbox erase --finish`."
_AGAIN: Final = "The files are not clean yet: `meminbox erase --finish`."
WORD: Final = "erase"
_FEW: Final = 5


def run(
    identity: str | None,
    *,
    scope: str | None,
    everything: bool,
    finish: bool,
    db: str | None,
    dry_run: bool,
    yes: bool,
    quiet: bool,
) -> int:
    """Ask, erase, clean, search, tell; the exit code: 1 where something is left that should be gone."""
    if sum((identity is not None, scope is not None, everything, finish)) != 1:
        raise UsageError(
            "Say one thing: an id, --scope, --everything, or --finish.", kept=_NOTHING, todo="`meminbox erase --help`"
        )
    with opening.deciding(db) as (store, by):
        from store import desk, erase, erasing

        if finish:
            with at_work("looking", act=False, kept=_AGAIN) as tell:
                proof = erasing.finish(store, by=by, tell=tell)
            return _tell(store, proof, quiet=quiet)
        # What waits in the spool may hold the text as well: in the store it can be found and erased.
        desk.drain(store)
        with at_work("looking", act=False):
            extent = _one(store, identity) if identity is not None else erase.of_scope(store, _scope(store, scope))
        for line in _shown(store, extent) if identity is not None else ():
            print(line)
        sys.stdout.flush()
        for line in _would(extent):
            output.say(line)
        if dry_run:
            return 0
        if extent.ids and not yes and output.ask_for(f"There is no undo. Type {WORD} to erase it:") != WORD:
            output.say(_NOTHING)
            return 0
        with at_work("erasing the texts"):
            gone = erase.blank(store, extent, by=by) if extent.ids else None
        with at_work("cleaning the files", act=False, kept=_GONE if gone else _AGAIN) as tell:
            proof = erasing.finish(store, by=by, texts=extent.texts, everything=everything, tell=tell)
        return _tell(store, proof, quiet=quiet)


def _one(store: Store, token: str) -> Extent:
    from store import erase, queries

    what, found = queries.resolve(store, token, what="any", scopes=(choices.here().identity,))
    if what == "operation":
        raise UsageError(
            "A step of the log holds no text to erase.", kept=_NOTHING, todo="Name a memory or a proposal."
        )
    return erase.one(store, what, found)


def _would(extent: Extent) -> list[str]:
    if not extent.ids.all:
        if extent.ids.scopes:
            return ["No text of it is left in the store; what it is called, and where its folder was."]
        return ["No text of it is left in the store; the files are looked at again."]
    parts = []
    if extent.ids.memories:
        versions = words.count(extent.versions, "version", "versions")
        parts.append(f"{words.count(len(extent.ids.memories), 'memory', 'memories')} with {versions}")
    if extent.ids.proposals:
        waiting = f" ({extent.open:,} of them waiting)" if extent.open else ""
        parts.append(f"{words.count(len(extent.ids.proposals), 'proposal', 'proposals')}{waiting}")
    named = " And what the scope is called, and where its folder was." if extent.ids.scopes else ""
    return [f"{', '.join(parts)}: their texts, everywhere.{named}"]


def _shown(store: Store, extent: Extent) -> list[str]:
    """What stands there now of one that was named, so that it is seen before it is gone."""
    from store import queries

    held = queries.memory_rows(store, sorted(extent.ids.memories)[:_FEW])
    if held:
        return [line for one in held for line in tables.text_lines(one.entry.content)]
    asked = queries.queue_rows(store, sorted(extent.ids.proposals)[:_FEW])
    return [line for one in asked for line in tables.text_lines(one.entry.content)]


def _tell(store: Store, proof: Proof, *, quiet: bool) -> int:
    from store import erasing

    for one in (*proof.due, *proof.left):
        output.complain(f"Not clean: {tables.line(one)}.")
    for one in proof.elsewhere:
        output.say(f"The same words still stand in {tables.line(one)}.")
    if not quiet:
        if proof.clean:
            print("Erased." if proof.pieces or proof.left_out else "Cleaned.")
        if proof.pieces:
            looked = words.count(proof.files, "file", "files")
            short = f" ({proof.left_out:,} texts were too short or too many to look for)" if proof.left_out else ""
            output.say(
                f"{looked} searched for {words.count(proof.pieces, 'piece', 'pieces')} of what went, in UTF-8, UTF-16, "
                f"JSON and the index's words{short}: {'nothing found' if not proof.left else 'found'}."
            )
        elif proof.left_out:
            short = words.count(proof.left_out, "text", "texts")
            output.say(f"The files were not searched: {short} too short or too many to look for.")
        else:
            output.say(
                "What was erased before is known no more: the files were cleaned, and could not be searched for it."
            )
        output.say(erasing.KEPT)
        output.say(erasing.PROMISES)
        if store.location.path is None:
            output.say(erasing.SERVER)
    return 0 if proof.clean else 1
