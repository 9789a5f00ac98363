"""Progress while games are played: totals and times only if they are known."""

import io
import time

import orjson
import pytest
from c4_protocol.records.events import ContestProgress, GameEnded
from c4_referee.contest.live.state import LiveState
from c4_referee.contest.play.tournament import Tournament
from c4_referee.contest.schedule import Plan, names, system
from c4_referee.records.rounds import Roster
from c4_referee.report.terminal import bar
from c4_referee.report.terminal.games_played import tell_earlier
from c4_referee.report.terminal.live_standings import LINE_SECONDS, LiveStandings
from c4_referee.report.terminal.progress import GameProgress
from kept import record
from rich.console import Console
from schedules import own_opening

PLAYERS = {"match": 2}


def tournament(name: str, players: int = 4, rounds: int | None = None) -> Tournament:
    """Return a tournament of a system without any game played."""
    return Tournament(system(name).schedule(Plan(Roster.of(players), own_opening, rounds)))


def play(played: Tournament, games: int) -> None:
    """Play some games, in which the bot that goes first wins."""
    for _ in range(games):
        pairing = played.issue()
        names = f"bot {pairing.first}", f"bot {pairing.second}"
        played.store_result(won(pairing.number, *names))


def progress_of(played: Tournament) -> bytes:
    """Return the event that tells the state of a tournament."""
    bound = played.bound_of_scheduled
    return orjson.dumps(
        ContestProgress(played.done, played.scheduled, bound, played.is_complete, [])
    )


def won(number: int, first: str, second: str) -> GameEnded:
    """Return the record of a game that the first bot won."""
    return record(number, winner=1, ending="line", first=first, second=second)


@pytest.mark.parametrize("name", names())
def test_total_is_known_or_a_least_number(name: str) -> None:
    """The total of a system never changes, unless it is shown as a lower bound."""
    played = tournament(name, PLAYERS.get(name, 4))
    totals = []
    while not played.is_complete:
        totals.append((played.scheduled, played.bound_of_scheduled))
        play(played, 1)
    if played.bound_of_scheduled or any(bound for _, bound in totals):
        assert {bound for _, bound in totals} == {"at least"}
        assert all(total <= played.scheduled for total, _ in totals)
    else:
        assert {total for total, _ in totals} == {played.scheduled}
    assert played.bound_of_scheduled == ""


def test_sequential_test_makes_the_total_a_limit() -> None:
    """A sequential test makes the total an upper bound."""
    plan = Plan(Roster.of(2), own_opening)
    played = Tournament(system("match").schedule(plan), decides=lambda game: False)
    assert played.bound_of_scheduled == "at most"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("ladder", ["1 of 12 games, ", " s left"]),
        ("swiss", ["1 of 8 games, ", " s left"]),
        ("knockout", ["1 of at least 6 games, "]),
    ],
)
def test_line_has_a_time_where_the_total_is_known(name, told, monkeypatch, capsys) -> None:
    """Without a terminal, a line shows the progress from time to time.

    The line has a remaining time if the total is known.
    """
    live = LiveStandings({})
    played = tournament(name)
    live(progress_of(played))
    play(played, 1)
    now = time.monotonic() + LINE_SECONDS
    monkeypatch.setattr(time, "monotonic", lambda: now)
    live(progress_of(played))
    line = capsys.readouterr().err
    assert all(words in line for words in told)
    assert ("left" in line) == (name != "knockout")


@pytest.mark.parametrize(("name", "left"), [("ladder", True), ("knockout", False)])
def test_bar_has_a_time_where_the_total_is_known(name, left, monkeypatch) -> None:
    """The bar on a terminal has a remaining time if the total is known."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    bar = GameProgress()
    played = tournament(name)
    bar(progress_of(played))
    play(played, 1)
    bar(progress_of(played))
    console = Console(width=100, file=io.StringIO())
    console.print(bar._bar._bar.get_renderable())
    shown = console.file.getvalue()
    assert ("-:--:--" in shown or "0:00:0" in shown) == left
    assert ("1 of 12" if left else "1 of at least 6") in shown


def test_resumed_contest_says_what_was_played(capsys) -> None:
    """A resumed contest says how many games were played before, as the progress counts them."""
    played = tournament("knockout")
    play(played, 2)
    state = LiveState()
    state.take(orjson.loads(progress_of(played)))
    tell_earlier(state)
    assert capsys.readouterr().err == "2 of at least 6 games were played before\n"


@pytest.mark.parametrize(("seconds", "lines"), [(0, 2), (10_000, 0)])
def test_steps_of_a_class_write_lines_without_a_terminal(capsys, monkeypatch, seconds, lines):
    """A line says how many are done, and then none does for some seconds."""
    monkeypatch.setattr(bar, "LINE_SECONDS", seconds)
    with bar.Bar("checking", total=150, threaded=False, lines=True) as shown:
        shown.add_one()
        shown.add_one()
    assert capsys.readouterr().err.splitlines() == [f"checking: {n} of 150" for n in (1, 2)][:lines]
