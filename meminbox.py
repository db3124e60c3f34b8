"""The launcher (see design section 2); grows a guard against packages of the same name on the path."""

from __future__ import annotations


def main() -> int:
    """Run the command line and return its exit code."""
    from console.cli import main as run

    return run()
