"""The lists of the games of a contest and of matches."""

import pytest
from c4_protocol.records.events import FaultRecord
from c4_protocol.rules.variant import STANDARD
from c4_referee.report.game_list import game_list, match_list
from c4_referee.storage.archive import Progress
from c4_referee.storage.contests import StoredBot, StoredContest
from games import game_of
from rich.cells import cell_len

FAULT = FaultRecord("b", "late", "forfeit", 3, 1.0, 1.0, "no line")


def lines(width: int | None, first: str = "n" * 30 + "1") -> list[str]:
    """Return the list of a void game and of a game that a fault decided."""
    games = [
        game_of("4455", winner=0, ending="void"),
        game_of("121214", first=first, winner=1, fault=FAULT, game=12),
    ]
    return [" " * each.indent + each.text.plain for each in game_list(games, {}, width)]


def test_each_game_has_a_line() -> None:
    """A line has the number, the players, the result, the length, and the move of the fault."""
    shown = lines(None)
    assert [line.split()[:5] for line in shown] == [
        ["game", "first", "second", "result", "moves"],
        ["1", "a", "b", "void", "4"],
        ["12", "n" * 30 + "1", "b", "1-0", "6"],
    ]
    assert shown[2].endswith(" 4: late")


@pytest.mark.parametrize("first", ["n" * 30 + "1", "\N{CJK UNIFIED IDEOGRAPH-56DB}" * 15 + "1"])
def test_names_are_cut_in_the_middle_on_a_terminal(first: str) -> None:
    """The columns stay below their headings, and the ends of names tell them apart."""
    shown = lines(62, first)
    assert max(map(cell_len, shown)) <= 62
    assert "\N{HORIZONTAL ELLIPSIS}" in shown[2]
    starts = [
        cell_len(line[: line.index(text)])
        for line, text in zip(shown, ("result", "void", "1-0"), strict=True)
    ]
    assert len({*starts}) == 1
    assert "1  b" in shown[2]


def test_narrow_terminal_gets_a_stacked_form() -> None:
    """If not even short names fit, each game has lines of its own with whole names."""
    assert lines(40) == [
        "game 1",
        "  first a, second b, result void, moves 4",
        "game 12",
        f"  first {'n' * 30}1, second b, result 1-0, moves 6, decided at move 4: late",
    ]


def test_matches_have_their_score_and_the_number_of_games() -> None:
    """A match has its name, its bots and their points, and says how many games are missing."""
    bots = (StoredBot("a", (), ""), StoredBot("b", (), ""))
    games = (game_of("1212121", winner=1), game_of("1212121", winner=0))
    match = StoredContest(1, STANDARD, {}, "", bots, games, progress=Progress(30, False))
    shown = [each.text.plain.split("  ") for each in match_list([("x", match)], None)]
    assert [text.strip() for text in shown[1] if text] == ["x", "a", "b", "1½ : ½", "2 of 30"]
