"""The launcher: makes sure that ``store`` and ``console`` are ours, answers what is quick, and hands on the rest.

The two packages have everyday names. Whatever else of those names stands on PYTHONPATH or in the present folder, the
ones beside this file are taken. A child process starts through ``command()``, so that the same holds for it.
"""

from __future__ import annotations

import os
import sys
from importlib import machinery

__version__ = "0.1.0"

_HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120  (pathlib alone costs 9 ms)
_OURS = ("store", "console")


def claim() -> None:
    """Put this distribution's own ``store`` and ``console`` into ``sys.modules``, whatever the path holds."""
    sys.modules.setdefault("meminbox", sys.modules[__name__])
    for name in _OURS:
        present = sys.modules.get(name)
        if present is not None and _is_ours(present, name):
            continue
        for loaded in [one for one in sys.modules if one == name or one.startswith(f"{name}.")]:
            del sys.modules[loaded]
        _load(name)


def _is_ours(module: object, name: str) -> bool:
    return list(getattr(module, "__path__", [])) == [os.path.join(_HERE, name)]


def _load(name: str) -> None:
    spec = machinery.PathFinder.find_spec(name, [_HERE])
    if spec is None or spec.loader is None or spec.origin is None:
        raise ModuleNotFoundError(f"meminbox is not installed whole: its package {name!r} is missing from {_HERE}")
    module = type(sys)(name)
    module.__spec__ = spec
    module.__loader__ = spec.loader
    module.__file__ = spec.origin
    module.__package__ = name
    module.__path__ = list(spec.submodule_search_locations or [])
    sys.modules[name] = module
    spec.loader.exec_module(module)


def command(*arguments: str) -> list[str]:
    """The command line of a child process that runs Meminbox as this process does, for subprocess and execv."""
    return [sys.executable, "-P", os.path.join(_HERE, "meminbox.py"), *arguments]


def _hold_standard_streams() -> None:
    """Open /dev/null in place of a standard stream that was closed, so that no file of ours takes its number."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115


def _speak_utf8() -> None:
    """UTF-8 in and out, whatever the locale says; what is no text goes out escaped rather than not at all."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


def _expect_utf8() -> None:
    """Start again in Python's UTF-8 mode where the locale would give arguments and file names another encoding."""
    if sys.getfilesystemencoding().lower().replace("-", "") != "utf8":
        os.environ["PYTHONUTF8"] = "1"
        os.execv(sys.executable, list(map(os.fsencode, [*command(), *sys.argv[1:]])))


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code (design section 8)."""
    try:
        _hold_standard_streams()
        if arguments is None:
            _expect_utf8()
        return _run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:
        return 130


def _run(given: list[str]) -> int:
    _speak_utf8()
    if given in (["--version"], ["-V"]):
        print(f"meminbox {__version__}")
        return 0
    claim()
    from console.front import main as run

    return run(given)


if __name__ == "__main__":
    sys.exit(main())
