"""Speed of the engine in the browser, and of loading the page.

The native core and the engine in Node and Chromium find the values of all moves, with the same
small book and a table of the same size, on one thread. The positions of 7x6 are from games of level
8, whose first moves are random. The number of nodes is that of Node: all visit nearly the same.
"""

import base64
import gzip
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

from _shared import percentile, show
from c4_bot.book.book_file import Book
from c4_bot.contract import Limits
from c4_bot.player.registry import build_player
from c4_bot.solve.solver import Solver
from c4_bot.web import NOT_PUBLISHED, PAGE
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD

ENGINE = Path(__file__).parents[1] / "web" / "engine.js"
MEGABYTES = 32
RANDOM_PLIES = 4
LOADS = 5
IN_CHROMIUM = """async (questions) => {
  const address = URL.createObjectURL(new Blob([C4_ENGINE.worker]));
  const worker = new Worker(address);
  const message = () => new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      if (data.problem || data.error) reject(new Error(data.problem || data.error));
      else if (!data.bounds) resolve(data);
    };
  });
  worker.postMessage({ load: C4_ENGINE });
  worker.postMessage({ network: C4_ENGINE.network });
  await message();
  const times = [];
  for (const { stones, kind } of questions) {
    const [first, second] = stones.map(BigInt);
    const began = performance.now();
    const position = { width: 7, height: 6, connect: 4, first, second };
    worker.postMessage({ id: 1, question: { kind, position } });
    await message();
    times.push(performance.now() - began);
  }
  return times;
}"""
"""Returns the milliseconds of each answer of a worker of the page."""


def positions(count: int, most: int) -> list[Position]:
    """Return positions with 0 to ``most`` stones, as many of each number."""
    draw, found = Random(1), list[Position]()
    while len(found) < count:
        position, ply = Position(STANDARD), len(found) * (most + 1) // count
        while position.ply < ply and not position.is_over:
            level = build_player("level-8", seed=draw.randrange(1 << 20))
            is_random = position.ply < RANDOM_PLIES
            cell = (
                draw.choice(position.moves) if is_random else level.choose(position, Limits()).cell
            )
            position = position.play(cell)
        if not position.is_over:
            found.append(position)
    return found


def native_times(asked: list[Position]) -> list[float]:
    """Return the milliseconds of each position in the native core, with the book of the page."""
    text = (PAGE / "engine.js").read_text()
    data = json.loads(text[text.index("{") : text.rindex(";")])
    with tempfile.NamedTemporaryFile() as file:
        Path(file.name).write_bytes(zlib.decompress(base64.b64decode(data["book"])))
        solver = Solver(STANDARD, MEGABYTES, book=Book(Path(file.name)))
        clock = [time.perf_counter()]
        for position in asked:
            list(solver.move_scores(position, Limits()))
            clock.append(time.perf_counter())
    return [1000 * (after - before) for before, after in pairwise(clock)]


@contextmanager
def chromium() -> Iterator[Any]:
    """Yield a function that opens the page in a new window of Chromium."""
    from playwright.sync_api import sync_playwright

    executable = shutil.which("chromium")
    if executable is None:
        sys.exit("this benchmark needs Chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])

        def opened() -> Any:
            page = browser.new_context().new_page()
            page.goto((PAGE / "index.html").as_uri())
            page.wait_for_function("globalThis.C4_ENGINE")
            return page

        yield opened
        browser.close()


def main(count: int = 200, most: int = 30) -> None:
    """Find the values of ``count`` positions with at most ``most`` stones, and load the page."""
    asked = positions(count, most)
    questions = [
        {"board": [7, 6, 4], "stones": [*map(str, one.stones)], "kind": "values"} for one in asked
    ]
    command, sent = ["node", ENGINE, "nodes"], json.dumps(questions).encode()
    done = subprocess.run(command, input=sent, capture_output=True, check=True)
    in_node, counts, _ = zip(*json.loads(done.stdout), strict=True)
    nodes = sum(counts)
    native = native_times(asked)
    with chromium() as opened:
        in_chromium = opened().evaluate(IN_CHROMIUM, questions)
        loads = [_times_of_loading(opened) for _ in range(LOADS)]
    columns = {"engine": "", "median ms": ".1f", "90th percentile": ".0f", "longest": ".0f"}
    columns |= {"million nodes/s": ".2f", "time": ".2f"}
    rows = (
        (
            name,
            statistics.median(ms),
            percentile(ms, 90),
            max(ms),
            nodes / sum(ms) / 1000,
            sum(ms) / sum(native),
        )
        for name, ms in (("native", native), ("Node", in_node), ("Chromium", in_chromium))
    )
    show(f"values of all moves of {count} positions", columns, rows)
    files = [file for file in sorted(PAGE.iterdir()) if file.name not in NOT_PUBLISHED]
    sizes = (
        (file.name, *map(len, (file.read_bytes(), gzip.compress(file.read_bytes()))))
        for file in files
    )
    show("files", {"file": "", "bytes": ",d", "with gzip": ",d"}, sizes)
    medians = [statistics.median(ms) for ms in zip(*loads, strict=True)]
    show("loading in Chromium", {"board ms": ".0f", "engine's file ms": ".0f"}, [medians])


def _times_of_loading(opened: Any) -> tuple[float, float]:
    """Return the milliseconds until the board can be used, and until the engine's file is read."""
    page = opened()
    ready = page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
    script = "performance.getEntriesByType('navigation')[0].loadEventEnd"
    page.wait_for_function(script)
    return ready, page.evaluate(script)
