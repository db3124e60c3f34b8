"""Every bench, one after the other: ``python -m tests.bench [NAME...]``, for example ``python -m tests.bench console``.

Each runs in a process of its own and prints one line a measure: what, how much, and what it may cost. Nothing is
asserted. All of them together take minutes, not seconds.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""numpy's threads wait by spinning, and CPU time would count that as work."""


def main() -> int:
    """Run the benches that were named, else all; 1 where one of them failed."""
    names = sys.argv[1:] or sorted(
        path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py")
    )
    failed = False
    place = os.environ | ONE_THREAD
    for name in names:
        print(f"\n== {name}", flush=True)
        command = [sys.executable, "-m", f"tests.bench.bench_{name}"]
        failed |= subprocess.run(command, env=place, check=False).returncode != 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
