"""The dialect of CodinGame: what its transcripts cannot show."""

import pytest
from c4_protocol.dialects.codingame import BotEnd, RefereeEnd
from c4_protocol.program.errors import ImpossiblePosition
from c4_protocol.records.messages import MoveRequest, Precept, Reply
from c4_protocol.rules.notation import wire_move
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import CODINGAME, STEAL
from hypothesis import given
from hypothesis import strategies as st


def read(bot: BotEnd, lines: bytes) -> Precept:
    """Return the precept of some lines. Only the last line makes a request."""
    *before, last = [bot.read_line(line) for line in lines.splitlines()]
    assert before == [Reply()] * len(before)
    assert isinstance(last, MoveRequest)
    return last.precept


@given(st.lists(st.integers(0, 99), max_size=64), st.booleans())
def test_any_game_arrives_as_it_was_sent(picks: list[int], steals: bool) -> None:
    """Each turn names the number of actions, the legal ones, the last one and the position."""
    ends = {seat: (RefereeEnd(), BotEnd()) for seat in (1, 2)}
    position, last = Position(CODINGAME), -1
    for index, pick in enumerate(picks):
        referee, bot = ends[position.player]
        lines = referee.write_precept(position)
        assert read(bot, lines).position() == position
        words = lines.decode().removeprefix("0 1\n").removeprefix("1 0\n").split()
        assert (int(words[0]), int(words[-1])) == (index, last)
        moves = position.moves
        assert {*map(int, words[9:-1])} == {wire_move(CODINGAME, cell) for cell in moves}
        assert int(words[8]) == len(moves)
        cell = STEAL if steals and position.can_steal else moves[pick % len(moves)]
        position, last = position.play(cell), int(wire_move(CODINGAME, cell))
        if position.is_over:
            break


@pytest.mark.parametrize(
    "position",
    [Position(CODINGAME, player=2), Position(CODINGAME, (1, 2 << 16 | 2 << 8), 2)],
    ids=["empty board", "one stone more"],
)
def test_game_that_player_2_opened_is_refused(position: Position) -> None:
    """A game that player 2 opened is refused, because the numbers of stones must show the steal."""
    with pytest.raises(ImpossiblePosition, match="player 1 opens each game"):
        RefereeEnd().write_precept(position)


def test_end_in_the_middle_of_a_turn_gets_one_line(c4_bot) -> None:
    """A turn that never ends is reported, gets no answer, and is an error for the shell."""
    done = c4_bot("--plays", "random", stdin=b"0 1\n0\n.........\n")
    assert (done.stdout, done.returncode) == (b"", 1)
    assert done.stderr == b"c4-bot: line 3: the input ends before the end of a turn\n"
