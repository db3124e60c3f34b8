"""Make the README's pictures from the running app: ``python screenshots/make.py`` from the project's root.

The app runs headless on the demo's store; its SVG export is repaired for wide characters and painted by headless
Chromium with fonts that have CJK and emoji (Debian: chromium fonts-firacode fonts-noto-cjk fonts-noto-color-emoji).
"""

from __future__ import annotations

import asyncio
import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

from rich.cells import cell_len

HERE = Path(__file__).parent
FONTS = "'Fira Code','Noto Sans Mono CJK SC','Noto Color Emoji',monospace"
CELL = 12.2
"""Width of a cell in the export, in pixels."""
SIZES = {"80x24": (80, 24), "140x40": (140, 40)}


class Picture(NamedTuple):
    """Which keys lead from the opening view to a picture, in which look, and whether on the demo's store or on none."""

    keys: tuple[str, ...] = ()
    look: str = "desk"
    empty: bool = False


PICTURES = {
    "queue": Picture(),
    "queue-light": Picture(look="desk-light"),
    "evidence": Picture(("o",)),
    "sides": Picture(("=",)),
    "history": Picture(("h",)),
    "library": Picture(("2",)),
    "recheck": Picture(("2", "R")),
    "profile": Picture(("m",)),
    "scopes": Picture(("6",)),
    "outdated": Picture(("3",)),
    "activity": Picture(("4", "j", "j")),
    "agents": Picture(("5", "j")),
    "diff": Picture((*"jjjj", "d")),
    "help": Picture(("?",)),
    "first-run": Picture(empty=True),
}


def repaired(svg: str) -> str:
    """The export with every run as wide as its cells, and with fonts of this machine instead of fetched ones."""

    def widen(match: re.Match[str]) -> str:
        width = cell_len(html.unescape(match["text"])) * CELL
        return f'{match["before"]}textLength="{width:g}"{match["after"]}{match["text"]}</text>'

    runs = r'(?P<before><text[^>]*?)textLength="[\d.]+"(?P<after>[^>]*>)(?P<text>[^<]*)</text>'
    svg = re.sub(r"@font-face\s*{[^}]*}", "", re.sub(runs, widen, svg))
    return svg.replace("font-family: Fira Code, monospace", f"font-family: {FONTS}")


def paint(svg: str, target: Path) -> None:
    """Paint an SVG into a PNG with headless Chromium, at twice the size of its viewBox halved: crisp, not huge."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        sys.exit("screenshots need Chromium on the PATH")
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert box is not None
    width, height = (round(float(side)) for side in box.groups())
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        page.write_text(f"<style>body{{margin:0;background:#0f1014}}svg{{display:block}}</style>{svg}", "utf-8")
        quiet = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run")
        offline = ("--disable-background-networking", "--disable-component-update", "--disable-sync")
        shot = (f"--screenshot={target}", f"--window-size={width},{height}", f"--user-data-dir={folder}/profile")
        subprocess.run([chromium, *quiet, *offline, *shot, page.as_uri()], check=True, capture_output=True, timeout=120)


async def shots(demo: Any, nothing: Any, project: Any) -> None:
    """Take every picture at every size, each from a fresh start of the app."""
    from console.app import DeskApp
    from console.looks import Look
    from store.facts import Actor

    for size, cells in SIZES.items():
        for name, picture in PICTURES.items():
            location = nothing if picture.empty else demo
            app = DeskApp(location, by=Actor("you", "console"), project=project, look=Look(picture.look))
            async with app.run_test(size=cells) as pilot:
                await settled(app, pilot.pause)
                for key in picture.keys:
                    await pilot.press(key)
                    await settled(app, pilot.pause)
                svg = app.export_screenshot(title="meminbox")
            paint(repaired(svg), HERE / f"{name}-{size}.png")
            print(f"{name}-{size}.png")


async def settled(app: Any, pause: Callable[..., Awaitable[None]]) -> None:
    """Wait until the workers have answered and everything is painted."""
    for _ in range(4):
        await app.workers.wait_for_complete()
        await pause()


def main() -> None:
    """Build the demo's store in a temporary folder, and take the pictures."""
    from console import demo
    from store.facts import Actor
    from store.location import locate

    with tempfile.TemporaryDirectory() as folder:
        location = locate(str(Path(folder, "demo.db")))
        demo.build(location, person=Actor("you", "console"))
        os.environ["HOME"] = folder  # no agent of this machine is found there
        os.environ["CLAUDE_CONFIG_DIR"] = folder  # but the transcript of the sample's session
        nothing = locate(str(Path(folder, "nothing.db")))
        asyncio.run(shots(location, nothing, demo.project(Path(folder))))


if __name__ == "__main__":
    main()
