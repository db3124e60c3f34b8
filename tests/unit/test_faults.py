"""A fault is told by its kind and place: no message, no value, no byte that acts, from wherever it came."""

from __future__ import annotations

import asyncio
import gc
import sys
import threading
from pathlib import Path

import pytest
from textual.worker import WorkerFailed

from console import faults
from tests import hostile

SECRET = "the password is hunter2 " + hostile.evil("content")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMINBOX_HOME", str(tmp_path))
    return tmp_path


def raised(error: BaseException, cause: BaseException | None = None) -> BaseException:
    try:
        raise error from cause
    except type(error) as caught:
        return caught


def harmless(text: str) -> bool:
    return "hunter2" not in text and "zcontent" not in text and not hostile.live(text.encode())


def test_a_report_names_every_error_of_the_chain_with_its_place() -> None:
    inner = raised(KeyError(SECRET))
    several = raised(ExceptionGroup(SECRET, [raised(OSError(5, SECRET)), raised(ValueError(SECRET), inner)]))
    text = faults.described(raised(RuntimeError(SECRET), several))
    assert harmless(text)
    kinds = [line.split()[0] for line in text.splitlines() if "withheld" in line]
    assert set(kinds) == {
        f"builtins.{name}" for name in ("KeyError", "OSError", "ValueError", "RuntimeError", "ExceptionGroup")
    }
    assert "test_faults.py" in text and "in raised" in text


def test_of_a_worker_the_error_it_failed_of_is_told(home: Path) -> None:
    told = faults.told(WorkerFailed(raised(ZeroDivisionError(SECRET))))
    assert "(ZeroDivisionError)" in told and harmless(told)
    (report,) = (home / "reports").iterdir()
    text = report.read_text(encoding="utf-8")
    assert "builtins.ZeroDivisionError" in text and "test_faults.py" in text and harmless(text)
    assert report.stat().st_mode & 0o777 == 0o600


def test_the_newest_twenty_reports_are_kept_and_nothing_else_is_touched(home: Path) -> None:
    folder = home / "reports"
    folder.mkdir()
    for day in range(1, 26):
        (folder / f"meminbox-202601{day:02}T000000-old.txt").touch()
    (folder / "my own notes.txt").touch()
    place = faults.report(raised(ValueError(SECRET)))
    assert place is not None
    names = sorted(one.name for one in folder.iterdir())
    assert names == [
        *(f"meminbox-202601{day:02}T000000-old.txt" for day in range(7, 26)),
        place.name,
        "my own notes.txt",
    ]
    assert len(names) == faults.KEPT + 1


def test_an_error_that_leads_to_itself_ends() -> None:
    one, two = raised(ValueError("a")), raised(ValueError("b"))
    one.__context__, two.__context__ = two, one
    assert faults.described(one).count("ValueError") == 2


def test_on_request_the_traceback_is_printed_and_even_then_made_visible(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MEMINBOX_DEBUG", "1")
    faults.told(raised(ValueError(SECRET)))
    said = capsys.readouterr().err
    assert "Traceback" in said and "hunter2" in said and not hostile.live(said.encode())


def test_what_fails_aside_is_reported_and_never_printed(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    class Last:
        def __del__(self) -> None:
            raise ValueError(SECRET)

    def fail() -> None:
        raise LookupError(SECRET)

    async def forgotten() -> None:
        task = asyncio.create_task(failing())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        del task

    async def failing() -> None:
        raise OSError(5, SECRET)

    before = threading.excepthook, sys.unraisablehook
    with faults.nothing_told_elsewhere():
        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()
        Last()
        asyncio.run(forgotten())
        gc.collect()
    assert (threading.excepthook, sys.unraisablehook) == before
    said = capfd.readouterr()
    assert (said.out, said.err) == ("", "")
    texts = [one.read_text(encoding="utf-8") for one in (home / "reports").iterdir()]
    assert sorted(text.splitlines()[1].split()[0] for text in texts) == [
        "builtins.LookupError",
        "builtins.OSError",
        "builtins.ValueError",
    ]
    assert all(map(harmless, texts))
