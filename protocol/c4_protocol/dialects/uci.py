"""The chess protocol UCI with the variant ``cfour``, as cutechess plays it.

cutechess treats the standard game as a chess variant in which stones are dropped::

    referee  uci                            bot  id name c4-arena
                                                 id author the authors of c4-arena
                                                 option name UCI_Variant type combo ...
                                                 uciok
             setoption name UCI_Variant value cfour
             isready                             readyok
             ucinewgame                          (nothing)
             position startpos moves P@d1 P@d2
             go wtime 60000 btime 59500 winc 500 binc 500
                                                 info depth 9 ...       (info is optional)
                                                 bestmove P@d3
             quit                                (the bot ends)

A move is ``P@``, the file from ``a`` on the left, and the rank from 1 at the bottom, on which the
stone lands. White is player 1. ``position fen`` describes any position of the standard game
(``c4_protocol.rules.fen``).

Other boards are refused, because ``cfour`` is the name of the standard game only.

Habits of engines: they write ``id``, ``option`` and ``info`` lines at any time, offer many other
options, and add ``ponder`` and a move to ``bestmove``. Not all of them offer ``UCI_Variant``. After
the end of a game they write ``bestmove 0000`` or ``bestmove (none)``.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from c4_protocol.dialects import _commands
from c4_protocol.dialects._numbers import milliseconds_left, parsed_number
from c4_protocol.program.errors import IllegalMove, ProtocolError
from c4_protocol.program.text import quoted
from c4_protocol.records.messages import Clock, Info, MoveRequest, Precept, Reply, Time
from c4_protocol.rules.fen import SIDE_CHARACTERS, fen_of, position_of_fen
from c4_protocol.rules.notation import WireMove, cell_of_wire
from c4_protocol.rules.position import Position, Seat
from c4_protocol.rules.route import moves_between
from c4_protocol.rules.variant import STANDARD, cells_of

VARIANT_OPTION = b"UCI_Variant"
VARIANT_NAME = b"cfour"
UCI_REPLY = b"""\
id name c4-arena
id author the authors of c4-arena
option name %b type combo default %b var %b
uciok
""" % (VARIANT_OPTION, VARIANT_NAME, VARIANT_NAME)
NO_MOVE_REPLY = b"bestmove 0000\n"
"""The answer to ``go`` after the end of a game: the null move of UCI."""
SET_VARIANT_COMMAND = b"setoption name %b value %b\n" % (VARIANT_OPTION, VARIANT_NAME)
NEW_GAME_COMMANDS = b"ucinewgame\nisready\n"
MOVE_PATTERN = re.compile(rb"[Pp]@([a-z])([1-9][0-9]?)")
MOVE_NAMES = {
    cell: f"P@{chr(ord('a') + STANDARD.column_of(cell))}{STANDARD.row_of(cell) + 1}"
    for cell in cells_of(STANDARD.board)
}
"""Names of the moves, such as ``P@d3``, by cell."""
CELLS_BY_NAME = {name.encode(): cell for cell, name in MOVE_NAMES.items()}
NAMES_BY_STONE = {1 << cell: name for cell, name in MOVE_NAMES.items()}
"""Names of the moves by bitboard of the new stone."""


class BotEnd(_commands.BotEnd):
    """The bot's side of a conversation.

    It remembers the position of the last ``position`` command. At first this is the empty board.
    ``go`` gives a time for the move or a clock. Its other limits, such as ``depth``, are ignored:
    the player's own limits apply. A search cannot be stopped early. The answer to ``go infinite``
    and ``go ponder`` is written only after ``stop`` or ``ponderhit``.
    """

    first_line = re.compile(rb"(uci|ucinewgame|setoption|position|go|debug|stop)(\s|$)")

    def __init__(self) -> None:
        super().__init__()
        self._holds_answer = False
        self._held = b""

    def read_line(self, line: bytes) -> MoveRequest | Reply:
        """Read a command. Options other than ``UCI_Variant`` are ignored."""
        match line.split():
            case [b"position", *words]:
                self._last_position = None  # if the next line raises, no position is known
                self._last_position = _position_of_command(words)
            case [b"go", *words]:
                return self._go(words)
            case [b"stop" | b"ponderhit", *_]:
                held, self._held = self._held, b""
                return Reply(held)
            case [b"ucinewgame", *_]:
                self._last_position = Position()
            case [b"setoption", *words]:
                _check_option(words)
            case [b"quit", *_]:
                self.is_over = True
            case [command, *_]:
                return _reply_to(command)
        return Reply()

    def write_move(self, move: WireMove, info: Info | None = None, score: float = 0) -> bytes:
        """Return ``bestmove P@d3``, after a line with ``info`` if given."""
        position = self._known_position()
        line = b"" if info is None else _info_line(position, info).encode()
        best = f"bestmove {MOVE_NAMES[cell_of_wire(position, move)]}\n".encode()
        return line + self._answer_or_hold(best)

    def _go(self, words: Sequence[bytes]) -> MoveRequest | Reply:
        position = self._known_position()
        self._held = b""
        self._holds_answer = b"infinite" in words or b"ponder" in words
        time = _time_of_go(words, position.player)
        if position.is_over:
            return Reply(self._answer_or_hold(NO_MOVE_REPLY))
        return MoveRequest(Precept.of(position, time))

    def _answer_or_hold(self, best: bytes) -> bytes:
        """Return the answer to ``go``; keep it and return nothing if ``stop`` has to come first."""
        if not self._holds_answer:
            return best
        self._held = best
        return b""


def _reply_to(command: bytes) -> Reply:
    """Return the reply to a command that does not change the conversation."""
    match command:
        case b"uci":
            return Reply(UCI_REPLY)
        case b"isready":
            return Reply(b"readyok\n")
        case b"debug" | b"register":
            return Reply()
    raise ProtocolError(
        "no command: say uci, isready, setoption, ucinewgame, position, go, stop or quit"
    )


def _check_option(words: Sequence[bytes]) -> None:
    """Raise ``ProtocolError`` if the option is a variant other than ``cfour``."""
    match words:
        case [b"name", name, b"value", value] if (
            name.lower() == VARIANT_OPTION.lower() and value != VARIANT_NAME
        ):
            raise ProtocolError(
                f"no variant {quoted(value)}: {VARIANT_NAME.decode()} is the only one"
            )


def _position_of_command(words: Sequence[bytes]) -> Position:
    """Return the position of ``startpos`` or ``fen FEN``, with ``moves`` after it."""
    start = words.index(b"moves") if b"moves" in words else len(words)
    match words[:start]:
        case [b"startpos"]:
            position = Position()
        case [b"fen", *fields]:
            position = position_of_fen(b" ".join(fields).decode(errors="replace"))
        case _:
            raise ProtocolError(
                "say position startpos or position fen FEN, then moves and the moves"
            )
    return _commands.position_after_moves(position, words[start + 1 :], _cell_of_move)


def _cell_of_move(position: Position, name: bytes) -> int:
    """Return the cell of a move such as ``P@d3``.

    Raises ``ProtocolError`` for a text that is not a move, and ``IllegalMove``.
    """
    if name in CELLS_BY_NAME and position.playable >> CELLS_BY_NAME[name] & 1:
        return CELLS_BY_NAME[name]
    match = MOVE_PATTERN.fullmatch(name)
    if match is None:
        raise ProtocolError(f"{quoted(name)} is not a move such as P@d1")
    column, written = match[1][0] - ord("a"), name.decode()
    cell = position.check(column, written=written)
    if MOVE_NAMES[cell].encode()[2:] != name[2:]:
        words = STANDARD.move_in_words(column, written=written)
        raise IllegalMove(f"{words}, where a stone falls to {MOVE_NAMES[cell]}")
    return cell


def _time_of_go(words: Sequence[bytes], player: Seat) -> Time | None:
    """Return the time that ``go`` gives a player, if any. A negative time counts as 0."""
    values = dict(pairwise(words))

    def milliseconds(name: bytes) -> int:
        return max(0, parsed_number(values.get(name, b"0")))

    if b"movetime" in values:
        return milliseconds(b"movetime")
    side = SIDE_CHARACTERS[player - 1].encode()
    if side + b"time" not in values:
        return None
    return Clock(milliseconds(side + b"time"), milliseconds(side + b"inc"))


def _info_line(position: Position, info: Info) -> str:
    """Return the line that describes the search for a move."""
    words = f"info depth {info.depth} score {_score_words(position, info)} nodes {info.nodes}"
    expected = "".join(f" {name}" for name in _names_of_line(position, info.pv))
    return f"{words} time {info.ms:.0f}" + (f" pv{expected}" if expected else "") + "\n"


def _score_words(position: Position, info: Info) -> str:
    """Return ``mate`` and the winner's number of moves if a win is proven, otherwise ``cp``.

    The number is negative if the opponent wins. ``cp`` is the score in the player's own units.
    """
    if not (info.exact and info.score):
        return f"cp {info.score:.0f}"
    plies = STANDARD.cells + 2 - 2 * round(abs(info.score)) - position.ply  # or one less
    return f"mate {(plies + 1) // 2 if info.score > 0 else -(plies // 2)}"


def _names_of_line(position: Position, moves: Sequence[WireMove]) -> Iterator[str]:
    """Yield the names of moves that follow one another, up to the first that is not legal."""
    for move in moves:
        try:
            cell = cell_of_wire(position, move)
        except IllegalMove:
            return
        yield MOVE_NAMES[cell]
        position = position.play(cell)


class RefereeEnd(_commands.RefereeEnd):
    """The referee's side of a conversation.

    Each game begins with ``ucinewgame`` and ``isready``; the first question follows ``readyok``. A
    question is ``position startpos`` with all moves. It is ``position fen`` if no moves of a game
    that player 1 opened lead to the first position of the game. The order of the moves may differ
    from their order in the game. Unknown lines are ignored.
    """

    first_column = "a"

    def __init__(self) -> None:
        self._awaited = b"uciok"
        self._offers_variant = False
        self._question = b""
        self._asked = Position()
        self._names: list[str] | None = []  # all moves; None if none lead to the position

    def write_precept(
        self, position: Position, time: Time | None = None, other: Time | None = None
    ) -> bytes:
        """Return the commands ``position`` and ``go``, or the commands that begin a game.

        ``go`` contains the time for the move or both clocks. Without a limit, the clocks have
        ``CLOCK_MS``. Raises ``VariantError``.
        """
        begins = not self._add_two_moves(position)
        if begins:
            self.check_variant(position.variant)
            cells = moves_between(Position(), position.stones, position.player)
            self._names = None if cells is None else [MOVE_NAMES[cell] for cell in cells]
        self._asked = position
        written_go = _go if isinstance(time, Clock) else _cached_go_command  # clocks never repeat
        go = written_go(position.player, time, other)
        self._question = f"{self._position_command(position)}\n{go}\n".encode()
        if self._awaited == b"uciok":
            return b"uci\n"
        if begins:
            self._awaited = b"readyok"
            return NEW_GAME_COMMANDS
        return self._question

    def read_move(self, line: bytes) -> WireMove | Reply:
        """Return the column of ``bestmove``; reply to ``uciok`` and ``readyok``."""
        words = line.split()
        if words and words[0] == b"bestmove":  # this is quicker than a pattern
            return self._column_of_bestmove(words)
        match words:
            case [b"option", b"name", name, *_] if name == VARIANT_OPTION:
                self._offers_variant = True
            case [b"uciok", *_] if self._awaited == b"uciok":
                self._awaited = b"readyok"
                return Reply(
                    (SET_VARIANT_COMMAND if self._offers_variant else b"") + NEW_GAME_COMMANDS
                )
            case [b"readyok", *_] if self._awaited == b"readyok":
                self._awaited = b""
                return Reply(self._question)
        return Reply()

    def _column_of_bestmove(self, words: Sequence[bytes]) -> int:
        """Return the column of the word after ``bestmove``."""
        if self._awaited:
            raise ProtocolError(f"bestmove before {self._awaited.decode()}")
        if len(words) < 2:
            raise ProtocolError("bestmove names no move")
        return STANDARD.column_of(_cell_of_move(self._asked, words[1]))

    def _add_two_moves(self, position: Position) -> bool:
        """Add the names of the moves since the last question, one of each player.

        Return false if the position is not two moves later: it begins another game.
        """
        asked = self._asked
        if (asked.player, asked.variant) != (position.player, position.variant):
            return False
        (x, y), (white, black) = asked.stones, position.stones
        x, y = x ^ white, y ^ black
        if x not in NAMES_BY_STONE or y not in NAMES_BY_STONE or not (x & white and y & black):
            return False
        own, other = (x, y) if position.player == 1 else (y, x)
        if own == other << 1:  # the opponent's stone came first
            return False
        if self._names is not None:
            self._names += NAMES_BY_STONE[own], NAMES_BY_STONE[other]
        return True

    def _position_command(self, position: Position) -> str:
        """Return the command ``position``."""
        if self._names is None:
            return f"position fen {fen_of(position)}"
        return "position startpos" + (f" moves {' '.join(self._names)}" if self._names else "")


def _go(player: Seat, time: Time | None, other: Time | None) -> str:
    """Return the command ``go`` with the time of the player to move and of the opponent."""
    if isinstance(time, float | int):
        return f"go movetime {milliseconds_left(time)}"
    white, black = (time, other) if player == 1 else (other, time)
    clocks = f"go wtime {milliseconds_left(white)} btime {milliseconds_left(black)}"
    return f"{clocks} winc {_increment_ms_of(white)} binc {_increment_ms_of(black)}"


_cached_go_command = lru_cache(maxsize=1 << 8)(_go)


def _increment_ms_of(time: Time | None) -> int:
    return int(time.increment_ms) if isinstance(time, Clock) else 0
