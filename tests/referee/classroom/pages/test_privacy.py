"""No text of a bot reaches others: pages with secrets in every field that holds such a text."""

from dataclasses import replace

import pytest
from c4_protocol.records.events import FaultRecord, GameEnded
from c4_protocol.records.reports import (
    ForfeitRecord,
    Incidents,
    MatchReport,
    Protection,
    Tally,
    TournamentReport,
)
from c4_referee.classroom.entries import Account
from c4_referee.classroom.pages.feedback import feedback_files
from c4_referee.classroom.pages.privacy import for_everybody, for_student
from c4_referee.contest.play.ledger import NOT_PLAYED_DETAIL
from c4_referee.records.storage.contests import RunSummary, StoredContest
from c4_referee.report.site.pages import site_pages
from c4_referee.report.site.results import ContestResults
from contests import random_contest, random_game

BOTS = ("amber", "blue", "copper")


def secret(bot: str, place: str) -> str:
    """Return a text that only the author of a bot may see."""
    return f"/home/teacher/SECRET-{bot}-{place}"


def with_secrets(game: GameEnded) -> GameEnded:
    """Return a game in which both bots have secrets in all fields with texts."""
    bots = (game.first, game.second)
    notes = [
        FaultRecord(bot, "changed its files", "note", 0, 1.0, 1.0, secret(bot, "note"),
                    secret(bot, "noted line"))
        for bot in bots
    ]  # fmt: skip
    fault = game.fault and replace(
        game.fault,
        detail=secret(game.fault.bot, "detail"),
        line=secret(game.fault.bot, "line"),
    )
    remarks = [secret(bots[ply % 2], "remark") for ply in range(len(game.ms))]
    stderr = {bot: secret(bot, "stderr") for bot in bots}
    return replace(game, notes=notes, fault=fault, remarks=remarks, stderr=stderr)


def run_with_secrets(contest: StoredContest) -> RunSummary:
    """Return the last run of a contest, whose report and conditions hold secrets."""
    texts = {bot: secret(bot, "report") for bot in BOTS}
    incidents = Incidents(1, BOTS[:1], texts, texts, tuple(texts.values()))
    forfeits = {
        bot: (ForfeitRecord("late", 1, 0, 0, 1, 1, text, text),) for bot, text in texts.items()
    }
    standings = ContestResults(contest).standings
    report = TournamentReport(
        "a", "swiss", 1, 9, 1.0, True, standings, None, forfeits, Protection([], []), incidents,
        versions=texts, missing=texts,
    )  # fmt: skip
    conditions = {"machine": secret("a", "machine"), "judge": secret("a", "judge"),
                  "openings": secret("a", "openings"), "time": "1 s a move"}  # fmt: skip
    return RunSummary("2026-11-23 20:00:00", report, conditions)


@pytest.fixture(scope="module")
def contest() -> StoredContest:
    """Return a contest with secrets everywhere."""
    plain = random_contest(BOTS, 12)
    forfeits = tuple(
        random_game(n, BOTS[n % 3], BOTS[(n + 1) % 3], plies=6 + n % 2) for n in range(13, 19)
    )
    apart = (random_game(30, "amber", "blue", plies=5),)
    identity = plain.identity | {"openings": secret("a", "openings"), "bots": [secret("a", "id")]}
    return replace(
        plain,
        identity=identity,
        bots=tuple(
            replace(bot, command=("sh", secret(bot.name, "command")), own_name=secret("a", "name"),
                    fingerprint=secret("a", "hash"))
            for bot in plain.bots
        ),
        games=tuple(map(with_secrets, (*plain.games, *forfeits))),
        apart=tuple(map(with_secrets, apart)),
        last_run=run_with_secrets(plain),
    )  # fmt: skip


def test_pages_for_everybody_have_no_secret(contest):
    """No file of the site holds a secret. Without privacy, many do."""
    assert sum("SECRET" in text for _, text in site_pages([contest])) > len(contest.games)
    shown = for_everybody(contest, {})
    assert [name for name, text in site_pages([shown]) if "SECRET" in text] == []
    assert "SECRET" not in repr(shown)
    assert ContestResults(shown).standings.bots == ContestResults(contest).standings.bots


def test_kind_of_a_fault_stays(contest):
    """Everybody sees which bot broke which rule at which move, and that a game was not played."""
    unplayed = replace(contest.games[-1], moves="", ms=[], remarks=[])
    late = replace(unplayed.fault, detail=f"{NOT_PLAYED_DETAIL}, as {secret('blue', 'barred')}")
    shown = for_everybody(replace(contest, games=(replace(unplayed, fault=late),)), {})
    fault = shown.games[0].fault
    assert (fault.bot, fault.fault, fault.ply) == (late.bot, late.fault, late.ply)
    assert fault.detail == NOT_PLAYED_DETAIL
    assert fault.line is None


@pytest.mark.parametrize("bot", BOTS)
def test_feedback_has_the_secrets_of_its_student_alone(contest, bot):
    """A student's feedback shows the own standard error, lines and remarks, and no others."""
    account = Account(bot, "It plays.", "plays", command="python3 my_bot.py")
    text = "".join(
        text for _, text in feedback_files(account, ContestResults(for_student(contest, bot)))
    )
    for place in ("detail", "line", "note", "noted line", "stderr", "remark"):
        assert secret(bot, place) in text, place
    assert text.count("SECRET-") == text.count(f"SECRET-{bot}-")
    assert "python3 my_bot.py" in text


def test_own_texts_are_scrubbed(contest):
    """The function that removes paths sees all texts of the student's bot."""
    shown = for_student(contest, "amber", lambda text: text.replace("/home/teacher", "~"))
    assert "SECRET-amber-stderr" in repr(shown)
    assert "/home/teacher" not in repr(shown)


def test_other_remarks_keep_their_places():
    """A remark stays with its move if the opening has an odd number of moves."""
    game = random_game(3, "amber", "blue")
    count = len(game.ms) - 3
    game = replace(game, opening=game.moves[:3], ms=game.ms[3:], remarks=[*map(str, range(count))])
    shown = for_student(random_contest(BOTS, 0, games=(game,)), "blue").games[0]
    assert shown.remarks == [str(n) if n % 2 == 0 else "" for n in range(count)]


def test_run_of_a_match_is_left_out():
    """The runs of a class are tournaments, so the report of a match is not shown."""
    tally, bots = Tally(), ("amber", "blue")
    report = MatchReport(bots, 2, 1, 0, 1, tally, tally, 2, {}, 0.0, -9.0, 9.0, 0.5, 1.0, True)
    contest = replace(random_contest(BOTS, 2), last_run=RunSummary("", report, {}))
    assert for_everybody(contest, {}).last_run is None
