"""Openings: first moves of games, so that games between the same two bots differ.

An opening is a move string of ``rules/notation.py``. After an opening the game is not over, and
the player to move cannot win with the next move. A source never gives the same opening twice.
Mirror images count as the same opening.
"""

import random
from collections.abc import Callable, Iterator
from itertools import islice

from c4_protocol.program.errors import ArenaError, JudgeError, OutOfOpenings, UsageError
from c4_protocol.rules.notation import moves_text, position_from_moves
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

from c4_referee.system.safe_files import MAX_WRITTEN_BYTES, read_file

MAX_TRIES = 1000
"""Maximum number of random games in a row that give no new opening. After this many, the source of
random openings ends."""
MAX_LISTED = 200_000
"""Maximum number of move sequences that are all tried as balanced openings. If there are more, the
openings that are tried are chosen at random. On 7x6, all sequences of up to six plies are tried.
Listing them takes half a second."""

JudgeValue = Callable[[Position], int | None]
"""Function that returns the exact value of a position for the player to move, or ``None`` if it is
not proven in time (``judging.judge.Judge.value``)."""
MirrorKey = frozenset[tuple[int, int, int]]
"""Stones of both players and the player to move, of a position and of its mirror image."""


class Openings:
    """Openings of a source, generated when they are needed.

    - ``none``: no moves.
    - ``random:N``: N random moves.
    - ``balanced:N``: N moves after which the game is a draw with best play, as the ``judge`` says.
      If there are at most ``MAX_LISTED`` sequences of N moves, all of them are tried, otherwise
      random ones.
    - Any other text is the name of a file with one move string on each line. The openings are used
      in the order of the file.

    The same source, ``variant`` and ``seed`` always give the same openings in the same order.
    Raises ``UsageError`` if ``spec`` is not a source or the file cannot be read.
    """

    def __init__(
        self, spec: str, variant: Variant, seed: int = 0, judge: JudgeValue | None = None
    ) -> None:
        self._spec = spec
        self._openings_of_source = (
            None if spec == "none" else _openings_of_source(spec, variant, seed, judge)
        )
        self._found: list[str] = []

    def start(self, n: int) -> tuple[str, int]:
        """Return the opening of the n-th pair of games of the same two bots, and its repetition.

        The repetition is the number of earlier pairs with the same opening. ``n`` counts from 0.
        Raises ``OutOfOpenings`` if the source has no more openings, and ``JudgeError`` if the judge
        fails.
        """
        if self._openings_of_source is None:
            return "", n
        self._generate_openings(n + 1)
        return self._found[n], 0

    def first(self, count: int) -> list[str]:
        """Return the first ``count`` openings. Raises the same errors as ``start``."""
        if self._openings_of_source is None:
            return [""] * count
        self._generate_openings(count)
        return self._found[:count]

    def _generate_openings(self, count: int) -> None:
        """Generate openings until ``count`` are found, or raise ``OutOfOpenings``."""
        assert self._openings_of_source is not None
        self._found.extend(islice(self._openings_of_source, max(0, count - len(self._found))))
        if (number_found := len(self._found)) < count:
            raise OutOfOpenings(
                f"openings '{self._spec}': there are {number_found} different ones, which make "
                f"{2 * number_found} games, not {2 * count}"
            )


def find_openings(
    spec: str, variant: Variant, count: int, seed: int = 0, judge: JudgeValue | None = None
) -> list[str]:
    """Return the first ``count`` openings of a source. Raises the same errors as ``Openings``."""
    return Openings(spec, variant, seed, judge).first(count)


def _openings_of_source(
    spec: str, variant: Variant, seed: int, judge: JudgeValue | None
) -> Iterator[str]:
    kind, colon, plies = spec.partition(":")
    if not colon or kind not in {"random", "balanced"}:
        return iter([*_read_openings(spec, variant)])
    if not plies.isascii() or not plies.isdigit() or not 0 < int(plies) < variant.cells:
        raise UsageError(f"openings '{spec}': say {kind}:N, N plies from 1 to {variant.cells - 1}")
    if kind == "random":
        return _random_openings(variant, int(plies), seed)
    if judge is None:
        raise UsageError(
            f"openings '{spec}': no judge knows which are balanced on {variant}: "
            "name a judge that does, or play random ones"
        )
    return _balanced_openings(variant, int(plies), seed, judge)


def _random_openings(variant: Variant, plies: int, seed: int) -> Iterator[str]:
    """Generate random openings until ``MAX_TRIES`` random games in a row give no new opening."""
    draw = random.Random(seed)
    used_keys: set[MirrorKey] = set()
    tries = 0
    while tries < MAX_TRIES:
        position, cells = Position(variant), list[int]()
        while len(cells) < plies and not position.is_over:
            cells.append(draw.choice(position.moves))
            position = position.play(cells[-1])
        tries += 1
        is_playable = not (position.is_over or position.winning_cells)
        if is_playable and (mirrored := _mirror_key(position)) not in used_keys:
            used_keys.add(mirrored)
            tries = 0
            yield moves_text(variant, cells)


def _balanced_openings(variant: Variant, plies: int, seed: int, judge: JudgeValue) -> Iterator[str]:
    """Generate openings after which the game is a draw with best play.

    Raises ``JudgeError`` if the judge fails, or does not know the value of an opening in time.
    """
    if len(variant.choices) ** plies > MAX_LISTED:
        openings = _random_openings(variant, plies, seed)
    else:
        listed = _all_openings(variant, plies)
        random.Random(seed).shuffle(listed)
        openings = iter(listed)
    for moves in openings:
        value = judge(position_from_moves(moves, variant))
        if value is None:
            raise JudgeError(f"the judge cannot tell in time whether the opening {moves} is a draw")
        if value == 0:
            yield moves


def _all_openings(variant: Variant, plies: int) -> list[str]:
    """Return a move sequence to each position after ``plies`` moves that no player has won.

    For a position and its mirror image, only one move sequence is returned.
    """
    ways: dict[MirrorKey, tuple[Position, tuple[int, ...]]]
    ways = {frozenset(): (Position(variant), ())}
    for _ in range(plies):
        following = [
            (position.play(cell), (*cells, cell))
            for position, cells in ways.values()
            for cell in position.moves
        ]
        ways = {_mirror_key(way[0]): way for way in following if not way[0].is_won}
    return [moves_text(variant, cells) for _, cells in ways.values()]


def _mirror_key(position: Position) -> MirrorKey:
    """Return a key that a position shares with its mirror image.

    After the steal, the same stones can be on the board with the other player to move.
    """
    mirrored, player = position.mirrored().stones, position.player
    return frozenset(((*position.stones, player), (*mirrored, player)))


def _read_openings(path: str, variant: Variant) -> Iterator[str]:
    """Generate the openings of a file. Raise ``UsageError`` if no game can begin with one."""
    try:
        content = read_file(path, MAX_WRITTEN_BYTES, may_be_stream=True)
        lines = content.decode("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        kind = " of UTF-8 text" if isinstance(error, UnicodeDecodeError) else ""
        raise UsageError(
            f"openings '{path}': neither random:N nor balanced:N, and no file{kind}: {error}"
        ) from None
    known: dict[MirrorKey, int] = {}
    for number, line in enumerate(lines, 1):
        moves = line.partition("#")[0].strip()
        if moves:
            where = f"{path}, line {number}"
            try:
                position = position_from_moves(moves, variant)
            except ArenaError as error:
                raise UsageError(f"{where}: {error}") from None
            if position.is_over or position.winning_cells:
                raise UsageError(f"{where}: after {moves} the game is over, or the next move wins")
            before = known.setdefault(_mirror_key(position), number)
            if before != number:
                raise UsageError(f"{where}: the same opening as in line {before}")
            yield moves
