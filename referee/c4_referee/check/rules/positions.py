"""Rules about the player, the size of the board, and boards with little room."""

from dataclasses import replace

from c4_protocol.rules.variant import Variant

from c4_referee.check import boards
from c4_referee.check.broken import BadLine, Broken, Crashed, Illegal
from c4_referee.check.driver import Trial
from c4_referee.check.rules._rule import Rule, always, ask_all

ALONE = "use only the line: remember nothing from earlier lines, and find legal moves in its grid"
PLAYER = 'take your number from "player": either player may move first, so do not count stones'


@Rule("plays as player 2", PLAYER, json=True)
def second_player(trial: Trial) -> None:
    """Ask for moves of player 2 in positions where player 1 has one stone more."""
    ask_all(trial, boards.game(trial.variant)[1:6:2])


@Rule("opens the game as player 2", PLAYER, json=True, elsewhere=always)
def second_player_opens(trial: Trial) -> None:
    """Let player 2 move first, as the course's driver can."""
    ask_all(trial, boards.game(trial.variant, opener=2)[:5:2])


@Rule("plays as player 1 with a stone less than player 2", PLAYER, json=True, elsewhere=always)
def one_stone_less(trial: Trial) -> None:
    """Ask for moves of player 1 in positions where player 2 has moved first."""
    ask_all(trial, boards.game(trial.variant, opener=2)[1:6:2])


@Rule(
    "plays on a board of another size",
    "take the size from the grid: the board is not always 7x6",
    json=True,
    elsewhere=always,
)
def other_size(trial: Trial) -> None:
    """Ask about two positions on 8x7, or on 7x6 if the trial has 8x7. One is almost full."""
    width, height = (7, 6) if (trial.variant.width, trial.variant.height) == (8, 7) else (8, 7)
    variant = replace(trial.variant, width=width, height=height)

    def ask_on(variant: Variant) -> None:
        ask_all(trial, (boards.middle(variant), boards.game(variant)[::2][-1]))

    try:
        ask_on(variant)
    except (BadLine, Crashed, Illegal):
        try:
            ask_on(trial.variant)
        except Broken as broken:  # it has nothing to do with the size
            broken.is_general = True
            raise
        raise


@Rule("finds a legal move when the centre is full at its first line", ALONE, json=True)
def centre_full(trial: Trial) -> None:
    """Begin with a full centre, because the first line may be about any position."""
    ask_all(trial, [boards.with_full_centre(trial.variant)])


@Rule("finds the last legal move, including at the edges", ALONE, json=True)
def last_column(trial: Trial) -> None:
    """Ask about boards that are almost full, and boards with room only in an outer column."""
    positions = [boards.game(trial.variant, seed)[-1] for seed in range(3)]
    ask_all(trial, [*positions, *boards.edges(trial.variant)])


@Rule(
    "plays ten positions of different games in one run",
    ALONE,
    json=True,
    elsewhere=lambda trial: trial.spec.restart == "game",
)
def ten_games(trial: Trial) -> None:
    """Ask about several games, because some drivers play several games in one run of a bot."""
    games = (boards.game(trial.variant, seed, 1 + seed % 2)[seed % 2 :: 2] for seed in range(10))
    # A board of one cell has no second move.
    chosen = [game[seed * 37 % len(game)] for seed, game in enumerate(games) if game]
    ask_all(trial, chosen)
