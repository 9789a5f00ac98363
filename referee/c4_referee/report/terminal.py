"""The report of a match on a terminal."""

from collections.abc import Sequence

from c4_protocol.records.events import GameEnded
from c4_protocol.records.reports import MatchReport, SprtRecord, Tally
from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.variant import Variant
from rich.console import Console
from rich.table import Table
from rich.text import Text

from c4_referee.report.accuracy import print_accuracy
from c4_referee.report.board import SIGNS, STYLES, board_text, board_width, least_room
from c4_referee.report.columns import NumberColumn, bots_table, fitting_columns
from c4_referee.report.faults import print_faults
from c4_referee.report.incidents import print_incidents
from c4_referee.report.texts import elo_interval, results_text
from c4_referee.report.versions import print_versions
from c4_referee.stats.observations import pairs, winner_of

MANY_REPEATED = 4
"""Maximum ratio of games to distinct games. If the ratio is larger, ``REPEATED`` is printed."""
REPEATED = "The bots repeat themselves: --openings random:4 gives them other games to play"


def print_match(
    console: Console, report: MatchReport, games: Sequence[GameEnded], variant: Variant
) -> None:
    """Print the last game's final position, the accuracy, forfeits, results and versions."""
    if games and games[-1].moves:
        console.print(_last_game_text(games[-1], variant, console.width))
    if report.accuracy_report is not None:
        print_accuracy(console, report.accuracy_report)
        console.print()
    print_faults(console, games)
    print_incidents(console, report.incidents)
    console.print(_results_table(report, console.width), "")
    console.print(_summary_text(report, sum(1 for _ in pairs(games))))
    print_versions(console, report.versions, report.accuracy_report)


def _results_table(report: MatchReport, width: int) -> Table:
    """Return a table with one row for each bot."""
    own = Tally(report.games, report.wins, report.draws, report.losses)
    parts = (own, report.first_bot_as_first, report.first_bot_as_second)
    other, as_second, as_first = (
        Tally(part.games, part.losses, part.draws, part.wins) for part in parts
    )
    rows = (_bot_cells(report, 0, *parts), _bot_cells(report, 1, other, as_first, as_second))
    titles = ("won", "drawn", "lost", "forfeits", "as first", "as second")
    columns = [NumberColumn(title, cells) for title, *cells in zip(titles, *rows, strict=True)]
    return bots_table(report.bots, fitting_columns(report.bots, columns, width), width)


def _bot_cells(
    report: MatchReport, seat: int, own: Tally, as_first: Tally, as_second: Tally
) -> list[str]:
    forfeits = sum(report.forfeits.get(report.bots[seat], {}).values())
    numbers = (own.wins, own.draws, own.losses, forfeits)
    results = (results_text(part.wins, part.draws, part.losses) for part in (as_first, as_second))
    return [*map(str, numbers), *results]


UNCLEAR = "\nThese games do not show which bot is better: the interval contains 0"


def _summary_text(report: MatchReport, pairs: int) -> Text:
    text = (
        f"{report.games} game{'' if report.games == 1 else 's'}, {report.distinct_games} distinct, "
        f"in {report.seconds:.1f} s\n{_strength_text(report, pairs)}"
    )
    if report.sprt is not None:
        text += f"\n{_test_text(report.sprt)}"
    if report.apart:
        text += f"\n{sum(report.apart.values()) // 2} stored games do not count: fewer were wanted"
    if report.distinct_games * MANY_REPEATED < report.games:
        text += f"\n{REPEATED}"
    return Text(text if report.complete else f"INCOMPLETE. {text}")


def _strength_text(report: MatchReport, pairs: int) -> str:
    if not pairs:
        return "No pair of games in which each bot goes first once: the Elo difference is unknown"
    return (
        f"From {pairs} pair{'' if pairs == 1 else 's'} of games: Elo difference {report.elo:+.0f} "
        f"(95%: {elo_interval(report.elo_low, report.elo_high, '{:+.0f}'.format)}), "
        f"likelihood of superiority {report.los:.1%}"
        + (UNCLEAR if report.elo_low < 0 < report.elo_high else "")
    )


def _test_text(sprt: SprtRecord) -> str:
    verdicts = {
        "H0": "H0 accepted, the first bot is not that much stronger",
        "H1": "H1 accepted, the first bot is that much stronger",
        "undecided": "undecided",
    }
    return (
        f"Sequential test: {verdicts[sprt.verdict]} "
        f"(LLR {sprt.llr:+.2f}, bounds {sprt.lower:+.2f} and {sprt.upper:+.2f})"
    )


def _last_game_text(game: GameEnded, variant: Variant, width: int) -> Text:
    """Return the bots of a game, its moves, its last position and its result, as text."""
    text = Text("The last game: ")
    text.append(game.first, style=STYLES[0]).append(f" ({SIGNS[0]}) against ")
    text.append(game.second, style=STYLES[1]).append(f" ({SIGNS[1]})\n")
    text.append(f"{_moves_text(game, variant)}\n")
    room = least_room(variant)
    if board_width(variant, room) <= width:  # otherwise the terminal would break its rows
        position = position_from_moves(game.moves, variant)
        text.append_text(Text("\n").join([*board_text(position, room), Text()]))
    winner = winner_of(game)
    text.append(f"{winner} wins" if winner else "a draw").append(f" ({game.ending})\n")
    return text


def _moves_text(game: GameEnded, variant: Variant) -> str:
    """Return the opening and the other moves of a game as text, with the notation explained."""
    own = game.moves[len(game.opening) :].strip() or "none"
    how = "columns from 1" if variant.gravity else "rows are letters, columns from 1"
    if not game.opening:
        return f"Moves ({how}): {own}"
    return f"Opening ({how}): {game.opening}\nMoves after it: {own}"
