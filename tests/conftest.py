"""What every ring shares: the same examples on every run, unless one goes looking for new ones.

``HYPOTHESIS_PROFILE=seek`` looks for new ones.
"""

from __future__ import annotations

import gc
import os

import pytest
from hypothesis import settings

settings.register_profile("steady", derandomize=True, database=None)
settings.register_profile("seek", print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Thousands of collected tests need not be walked by every full collection of garbage: a third of all time."""
    gc.collect()
    gc.freeze()
