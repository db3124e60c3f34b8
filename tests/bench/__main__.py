"""Every bench, one after the other: ``python -m tests.bench [NAME...]``, for example ``python -m tests.bench console``.

Each runs in a process of its own and prints one line a measure: what, how much, and what it may cost. Nothing is
asserted. All of them together take minutes, not seconds.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def main() -> int:
    """Run the benches that were named, else all; 1 where one of them failed."""
    names = sys.argv[1:] or sorted(
        path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py")
    )
    failed = False
    for name in names:
        print(f"\n== {name}", flush=True)
        failed |= subprocess.run([sys.executable, "-m", f"tests.bench.bench_{name}"], check=False).returncode != 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
