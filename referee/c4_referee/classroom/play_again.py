"""A contested game is played again. The first one counts, and both are kept."""

from collections.abc import Generator
from itertools import count

from c4_protocol.program.errors import UsageError
from c4_protocol.records.events import GameEnded

from c4_referee.classroom.folder import Classroom
from c4_referee.classroom.play import contest_of, stored
from c4_referee.contest.contest import Contest
from c4_referee.contest.schedule import Plan, System
from c4_referee.records.rounds import GameKey, Player, Results, Round

REPLAYS = "replays"
"""Folder of a run with the games that were played again."""


def play_again(room: Classroom, number: int) -> tuple[GameEnded, GameEnded, str]:
    """Play a game of the last run again, with the same versions, opening and conditions.

    Return the game, the same game played again, and the folder of the second. Raises
    ``UsageError`` if there is no such game, or if a bot is not there any more.
    """
    run = room.runs.last()
    if run is None:
        raise UsageError(f"{room.folder} has no run yet")
    game, contest = stored(run, room.runs).game(number), contest_of(run, room.runs)
    bots = {bot.name: bot for bot in contest.players}
    if missing := [name for name in game.bots if name not in bots]:
        raise UsageError(f"{missing[0]} cannot be started: {contest.missing.get(missing[0], '')}")
    parent = room.runs.folder_of(run) / REPLAYS
    folder = next(each for n in count(1) if not (each := parent / f"{number}-{n}").exists())
    folder.mkdir(parents=True)

    def one_game(_: Plan) -> Generator[Round, Results, None]:
        yield Round((GameKey(Player(0), Player(1), game.opening),))

    again = Contest(
        tuple(bots[name] for name in game.bots),
        System(one_game),
        variant=contest.variant,
        control=contest.control,
    )
    outcome = again.play(out=folder)
    if outcome.was_interrupted:
        raise KeyboardInterrupt
    return game, outcome.games[0], str(folder)
