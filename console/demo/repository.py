"""The demo's repository: a service whose folder was renamed yesterday, so that some of what is known is false today."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from store.location import search_path

FOLDER: Final = "shop-api"
"""The repository below the demo's folder."""
_WHO: Final = ("-c", "user.name=demo", "-c", "user.email=demo@example.org", "-c", "init.defaultBranch=main")
_SECONDS: Final = 5.0
_FILES: Final = {
    "services/money.py": "def rounded(amount):\n    return amount.quantize(CENT, ROUND_HALF_EVEN)\n",
    "services/orders.py": "def place(order):\n    return repository.add(order)\n",
    "services/tax/rates.py": "RATES = {'DE': 19, 'FR': 20}\n",
    "handlers/api.py": "from services import orders\n\n\ndef post(request):\n    return orders.place(request.json)\n",
}


def make(folder: Path, now: datetime) -> Path:
    """Make it in ``folder`` and return its place; without git at hand there are the files and no history."""
    place = folder / FOLDER
    for name, text in _FILES.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text, encoding="utf-8")
    with suppress(OSError, subprocess.SubprocessError):
        _git(place, now, "init", "-q")
        _commit(place, now - timedelta(days=200), "The shop's service")
        _git(place, now, "mv", "services", "core")
        (place / "core/tax/rates.py").unlink()
        _commit(place, now - timedelta(days=1), "The rules move to core/, the rates to the finance service")
    return place


def _commit(place: Path, when: datetime, subject: str) -> None:
    _git(place, when, "add", "-A")
    _git(place, when, "commit", "-q", "-m", subject)


def _git(place: Path, when: datetime, *arguments: str) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    own = {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_DATE": when.isoformat(),
        "GIT_COMMITTER_DATE": when.isoformat(),
        "PATH": search_path(),
    }
    subprocess.run(
        ["git", *_WHO, *arguments], cwd=place, env=kept | own, check=True, capture_output=True, timeout=_SECONDS
    )
