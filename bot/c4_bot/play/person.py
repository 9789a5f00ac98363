"""``c4-bot --play``: a person plays against the bot in the terminal, in a game with gravity."""

import time
from collections.abc import Sequence
from functools import reduce

from c4_protocol.program.errors import UsageError, VariantError
from c4_protocol.records.messages import Precept
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant
from c4_protocol.terminal.contract import Answer

from c4_bot.play.session import Session
from c4_bot.player.registry import strength_in_words


def board(width: str | None, height: str | None, connect: int | None) -> Variant:
    """Return the variant with these sides. ``None`` stands for the default: 7x6, lines of 4.

    Raises ``UsageError`` if there is no such board, or if no line fits on it.
    """
    try:
        variant = Variant(
            _parsed_side("--width", width, 7), _parsed_side("--height", height, 6), connect or 4
        )
    except VariantError as error:
        raise UsageError(f"--width, --height: {error}") from None
    longest = max(variant.width, variant.height)
    if variant.connect > longest:
        raise UsageError(
            f"{variant.connect} in a row do not fit on a board of {variant.size}: say --connect N, "
            f"at most {longest}, or choose a larger board"
        )
    return variant


def _parsed_side(flag: str, text: str | None, default: int) -> int:
    """Return the number of cells in the text after a flag; raise ``UsageError`` for other texts."""
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise UsageError(f"{flag} {text}: say a whole number of cells")
    return int(text)


class SessionOpponent:
    """The player of a session, as the opponent of a person in seat ``person``."""

    def __init__(self, session: Session, variant: Variant, person: int) -> None:
        self._session, self._start, self._person = session, Position(variant), person
        name = session.player.name
        self.title, self.about = f"c4-bot ({name})", strength_in_words(name)

    def answer(self, cells: Sequence[int]) -> Answer:
        """Return the player's move after these moves, if it is to move."""
        position = reduce(Position.play, cells, self._start)
        if position.is_over or position.player == self._person:
            return Answer()
        result, seen = self._session.think(position, Precept.of(position), time.monotonic())
        return Answer(result.cell, seen.reason if seen else "")


def play(session: Session, variant: Variant, person: int) -> int:
    """Let a person play against the player of a session; return the exit code."""
    # slow, and bots need only ``board``
    from c4_protocol.terminal.game import TerminalGame  # noqa: PLC0415
    from c4_protocol.terminal.lines import play_game  # noqa: PLC0415

    from c4_bot.play.coach import Coach  # noqa: PLC0415

    session.show_info = True  # for the reasons of its moves
    opponent = SessionOpponent(session, variant, person)
    return play_game(TerminalGame(variant, person, coach=Coach(variant)), opponent)
