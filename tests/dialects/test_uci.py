"""UCI with the variant cfour: what its transcripts cannot show."""

from c4_protocol.dialects.uci import BotEnd, RefereeEnd
from c4_protocol.records.messages import Info, Reply
from c4_protocol.rules.fen import fen_of
from c4_protocol.rules.notation import position_from_moves, win_score
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD
from hypothesis import given
from hypothesis import strategies as st


def test_info_is_one_line_before_the_move() -> None:
    """Information has the words of UCI; the line of moves ends at one that is not legal."""
    bot, info = BotEnd(), Info(score=-3.4, exact=False, depth=9, nodes=77, ms=1.5, pv=[3, 3, 7, 1])
    assert bot.write_move(3, info, 2) == (
        b"info depth 9 score cp -3 nodes 77 time 2 pv P@d1 P@d2\nbestmove P@d1\n"
    )


@given(st.lists(st.integers(0, 99), max_size=41), st.integers(1, 42))
def test_proven_win_is_a_mate_in_moves(picks: list[int], plies: int) -> None:
    """A proven win or loss is given as the number of moves that the winner needs."""
    bot, position = BotEnd(), Position()
    for pick in picks:
        following = position.play(position.moves[pick % len(position.moves)])
        position = position if following.is_over else following
    bot.read_line(b"position fen " + fen_of(position).encode())
    is_win = plies % 2 == 1
    score = win_score(STANDARD, position.ply + plies)
    info = Info(score if is_win else -score, exact=True, depth=1, nodes=1, ms=1, pv=[])
    mate = (plies + 1) // 2 if is_win else -(plies // 2)
    if score > 0:
        answer = bot.write_move(STANDARD.column_of(position.moves[0]), info)
        assert f"score mate {mate} nodes".encode() in answer


def test_own_stone_on_top_begins_another_game_with_a_fen() -> None:
    """An own stone on the opponent's new one does not follow, and no moves lead to it."""
    referee = RefereeEnd()
    referee.write_precept(position_from_moves("44", STANDARD), 5)
    referee.read_move(b"uciok")
    referee.read_move(b"readyok")
    position = Position(STANDARD, (1 << 21 | 1 << 24, 1 << 22 | 1 << 23), 1)
    assert referee.write_precept(position, 5) == b"ucinewgame\nisready\n"
    question = referee.read_move(b"readyok")
    assert question == Reply(b"position fen %b\ngo movetime 5\n" % fen_of(position).encode())
