"""The public functions that play contests, a thin layer over ``c4_referee.contest``.

They may be called from a script, an interactive session, a notebook or a thread. The
worker processes do not import the calling script, so no ``if __name__ == "__main__"`` is needed. At
the end, all processes that a function started are stopped, and signal handlers are restored.
Other child processes of the calling program are not touched.
"""

import re
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import fields, replace
from pathlib import Path
from typing import TypeGuard

from c4_protocol.program.errors import ArenaError, UsageError
from c4_protocol.program.numbers import checked_integer, checked_seconds, whole_number_of
from c4_protocol.program.text import numbered_names, shown, visible
from c4_protocol.records import events
from c4_protocol.records.reports import MatchReport, TournamentReport
from c4_protocol.rules.variant import Variant

from c4_referee.bots.clock import MAX_TIME_MS, TimeControl
from c4_referee.bots.contain.strays import end_former_strays, end_strays
from c4_referee.bots.find import checked_spec, find_bots, is_unknown_name
from c4_referee.bots.functions import Function, function_spec
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.contest import Contest, Outcome
from c4_referee.contest.contest_file import read_tournament
from c4_referee.contest.contest_reports import (
    match_ended_event,
    save_last_event,
    tournament_ended_event,
)
from c4_referee.contest.earlier import earlier_run, stored_names
from c4_referee.contest.exact_values import accuracy_of_contest
from c4_referee.contest.judging.judge import judge_of
from c4_referee.contest.schedule import MAX_GAMES_AT_ONCE, MAX_ROUNDS_OR_PAIRS
from c4_referee.games import GameEnded, check_path
from c4_referee.records.stats.sprt import SequentialTest, Sprt, UntilTest, match_test
from c4_referee.report.protection import protection_of
from c4_referee.report.terminal.progress import GameProgress, JudgingProgress

OPTION_PATTERN = re.compile(r"--(bots|contest|executor|games|openings|out|pin|sprt|until|within)\b")
"""Pattern of options in messages that are arguments, or keys of a file, in Python."""
MAX_GAMES = 1000
"""Default maximum number of games with ``sprt`` or ``until``."""
OnGame = Callable[[GameEnded], None] | None
"""Function that is called with the record of each game, if any."""


def play_match(
    first: str | BotSpec | Function,
    second: str | BotSpec | Function,
    games: int | None = None,
    *,
    seconds: float = 1.0,
    variant: Variant | str = "standard",
    openings: str = "none",
    seed: int = 0,
    concurrency: int = 1,
    sprt: Sequence[float] | None = None,
    until: float | None = None,
    within: float | None = None,
    on_game: Callable[[GameEnded], None] | None = None,
    out: str | Path | None = None,
    progress: bool = False,
) -> MatchReport:
    """Play a match between two bots and return its report.

    A bot is a command line, such as ``"python3 my_bot.py"``, or a ``BotSpec``, which can also set a
    dialect, a folder and limits, or a function from a ``Board`` to a column from 0. Functions are
    called in one thread of this process, so one game is played at a time. Their time counts, and
    the first call of each has ten seconds more. If a function raises an exception, it loses the
    game, and the traceback is printed.

    The bots take turns in moving first. Each bot has ``seconds`` for a move. ``openings`` are
    ``"none"``, ``"random:4"`` (four random moves), ``"balanced:4"`` (four moves after which best
    play is a draw) or a file of move strings. Each opening is played twice, so that both bots move
    first in it. The same ``seed`` gives the same openings. ``concurrency`` games are played at the
    same time. ``on_game`` is called with the record of each game as soon as it has ended. With a
    folder ``out``, the games are stored there. A later call with the same folder, bots,
    ``variant`` and ``seconds`` continues the match. ``progress`` shows a bar on standard error.

    ``games`` is 2 by default. With ``sprt=(0, 50)``, a sequential test ends the match as soon as it
    decides whether the first bot is 0 or 50 Elo points stronger, and ``games`` is 1,000 by default.
    Two more numbers are its error probabilities. With ``until=0.95``, the match ends as soon as it
    is 95% sure that one bot is better, or that both are less than ``within`` Elo points apart (30
    by default).

    In the report, ``wins``, ``draws`` and ``losses`` are those of the first bot. ``elo`` is the
    Elo difference, positive if the first bot is better, with the 95% interval from ``elo_low`` to
    ``elo_high``. ``forfeits`` lists what the bots did wrong. ``complete`` is false if a game could
    not be played.

    Raises ``UsageError`` and ``VariantError`` for a bot that cannot be started and for impossible
    settings, ``OSError`` for a failure of the system, and ``KeyboardInterrupt`` on Ctrl-C.
    """
    _check_kinds(on_game, progress, out=out)
    _check_openings(openings)
    with _words_for_python():
        specs, functions = _bots((first, second), stored_names(out))
        bots = specs[0].name, specs[1].name
        test = match_test(bots, None if sprt is None else _sprt(sprt), until, within)
        at_once = checked_integer(concurrency, "concurrency", 1, MAX_GAMES_AT_ONCE)
        wanted = games if games is not None else MAX_GAMES if test else 2
        game = variant if isinstance(variant, Variant) else Variant.parse(variant)
        contest = Contest.match(
            specs[0],
            specs[1],
            games=checked_integer(wanted, "games", 1, MAX_ROUNDS_OR_PAIRS),
            variant=game,
            control=_control(seconds),
            concurrency=1 if functions else at_once,
            judge=judge_of(None, {}, game) if openings.startswith("balanced") else None,
            openings=openings,
            seed=checked_integer(seed, "a seed"),
            functions=functions,
        )
        outcome = _play(contest, out, on_game, progress, test)
        protection = protection_of(contest.players)
        ended = match_ended_event(contest, outcome, test=test, protection=protection)
        save_last_event(contest, outcome, out, ended)
    return ended.report


def play_tournament(
    config: str | Path,
    *,
    bots: Mapping[str, Function] | None = None,
    out: str | Path | None = None,
    on_game: Callable[[GameEnded], None] | None = None,
    progress: bool = False,
) -> TournamentReport:
    """Play the tournament that a TOML file describes, and return its report.

    ``bots`` are functions by name, as in ``play_match``. They take part in addition to the bots of
    the file, or in the place of those with the same names.

    The games are stored in the folder ``out``, or in the folder that the command ``c4-referee
    tournament`` uses. If they are there already, the tournament goes on. ``on_game`` is called with
    the record of each game. ``progress`` shows a bar on standard error. The report is what the
    command prints with ``--json``.

    Raises ``UsageError`` for a mistake in the file, and ``KeyboardInterrupt`` on Ctrl-C.
    """
    _check_kinds(on_game, progress, out=out)
    check_path(config, "config")
    given: dict[str, object] = {} if out is None else {"out": str(out)}
    with _words_for_python():
        functions = _checked_functions(bots)
        file = read_tournament(Path(config), map(function_spec, functions), **given)
        contest = file.contest()
        if functions:
            contest = replace(contest, functions=functions, concurrency=1)
        outcome = _play(contest, file.out, on_game, progress)
        judged = None
        if file.accuracy:
            bar = JudgingProgress()
            judged = accuracy_of_contest(contest, outcome, file.judge_seconds, file.out, bar)
        protection = protection_of(contest.players) if contest.is_local else None
        ended = tournament_ended_event(contest, outcome, judged, protection)
        save_last_event(contest, outcome, file.out, ended)
    return ended.report


def _play(
    contest: Contest,
    out: str | Path | None,
    on_game: OnGame,
    progress: bool,
    test: SequentialTest | UntilTest | None = None,
) -> Outcome:
    """Play a contest, and stop all its processes. Raise ``KeyboardInterrupt`` after Ctrl-C.

    Processes that others have left behind are searched only if programs play.
    """

    def handle(record: events.GameEnded) -> None:
        if on_game is not None:
            on_game(GameEnded.of(record))

    folder = None if out is None else Path(out)
    if folder and (earlier := earlier_run(contest, folder)) and earlier.note:
        warnings.warn(_in_python(earlier.note), stacklevel=3)
    has_programs = contest.judge or any(not bot.is_function for bot in contest.players)
    with GameProgress() if progress else nullcontext() as shown:
        if has_programs:
            end_former_strays()
        try:
            decides = test.take_game if test else None
            outcome = contest.play((), folder, shown, decides, handle)
        finally:
            if has_programs:
                end_strays()
    if outcome.was_interrupted:
        raise KeyboardInterrupt
    return outcome


def _bots(
    bots: Sequence[str | BotSpec | Function], stored: Collection[str]
) -> tuple[list[BotSpec], dict[str, Function]]:
    """Return the bots as specs, and those that are functions by name.

    Our own command keeps running if it plays against a function: its start would take most of the
    time of a quick match.

    Raises ``UsageError`` if a bot cannot be started, or if two different bots have the same name.
    """
    names = [bot if isinstance(bot, str) else getattr(bot, "name", None) for bot in bots]
    texts, known = list[str](), dict[str, BotSpec]()
    for bot in bots:
        if isinstance(bot, str):
            if is_unknown_name(bot):
                wanted = "a bot is a command line, a BotSpec or a function"
                raise UsageError(f"'{bot}' is neither a program nor a function: {wanted}")
            texts.append(bot)
            continue
        spec: object = bot
        if _is_function(bot):
            own = str(getattr(bot, "__name__", type(bot).__name__)).strip("<>")
            name = next(each for each in numbered_names(own) if each not in names)
            names.append(name)
            spec = function_spec(name)
        checked = _checked(spec)
        if known.setdefault(checked.name, checked) != checked:
            raise UsageError(f"two different bots are named '{checked.name}': rename one")
        texts.append(checked.name)
    specs = find_bots(texts, known, stored=stored)
    pairs = [*zip(specs, bots, strict=True)]
    functions = {spec.name: bot for spec, bot in pairs if _is_function(bot)}
    for index, (spec, bot) in enumerate(pairs):
        is_kept = functions and isinstance(bot, str) and spec.is_own_command
        if is_kept and "player" not in spec.placeholders:
            specs[index] = replace(spec, restart="never")
    return specs, functions


def _is_function(bot: object) -> TypeGuard[Function]:
    return callable(bot) and not isinstance(bot, BotSpec)


def _checked_functions(bots: object) -> dict[str, Function]:
    """Return functions by name, or raise ``UsageError``."""
    if bots is None:
        return {}
    if not isinstance(bots, Mapping):
        raise UsageError(f"bots are functions by name, such as {{'mine': f}}, not {shown(bots)}")
    for name, bot in bots.items():
        _checked(function_spec(name))
        if not _is_function(bot):
            raise UsageError(f"bot {shown(name)}: it is a function from a Board, not {shown(bot)}")
    return dict(bots)


def _sprt(numbers: object) -> Sprt:
    """Return the test of two to four numbers, or raise ``UsageError``."""
    try:
        if isinstance(numbers, Iterable) and not isinstance(numbers, str | bytes):
            return Sprt(*map(float, numbers))
        why = "not " + shown(numbers)
    except (TypeError, ValueError, OverflowError) as error:
        why = visible(str(error))
    raise UsageError(f"sprt is a pair of Elo differences, such as (0, 50): {why}")


def _in_python(text: str) -> str:
    """Return a message with the names of arguments in the place of a command's options."""
    return OPTION_PATTERN.sub(r"\1", text)


@contextmanager
def _words_for_python() -> Iterator[None]:
    """Context manager in which messages of errors are those of Python (``_in_python``)."""
    try:
        yield
    except ArenaError as error:
        if (text := _in_python(str(error))) == str(error):
            raise
        raise type(error)(text) from None


def _checked(bot: object) -> BotSpec:
    """Return a spec whose values a table of bots can have, or raise ``UsageError``."""
    if not isinstance(bot, BotSpec):
        raise UsageError(f"a bot is a command line, a BotSpec or a function, not {shown(bot)}")
    given = {field.name: getattr(bot, field.name) for field in fields(bot)}
    values = {
        name: value if (number := whole_number_of(value)) is None else number
        for name, value in given.items()
    }
    return checked_spec(values, f"bot {shown(bot.name)}")


def _control(seconds: float) -> TimeControl:
    """Return a time control of ``seconds`` for each move.

    Raises ``UsageError`` if ``seconds`` is not a possible time.
    """
    what = "the time for a move"
    move_ms = 1000.0 * checked_seconds(seconds, what)
    if not 0 < move_ms < MAX_TIME_MS:
        raise UsageError(f"{what} is more than 0 seconds, not {seconds}")
    return TimeControl(move_ms)


def _check_openings(openings: object) -> None:
    if not isinstance(openings, str) or "\0" in openings:
        raise UsageError(f"openings are a text such as 'random:4', not {shown(openings)}")


def _check_kinds(on_game: object, progress: object, **paths: object) -> None:
    """Raise ``UsageError`` if an argument has a wrong type. ``paths`` may be ``None``."""
    if on_game is not None and not callable(on_game):
        wanted = "on_game is a function that takes the record of a game"
        raise UsageError(f"{wanted}, not {shown(on_game)}")
    if not isinstance(progress, bool):
        raise UsageError(f"progress is true or false, not {shown(progress)}")
    for name, path in paths.items():
        if path is not None:
            check_path(path, name)
