"""Encoders: what turns a text into a vector. One protocol, whichever model stands behind it.

Importing this costs nothing: numpy and the models come with ``load``, which is slow. ``chosen`` reads the person's
choice from config.toml (``[model]``), ``at_hand`` is the encoder this process has loaded, if any. Nothing here ever
reaches for the network, but ``meminbox model fetch``, which a person types.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from store.encoders.languages import Language, language, together
from store.errors import MeminboxError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from store.config import Config

__all__ = [
    "BUILT_IN",
    "WORDS",
    "Choice",
    "Encoder",
    "EncoderMissing",
    "Identity",
    "Language",
    "at_hand",
    "chosen",
    "language",
    "load",
    "lost",
    "together",
    "trouble",
]

BUILT_IN: Final = "built-in"
"""The choice of the encoder that comes with Meminbox."""
WORDS: Final = "words"
"""The choice of no encoder at all."""
LONGEST: Final = 2_000
"""Characters of a text that are encoded, from its beginning: what a sentence model is made for, and a bounded cost."""
_FIELDS: Final = ("encoder", "pooling", "query_prompt", "text_prompt")
_POOLINGS: Final = ("cls", "mean", "max")


class EncoderMissing(MeminboxError):
    """An encoder cannot be had here, or its process has ended; the text says why, for people."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What makes the vectors of two encoders comparable: equal in all of it, or never compared.

    ``revision`` stands for the very weights, ``dim`` counts the numbers of a vector, ``pooling`` says how a text's
    parts become one, ``prompt`` is what is put before texts and before queries.
    """

    name: str
    revision: str
    dim: int
    pooling: str
    prompt: str = ""

    @property
    def key(self) -> str:
        """All of it as one string of bounded length, the ``model_key`` of stored vectors."""
        told = hashlib.sha256("\x1f".join((self.pooling, self.prompt, str(LONGEST))).encode()).hexdigest()[:8]
        return f"{self.name[-80:]}@{self.revision[:24]}:{self.dim}:{told}"


class Encoder(Protocol):
    """A model that is loaded. Safe to share between threads."""

    @property
    def identity(self) -> Identity:
        """Which model, exactly."""

    @property
    def key(self) -> str:
        """``identity.key``."""

    @property
    def title(self) -> str:
        """The model's name, in words for people."""

    @property
    def dim(self) -> int:
        """Numbers of a vector."""

    def encode(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:
        """The vectors of these texts, one row each, of length 1; n x dim, float32.

        ``query`` says that they are asked with rather than stored: some models tell the two apart. Raises
        EncoderMissing where the model's process has ended.
        """

    def baseline(self, of: str) -> float:
        """m: the mean cosine of two texts that have nothing to do with each other, in a language (``languages``)."""

    def close(self) -> None:
        """Give back what it holds; it encodes nothing from then on."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which encoder the person wants. ``encoder`` is ``built-in``, ``words``, a model's name or its folder.

    ``pooling`` (cls, mean, max; None: as the model says) and the prompts matter to sentence-transformers models only.
    ``messages`` name what of ``[model]`` in config.toml was not understood.
    """

    encoder: str = BUILT_IN
    pooling: str | None = None
    query_prompt: str = ""
    text_prompt: str = ""
    messages: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The choice in words for people; of a folder its last two names."""
        said = {BUILT_IN: "built-in encoder", WORDS: "words"}.get(self.encoder, self.encoder)
        return "/".join(Path(said).parts[-2:]) if Path(said).is_absolute() else said


def chosen(config: Config, environ: Mapping[str, str] = os.environ) -> Choice:
    """What ``[model]`` in config.toml asks for, or MEMINBOX_ENCODER before it; the built-in encoder where neither does.

    Cheap, never raises.
    """
    said = dict(config.section("model"))
    if environ.get("MEMINBOX_ENCODER"):
        said["encoder"] = environ["MEMINBOX_ENCODER"]
    held: dict[str, str] = {}
    messages = [f"model.{name} is not known." for name in said if name not in _FIELDS]
    for name in _FIELDS:
        value = said.get(name)
        if value is None:
            continue
        if not isinstance(value, str) or len(value) > 1024 or "\x00" in value:
            messages.append(f"model.{name} must be a text.")
        elif name == "pooling" and value not in _POOLINGS:
            messages.append(f"model.pooling must be one of {', '.join(_POOLINGS)}.")
        elif value or name.endswith("prompt"):
            held[name] = value
    return Choice(**held, messages=tuple(f"{config.path}: {message}" for message in messages))


class _Kept:
    """The one encoder of this process, and why it is not the one that was chosen."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.choice: Choice | None = None
        self.encoder: Encoder | None = None
        self.reason: str | None = None


_KEPT: Final = _Kept()


def load(choice: Choice, *, aside: bool = False) -> Encoder | None:
    """The encoder of a choice, loaded once a process; slow (a second for the built-in one, more for others).

    Where the chosen model is not on this machine the built-in encoder stands in for it, at once; where that is missing
    too, or words were chosen, None: words alone. ``trouble`` then says why. ``aside`` runs the built-in encoder, too,
    in a child process of its own, for whoever has a screen to paint meanwhile.
    """
    with _KEPT.lock:
        if _KEPT.choice == choice:
            return _KEPT.encoder
        if _KEPT.encoder is not None:
            _KEPT.encoder.close()
        encoder, reason = _loaded(choice, aside=aside)
        _KEPT.choice, _KEPT.encoder, _KEPT.reason = choice, encoder, reason
        return encoder


def at_hand() -> Encoder | None:
    """The encoder that this process has loaded, or None. Never loads, never waits."""
    return _KEPT.encoder


def trouble() -> str | None:
    """Why the encoder at hand is not the chosen one, in words for people; None where it is."""
    return _KEPT.reason


def lost(encoder: Encoder) -> None:
    """An encoder has failed: it is no longer at hand, and the next ``load`` tries again."""
    with _KEPT.lock:
        if _KEPT.encoder is encoder:
            encoder.close()
            _KEPT.choice, _KEPT.encoder = None, None


def _loaded(choice: Choice, *, aside: bool) -> tuple[Encoder | None, str | None]:
    if choice.encoder == WORDS:
        return None, None
    reason = None
    for one in dict.fromkeys((choice, Choice())):
        try:
            return _made(one, aside=aside), reason
        except EncoderMissing as error:
            reason = reason or error.what
    return None, reason


def _made(choice: Choice, *, aside: bool) -> Encoder:
    if choice.encoder == BUILT_IN and not aside:
        from store.encoders.builtin import BuiltIn

        return BuiltIn()
    from store.encoders.aside import Aside

    return Aside(choice)
