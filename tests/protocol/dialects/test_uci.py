"""The dialect UCI with the variant cfour, byte for byte."""

import re

import pytest
from c4_protocol.dialects.uci import BotEnd, RefereeEnd
from c4_protocol.errors import IllegalMove, ProtocolError, VariantError
from c4_protocol.fen import fen_of
from c4_protocol.messages import Clock, Info, MoveRequest, Precept, Reply, Time
from c4_protocol.notation import position_from_moves, win_score
from c4_protocol.position import Position
from c4_protocol.variant import CODINGAME, LINE8, STANDARD, Variant
from hypothesis import given
from hypothesis import strategies as st

START = b"7/7/7/7/7/7[PPPPPPPPPPPPPPPPPPPPPppppppppppppppppppppp] w - - 0 1"
INTRODUCTION = b"""\
id name c4-arena
id author the authors of c4-arena
option name UCI_Variant type combo default cfour var cfour
uciok
"""


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


def precept_read(bot: BotEnd, line: bytes) -> Precept:
    """Return the precept that a bot gets from a line."""
    request = bot.read_line(line)
    assert isinstance(request, MoveRequest)
    return request.precept


# Lines of the referee, read by a bot.


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        (b"uci", INTRODUCTION),
        (b"setoption name UCI_Variant value cfour", b""),
        (b"setoption name Hash value 16", b""),
        (b"setoption name Clear Hash", b""),
        (b"isready", b"readyok\n"),
        (b"ucinewgame", b""),
        (b"debug on", b""),
        (b"position startpos", b""),
        (b"position startpos moves P@d1 P@d2", b""),
        (b"position fen " + START, b""),
        (b"stop", b""),
        (b"ponderhit", b""),
        (b"quit", b""),
    ],
)
def test_simple_commands_are_replied_to(line: bytes, reply: bytes) -> None:
    """Commands other than ``go`` are replied to at once; only ``quit`` ends the conversation."""
    bot = BotEnd()
    assert bot.read_line(line) == Reply(reply)
    assert bot.is_over == (line == b"quit")


@pytest.mark.parametrize(
    ("line", "position"),
    [
        (b"position startpos", after("")),
        (b"position startpos moves", after("")),
        (b"position startpos moves P@d1 P@d2 P@a1", after("441")),
        (b"position startpos moves p@g1", after("7")),
        (b"position fen " + START, after("")),
        (b"position fen " + START + b" moves P@d1 P@d2", after("44")),
        (b"position fen 7/7/7/7/3p3/3P3[Pp] w - - 0 2", after("44")),
        (b"position fen 7/7/7/7/3p3/3P3 w", after("44")),
        (b"position fen 7/7/7/7/7/1p5 w - - 0 1", Position(STANDARD, (0, 1 << 7), 1)),
        (b"position fen 7/7/7/7/7/7 b - - 0 1", Position(player=2)),
    ],
)
def test_go_asks_about_the_last_position(line: bytes, position: Position) -> None:
    """``go`` asks about the position of moves or of a FEN, even if player 2 opened the game."""
    bot = BotEnd()
    bot.read_line(line)
    assert precept_read(bot, b"go").position() == position


def test_new_game_begins_on_the_empty_board() -> None:
    """``ucinewgame`` forgets the position, even a refused one."""
    bot = BotEnd()
    with pytest.raises(ProtocolError):
        bot.read_line(b"position startpos moves P@d2")
    bot.read_line(b"ucinewgame")
    assert precept_read(bot, b"go").position() == Position()


@pytest.mark.parametrize(
    ("words", "first", "second"),
    [
        (b"wtime 60000 btime 59000 winc 500 binc 400", Clock(60000, 500), Clock(59000, 400)),
        (b"btime 59000 wtime 60000", Clock(60000, 0), Clock(59000, 0)),
        (b"wtime -30 btime -40 movestogo 40", Clock(0, 0), Clock(0, 0)),
        (b"movetime 250", 250, 250),
        (b"movetime 250 wtime 9 btime 9", 250, 250),
        (b"infinite", None, None),
        (b"depth 8 nodes 1000", None, None),
        (b"", None, None),
        (b"wtime", None, None),
    ],
)
def test_time_is_that_of_the_player_to_move(
    words: bytes, first: Time | None, second: Time | None
) -> None:
    """``go`` gives the time for the move or the own clock. Depth and nodes have no place."""
    for moves, expected in ((b"", first), (b" moves P@d1", second)):
        bot = BotEnd()
        bot.read_line(b"position startpos" + moves)
        precept = precept_read(bot, b"go " + words)
        assert (precept.clock or precept.time_ms) == expected


@pytest.mark.parametrize("words", [b"infinite", b"ponder wtime 100 btime 100"])
@pytest.mark.parametrize("command", [b"stop", b"ponderhit"])
def test_answer_without_a_limit_waits_for_stop(words: bytes, command: bytes) -> None:
    """The move of an infinite search is written after ``stop``, once; information before it."""
    bot = BotEnd()
    precept_read(bot, b"go " + words)
    info = Info(score=1.6, exact=False, depth=2, nodes=3, ms=4.2, pv=[3])
    assert bot.write_move(3, info) == b"info depth 2 score cp 2 nodes 3 time 4 pv P@d1\n"
    assert bot.read_line(b"isready") == Reply(b"readyok\n")
    assert bot.read_line(command) == Reply(b"bestmove P@d1\n")
    assert bot.read_line(command) == Reply()
    precept_read(bot, b"go movetime 5")
    assert bot.write_move(2) == b"bestmove P@c1\n"


@pytest.mark.parametrize("words", [b"", b"wtime 5 btime 5", b"infinite"])
def test_go_after_the_end_is_answered_by_the_null_move(words: bytes) -> None:
    """After the end of a game, the answer is the null move of UCI."""
    bot = BotEnd()
    bot.read_line(b"position startpos moves P@a1 P@b1 P@a2 P@b2 P@a3 P@b3 P@a4")
    reply = bot.read_line(b"go " + words)
    if words == b"infinite":
        assert reply == Reply()
        reply = bot.read_line(b"stop")
    assert reply == Reply(b"bestmove 0000\n")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"perft 3", "no command: say uci, isready, setoption, ucinewgame, position, go, stop"),
        (b"UCI", "no command"),
        (b'{"grid":[[0]]}', "no command"),
        (b"setoption name UCI_Variant value crazyhouse", "no variant 'crazyhouse': cfour is the"),
        (b"setoption name uci_variant value chess", "no variant 'chess'"),
        (b"position", "say position startpos or position fen FEN"),
        (b"position startpos 0123", "say position startpos or position fen FEN"),
        (b"position startpos moves e2e4", "move 1: 'e2e4' is not a move such as P@d1"),
        (b"position startpos moves P@d1 P@d1", "move 2: a stone in file d falls to P@d2"),
        (b"position startpos moves P@h1", "move 1: column 7 is not on the board (0 to 6)"),
        (b"position startpos moves P@a0", "move 1: 'P@a0' is not a move"),
        (
            b"position startpos moves" + b"".join(b" P@a%d P@b%d" % (i, i) for i in range(1, 5)),
            "move 8 comes after the end of the game",
        ),
        (b"position fen", "the FEN has no side to move"),
        (b"position fen 7/7/7/7/7/7", "the FEN has no side to move"),
        (b"position fen 7/7/7/7/7/7 x", "the FEN has no side to move"),
        (b"position fen 7/7/7/7/7/3Q3 w", "the board of the FEN is not made of digits"),
        (b"position fen 7/7/7/7/7/8 w", "a row of the FEN does not have 7 cells"),
        (b"position fen 7/7/7/7/7/6 w", "a row of the FEN does not have 7 cells"),
        (b"position fen 7/7/7/7/7/7/7 w", "grid[0] has 7 cells, but columns are 6 high"),
        (b"position fen 7/7/7/7/3P3/7 w", "a stone floats over an empty cell in grid[3]"),
        (b"position fen 7/7/7/7/7/3PP2 b", "player 1 has 2 stones and player 2 has 0"),
        (b"position fen 7/7/7/7/7/3P3 w", "it cannot be player 1's turn"),
        (b"go movetime soon", "'soon' is not a number"),
    ],
)
def test_line_that_is_no_command_is_refused_with_the_reason(line: bytes, reason: str) -> None:
    """A line that is no command is refused with the place of the mistake."""
    with pytest.raises(ProtocolError, match="^" + re.escape(reason)):
        BotEnd().read_line(line)


def test_nothing_is_answered_about_a_refused_position() -> None:
    """After a refused position, ``go`` is refused until the next ``position`` command."""
    bot = BotEnd()
    with pytest.raises(ProtocolError):
        bot.read_line(b"position startpos moves P@d2")
    with pytest.raises(ProtocolError, match="the last one was refused"):
        bot.read_line(b"go movetime 5")
    bot.read_line(b"position startpos")
    assert precept_read(bot, b"go movetime 5").position() == Position()


# Answers of a bot, written.


@pytest.mark.parametrize(
    ("moves", "column", "line"),
    [("", 0, b"P@a1"), ("", 6, b"P@g1"), ("44", 3, b"P@d3"), ("44444", 3, b"P@d6")],
)
def test_move_is_a_file_and_a_rank(moves: str, column: int, line: bytes) -> None:
    """A move names the cell on which the stone lands, its rank from 1 at the bottom."""
    bot = BotEnd()
    names = b" ".join(b"P@d%d" % rank for rank in range(1, len(moves) + 1))
    bot.read_line(b"position startpos moves " + names)
    assert bot.write_move(column) == b"bestmove " + line + b"\n"


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


# Lines of the referee, written.


@pytest.mark.parametrize("offers", [True, False])
def test_engine_is_greeted_before_the_first_question(offers: bool) -> None:
    """The handshake sets the variant if the engine offers it, and the question follows it."""
    referee = RefereeEnd()
    assert referee.write_precept(Position(), 250) == b"uci\n"
    said = [b"Engine 1.0", b"id name Engine", b"option name Hash type spin default 16"]
    if offers:
        said.append(b"option name UCI_Variant type combo default chess var chess var cfour")
    for line in said:
        assert referee.read_move(line) == Reply()
    variant = b"setoption name UCI_Variant value cfour\n" if offers else b""
    assert referee.read_move(b"uciok") == Reply(variant + b"ucinewgame\nisready\n")
    assert referee.read_move(b"readyok") == Reply(b"position startpos\ngo movetime 250\n")
    assert referee.read_move(b"info depth 1 score cp 3 pv P@d1") == Reply()
    assert referee.read_move(b"bestmove P@d1 ponder P@d2") == 3
    assert (
        referee.write_precept(after("44"), 250)
        == b"position startpos moves P@d1 P@d2\ngo movetime 250\n"
    )


@pytest.mark.parametrize(
    ("own", "other", "words"),
    [
        (250.9, 7, b"movetime 250"),
        (250.0, Clock(9, 9), b"movetime 250"),
        (Clock(60000, 500), Clock(59000, 400), b"wtime 59000 btime 60000 winc 400 binc 500"),
        (Clock(60000, 500), 7, b"wtime 7 btime 60000 winc 0 binc 500"),
        (Clock(60000, 500), None, b"wtime 120000 btime 60000 winc 0 binc 500"),
        (None, None, b"wtime 120000 btime 120000 winc 0 binc 0"),
    ],
)
def test_both_clocks_are_sent(own: Time | None, other: Time | None, words: bytes) -> None:
    """``go`` has the time for the move, or the clocks of white and black."""
    referee = RefereeEnd()
    referee.write_precept(after("4"), own, other)
    referee.read_move(b"uciok")
    reply = referee.read_move(b"readyok")
    assert reply == Reply(b"position startpos moves P@d1\ngo " + words + b"\n")


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


@pytest.mark.parametrize(
    ("position", "fen"),
    [
        (Position(player=2), START.replace(b" w ", b" b ")),
        (
            Position(STANDARD, (0, 1 << 7), 1),
            b"7/7/7/7/7/1p5[PPPPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] w - - 0 1",
        ),
        (
            Position(STANDARD, (3, 12)),
            b"7/7/p6/p6/P6/P6[PPPPPPPPPPPPPPPPPPPppppppppppppppppppp] w - - 0 3",
        ),
    ],
    ids=["player 2 opens", "player 2 has opened", "no moves lead there"],
)
def test_position_without_moves_is_a_fen(position: Position, fen: bytes) -> None:
    """A position that no moves of a game lead to is described by a FEN, which the bot reads."""
    referee, bot = ready(), BotEnd()
    referee.write_precept(position, 5)
    reply = referee.read_move(b"readyok")
    assert reply == Reply(b"position fen " + fen + b"\ngo movetime 5\n")
    bot.read_line(b"position fen " + fen)
    assert precept_read(bot, b"go").position() == position


@pytest.mark.parametrize("variant", [LINE8, CODINGAME, Variant(8, 7), Variant(connect=5)], ids=str)
def test_other_games_cannot_be_described(variant: Variant) -> None:
    """The dialect refuses variants other than the standard game."""
    with pytest.raises(VariantError, match="uci knows only the variant standard, not"):
        RefereeEnd().write_precept(Position(variant))


# Answers, read by the referee.


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"bestmove", "bestmove names no move"),
        (b"bestmove d1", "'d1' is not a move such as P@d1"),
        (b"bestmove 0000", "'0000' is not a move such as P@d1"),
        (b"bestmove (none)", "'(none)' is not a move such as P@d1"),
        (b"bestmove P@dd", "'P@dd' is not a move"),
    ],
)
def test_answer_that_names_no_move_is_refused(line: bytes, reason: str) -> None:
    """An answer that is not a move raises ``ProtocolError``."""
    with pytest.raises(ProtocolError, match="^" + re.escape(reason)):
        ready().read_move(line)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"bestmove P@h1", "column 7 is not on the board (0 to 6)"),
        (b"bestmove P@d2", "a stone in file d falls to P@d1"),
    ],
)
def test_move_to_another_cell_is_illegal(line: bytes, reason: str) -> None:
    """A move that names a cell on which no stone can land raises ``IllegalMove``."""
    with pytest.raises(IllegalMove, match="^" + re.escape(reason)):
        ready().read_move(line)


@pytest.mark.parametrize("awaited", [b"uciok", b"readyok"])
def test_move_before_the_handshake_is_refused(awaited: bytes) -> None:
    """A move without a question is refused, with the line that should have come first."""
    referee = RefereeEnd()
    referee.write_precept(Position())
    if awaited == b"readyok":
        referee.read_move(b"uciok")
    with pytest.raises(ProtocolError, match=f"^bestmove before {awaited.decode()}$"):
        referee.read_move(b"bestmove P@d1")


@pytest.mark.parametrize(
    ("said", "may"),
    [
        (b"Engine 1.0", True),
        (b"info string bestmove P@d1 was easy", True),
        (b"readyok\ninfo depth 1", True),
        (b"bestmove P@d1", False),
        (b"info depth 1\n  bestmove P@d1", False),
    ],
)
def test_all_but_moves_may_be_said_unasked(said: bytes, may: bool) -> None:
    """Any lines except ``bestmove`` are allowed without a question."""
    assert RefereeEnd().may_say(said) is may
