"""Page about the strength of the players, by board and by time.

For each board and each time, the players play a round robin from random openings, each opening
with both colours. --times lists milliseconds for a move, each with a number of openings, for
example 10:8,100:4. The games are stored in FOLDER, and a run that was stopped continues there. The
page is written to the file of --page, or else printed.

A rating is the Elo difference to a player that looks a fixed number of plies ahead, so its strength
hardly depends on the time. The intervals are 95 % intervals.
"""

import platform
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from importlib.metadata import version
from pathlib import Path

from _shared import BOT, no_processes_left
from c4_protocol.records.events import GameEnded
from c4_protocol.records.reports import Standing
from c4_protocol.rules.variant import Variant
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.contest import Contest
from c4_referee.contest.schedule import round_robin
from c4_referee.records.stats.standings import Anchor, rating_list

TIMES = "10:10,100:5,1000:2"
BOARDS = ("7x6", "8x7", "9x7", "8x8", "10x8x5")
FALLING = ("random", "sequences", "windows", "needed", "ordered", "strong", "perfect")
FREE = ("random", "level-7", "level-9", "blocker", "perfect")
ANCHORS = {True: "sequences", False: "level-7"}
"""Player with the rating 0, by whether stones fall."""
PAGE = """\
# How strong the players are on each board

The rows are the [players](players.md), the columns the times for a move. A cell is the Elo
difference to {anchors}, which always looks equally far ahead, with its 95% interval, or "none" if
the player got no point.
Each two players play the same random openings, each opening with both colours:
{pairs}.
No game was lost by a late answer, unless a table says so.
Games from the empty board are in [another table](players.md#where-theory-says-it-is-lost).

One command makes this page. If it is stopped, the same command continues:

<!-- needs: several hours -->
```sh
python tests/bench/run.py strength results --times {times_argument} --page docs/strength.md
```

*Measured with c4-arena {version}, {concurrency} at the same time, on this processor: {machine}.
The page was written on {today}.*

"""


@dataclass(frozen=True)
class Field:
    """The players that meet on a board."""

    variant: Variant
    board: str

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players."""
        return FALLING if self.variant.gravity else FREE

    @property
    def anchor(self) -> str:
        """Name of the player with the rating 0."""
        return ANCHORS[self.variant.gravity]

    def contest(self, ms: float, pairs: int, concurrency: int) -> Contest:
        """Return the round robin on this board with ``ms`` milliseconds a move."""
        command = f"{BOT} --threads 1 --seed 1 --plays"
        return Contest(
            tuple(BotSpec(one, f"{command} {one}", restart="never") for one in self.players),
            round_robin.SYSTEM,
            rounds=pairs,
            openings="random:4" if self.variant.gravity else "random:2",
            variant=self.variant,
            control=TimeControl(ms),
            concurrency=concurrency,
        )


def _cell(field: Field, bot: Standing) -> str:
    """Return a player's rating with its interval."""
    if bot.bot == field.anchor:
        return "0"
    if bot.rating is None or bot.rating_low is None or bot.rating_high is None or not bot.points:
        return "none"
    half = (bot.rating_high - bot.rating_low) / 2  # an interval from the curvature is symmetric
    return f"{bot.rating:+.0f} ±{half:.0f}"


def _table(field: Field, times: Sequence[float], rated: Sequence[dict[str, Standing]]) -> str:
    """Return the section of a board in Markdown, the strongest player of the last time first.

    A sentence after the table counts the games that players lost by faults, if there are any.
    """
    order = sorted(field.players, key=lambda name: -rated[-1][name].points)
    fall = "" if field.variant.gravity else ", without gravity, rows and columns only"
    lines = [
        f"## {field.variant.size}, {field.variant.connect} in a row{fall}\n",
        "| Player | " + " | ".join(f"{ms:g} ms" for ms in times) + " |",
        "| --- |" + " ---: |" * len(times),
        *(
            f"| `{name}` | " + " | ".join(_cell(field, found[name]) for found in rated) + " |"
            for name in order
        ),
    ]
    counted = [
        f"`{name}` {sum(bot.forfeits.values())} with {ms:g} ms"
        for ms, found in zip(times, rated, strict=True)
        for name, bot in found.items()
        if bot.forfeits
    ]
    if counted:
        lines += ["", f"Games lost by late answers: {', '.join(counted)}."]
    return "\n".join([*lines, ""])


def _played(
    field: Field, times: dict[float, int], folder: Path, concurrency: int
) -> Iterator[list[GameEnded]]:
    """Play what is missing of each round robin of a board; yield its games."""
    for ms, pairs in times.items():
        print(f"{field.board}, {ms:g} ms", file=sys.stderr)
        outcome = field.contest(ms, pairs, concurrency).play(out=folder / f"{field.board}-{ms:g}ms")
        if outcome.was_interrupted:
            raise KeyboardInterrupt
        yield outcome.games


def _machine() -> str:
    """Return the name of the processor, or the machine's type if the system does not tell it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def main(
    folder: str, *boards: str, times: str = TIMES, concurrency: int = 1, page: str = ""
) -> None:
    """Play the games of each board with each time of ``times``, and write the page."""
    fields = [Field(Variant.parse(board), board) for board in boards or BOARDS]
    entries = (entry.partition(":") for entry in times.split(","))
    each = {float(ms): int(pairs) for ms, _, pairs in entries}
    tables = []
    with no_processes_left():
        for field in fields:
            played = [*_played(field, each, Path(folder), concurrency)]
            anchor = Anchor(field.anchor, 0)
            found = [rating_list(field.players, some, anchor).bots for some in played]
            tables.append(_table(field, [*each], [{bot.bot: bot for bot in one} for one in found]))
    anchors = " or ".join(f"`{name}`" for name in dict.fromkeys(one.anchor for one in fields))
    text = PAGE.format(
        anchors=anchors,
        pairs=", ".join(f"{pairs} openings with {ms:g} ms" for ms, pairs in each.items()),
        times_argument=times,
        version=version("c4-arena"),
        today=f"{date.today():%-d %B %Y}",
        machine=_machine(),
        concurrency=f"{concurrency} game{'s' * (concurrency > 1)}",
    ) + "\n".join(tables)
    if page:
        Path(page).write_text(text, encoding="utf-8")
    else:
        print(text)
