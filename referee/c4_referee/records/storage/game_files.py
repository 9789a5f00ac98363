"""Reads files with results of games in any format, and reports lines that cannot be read."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import chain, dropwhile
from pathlib import Path
from typing import IO, Literal, cast

from c4_protocol.program.errors import ArenaError, UsageError, VariantError
from c4_protocol.program.streams import check_input_is_open
from c4_protocol.program.text import distinct_names, shortened
from c4_protocol.records.codec import BYTE_ORDER_MARK
from c4_protocol.records.events import GameEnded
from c4_protocol.rules.variant import Variant

from c4_referee.records.formats import (
    START_BYTES,
    Forfeit,
    StoredGame,
    UnreadableLine,
    names,
    reader_for,
)
from c4_referee.records.formats.game_moves import checked_game
from c4_referee.records.storage.contests import StoredContest, read_contests
from c4_referee.records.storage.database import DATABASE_FILE
from c4_referee.records.storage.folder_archive import GAMES_FILE
from c4_referee.records.storage.meant import meant, recency
from c4_referee.records.storage.result_lines import with_names
from c4_referee.system.safe_files import check_readable, open_file, open_regular

STANDARD_INPUT = "-"
MAX_LINE_BYTES = 1 << 24
"""Maximum length of a line, in bytes. Longer lines are reported and skipped.

The limit is high, because the record of a game may have much text that bots wrote on standard
error.
"""

ComplainFunction = Callable[[str, UnreadableLine], None]
"""Function that receives the path of a file and a line that cannot be read."""
LeaveOutFunction = Callable[[StoredGame], None]
"""Function that receives a game that does not count."""
ChooseFunction = Callable[[str, Sequence[StoredContest]], Sequence[StoredContest]]
"""Function that receives a folder and all its contests, and returns those whose games count."""
VersionFunction = Callable[[str, str], None]
"""Function that receives the name of a bot that is our ``c4-bot``, and its version."""
RefuseFunction = Callable[[str, int, str], None]
"""Function that receives the path of a file, the number of a game in it, and why it is left out."""


def only_meant(_: str, contests: Sequence[StoredContest]) -> Sequence[StoredContest]:
    """Return the contest that was played last."""
    return [meant(contests)]


def read_results(
    sources: Sequence[str],
    complain: ComplainFunction,
    refuse: RefuseFunction | None = None,
    leave_out: LeaveOutFunction = lambda _: None,
    tell_version: VersionFunction = lambda _bot, _version: None,
    choose: ChooseFunction = only_meant,
) -> list[StoredGame]:
    """Return the games of files, and call ``complain`` with each line that cannot be read.

    A source is the path of a file, a folder of ``--out``, or ``-`` for standard input. In a folder,
    the games count that the contests count which ``choose`` returns. If these are several, only
    games between bots as they are now count. ``leave_out`` is called with their other games, and
    ``tell_version`` with the versions in their reports. Names become texts that can be shown, and
    different names stay different. If ``refuse`` is a function, it is called with each game that
    cannot count in ratings, and this game is left out. Raises ``UsageError`` for a file that cannot
    be read, has no known format, or is named twice.
    """
    _check_differ([*map(_path_of_games, sources)])
    games: list[StoredGame] = []
    apart: list[StoredGame] = []
    for source in sources:
        if folder := folder_of_source(source):
            contests = read_contests(folder)
            chosen = choose(source, contests) if contests else ()
            games += _games_of_folder(folder, chosen, complain, apart.append, tell_version)
        else:
            games += _games_of_file(source, complain, refuse)
    names = distinct_names(name for game in games + apart for name in (game.first, game.second))
    for game in apart:
        leave_out(_with_names(game, names))
    return [_with_names(game, names) for game in games]


def folder_of_source(source: str | Path) -> Path | None:
    """Return the folder of ``--out`` that a source names by its path, or by its ``games.jsonl``.

    After a kill, only the database there has all games.
    """
    path = Path(source)
    folder = path.parent if path.name == GAMES_FILE and not os.path.isdir(path) else path  # noqa: PTH112
    return folder if os.path.isfile(folder / DATABASE_FILE) else None  # noqa: PTH113 - a long name


def _games_of_file(
    source: str, complain: ComplainFunction, refuse: RefuseFunction | None
) -> Iterator[StoredGame]:
    """Generate the games of a file, as ``read_results``."""
    path, number = _path_of_games(source), 0
    with opened_file(path, is_named=path == source) as stream:
        for game in _games_of_lines(path, numbered_lines(stream, partial(complain, path))):
            if isinstance(game, UnreadableLine):
                complain(path, game)
                continue
            number += 1
            try:
                yield _rated_game(game) if refuse else game
            except (ValueError, ArenaError) as error:
                if refuse:
                    refuse(path, number, str(error))


def _rated_game(game: StoredGame) -> StoredGame:
    """Return a game as it counts in ratings: moves that end it leave no forfeit.

    Raises ``ValueError`` or ``ArenaError`` for a game that cannot count. The moves are not checked
    if the file does not list them or if its variant is not one of ours.
    """
    if game.first == game.second:
        raise ValueError(f"{shortened(game.first)} plays against itself")
    with suppress(VariantError):
        Variant.parse(game.variant)
        if game.moves is not None and checked_game(game, game.moves).position.is_over:
            return replace(game, fault=None) if game.fault else game
    return game


def _with_names(game: StoredGame, names: Mapping[str, str]) -> StoredGame:
    """Return a game with other names of its bots."""
    first, second = names[game.first], names[game.second]
    if (game.first, game.second) == (first, second):
        return game
    fault = game.fault and replace(game.fault, bot=names[game.fault.bot])
    return replace(game, first=first, second=second, fault=fault)


def _games_of_folder(
    folder: Path,
    contests: Sequence[StoredContest],
    complain: ComplainFunction,
    leave_out: LeaveOutFunction,
    tell_version: VersionFunction,
) -> Iterator[StoredGame]:
    """Generate the games that count in some contests of a folder.

    If a later contest has a bot with the same name and other files, its games in the contest do not
    count either.
    """
    for contest, shown in zip(contests, _current_names(contests), strict=True):
        for bot, version in contest.last_run.report.versions.items() if contest.last_run else ():
            if name := shown.get(bot):
                tell_version(name, version)
        for row in contest.damaged:
            complain(str(folder / DATABASE_FILE), UnreadableLine(row, "not the record of a game"))
        for game in contest.games:
            first, second = shown[game.first], shown[game.second]
            if first is None or second is None:
                leave_out(_as_stored_game(game))
            else:
                yield _as_stored_game(with_names(game, first, second))
        for game in contest.apart:
            leave_out(_as_stored_game(game))


def _current_names(contests: Sequence[StoredContest]) -> list[dict[str, str | None]]:
    """Return the names of each contest's bots in ratings, by their names in its reports.

    The name is ``None`` if a contest that was continued later has another version of the bot.
    """
    versions: dict[str, str] = {}
    names: dict[int, dict[str, str | None]] = {}
    for contest in sorted(contests, key=recency, reverse=True):
        current = names[contest.number] = {}
        for bot in contest.bots:
            version = versions.get(bot.own_name)
            own_name = bot.own_name if version == bot.fingerprint else None
            current[bot.name] = bot.name if version is None else own_name
        for bot in contest.bots:
            if not bot.withdrawn:
                versions.setdefault(bot.own_name, bot.fingerprint)
    return [names[contest.number] for contest in contests]


def _as_stored_game(game: GameEnded) -> StoredGame:
    """Return a game of a folder in the form of a game of a file."""
    winner, variant = cast(Literal[0, 1, 2], game.winner), str(game.rules)
    fault = Forfeit(game.fault.bot, game.fault.fault) if game.fault else None
    return StoredGame(*game.bots, winner, game.moves, game.ending, fault, game.opening, variant)


def _path_of_games(source: str) -> str:
    """Return the path of the games in a folder of ``--out``. Return any other source unchanged."""
    return str(Path(source) / "games.jsonl") if os.path.isdir(source) else source  # noqa: PTH112


def _check_differ(paths: Sequence[str]) -> None:
    """Raise ``UsageError`` for a file that is named twice, because its games would count twice."""
    places: dict[str, str] = {}
    for path in paths:
        where = path if path == STANDARD_INPUT else os.path.realpath(path)
        if where in places:
            raise UsageError(f"{places[where]} and {path} are the same file: name it once")
        places[where] = path


@contextmanager
def opened_file(path: str, *, is_named: bool) -> Iterator[IO[bytes]]:
    """Open a file. Raise ``UsageError`` if it cannot be opened or read.

    ``is_named`` is true if the user has named the file, and not its folder.
    """
    file = Path(path)
    try:
        if path == STANDARD_INPUT:
            check_input_is_open()
            yield sys.stdin.buffer
        elif is_named:  # only a file that the user names may be a link or a pipe
            with open_file(file, may_be_stream=True) as stream:
                yield stream
        else:
            check_readable(file)
            with os.fdopen(open_regular(file, os.O_RDONLY), "rb") as stream:
                yield stream
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None


def _games_of_lines(
    path: str, lines: Iterator[tuple[int, bytes]]
) -> Iterator[StoredGame | UnreadableLine]:
    """Generate the games of a file in the format of its first lines; an empty file has none."""
    lines = dropwhile(lambda numbered: not numbered[1].strip(), lines)
    start, length = list[tuple[int, bytes]](), 0
    while length < START_BYTES and (numbered := next(lines, None)):
        start.append(numbered)
        length += len(numbered[1])
    if not start:
        return
    read = reader_for(b"\n".join(line for _, line in start))
    if read is None:
        number, line = start[0]
        raise UsageError(
            f"{path}, line {number}: no known format begins like this{_encoding_hint(line)}; "
            f"known formats are {', '.join(names())} (c4-referee rate --help)"
        )
    yield from read(chain(start, lines))


def _encoding_hint(line: bytes) -> str:
    """Return an explanation if a line is not UTF-8, otherwise an empty text."""
    try:
        line.decode()
    except UnicodeDecodeError:
        return ", and it is not UTF-8 text"
    return ""


def numbered_lines(
    stream: IO[bytes], complain: Callable[[UnreadableLine], None]
) -> Iterator[tuple[int, bytes]]:
    """Generate the lines of a stream with their numbers, from 1.

    ``complain`` is called with each line that is too long.
    """
    number = 0
    while line := stream.readline(MAX_LINE_BYTES):
        number += 1
        if line.endswith(b"\n") or len(line) < MAX_LINE_BYTES:
            yield number, line.removeprefix(BYTE_ORDER_MARK).rstrip(b"\r\n")
        else:
            complain(UnreadableLine(number, f"the line is longer than {MAX_LINE_BYTES} bytes"))
            while line and not line.endswith(b"\n"):
                line = stream.readline(MAX_LINE_BYTES)
