"""What ``meminbox model`` does: how it stands with the chosen encoder, fetching one, trying it on what is stored."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from store.encoders import BUILT_IN, WORDS, Choice, Encoder, EncoderMissing

if TYPE_CHECKING:
    from store.engine import Store

TRIED: Final = 64
"""Stored vectors that are made again, to see whether they are what the model says now."""
ALIKE: Final = 0.99
"""The cosine at least of a stored vector and the same text encoded now; half precision costs less than a thousandth."""
_FILES: Final = ["*.json", "*.txt", "*.model", "*.safetensors", "*.vocab", "*.spm"]
"""What is fetched of a model: no code, no pickles."""


def missing(choice: Choice) -> str | None:
    """Why the encoder of a choice cannot be had on this machine, or None; nothing is loaded for that."""
    from store.encoders import builtin, models

    try:
        if choice.encoder == BUILT_IN:
            builtin.identity()
        elif choice.encoder != WORDS:
            models.folder_of(choice.encoder)
    except EncoderMissing as error:
        return " ".join(part for part in (error.what, f"({error.todo})" if error.todo else "") if part).rstrip(".")
    return None


@dataclass(frozen=True, slots=True)
class Stored:
    """The vectors of one model in a store, and whether it is the chosen one."""

    model_key: str
    vectors: int
    chosen: bool


def status(choice: Choice, db: str | None, *, as_json: bool) -> int:
    """Tell what is chosen, whether it is here, and how much of the store is encoded with it."""
    from console import output
    from console.commands.opening import reading

    reason = missing(choice)
    stored: list[Stored] = []
    done = total = 0
    with reading(db) as store:
        if store is not None:
            stored, done, total = _indexed(store, choice)
    if as_json:
        indexed = {"done": done, "total": total}
        held = [{"model_key": one.model_key, "vectors": one.vectors, "chosen": one.chosen} for one in stored]
        told = {"encoder": choice.encoder, "title": choice.title, "here": reason is None, "reason": reason}
        output.print_json({"schema_version": output.SCHEMA_VERSION, **told, "indexed": indexed, "stored": held})
    else:
        _tell(choice, reason, stored, done, total)
    return 0


def _tell(choice: Choice, reason: str | None, stored: Sequence[Stored], done: int, total: int) -> None:
    from console.visible import visible

    print(f"encoder  {visible(choice.title, multiline=False)}")
    if reason is not None:
        stands_in = "words alone" if choice.encoder == BUILT_IN else "the built-in encoder stands in"
        print(f"         not to be had here: {visible(reason, multiline=False)}; {stands_in}")
    if choice.encoder != WORDS:
        print(f"encoded  {done:,} of {total:,}")
    for one in stored:
        if not one.chosen:
            print(f"         {one.vectors:,} of another: {visible(one.model_key, multiline=False)}")


def _indexed(store: Store, choice: Choice) -> tuple[list[Stored], int, int]:
    """The vectors that are stored, by model, and how many of all have one of the chosen model."""
    from store import indexing

    begins = _key_of(choice)
    held = [Stored(key, number, _is(key, begins)) for key, number in sorted(indexing.kept(store).items())]
    ours = next((one.model_key for one in held if one.chosen), "")
    now = indexing.progress(store, ours)
    return held, now.done, now.total


def _is(key: str, begins: str | None) -> bool:
    return begins is not None and key.startswith(begins)


def _key_of(choice: Choice) -> str | None:
    """How the keys of a choice's vectors begin, as far as that can be told without loading it."""
    from store.encoders import Identity, builtin, models

    try:
        if choice.encoder == BUILT_IN:
            return builtin.identity().key
        if choice.encoder != WORDS:
            folder = models.folder_of(choice.encoder)
            return Identity(choice.title, models.revision_of(folder), 0, "").key.rpartition(":")[0].rpartition(":")[0]
    except EncoderMissing:
        return None
    return None


def write(encoder: str) -> str:
    """Set the encoder in config.toml, and nothing else of it; where that stands. Raises MeminboxError."""
    from console.visible import visible
    from store import files
    from store.agents.json_edit import NotThere
    from store.agents.toml_edit import put
    from store.errors import UsageError
    from store.location import config_file

    place = config_file()
    try:
        text = place.read_text(encoding="utf-8")
    except FileNotFoundError:
        text = ""
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"{place} cannot be read.", todo=f'Write encoder = "{encoder}" below [model] there.'
        ) from error
    try:
        made = put(text, ("model",), {"encoder": encoder})
    except (NotThere, ValueError) as error:
        raise UsageError(
            f"{place} cannot be edited.", todo=f'Write encoder = "{encoder}" below [model] there.'
        ) from error
    files.make_folder(place.parent)
    files.write_whole(place.resolve(), made.encode("utf-8"))  # a link to where someone keeps theirs stays one
    return visible(str(place), multiline=False)


def fetch(name: str) -> str | None:
    """Fetch a model from the hub; why that could not be, or None. The one thing that reaches for the network."""
    from store.encoders.models import NAME

    if not NAME.fullmatch(name) or ".." in name:
        return f"{name} is not the name of a model."
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError
    except ImportError:
        return "sentence-transformers is not installed. Install meminbox[semantic]."
    try:
        snapshot_download(name, allow_patterns=_FILES)
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        return f"{name} could not be fetched ({type(error).__name__})."
    return None


def check(choice: Choice, db: str | None, *, as_json: bool, quiet: bool) -> int:
    """Load the encoder, encode what is left, and make some stored vectors again; 1 where anything is amiss."""
    from console import output
    from console.commands.opening import reading
    from store import encoders

    began = time.monotonic()
    encoder = encoders.load(choice)
    loaded, reason = time.monotonic() - began, encoders.trouble()
    told: dict[str, Any] = {"encoder": choice.encoder, "loaded": None, "reason": reason}
    if encoder is not None:
        told |= {"loaded": encoder.title, "model_key": encoder.key, "dim": encoder.dim, "seconds": round(loaded, 2)}
        with reading(db) as store:
            if store is not None:
                told |= _tried(store, encoder, quiet=quiet or as_json)
        encoder.close()
    if as_json:
        output.print_json({"schema_version": output.SCHEMA_VERSION, **told})
    else:
        _say_checked(told)
    return 1 if reason is not None or told.get("differ") else 0


def _tried(store: Store, encoder: Encoder, *, quiet: bool) -> dict[str, Any]:
    """Encode what is left; then try some of what is stored, and have what differs made anew."""
    from console import output
    from store import indexing, vectors

    if store.read_only is not None:
        now = indexing.progress(store, encoder.key)
        return {"done": now.done, "total": now.total}
    tenth = 0
    while (now := indexing.step(store, encoder)).encoded:
        if 10 * now.done // max(now.total, 1) > tenth:
            tenth = 10 * now.done // now.total
            output.hint(f"encoded {now.done:,} of {now.total:,}", quiet=quiet)
    texts = indexing.some_texts(store, encoder.key, TRIED)
    held = vectors.vectors_of(store, encoder, list(texts))
    fresh = encoder.encode([texts[one] for one in held])
    differ = [one for at, one in enumerate(held) if float(held[one] @ fresh[at]) < ALIKE]
    if differ:
        indexing.again(store, encoder.key, differ)
        indexing.step(store, encoder, first=differ)
    return {"done": now.done, "total": now.total, "tried": len(held), "differ": len(differ)}


def _say_checked(told: dict[str, Any]) -> None:
    from console.output import complain

    if told["reason"] is not None:
        complain(f"{told['reason']}.", todo="" if told["loaded"] is None else f"{told['loaded']} stands in.")
    if told["loaded"] is None:
        print("Words alone judge likeness.")
        return
    print(f"{told['loaded']}: loaded in {told['seconds']} s, {told['dim']} numbers a text.")
    if "total" in told:
        print(f"{told['done']:,} of {told['total']:,} are encoded.")
    if "tried" in told:
        made_again = f"; {told['differ']:,} differ, and were made again." if told["differ"] else "; all are right."
        print(f"{told['tried']:,} of them were made again to compare{made_again}")
