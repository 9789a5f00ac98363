"""``c4-tune``: parses the command line and wires runs to their folder and displays."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from c4_referee.commands.arguments import count, processors, sprt
from c4_referee.commands.program import Parser, add_commands, run

if TYPE_CHECKING:
    from c4_referee.tuning.evolution import Settings

MOST_AT_ONCE = 1024
"""Maximum number of games at once: each takes a thread."""
EXAMPLES = """\
examples:
  c4-tune evolve --rounds 300 --out run     breed as the document does, depth 3
  c4-tune evolve --rounds 500 --out run     continue that run up to round 500
  c4-tune evolve --openings 2               random openings: the games differ
  c4-tune evolve --depth 6 --threshold 5    stop when weights are nearly equal
  c4-tune evolve --sparring windows,needed  meet other players, too
  c4-tune experiment --out document         the document's twelve runs
  c4-tune experiment --depth 4 --runs 10    what its machine was too slow for
  c4-tune judge 13,39,71 --depth 4          is that stronger than 1,3,6?

Exit code: 0 if the run was finished, 1 if it was interrupted, 2 for a user's
mistake.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``c4-tune``; return its exit code."""
    return run(
        parser(),
        argv,
        "interrupted; if --out was given, the same command goes on",
        completions={"method": ("genetic", "spsa")},
    )


def parser() -> Parser:
    """Return the parser of the command line."""
    made = Parser(
        prog="c4-tune",
        description="Breeds the weights of the player 'sequences' by tournaments, as the document\n"
        "by Morrow, DeBell and Bogaerts does (docs/players.md).",
        epilog=EXAMPLES,
    )
    commands = add_commands(made)
    _add_evolve(commands)
    _add_experiment(commands)
    _add_judge(commands)
    return made


def _add_command(commands: Any, name: str, summary: str) -> Any:  # noqa: ANN401 - as argparse has it
    return commands.add_parser(
        name,
        help=summary,
        description=summary,
        epilog=EXAMPLES,
    )


def _add_evolve(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    evolve = _add_command(commands, "evolve", "a tournament that breeds its players")
    evolve.set_defaults(run=_evolve)
    evolve.add_argument("--rounds", type=int, default=50, metavar="N", help="default: 50")
    evolve.add_argument(
        "--threshold",
        type=int,
        default=0,
        metavar="N",
        help="stop when every weight of the winners lies within less than N (default: 0, never)",
    )
    _add_settings(evolve)


def _add_experiment(commands: Any) -> None:  # noqa: ANN401 - as above
    experiment = _add_command(
        commands, "experiment", "the document's experiments: 50, 100, 200 and 300 rounds"
    )
    experiment.set_defaults(run=_experiment)
    experiment.add_argument(
        "--runs",
        type=count,
        metavar="N",
        help="of each length (default: the document's 4, 4, 2, 2)",
    )
    _add_settings(experiment, faithful=True)


def _add_judge(commands: Any) -> None:  # noqa: ANN401 - as above
    judge = _add_command(
        commands, "judge", "weights against others, from random openings, and against the solver"
    )
    judge.set_defaults(run=_judge)
    judge.add_argument("weights", type=_weights, metavar="WEIGHTS", help="the champion's: 13,39,71")
    judge.add_argument(
        "--against", type=_weights, default=(1, 3, 6), metavar="WEIGHTS", help="default: 1,3,6"
    )
    judge.add_argument("--depth", type=int, default=3, metavar="N", help="plies (default: 3)")
    judge.add_argument(
        "--pairs",
        type=int,
        default=2000,
        metavar="N",
        help="openings at most, both colours in each (default: 2000)",
    )
    judge.add_argument(
        "--plies", type=int, default=6, metavar="N", help="of a random opening (default: 6)"
    )
    judge.add_argument(
        "--sprt",
        type=sprt,
        default="0,20",
        metavar="ELO0,ELO1[,ALPHA,BETA]",
        help="stop when it is known which difference it is (default: 0,20)",
    )
    judge.add_argument(
        "--positions",
        type=int,
        default=500,
        metavar="N",
        help="solve N positions to see which weights pick the best moves (default: 500; 0: none)",
    )
    judge.add_argument("--seed", type=int, default=0, metavar="N", help="default: 0")
    _add_concurrency(judge)
    judge.add_argument("--json", action="store_true", help="print one JSON object, nothing else")


def _add_concurrency(command: Any) -> None:  # noqa: ANN401 - as above
    command.add_argument(
        "--concurrency",
        "--jobs",
        type=int,
        metavar="N",
        help="games at once (default: one for each processor)",
    )


def _weights(text: str) -> tuple[int, ...]:
    weights = tuple(int(part) for part in text.split(","))
    if len(weights) != 3:
        raise argparse.ArgumentTypeError("three weights, as in 1,3,6")
    return weights


def _add_settings(command: Any, faithful: bool = False) -> None:  # noqa: ANN401 - as above
    command.add_argument("--depth", type=int, default=3, metavar="N", help="plies (default: 3)")
    command.add_argument("--population", type=int, default=20, metavar="N", help="default: 20")
    command.add_argument(
        "--elite",
        type=int,
        default=4,
        metavar="N",
        help="how many stay for the next round (default: 4)",
    )
    command.add_argument("--seed", type=int, default=0, metavar="N", help="default: 0")
    command.add_argument(
        "--faithful",
        action=argparse.BooleanOptionalAction,
        default=faithful,
        help="a late win is as good as an early one, as in the document"
        f" (default: {'yes' if faithful else 'no'})",
    )
    command.add_argument(
        "--method", default="genetic", metavar="NAME", help="genetic (default) or spsa"
    )
    command.add_argument(
        "--openings",
        type=int,
        default=0,
        metavar="N",
        help="N random openings a round, new in each (default: 0, the empty board)",
    )
    command.add_argument(
        "--plies", type=int, default=4, metavar="N", help="of a random opening (default: 4)"
    )
    command.add_argument(
        "--sparring", default="", metavar="NAMES", help="other players to meet: windows,needed"
    )
    _add_concurrency(command)
    command.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="keep all rounds in DIR, with a report; a run of the same settings that is there is "
        "continued",
    )
    command.add_argument(
        "--resume",
        action="store_true",
        help="accepted for older scripts: --out continues by itself",
    )
    command.add_argument("--json", action="store_true", help="print one JSON object, nothing else")


def _settings(options: argparse.Namespace) -> "Settings":
    from c4_protocol.errors import UsageError

    from c4_referee.tuning.evolution import Settings

    if options.resume and not options.out:
        raise UsageError("--resume: say with --out which run goes on")
    return Settings(
        depth=options.depth,
        population=options.population,
        elite=options.elite,
        seed=options.seed,
        faithful=options.faithful,
        method=options.method,
        openings=options.openings,
        plies=options.plies,
        sparring=tuple(filter(None, options.sparring.split(","))),
    )


def _evolve(options: argparse.Namespace) -> int:
    from contextlib import ExitStack

    import orjson
    from rich.console import Console

    from c4_referee.tuning.arena import Arena
    from c4_referee.tuning.evolution import Ending
    from c4_referee.tuning.outcome import open_folder, play_run
    from c4_referee.tuning.report import write_report
    from c4_referee.tuning.terminal import RoundProgress, print_run, tell_kept

    settings, ending = _settings(options), Ending(options.rounds, options.threshold)
    arena = Arena(settings.terms, _concurrency(options))
    with ExitStack() as stack:
        folder = open_folder(options.out, settings)
        if folder is not None:
            stack.enter_context(folder)
            tell_kept(len(folder), ending)
        with RoundProgress("breeding", ending.rounds) as progress:
            history = play_run(settings, ending, arena, folder, progress)
        if folder is not None:
            write_report(folder.path, history)
    if options.json:
        sys.stdout.buffer.write(orjson.dumps(history.outcome, option=orjson.OPT_APPEND_NEWLINE))
    else:
        print_run(Console(highlight=False), history)
    sys.stdout.flush()
    return 0


def _experiment(options: argparse.Namespace) -> int:
    import orjson
    from rich.console import Console

    from c4_referee.tuning.arena import Arena
    from c4_referee.tuning.experiment import play_experiment, rows, schedule
    from c4_referee.tuning.report import write_experiment
    from c4_referee.tuning.terminal import RoundProgress, print_experiment

    settings = _settings(options)
    arena = Arena(settings.terms, _concurrency(options))
    programme = schedule(settings, options.runs)
    with RoundProgress("breeding", sum(ending.rounds for _, ending in programme)) as progress:
        played = play_experiment(programme, arena, options.out, progress)
        histories = list(played)
    table = rows(histories)
    if options.out:
        write_experiment(options.out, histories)
    if options.json:
        found = {"rows": table, "runs": [history.outcome for history in histories]}
        sys.stdout.buffer.write(orjson.dumps(found, option=orjson.OPT_APPEND_NEWLINE))
    else:
        print_experiment(Console(highlight=False), table, histories)
    sys.stdout.flush()
    return 0


def _judge(options: argparse.Namespace) -> int:
    import orjson
    from rich.console import Console

    from c4_referee.tuning.arena import Arena, Terms
    from c4_referee.tuning.judge import judge
    from c4_referee.tuning.terminal import print_judgement

    found = judge(
        Arena(Terms(options.depth), _concurrency(options)),
        options.weights,
        options.against,
        about=options.sprt,
        pairs=options.pairs,
        plies=options.plies,
        positions=options.positions,
        seed=options.seed,
    )
    if options.json:
        sys.stdout.buffer.write(orjson.dumps(found, option=orjson.OPT_APPEND_NEWLINE))
    else:
        print_judgement(Console(highlight=False), found)
    sys.stdout.flush()
    return 0


def _concurrency(options: argparse.Namespace) -> int:
    """Return how many games are played at once; raises ``UsageError``."""
    from c4_protocol.errors import UsageError

    if options.concurrency is None:
        return len(processors())
    if not 1 <= options.concurrency <= MOST_AT_ONCE:
        raise UsageError(
            f"--concurrency: 1 to {MOST_AT_ONCE} games at once, not {options.concurrency}"
        )
    return int(options.concurrency)
