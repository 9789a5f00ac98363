"""The rules: each starts the bot as a driver does, asks, and judges. To add one, write it here.

A rule is a function with ``@rule``. It is given a ``Trial``, returns what is worth showing if the
bot kept it ("" for nothing), and raises ``Broken`` if not. Rules run from top to bottom. Within one
run a bot is asked about the moves of one player, as drivers do: its command line may name that.
"""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from types import UnionType
from typing import Any

import orjson
from c4_protocol.dialects.jsonl import RefereeEnd
from c4_protocol.notation import wire_move
from c4_protocol.position import Position
from c4_protocol.variant import Variant, cells_of

from c4_referee.check import boards
from c4_referee.check.broken import FORMAT, SLOW, BadLine, Broken, Crashed, Hung
from c4_referee.check.driver import QUICK_MS, Driver, Trial
from c4_referee.check.evidence import quoted
from c4_referee.clock import GRACE_MS
from c4_referee.process import children_of

PAUSE_SECONDS = 0.3
"""Of a driver that is slow to read, or to write; and how long to wait for an extra line."""
ENDING_SECONDS = 2.0
"""How long a bot may take to end once it should."""
GAME_MOVES = 21
"""Questions in a game: the moves of one side on 7x6."""

ARGUMENTS = "accept the arguments that drivers append to your command, and ignore unknown ones"
JSON = "read each line with a JSON library (Python: json.loads), and take keys by their names"
ONLY_GRID = (
    'only "grid" is always there: take the size from it; if "player" is missing, take it from '
    "--player on the command line, else you are the player with fewer stones (1 if equal)"
)
ALONE = "choose from the line alone: remember nothing, and look only for free columns in its grid"
PLAYER = 'take your number from "player": either player may open, so counting stones misleads'
ENDING = "end when the input ends: stop at the end of file, and wait for no thread or child"
QUIET = "write to standard error only behind a flag: nobody reads it, and a full pipe blocks you"

BELIEVES = (
    'start it anew for each game with its player: arguments = "course", never restart = "never"; '
    'or take the player from "player" in each line'
)

Judge = Callable[[Trial], str]


@dataclass(frozen=True)
class Rule:
    """A rule: its name, what to do if it is broken, and the function that tries it.

    ``explains`` are the kinds of faults for which ``fix`` is the advice; others have their own.
    ``advice`` that is not kept does not fail the check. A rule that ``is_about_arguments`` is not
    tried on a bot that needs certain ones.
    """

    name: str
    fix: str
    judge: Judge
    explains: type[Broken] | UnionType = Broken
    advice: bool = False
    is_about_arguments: bool = False


RULES: list[Rule] = []


class _NoFault(Broken):
    """The fault that rules explain whose subject is not what the bot answers."""


def rule(
    name: str,
    fix: str,
    *,
    explains: type[Broken] | UnionType = Broken,
    advice: bool = False,
    is_about_arguments: bool = False,
) -> Callable[[Judge], Judge]:
    """Register a function as a rule."""

    def register(judge: Judge) -> Judge:
        RULES.append(Rule(name, fix, judge, explains, advice, is_about_arguments))
        return judge

    return register


@rule("answers with a legal move", FORMAT, explains=_NoFault)
def plain(trial: Trial) -> str:
    """The line of the course's driver, without a time."""
    with trial.start() as bot:
        bot.ask(boards.middle(trial.variant), told_ms=None)
        return quoted(bot.heard.strip())


@rule("answers each line while its input stays open", SLOW, explains=_NoFault)
def flushes(trial: Trial) -> str:
    """A driver waits for the answer before it writes the next line."""
    with trial.start() as bot:
        for position in boards.game(trial.variant)[:6:2]:
            bot.ask(position)
    return ""


@rule("writes one line an answer and nothing else", FORMAT, explains=_NoFault)
def nothing_else(trial: Trial) -> str:
    """No banner, blank line, byte order mark or second line: drivers read exactly one."""
    with trial.start() as bot:
        for count, position in enumerate(boards.game(trial.variant)[:4:2], 1):
            bot.ask(position)
            bot.listen(PAUSE_SECONDS)
            if not _are_answers(bot.heard, count):
                raise Broken(f"for {count} line(s) it wrote {quoted(bot.heard)}", FORMAT)
    return ""


def _are_answers(heard: bytes, count: int) -> bool:
    """Whether bytes are so many whole lines with an object each."""
    lines = heard.split(b"\n")
    objects = all(line.startswith(b"{") and line.rstrip().endswith(b"}") for line in lines[:-1])
    return len(lines) == count + 1 and lines[-1] == b"" and objects


def _about_arguments(name: str) -> Callable[[Judge], Judge]:
    return rule(name, ARGUMENTS, is_about_arguments=True)


def _with_arguments(trial: Trial, *arguments: str) -> str:
    with trial.start(*arguments) as bot:
        bot.ask(boards.middle(trial.variant))
    return ""


@_about_arguments("starts with --player 1 --width W --height H")
def flags(trial: Trial) -> str:
    """What the course's own driver appends."""
    size = ("--width", str(trial.variant.width), "--height", str(trial.variant.height))
    return _with_arguments(trial, "--player", "1", *size)


@_about_arguments("starts with the same flags in another order")
def flags_turned(trial: Trial) -> str:
    """Another driver's order."""
    size = ("--height", str(trial.variant.height), "--width", str(trial.variant.width))
    return _with_arguments(trial, *size, "--player", "1")


@_about_arguments("starts with one bare argument")
def bare_argument(trial: Trial) -> str:
    """A driver that says only who the bot is."""
    return _with_arguments(trial, "1")


@_about_arguments("starts with one empty argument")
def empty_argument(trial: Trial) -> str:
    """A driver whose own setting is empty."""
    return _with_arguments(trial, "")


@_about_arguments("starts with six positional arguments, as 1 1 7 7 6 6")
def six_arguments(trial: Trial) -> str:
    """A driver that says everything twice."""
    width, height = str(trial.variant.width), str(trial.variant.height)
    return _with_arguments(trial, "1", "1", width, width, height, height)


def _precept(position: Position) -> dict[str, Any]:
    """A question as keys and values."""
    keys: dict[str, Any] = orjson.loads(RefereeEnd().write_precept(position, QUICK_MS))
    return keys


@rule("reads the keys in any order", JSON)
def keys_turned(trial: Trial) -> str:
    """JSON objects have no order."""
    position = boards.middle(trial.variant)
    turned = dict(reversed(_precept(position).items()))
    with trial.start() as bot:
        bot.ask_line(position, orjson.dumps(turned, option=orjson.OPT_APPEND_NEWLINE))
    return ""


@rule("reads JSON with spaces in it", JSON)
def spaces(trial: Trial) -> str:
    """Python's json.dumps writes a space after each colon and comma."""
    position = boards.middle(trial.variant)
    line = orjson.dumps(_precept(position)).replace(b":", b" : ").replace(b",", b", ")
    with trial.start() as bot:
        bot.ask_line(position, b" " + line + b" \n")
    return ""


@rule("reads lines that hold only the grid", ONLY_GRID)
def grid_only(trial: Trial) -> str:
    """Some drivers send nothing else; the rules of unusual games stay."""
    position = boards.middle(trial.variant)
    keys = _precept(position)
    for missing in ("player", "width", "height", "time_ms"):
        del keys[missing]
    with trial.start() as bot:
        bot.ask_line(position, orjson.dumps(keys, option=orjson.OPT_APPEND_NEWLINE))
    return ""


@rule("reads lines that end in CR LF", "strip white space from both ends of each line")
def crlf(trial: Trial) -> str:
    """Drivers written on Windows end lines so."""
    with trial.start() as bot:
        for position in boards.game(trial.variant)[:4:2]:
            line = RefereeEnd().write_precept(position, QUICK_MS)
            bot.ask_line(position, line.replace(b"\n", b"\r\n"))
    return ""


@rule("reads a line that comes in two halves", "read to the end of the line before you parse it")
def two_halves(trial: Trial) -> str:
    """A pipe hands over what is there, not what was meant."""
    position = boards.middle(trial.variant)
    line = RefereeEnd().write_precept(position, QUICK_MS)
    with trial.start() as bot:
        bot.say(line[: len(line) // 2])
        time.sleep(PAUSE_SECONDS)
        bot.ask_line(position, line[len(line) // 2 :])
    return ""


@rule(
    "waits for a driver that is slow to read",
    "after an answer wait for the next line, only",
    explains=BadLine | Hung,
)
def slow_reader(trial: Trial) -> str:
    """The answer lies in the pipe for a while."""
    with trial.start() as bot:
        for position in boards.game(trial.variant)[:4:2]:
            bot.say(RefereeEnd().write_precept(position, QUICK_MS))
            time.sleep(PAUSE_SECONDS)
            bot.hear(position)
    return ""


@rule("plays as player 2", PLAYER)
def second_player(trial: Trial) -> str:
    """Player 1 has opened and has one stone more."""
    with trial.start(player=2) as bot:
        for position in boards.game(trial.variant)[1:6:2]:
            bot.ask(position)
    return ""


@rule("opens the game as player 2", PLAYER)
def second_player_opens(trial: Trial) -> str:
    """The course's driver lets either player open."""
    with trial.start(player=2) as bot:
        for position in boards.game(trial.variant, opener=2)[:5:2]:
            bot.ask(position)
    return ""


@rule("plays as player 1 with a stone less than player 2", PLAYER)
def one_stone_less(trial: Trial) -> str:
    """Player 2 has opened."""
    with trial.start() as bot:
        for position in boards.game(trial.variant, opener=2)[1:6:2]:
            bot.ask(position)
    return ""


@rule(
    "plays on a board of another size", "take the size from the grid: the board is not always 7x6"
)
def other_size(trial: Trial) -> str:
    """8 wide and 7 high, or 7 by 6 where that is the game anyhow; at the edge too."""
    width, height = (7, 6) if (trial.variant.width, trial.variant.height) == (8, 7) else (8, 7)
    variant = replace(trial.variant, width=width, height=height)
    with trial.start(variant=variant) as bot:
        for position in (boards.middle(variant), _last(boards.game(variant))):
            bot.ask(position)
    return ""


@rule("finds a free column when the centre is full at its first line", ALONE)
def centre_full(trial: Trial) -> str:
    """No bot may count on being asked about an empty board first."""
    position = boards.centre_full(trial.variant)
    with trial.start(player=position.player) as bot:
        bot.ask(position)
    return ""


@rule("finds the last free column, at the edges too", ALONE)
def last_column(trial: Trial) -> str:
    """The board is full but for one cell, or but for the column at either edge."""
    positions = [boards.game(trial.variant, seed)[-1] for seed in range(3)]
    positions += [*boards.edges(trial.variant)]
    for player in sorted({position.player for position in positions}):
        with trial.start(player=player) as bot:
            for position in positions:
                if position.player == player:
                    bot.ask(position)
    return ""


def _last(positions: Sequence[Position], player: int = 1) -> Position:
    """Return the last position in which a player is to move."""
    return next(position for position in reversed(positions) if position.player == player)


@rule("plays ten positions of different games in one run", ALONE)
def ten_games(trial: Trial) -> str:
    """Some drivers keep a bot for the next game."""
    with trial.start() as bot:
        for seed in range(10):
            opener = 1 + seed % 2
            positions = boards.game(trial.variant, seed, opener)[opener - 1 :: 2]
            if positions:  # a board of one cell has no second move
                bot.ask(positions[seed * 37 % len(positions)])
    return ""


@rule("plays a game while nobody reads its standard error", QUIET, explains=_NoFault)
def unread_stderr(trial: Trial) -> str:
    """A pipe holds 64 KB; the course's driver never empties this one."""
    with trial.start(deaf=True) as bot:
        moves = 0
        for position in boards.game(trial.variant)[::2][:GAME_MOVES]:
            _ask_unheard(bot, position, moves)
            moves += 1
        return f"{bot.unread // moves} bytes a move"


def _ask_unheard(bot: Driver, position: Position, moves: int) -> None:
    try:
        bot.ask(position)
    except Hung as hung:
        if (unread := bot.unread) == 0:
            raise
        seen = f"after {moves} moves and {unread} bytes that nobody read, {hung.seen}"
        raise Hung(seen, QUIET) from None


@rule("ends when its input is closed at once", ENDING, explains=_NoFault)
def closed_at_once(trial: Trial) -> str:
    """A game that never begins; the time it takes to start is not held against it."""
    before = children_of(os.getpid())
    with trial.start() as bot:
        bot.close_input()
        return _ending(bot, before, ENDING_SECONDS + trial.startup_ms / 1000)


@rule("ends when its input is closed after a game", ENDING, explains=_NoFault)
def closed_after_game(trial: Trial) -> str:
    """The course's drivers say nothing else at the end of a game."""
    before = children_of(os.getpid())
    with trial.start() as bot:
        bot.ask(boards.middle(trial.variant))
        bot.close_input()
        return _ending(bot, before, ENDING_SECONDS)


def _ending(bot: Driver, before: set[int], seconds: float) -> str:
    """That the bot ended and left no process; ``before`` are our children without it."""
    code = bot.wait_for_exit(seconds)
    if code is None:
        raise Hung(f"it still runs {seconds:.1f} s after the end of its input", ENDING)
    until = time.monotonic() + PAUSE_SECONDS
    while (left := _running(children_of(os.getpid()) - before)) and time.monotonic() < until:
        time.sleep(0.01)
    if left:
        raise Broken(f"it ended, but {left} process(es) that it had started did not", ENDING)
    return f"exit code {code}" if code else ""


def _running(adopted: set[int]) -> int:
    """How many of these children live; those that have ended are reaped."""
    return sum(os.waitpid(pid, os.WNOHANG)[0] == 0 for pid in adopted)


@rule(
    "answers in time: early, midway and late in a game",
    "look at the clock while you think",
    explains=_NoFault,
)
def in_time(trial: Trial) -> str:
    """Measured from the second line of a run on, so that start-up does not count."""
    positions = boards.game(trial.variant)[::2]
    last = len(positions) - 1
    with trial.start() as bot:
        bot.ask(positions[0])
        times = [_ms(trial, bot, positions[last * part // 8]) for part in (1, 4, 7)]
    return ", ".join(f"{ms:.0f}" for ms in times) + f" of {trial.time_ms:g} ms"


def _ms(trial: Trial, bot: Driver, position: Position) -> float:
    """The milliseconds of an answer, none too many."""
    began = time.monotonic()
    bot.ask(position, trial.time_ms)
    ms = (time.monotonic() - began) * 1000
    if ms > trial.time_ms + GRACE_MS:
        seen = f"{ms:.0f} ms for an answer with {position.ply} stones down, of {trial.time_ms:g} ms"
        raise Broken(seen)
    return ms


@rule(
    "takes its player from the line, not from its command line",
    BELIEVES,
    explains=_NoFault,
    advice=True,
)
def believes_the_line(trial: Trial) -> str:
    """A bot kept for several games must not be one that plays the side of its first game.

    Its move is compared where each player has another winning move.
    """
    position = boards.won_by_either(trial.variant)
    if position is None:
        return "this game has no position that would show it"
    if trial.spec.placeholders and "player" not in trial.spec.placeholders:
        return "its command line names no player"
    player = 3 - position.player
    told = f"started as player {player}, it"
    for asked in (position, position.mirrored()):  # one move alone may be chance
        as_itself = _move_as(trial, asked, asked.player)
        try:
            as_other = _move_as(trial, asked, player)
        except Crashed as crashed:
            raise Broken(f"{told} does not play for player {3 - player}: {crashed.seen}") from None
        if (as_itself, as_other) != (boards.winning(asked), boards.threats(asked)):
            return ""
    raise Broken(f"{told} plays for player {player} although the line says player {3 - player}")


def _move_as(trial: Trial, position: Position, player: int) -> int:
    """Return the cell, as a bitboard, that the bot plays when its command line names a player."""
    arguments = () if trial.spec.placeholders else ("--player", str(player))
    with trial.start(*arguments, player=player) as bot:
        return 1 << bot.ask(position)


@rule(
    "takes a win",
    "if one of your moves wins, play it",
    explains=_NoFault,
    advice=True,
)
def takes_a_win(trial: Trial) -> str:
    """One move wins; a bot that passes it up is legal, and loses."""
    return _plays_one_of(trial, boards.winnable(trial.variant), boards.winning)


@rule(
    "stops a win of the other side",
    "if the other player could win with the next move, play there",
    explains=_NoFault,
    advice=True,
)
def stops_a_win(trial: Trial) -> str:
    """The other side would win by its next move, and one cell stops it."""
    return _plays_one_of(trial, boards.threatened(trial.variant), boards.threats)


def _plays_one_of(
    trial: Trial, position: Position | None, wanted: Callable[[Position], int]
) -> str:
    if position is None:
        return "this game has no such position"
    with trial.start(player=position.player) as bot:
        cell = bot.ask(position)
        if not wanted(position) >> cell & 1:
            moves = _moves(position.variant, wanted(position))
            raise Broken(f"it answered {quoted(bot.heard.strip())} instead of {moves}")
    return ""


def _moves(variant: Variant, cells: int) -> str:
    """Return the moves to these cells as a bot writes them."""
    moves = (orjson.dumps(wire_move(variant, cell)).decode() for cell in cells_of(cells))
    return " or ".join(moves)


@rule(
    "ends at a line :exit",
    "end at a line :exit, which some drivers send to stop a bot",
    explains=_NoFault,
    advice=True,
)
def exit_line(trial: Trial) -> str:
    """The input stays open."""
    with trial.start() as bot:
        bot.ask(boards.middle(trial.variant))
        bot.say(b":exit\n")
        if bot.wait_for_exit(ENDING_SECONDS) is None:
            raise Broken(f"it still runs {ENDING_SECONDS:g} s after the line :exit")
    return ""
