"""Transcripts of conversations: the table for all tests of dialects, and their replay.

``tests/dialects/transcripts/DIALECT.txt`` holds the conversations of a dialect. Each begins with a
title, ``== TITLE | WHO | OPTIONS``. ``WHO`` names those who are tested with it: our ``bot`` end and
``referee`` end (both by default), the command ``c4-bot`` with ``OPTIONS``, or an example bot. The
sign at the beginning of a line says what follows:

- ``@ VARIANT``: the game of the next questions, if it is not the usual one of the dialect
- ``> LINE / LINE``: lines of the referee
- ``< LINE``: a line of the bot, which for processes is a regular expression
- ``? MOVES OWN OTHER = READ``: the lines before it ask for a move after these moves. ``2:`` before
  the moves says that player 2 has opened, ``-`` is no move, and a comma separates two cells.
  ``OWN`` and ``OTHER`` are the times of both players, as milliseconds for a move or as
  ``REMAINING+INCREMENT``. ``READ`` is the time that the bot reads, if it is not ``OWN``.
- ``! MOVE``: the move in the next lines of the bot (a column, ``COLUMN,ROW`` or ``STEAL``), with
  ``score N``, or with ``info`` for ``INFO``
- ``x REASON``: the line before it is refused. The message begins with the reason.
- ``~ TEXT`` and ``- TEXT``: a bot may or may not write this before the next question
- ``.``: the conversation is over
"""

import re
import select
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from c4_protocol import dialects
from c4_protocol.dialects import BotEnd, RefereeEnd
from c4_protocol.records.messages import Clock, Info, MoveRequest, Precept, Reply, Time
from c4_protocol.rules.notation import WireMove, position_from_moves
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD, Variant

FOLDER = Path(__file__).parent.parent / "dialects" / "transcripts"
OURS = (str(Path(sys.executable).parent / "c4-bot"),)
SECONDS = 300
"""Maximum time to wait for a line of the bot."""
INFO = Info(score=2, exact=True, depth=9, nodes=77, ms=1.5, pv=[3, 2], reason="proven:\n a win")


@dataclass(frozen=True)
class Transcript:
    """A conversation: its dialect, who is tested with it, and pairs of a sign and a text."""

    dialect: str
    title: str
    who: tuple[str, ...]
    options: tuple[str, ...]
    lines: tuple[tuple[str, "str | Question"], ...]

    @property
    def variant(self) -> Variant | None:
        """The game of the first question."""
        return next((q.position.variant for sign, q in self.lines if sign == "?"), None)


@dataclass(frozen=True)
class Question:
    """A question for a move: the position, the times of both players and the time that is read."""

    position: Position
    own: Time | None
    other: Time | None
    read: Time | None

    @classmethod
    def parse(cls, text: str, variant: Variant) -> "Question":
        """Return the question of a line with ``?``."""
        asked, _, read = text.partition("=")
        moves, *times = asked.split()
        own, other, *_ = [*map(_time, times), None, None]
        opener, _, moves = moves.rpartition(":")
        moves = moves.strip("-")
        if not opener:
            position = position_from_moves(moves.replace(",", " "), variant)
        else:
            position = Position(variant, player=int(opener))
            for name in moves:
                position = position.play(position.check(int(name) - 1))
        return cls(position, own, other, _time(read.strip()) if read else own)


def _time(word: str) -> Time:
    remaining, plus, increment = word.partition("+")
    return Clock(float(remaining), float(increment)) if plus else float(remaining)


def _transcripts(dialect: str) -> list[Transcript]:
    text = (FOLDER / f"{dialect}.txt").read_text(encoding="utf-8")
    only = dialects.bot_end(dialect).variant or STANDARD
    made = []
    for section in re.split(r"^== ", text, flags=re.MULTILINE)[1:]:
        head, *lines = section.rstrip("\n").splitlines()
        title, who, options = [*map(str.strip, head.split("|")), "", ""][:3]
        who = tuple(who.split() or ("bot", "referee"))
        pairs = tuple(_pairs(filter(None, lines), only))
        made.append(Transcript(dialect, title, who, tuple(options.split()), pairs))
    return made


def _pairs(lines: Iterable[str], variant: Variant) -> Iterator[tuple[str, str | Question]]:
    for line in lines:
        sign, text = line[0], line[2:]
        if sign == "@":
            variant = Variant.parse(text)
        elif sign == "?":
            yield sign, Question.parse(text, variant)
        elif sign == ">":
            yield from ((sign, part) for part in text.split(" / "))
        else:
            yield sign, text


TRANSCRIPTS = [
    transcript for path in sorted(FOLDER.iterdir()) for transcript in _transcripts(path.stem)
]


class Talk:
    """A bot's end and a referee's end that talk to each other."""

    def __init__(self, name: str) -> None:
        self.bot: BotEnd = dialects.bot_end(name)
        self.referee: RefereeEnd = dialects.referee_end(name)
        self.sent = b""
        """Everything that the referee has written."""

    def ask(self, position: Position, time: object = None, other: object = None) -> Precept:
        """Return the precept that the bot gets when the referee asks for a move."""
        self.bot.game = position.variant
        sent = self.referee.write_precept(position, time, other)
        while True:
            self.sent += sent
            *replies, last = [self.bot.read_line(line) for line in sent.splitlines()]
            if isinstance(last, MoveRequest):
                assert all(reply == Reply() for reply in replies)
                return last.precept
            replies = self.read(b"".join(reply.text for reply in [*replies, last]))
            sent = b"".join(reply.text for reply in replies)

    def read(self, sent: bytes) -> list[WireMove | Reply]:
        """Return what the referee reads from each line."""
        assert sent.endswith(b"\n")
        return [self.referee.read_move(line) for line in sent.splitlines()]


def each(*who: str) -> pytest.MarkDecorator:
    """Run a test with each transcript of a bot or an end, as the parameter ``transcript``."""
    chosen = [transcript for transcript in TRANSCRIPTS if {*transcript.who} & {*who}]
    names = [f"{transcript.dialect}: {transcript.title}" for transcript in chosen]
    return pytest.mark.parametrize("transcript", chosen, ids=names)


def replay(transcript: Transcript, end: str = "\n", program: Sequence[str] = OURS) -> None:
    """Replay a transcript against a program, which is ``c4-bot``, with lines that end in ``end``.

    Each line of the bot must arrive before the next line is sent. At the end the input is closed.
    The bot must write nothing else, except a line on standard error for each line that is refused.
    """
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    number, refused = 0, []
    with subprocess.Popen([*program, *transcript.options], **pipes, bufsize=0) as bot:
        for sign, text in transcript.lines:
            if sign == ">":
                number += 1
                bot.stdin.write(f"{text}{end}".encode())
            elif sign == "<":
                line = _next_line(bot)
                assert re.fullmatch(text, line), f"{line!r} is not {text!r}"
            else:
                refused.append(f"c4-bot: line {number}: {text}")
        rest, complaints = bot.communicate(timeout=SECONDS)
        assert (rest, bot.returncode) == (b"", bool(refused))
        complaints = complaints.decode().splitlines()
        assert len(complaints) == len(refused), complaints
        assert all(map(str.startswith, complaints, refused)), complaints


def _next_line(bot: subprocess.Popen) -> str:
    """Return the next line of a bot without its line ending."""
    line = b""
    while not line.endswith(b"\n"):
        ready, _, _ = select.select([bot.stdout], [], [], SECONDS)
        assert ready, f"no line from the bot, only {line!r}"
        byte = bot.stdout.read(1)
        assert byte, f"the bot has ended; its standard error: {bot.stderr.read()!r}"
        line += byte
    return line[:-1].decode()
