"""``c4-referee retry``: a new version of a bot is asked where the old one gave away games."""

import argparse
import sys
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

from c4_protocol.program.commands import print_json, raise_on_signals
from c4_protocol.program.parser import add_json
from c4_protocol.program.text import visible

from c4_referee.commands._options import (
    add_options,
    add_sandbox,
    chosen_bots,
    known_bots,
    named_bot,
)
from c4_referee.commands._stored_contests import Complaints, add_stored, folder_of, stored_contest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from c4_referee.contest.retrying import Compared

EXAMPLES = """\
examples:
  c4-referee retry results mine "python3 bot.py"
  c4-referee retry results mine new --bots class.toml

NEW is asked every position in which BOT gave away a win or a draw, and as many
in which BOT could have done so, but did not. It has the time of the contest
for its answer, and the time to start up. A forfeit is a wrong answer.
Exit code: 0 if NEW is better somewhere and nowhere newly wrong, or if BOT gave
nothing away; 1 if not, or if NEW forfeits; 2 for a mistake on the command line
or a damaged folder.
"""
SECONDS = 30.0
"""Default time for solving positions, in seconds."""
MAX_SHOWN = 3
"""Number of wrong answers that are shown with their reasons."""
MEANINGS = {
    "still wrong": "both give away a win or a draw",
    "better": "only {bot} does",
    "newly wrong": "only {new} does",
    "still right": "neither does",
}
"""Verdicts, in the order of the table, and what they mean."""


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command to a parser's commands."""
    retry = commands.add_parser(
        "retry",
        help="ask a new version of a bot where the old one gave away games",
        description="Ask a new version of a bot the positions of stored games in which the old\n"
        "version gave away a win or a draw, and as many in which it was right.",
        epilog=EXAMPLES,
        usual="--bots --analysis-seconds --json",
    )
    retry.add_argument(
        "source",
        metavar="DIR",
        help="a folder written with --out, a match that c4-referee list names, or a file of games",
    )
    retry.add_argument("bot", metavar="BOT", help="a bot of DIR; a part of its name is enough")
    retry.add_argument(
        "new", metavar="NEW", help="a command line, or a name in the --bots file: the bot to ask"
    )
    add_options(retry, "--bots", "--arguments", "--dialect")
    add_sandbox(retry)
    add_stored(retry, SECONDS)
    add_json(retry)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    from c4_referee.bots.clock import TimeControl
    from c4_referee.bots.contain.strays import prepared_command
    from c4_referee.contest.exact_values import solve_more_positions
    from c4_referee.contest.retrying import answers, compared, game_with, positions_to_ask
    from c4_referee.report.terminal.progress import JudgingProgress

    contest = stored_contest([options.source], options.contest, Complaints())
    folder, names = folder_of([options.source]), [bot.name for bot in contest.bots]
    bot = named_bot(options.bot, names, "BOT")
    (spec,) = chosen_bots([options.new], known_bots(options), options)
    controls = dict(zip(names, contest.identity.get("controls", []), strict=False))
    control = spec.time_control(TimeControl(**controls.get(bot, {})))
    spec.check_plays(contest.variant, control)
    raise_on_signals()
    own = [game for game in contest.games if bot in game.bots]
    solve, seconds = partial(solve_more_positions, folder), options.analysis_seconds
    contest = solve(contest, own, seconds, JudgingProgress("solving")).contest
    asked, unknown = positions_to_ask(own, bot, contest.solved)
    found: list[int | str] = []
    with prepared_command(), JudgingProgress("asking") as bar:
        for some in (asked[:1], asked[1:]):  # a bot that fails at once is asked nothing else
            if not any(isinstance(answer, str) for answer in found):
                found += answers(spec, control, some, bar)
    pairs = [*zip(asked, found, strict=False)]
    moved = [game_with(each, cell) for each, cell in pairs if isinstance(cell, int)]
    contest = solve(contest, moved, seconds, JudgingProgress("solving")).contest
    results = [compared(*pair, contest.solved) for pair in pairs]
    new = spec.name if spec.name != bot else f"{bot} (new)"
    counts = Counter[str](result.verdict for result in results)
    if unknown := unknown + counts["unknown"]:
        why = f"{unknown} moves are not judged: --analysis-seconds S gives more time"
        sys.stderr.write(f"c4-referee: {why}\n")
    if faults := [result for result in results if result.answer is None]:
        where = f"game {faults[0].game}, move {faults[0].number}: {faults[0].reason}"
        text = f"{new} forfeits {len(faults)} of {len(results)} positions, first {where}"
        sys.stderr.write(visible(f"c4-referee: {text}: c4-referee check says what to fix") + "\n")
    if len(results) < len(asked):
        return 1
    if options.json:
        numbers = {verdict: counts[verdict] for verdict in MEANINGS}
        print_json({"bot": bot, "new": new, "counts": numbers, "positions": results})
    else:
        _print(bot, new, counts, results)
    is_good = bool(counts["better"]) or not (results or unknown)
    return 0 if is_good and not (counts["newly wrong"] or faults) else 1


def _print(bot: str, new: str, counts: "Counter[str]", results: "Sequence[Compared]") -> None:
    """Print in how many positions which bot was wrong, and the worst answers with their reasons."""
    from c4_protocol.terminal.console import SafeConsole
    from rich.text import Text

    mistakes, console = counts["better"] + counts["still wrong"], SafeConsole(highlight=False)
    if not results:
        console.print(Text(f"{bot} gave away no win and no draw, as far as its moves are judged"))
        return
    verdict = f"{new} mends {counts['better']} of the {mistakes} mistakes of {bot}"
    console.print(Text(verdict, style="bold"))
    for name, meaning in MEANINGS.items():
        console.print(Text(f"{counts[name]:5}  {name:11}  {meaning.format(bot=bot, new=new)}"))
    wrong = [result for result in results if result.verdict in {"newly wrong", "still wrong"}]
    wrong.sort(key=lambda result: (result.verdict == "newly wrong", result.cost), reverse=True)
    for each in wrong[:MAX_SHOWN]:
        moves = f"{bot} played {each.played}, {new} plays {each.answer or 'nothing'}"
        where = f"Game {each.game}, move {each.number}, {each.verdict}"
        console.print(Text(f"\n{where}: {moves}.\n{each.reason}"))
