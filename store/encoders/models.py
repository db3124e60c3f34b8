"""Models that stand on this machine: found by folder or by name, told apart by what their files hold. Imports no model.

A name ("BAAI/bge-small-zh-v1.5") is looked for in the cache of the Hugging Face libraries, laid out as they document
it: ``models--OWNER--NAME/refs/main`` names the folder in ``snapshots``. A relative path is never taken for a folder:
what lies in the present folder may be anybody's.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from store.encoders import EncoderMissing

NAME: Final = re.compile(r"[A-Za-z0-9][\w.-]{0,95}(?:/[A-Za-z0-9][\w.-]{0,95})?", re.ASCII)
_REVISION: Final = re.compile(r"[0-9A-Za-z._-]{1,64}")
_MARK: Final = ("modules.json", "config.json")
_TOLD: Final = frozenset((".json", ".txt", ".model"))
"""Files that are read whole for the revision, up to ``_WHOLE`` bytes; of all others samples."""
_WHOLE: Final = 4 * 1024 * 1024
_SAMPLES: Final = 64
_SAMPLE: Final = 4096
_MOST_FILES: Final = 200


def folder_of(name: str, environ: Mapping[str, str] = os.environ) -> Path:
    """The folder of a model on this machine. Raises EncoderMissing, in milliseconds, where it is not here."""
    if find_spec("sentence_transformers") is None:
        raise EncoderMissing(
            f"{name} needs sentence-transformers, which is not installed", todo="Install meminbox[semantic]."
        )
    path = Path(name).expanduser()
    if path.is_absolute():
        if not any((path / mark).is_file() for mark in _MARK):
            raise EncoderMissing(f"no model stands in {name}")
        return path
    if not NAME.fullmatch(name) or ".." in name:
        raise EncoderMissing(f"{name} is neither a model's name nor the whole path of its folder")
    found = _cached(name, environ)
    if found is None:
        raise EncoderMissing(
            f"{name} is not on this machine", todo=f"`meminbox model fetch {name}` fetches it, once and for all."
        )
    return found


def _cached(name: str, environ: Mapping[str, str]) -> Path | None:
    names = (name,) if "/" in name else (f"sentence-transformers/{name}", name)
    for one in names:
        held = cache(environ) / f"models--{one.replace('/', '--')}"
        try:
            revision = (held / "refs" / "main").read_text(encoding="utf-8").strip()[:80]
        except (OSError, ValueError):
            continue
        folder = held / "snapshots" / revision
        if _REVISION.fullmatch(revision) and any((folder / mark).is_file() for mark in _MARK):
            return folder
    return None


def cache(environ: Mapping[str, str] = os.environ) -> Path:
    """Where the Hugging Face libraries keep models: HF_HUB_CACHE, else HF_HOME/hub, else in the user's cache."""
    if environ.get("HF_HUB_CACHE"):
        return Path(environ["HF_HUB_CACHE"]).expanduser()
    home = environ.get("HF_HOME")
    if not home:
        home = str(Path(environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()) / "huggingface")
    return Path(home).expanduser() / "hub"


def revision_of(folder: Path) -> str:
    """A short digest of a model's files: small ones whole, weights by their size and samples from all over them.

    Weights that were trained any further differ everywhere, so samples tell; reading gigabytes would take minutes.
    """
    told = hashlib.sha256()
    try:
        files = sorted(one for one in folder.rglob("*") if one.is_file() and not one.name.startswith("."))
        for file in files[:_MOST_FILES]:
            told.update(f"\0{file.relative_to(folder)}:{file.stat().st_size}:".encode("utf-8", "surrogateescape"))
            _tell(told, file)
    except OSError as error:
        raise EncoderMissing(f"the model in {folder} cannot be read ({error.strerror})") from error
    return told.hexdigest()[:12]


def _tell(told: hashlib._Hash, file: Path) -> None:
    size = file.stat().st_size
    with file.open("rb") as read:
        if size <= _SAMPLES * _SAMPLE or (file.suffix in _TOLD and size <= _WHOLE):
            told.update(read.read(_WHOLE))
            return
        for at in range(_SAMPLES):
            read.seek(at * (size - _SAMPLE) // (_SAMPLES - 1))
            told.update(read.read(_SAMPLE))
