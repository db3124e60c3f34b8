"""An encoder in a process of its own: a model that takes seconds to import, or one that must not hold up a screen.

The child runs at low priority, with one thread, offline, and ends when its standard input does: with us, however we
end. It sees the texts and nothing of the store.
"""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import meminbox
from store.encoders import BUILT_IN, LONGEST, Choice, EncoderMissing, Identity, builtin, frames, models
from store.encoders.baselines import Baselines

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LOADING: Final = 120.0
"""Seconds that a model may take to load: from a slow disk, on a busy machine."""
ENCODING: Final = 120.0
"""Seconds that one batch may take."""
BATCH: Final = 64
"""Texts in one frame: whoever waits behind them waits no longer than for these."""
_ENDING: Final = 2.0
OFFLINE: Final = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
"""One thread: two were twelve times slower than one on two shared cores."""


class Aside:
    """The encoder of a choice, behind a pipe. Safe to share between threads: one batch at a time goes through it."""

    def __init__(self, choice: Choice) -> None:
        """Start the child and wait until its model is loaded. Raises EncoderMissing, at once where no model is here."""
        self.title = choice.title
        self._lock = threading.RLock()
        asked = {**asdict(choice), "title": choice.title, "folder": str(_folder(choice))}
        asked.pop("messages")
        self._child = _started()
        with self._lock:
            told, _ = self._asked(asked, LOADING)
        self.identity = Identity(**told["identity"])
        self.key = self.identity.key
        self.dim = self.identity.dim
        self._baselines = Baselines(self.encode)

    def encode(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:
        """The vectors of these texts, n x dim, each of length 1. Raises EncoderMissing where the child has ended."""
        import numpy as np

        found = np.empty((len(texts), self.dim), dtype=np.float32)
        for at in range(0, len(texts), BATCH):
            part = [text[:LONGEST].encode("utf-8", "ignore").decode() for text in texts[at : at + BATCH]]
            with self._lock:
                _, body = self._asked({"texts": part, "query": query}, ENCODING)
            if len(body) != len(part) * self.dim * 4:
                raise EncoderMissing(f"{self.title} gave something else than vectors")
            found[at : at + len(part)] = np.frombuffer(body, dtype="<f4").reshape(len(part), self.dim)
        return found

    def baseline(self, of: str) -> float:
        """The mean cosine of unrelated texts in a language."""
        return self._baselines.of(of)

    def close(self) -> None:
        """End the child; whoever waits for its answer is told that it has ended."""
        child = self._child
        child.terminate()
        try:
            child.wait(_ENDING)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        with self._lock:  # only now: a number that somebody still reads from would be another file's in a moment
            for end in (child.stdin, child.stdout):
                if end is not None:
                    end.close()

    def _asked(self, head: dict[str, Any], within: float) -> tuple[dict[str, Any], bytes]:
        child = self._child
        if child.stdin is None or child.stdout is None or child.stdin.closed:
            raise EncoderMissing(f"the process of {self.title} has ended")
        try:
            frames.write(child.stdin.fileno(), head)
            told, body = frames.read(child.stdout.fileno(), within=within)
        except frames.Ended as error:
            self.close()
            raise EncoderMissing(f"the process of {self.title} has ended") from error
        if "missing" in told:
            self.close()
            raise EncoderMissing(str(told["missing"]))
        return told, body


def _started() -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            meminbox.command("encoder"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **OFFLINE},
            start_new_session=True,  # a ctrl+c in the terminal is not meant for it
            close_fds=True,
        )
    except OSError as error:
        raise EncoderMissing(f"no process can be started for a model ({error.strerror})") from error


def _folder(choice: Choice) -> Path:
    """Where the model stands: asked before any process is started, so that a missing one costs no time."""
    if choice.encoder == BUILT_IN:
        builtin.identity()
        return Path()
    return models.folder_of(choice.encoder)
