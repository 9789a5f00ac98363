"""The public function ``play_match``, a thin layer over ``c4_referee.contest``.

``play_match`` may be called from a script, an interactive session, a notebook or a thread. The
worker processes do not import the calling script, so no ``if __name__ == "__main__"`` is needed. At
the end, all processes that the function started are stopped, and signal handlers are restored.
Other child processes of the calling program are not touched.
"""

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

from c4_protocol.program.errors import UsageError
from c4_protocol.program.numbers import checked_integer, checked_seconds, integer
from c4_protocol.program.text import checked_name, shown
from c4_protocol.records.events import GameEnded
from c4_protocol.records.reports import MatchEnded, MatchReport
from c4_protocol.rules.variant import Variant

from c4_referee.bots.clock import MAX_MS, TimeControl
from c4_referee.bots.find import checked_spec, find_bots
from c4_referee.bots.spec import BotSpec, versions_of
from c4_referee.bots.toml import check_system_texts
from c4_referee.contain.strays import end_former_strays, end_strays
from c4_referee.contest.contest import Contest
from c4_referee.contest.contest_conditions import conditions_of
from c4_referee.judging.judge import OURS, can_be_proven
from c4_referee.report.summary import match_report
from c4_referee.schedule import MAX_COUNT, MAX_GAMES_AT_ONCE
from c4_referee.storage.last_runs import save_run


def play_match(
    first: str | BotSpec,
    second: str | BotSpec,
    games: int = 2,
    *,
    seconds: float = 1.0,
    variant: Variant | str = "standard",
    openings: str = "none",
    seed: int = 0,
    concurrency: int = 1,
    on_game: Callable[[GameEnded], None] | None = None,
    out: str | Path | None = None,
) -> MatchReport:
    """Play a match between two bots and return its report.

    A bot is a command line, such as ``"python3 my_bot.py"``, or a ``BotSpec``, which can also set a
    dialect, a folder and limits. The bots take turns in moving first. Each bot has ``seconds`` for
    a move. ``openings`` are ``"none"``, ``"random:4"`` (four random moves), ``"balanced:4"`` (four
    moves after which best play is a draw) or a file of move strings. Each opening is played twice,
    so that both bots move first in it. The same ``seed`` gives the same openings. ``concurrency``
    games are played at the same time. ``on_game`` is called with the record of each game as soon as
    it has ended. With a folder ``out``, the games are stored there. A later call with the same
    folder, bots, ``variant`` and ``seconds`` continues the match.

    In the report, ``wins``, ``draws`` and ``losses`` are those of the first bot. ``elo`` is the
    Elo difference, positive if the first bot is better, with the 95% interval from ``elo_low`` to
    ``elo_high``. ``forfeits`` lists what the bots did wrong. ``complete`` is false if a game could
    not be played.

    Raises ``UsageError`` and ``VariantError`` for a bot that cannot be started and for impossible
    settings, ``OSError`` for a failure of the system, and ``KeyboardInterrupt`` on Ctrl-C.
    """
    _check_kinds(openings, on_game, out)
    game = variant if isinstance(variant, Variant) else Variant.parse(variant)
    bots = _bots(first, second)
    match = Contest.match(
        *bots,
        games=checked_integer(games, "games", 1, MAX_COUNT),
        openings=openings,
        variant=game,
        control=_control(seconds),
        concurrency=checked_integer(concurrency, "concurrency", 1, MAX_GAMES_AT_ONCE),
        seed=checked_integer(seed, "a seed"),
        judge=OURS if openings.startswith("balanced") and can_be_proven(game) else None,
    )
    out = None if out is None else Path(out)
    end_former_strays()
    try:
        outcome = match.play(out=out, on_game=on_game or (lambda _: None))
    finally:
        end_strays()
    if outcome.was_interrupted:
        raise KeyboardInterrupt
    names = (bots[0].name, bots[1].name)
    report = match_report(names, outcome.tournament, outcome.seconds, incidents=outcome.incidents)
    report = replace(report, versions=versions_of(bots))
    if out is not None and outcome.contest is not None:
        save_run(out, outcome.contest, MatchEnded(report), conditions_of(match))
    return report


def _bots(first: str | BotSpec, second: str | BotSpec) -> tuple[BotSpec, BotSpec]:
    """Return both bots as specs.

    Raises ``UsageError`` if a bot cannot be started, or if two different bots have the same name.
    """
    bots = [_checked(bot) if isinstance(bot, BotSpec) else bot for bot in (first, second)]
    specs = [bot for bot in bots if isinstance(bot, BotSpec)]
    by_name = {bot.name: bot for bot in specs}
    for bot in specs:
        if by_name[bot.name] != bot:
            raise UsageError(f"two different bots are named '{bot.name}': rename one")
    one, other = find_bots([*map(_name, bots)], by_name)
    return one, other


def _checked(bot: BotSpec) -> BotSpec:
    """Return the spec, or raise ``UsageError`` for values that a table of bots cannot have."""
    given = {field.name: getattr(bot, field.name) for field in fields(bot)}
    values = {
        name: value if (number := integer(value)) is None else number
        for name, value in given.items()
    }
    return checked_spec(values, f"bot {shown(bot.name)}")


def _name(bot: object) -> str:
    """Return the name of a ``BotSpec``, or the command line if ``bot`` is one.

    Raises ``UsageError`` if ``bot`` is neither.
    """
    if isinstance(bot, BotSpec):
        return checked_name(bot.name)
    if isinstance(bot, str):
        return bot
    raise UsageError(f"a bot is a command line or a BotSpec, not {shown(bot)}")


def _control(seconds: float) -> TimeControl:
    """Return a time control of ``seconds`` for each move.

    Raises ``UsageError`` if ``seconds`` is not a possible time.
    """
    what = "the time for a move"
    move_ms = 1000.0 * checked_seconds(seconds, what)
    if not 0 < move_ms < MAX_MS:
        raise UsageError(f"{what} is more than 0 seconds, not {seconds}")
    return TimeControl(move_ms)


def _check_kinds(openings: object, on_game: object, out: object) -> None:
    """Raise ``UsageError`` if an argument of ``play_match`` has a wrong type."""
    if not isinstance(openings, str) or "\0" in openings:
        raise UsageError(f"openings are a text such as 'random:4', not {shown(openings)}")
    if on_game is not None and not callable(on_game):
        wanted = "on_game is a function that takes the record of a game"
        raise UsageError(f"{wanted}, not {shown(on_game)}")
    if out is not None and not isinstance(out, str | Path):
        raise UsageError(f"out is the name of a folder, not {shown(out)}")
    try:
        check_system_texts(str(out))
    except ValueError as error:
        raise UsageError(f"out is the name of a folder, not {shown(out)}: {error}") from None
