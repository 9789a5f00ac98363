"""UCI with the variant cfour: what its transcripts cannot show."""

import pytest
from c4_protocol.dialects.uci import BotEnd, RefereeEnd
from c4_protocol.records.messages import Info, MoveRequest, Reply
from c4_protocol.rules.fen import fen_of
from c4_protocol.rules.notation import position_from_moves, win_score
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD
from hypothesis import given
from hypothesis import strategies as st


def after(moves: str) -> Position:
    """Return the position after a move string, in which columns count from 1."""
    return position_from_moves(moves, STANDARD)


def ready() -> RefereeEnd:
    """Return a referee's end after the handshake, which was asked about the empty board."""
    referee = RefereeEnd()
    referee.write_precept(Position(), 10)
    referee.read_move(b"uciok")
    referee.read_move(b"readyok")
    return referee


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


def test_next_game_begins_with_ucinewgame() -> None:
    """A position that does not follow the last question begins another game."""
    referee = ready()
    assert referee.write_precept(after("44"), 5).startswith(b"position startpos moves P@d1 P@d2\n")
    for moves in ("1", "2", "2"):
        assert referee.write_precept(after(moves), 5) == b"ucinewgame\nisready\n"
        file = b"abcdefg"[int(moves) - 1 :][:1]
        question = b"position startpos moves P@" + file + b"1\ngo movetime 5\n"
        assert referee.read_move(b"readyok") == Reply(question)


def test_a_move_takes_one_question_and_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game is one handshake, then one text for each move, whose moves need no search."""
    referee = ready()
    asked = [after("2")]
    for column in (3, 3, 3, 3, 1, 0):
        asked.append(asked[-1].play(asked[-1].check(column)))
    assert referee.write_precept(asked[0], 5) == b"ucinewgame\nisready\n"
    referee.read_move(b"readyok")
    monkeypatch.delattr(Position, "play")
    moves = b"position startpos moves P@b1"
    for position, added in zip(asked[2::2], (b"d1 d2", b"d3 d4", b"b2 a1"), strict=True):
        moves += b"".join(b" P@" + name for name in added.split())
        assert referee.write_precept(position, 5) == moves + b"\ngo movetime 5\n"


ON_TOP = Position(STANDARD, (1 << 21 | 1 << 24, 1 << 22 | 1 << 23), 1)


@pytest.mark.parametrize("position", [after("4567"), ON_TOP], ids=["others", "own on top"])
def test_stones_that_cannot_follow_begin_another_game(position: Position) -> None:
    """Other stones are not two moves later, nor is an own stone on the opponent's new one."""
    referee = ready()
    referee.write_precept(after("44"), 5)
    assert referee.write_precept(position, 5) == b"ucinewgame\nisready\n"


def test_position_that_no_moves_lead_to_is_a_fen() -> None:
    """A position that no moves of a game lead to is described by a FEN, which the bot reads."""
    referee, bot, position = ready(), BotEnd(), Position(STANDARD, (3, 12))
    referee.write_precept(position, 5)
    fen = b"7/7/p6/p6/P6/P6[PPPPPPPPPPPPPPPPPPPppppppppppppppppppp] w - - 0 3"
    assert referee.read_move(b"readyok") == Reply(b"position fen " + fen + b"\ngo movetime 5\n")
    bot.read_line(b"position fen " + fen)
    request = bot.read_line(b"go")
    assert isinstance(request, MoveRequest)
    assert request.precept.position() == position


# Answers, read by the referee.
