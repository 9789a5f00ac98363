"""Rules about games, for all dialects except jsonl, in which every line is a game of its own."""

from c4_protocol.rules.position import Seat

from c4_referee.check import boards
from c4_referee.check.driver import Trial
from c4_referee.check.rules._rule import Rule, advice_rule, ask_all, ask_in_turn, takes_openings

FOLLOW = "follow the game from its first move to its last, as player 1 and as player 2"


@Rule("plays a whole game as player 1", FOLLOW, explains=(), json=False)
def game_as_first(trial: Trial) -> str:
    """Play until the game is over. The other player fills the columns that the bot likes."""
    return _play(trial, 1)


@Rule("plays a whole game as player 2", FOLLOW, explains=(), json=False)
def game_as_second(trial: Trial) -> str:
    """Play until the game is over, after a move of the other player."""
    return _play(trial, 2)


def _play(trial: Trial, player: Seat) -> str:
    """Play a game to its end, and return a text with the number of the bot's moves."""
    with trial.start(player=player) as bot:
        return f"{ask_in_turn(trial, bot.ask, trial.variant.cells, player)} moves"


@advice_rule(
    "begins in the middle of a game",
    "take the position from what you are sent, not from your own moves: with --openings, a game "
    "begins in its middle",
    json=False,
    condition=takes_openings,
)
def opening(trial: Trial) -> None:
    """Begin with a full centre, and with boards that are almost full."""
    variant = trial.variant
    last = boards.game(variant)[-1]
    ask_all(trial, [boards.with_full_centre(variant), last, *boards.edges(variant)])


@Rule(
    "plays a second game in the same run",
    "when a new game begins, forget the moves of the last game",
    elsewhere=lambda trial: trial.spec.restart == "game",
    json=False,
    condition=lambda trial: not trial.referee.plays_one_game,
)
def second_game(trial: Trial) -> None:
    """Play the beginnings of two games in one run."""
    with trial.start() as bot:
        ask_in_turn(trial, bot.ask, moves=3)
        ask_in_turn(trial, bot.ask, moves=3)


@Rule(
    "continues after its first stone was stolen",
    "as player 1, read the first move of player 2: the steal gives your stone to player 2, and it "
    "is your turn again",
    json=False,
    condition=lambda trial: trial.variant.steal,
)
def stolen_stone(trial: Trial) -> None:
    """Play as player 1, and let player 2 steal."""
    with trial.start() as bot:
        ask_in_turn(trial, bot.ask, moves=3, steals=True)
