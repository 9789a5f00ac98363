"""Rules about games, for all dialects except jsonl, in which every line is a game of its own."""

from collections.abc import Iterator

from c4_protocol.position import Position, Seat

from c4_referee.check import boards
from c4_referee.check.driver import Trial
from c4_referee.check.rules._rule import NoFault, ask_all, ask_in_turn, plays_games, rule

FOLLOW = "follow the game from its first move to its last, as player 1 and as player 2"


def _takes_openings(trial: Trial) -> bool:
    return plays_games(trial) and not trial.referee.starts_empty


def _plays_several(trial: Trial) -> bool:
    return plays_games(trial) and not trial.referee.plays_one_game


def _has_steal(trial: Trial) -> bool:
    return plays_games(trial) and trial.variant.steal


@rule("plays a whole game as player 1", FOLLOW, explains=NoFault, applies=plays_games)
def game_as_first(trial: Trial) -> str:
    """Play until the game is over. The other player fills the columns that the bot likes."""
    return _play(trial, 1)


@rule("plays a whole game as player 2", FOLLOW, explains=NoFault, applies=plays_games)
def game_as_second(trial: Trial) -> str:
    """Play until the game is over, after a move of the other player."""
    return _play(trial, 2)


def _play(trial: Trial, player: Seat) -> str:
    """Play a game to its end, and return a text with the number of the bot's moves."""
    with trial.start(player=player) as bot:
        return f"{ask_in_turn(trial, bot.ask, trial.variant.cells, player)} moves"


@rule(
    "begins in the middle of a game",
    "take the position from what you are sent, not from your own moves: with --openings, a game "
    "begins in its middle",
    explains=NoFault,
    advice=True,
    applies=_takes_openings,
)
def opening(trial: Trial) -> None:
    """Begin with a full centre, and with boards that are almost full."""
    positions = [boards.with_full_centre(trial.variant), *_last_positions(trial)]
    ask_all(trial, positions)


def _last_positions(trial: Trial) -> Iterator[Position]:
    """Yield positions in which few moves or only an outer column are left."""
    yield boards.game(trial.variant)[-1]
    yield from boards.edges(trial.variant)


@rule(
    "plays a second game in the same run",
    "when a new game begins, forget the moves of the last game",
    applies=_plays_several,
)
def second_game(trial: Trial) -> None:
    """Play the beginnings of two games in one run."""
    with trial.start() as bot:
        ask_in_turn(trial, bot.ask, moves=3)
        ask_in_turn(trial, bot.ask, moves=3)


@rule(
    "continues after its first stone was stolen",
    "as player 1, read the first move of player 2: the steal gives your stone to player 2, and it "
    "is your turn again",
    applies=_has_steal,
)
def stolen_stone(trial: Trial) -> None:
    """Play as player 1, and let player 2 steal."""
    with trial.start() as bot:
        ask_in_turn(trial, bot.ask, moves=3, steals=True)
