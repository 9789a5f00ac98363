"""The console of 4-in-a-Line: what its transcripts cannot show."""

from collections.abc import Callable

from c4_protocol.dialects.console import BotEnd, board_and_log
from c4_protocol.records.messages import Reply
from c4_protocol.rules.notation import cell_name, cells_from_moves
from c4_protocol.rules.variant import LINE8

EXAMPLES = (
    "d4 d5 c4 e4 c3 c2 c5 c6 b4 f4 a4",
    "d5 e4 e5 f5 c5 b5 c4 b7 c3 c2 c6",
    "d4 d5 d3 d6 d2 d1 c4 e4 c5 b4 c6 c7 c3",
)
"""The games in the appendix of seed document 003_042b791f4f409f5b.txt."""


def drawn_game() -> list[int]:
    """Return the cells of a drawn game with the stones in pairs, which are shifted in every row."""
    places = [(x, y) for y in range(8) for x in range(8)]
    seats = [[LINE8.cell(x, y) for x, y in places if (x // 2 + y) % 2 == who] for who in (0, 1)]
    return [cell for pair in zip(*seats, strict=True) for cell in pair]


def test_games_of_the_document_are_shown_as_ever(golden: Callable[[str, str], None]) -> None:
    """The final screens of the appendix's games, and of a drawn game, stay as they are."""
    games = [*(cells_from_moves(text, LINE8) for text in EXAMPLES), drawn_game()]
    golden("console.txt", "".join(board_and_log(("Opponent", "Player"), game) for game in games))


def test_draw_is_announced() -> None:
    """A full board is announced as a draw, below a log that is longer than the board."""
    bot, cells = BotEnd(), drawn_game()
    bot.read_line(b"5")
    bot.read_line(b"o")
    for theirs, ours in zip(cells[::2], cells[1::2], strict=True):
        assert not isinstance(bot.read_line(cell_name(LINE8, theirs).encode()), Reply)
        row = LINE8.height - 1 - LINE8.row_of(ours)
        said = bot.write_move((LINE8.column_of(ours), row))
    expected = board_and_log(("Opponent", "Player"), cells)
    assert said.decode() == f"{expected}Player's move is: {cell_name(LINE8, cells[-1])}\nA draw.\n"
    assert bot.is_over
