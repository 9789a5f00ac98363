"""Take the pictures of pages for the documents: ``python tests/browser/screenshots.py``.

A tournament with fixed bots, openings and seeds is played, so the pictures only change with the
pages and, a little, with the times of moves. With ``--played DIR``, the tournament is kept in a
folder, and is not played again. The pictures have few colours, because they are a part of the
repository. Needs what the tests in this folder need, and Pillow.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from c4_protocol.board import Board
from PIL import Image
from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests" / "shared"))

from browsing import PHONE, Reader, Window, started_browser  # noqa: E402 - found only now

IMAGES = ROOT / "docs" / "images"
REFEREE = Path(sys.executable).parent / "c4-referee"
MAX_BYTES = 160_000
"""Maximum size of a picture, in bytes."""

CUP = """
name = "Winter cup"
system = "round-robin"
openings = "balanced:6"
seed = 1
time_ms = 2000
[bots.perfect]
command = "c4-bot --info"
[bots.ordered]
command = "c4-bot --plays ordered --info"
[bots.needed]
command = "c4-bot --plays needed --info"
[bots.windows]
command = "c4-bot --plays windows --info"
[bots.sequences]
command = "c4-bot --plays sequences --info"
[bots."level 4"]
command = "c4-bot --level 4 --seed 4 --info"
[bots."first try"]
command = "python3 examples/misbehaving/crashes_at_the_edge.py"
"""


@dataclass(frozen=True)
class Shot:
    """A picture: its file, its page, and the element at whose lower edge it ends."""

    name: str
    page: str
    end: str
    window: Window
    dark: bool = False


WINDOW = {"width": 1120, "height": 800}
SHOTS = (
    Shot("standings.png", "index.html", "#crosstable", WINDOW),
    Shot("bot.png", "bots/5.html", "#mistakes", WINDOW),
    Shot("replay.png", "games/28.html#32", ".stage", WINDOW),
    Shot("replay-phone.png", "games/28.html#32r2", ".card", PHONE, dark=True),
)
"""The pictures. In game 28, a bot throws away a won game by its last moves."""
PREVIEW, WON = {"width": 1200, "height": 630}, "561125323567175463454"
"""Size of the picture that other sites show of a link to the documents, and the game in it."""
PREVIEW_PAGE = """
<style>
body {{ display: grid; grid-template-columns: 1fr auto; align-items: center; gap: 56px;
  box-sizing: border-box; height: 630px; margin: 0; padding: 0 72px;
  background: #fbfbfa; color: #1c1e21; font: 34px/1.4 system-ui, sans-serif; }}
h1 {{ margin: 0 0 24px; font-size: 68px; line-height: 1.1; letter-spacing: -.02em; }}
p {{ margin: 0; color: #5c6066; }}
svg {{ width: 540px; height: auto; }}
</style>
<div><h1>{title}</h1><p>c4-arena</p></div>{board}
"""
SCALE, MARGIN, COLOURS = 1.5, 10, 96
"""Pixels of a picture for one pixel of a page, blank pixels below its end, and maximum number of
colours."""


def play(folder: Path) -> None:
    """Play the tournament, or the rest of it."""
    folder.mkdir(parents=True, exist_ok=True)
    rules = folder / "cup.toml"
    rules.write_text(CUP, encoding="utf-8")
    run("tournament", rules, "--out", folder)


def run(*arguments: str | Path) -> None:
    """Run ``c4-referee`` in the root of the project, and show what it says."""
    subprocess.run([REFEREE, *arguments], cwd=ROOT, check=True)


def take(shot: Shot, reader: Reader, site: Path) -> bytes:
    """Return a picture as the bytes of a PNG file."""
    file, _, place = shot.page.partition("#")
    address = f"{(site / file).as_uri()}#{place}"
    page = reader.open(address, shot.window, dark=shot.dark, device_scale_factor=SCALE)
    box = page.locator(shot.end).bounding_box()
    clip = {"x": 0, "y": 0, "width": shot.window["width"], "height": box["y"] + box["height"]}
    clip["height"] += MARGIN
    return small(page.screenshot(full_page=True, clip=clip, animations="disabled"))


def preview(reader: Reader) -> bytes:
    """Return the picture of a link: the title of the first page, and a board."""
    front = (ROOT / "docs" / "front.md").read_text(encoding="utf-8")
    title = re.search("^# (.*)$", front, re.MULTILINE)[1]
    page = reader.open("about:blank", PREVIEW)
    board = Board.from_moves(WON)._repr_svg_()
    page.set_content(PREVIEW_PAGE.format(title=title, board=board))
    return small(page.screenshot())


def small(picture: bytes) -> bytes:
    """Return a picture with few colours."""
    made = BytesIO()
    colours = Image.open(BytesIO(picture)).convert("RGB")
    colours.quantize(COLOURS, dither=Image.Dither.NONE).save(made, "PNG", optimize=True)
    return made.getvalue()


def write(path: Path, browser: Browser, picture_of: Callable[[Reader], bytes]) -> None:
    """Write a picture, or stop if something is wrong with its page or its size."""
    reader = Reader(browser)
    picture = picture_of(reader)
    reader.close()
    if reader.complaints or len(picture) > MAX_BYTES:
        sys.exit(f"{path.name}: {len(picture)} bytes {reader.complaints}")
    path.write_bytes(picture)
    print(f"{path.name}: {len(picture)} bytes")


def main() -> None:
    """Play, make the pages and take the pictures."""
    parser = argparse.ArgumentParser(description="Take the pictures of pages for the documents.")
    parser.add_argument("--played", type=Path, help="folder of the tournament (default: a new one)")
    parser.add_argument("--images", type=Path, default=IMAGES, help="folder of the pictures")
    options = parser.parse_args()
    with TemporaryDirectory() as folder, started_browser() as browser:
        played, site = options.played or Path(folder, "played"), Path(folder, "site")
        play(played.resolve())
        run("report", played.resolve(), "--out", site, "--analysis-seconds", "300")
        for shot in SHOTS:
            write(options.images / shot.name, browser, partial(take, shot, site=site))
        write(options.images / "preview.png", browser, preview)


if __name__ == "__main__":
    main()
