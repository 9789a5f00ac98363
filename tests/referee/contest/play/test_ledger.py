"""A ledger decides the games of barred and withdrawn bots."""

import orjson
import pytest
from c4_protocol.records.events import FaultRecord
from c4_protocol.rules.variant import STANDARD
from c4_referee.bots.contain.faults import Fault
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.play.ledger import Ledger
from c4_referee.contest.play.record_check import RecordRefused
from c4_referee.contest.schedule import Plan, repetition_of_empty_board, system
from c4_referee.records.storage.archive import Archive
from c4_referee.records.storage.folder_archive import FolderArchive
from kept import KEYS, archive, game_events_to, record


def fault(bot: str, kind: Fault, policy: str) -> FaultRecord:
    """Return a fault in the fourth ply."""
    return FaultRecord(bot, kind.value, policy, 3, 1.0, 1.0, "what happened")


def ledger_of(
    kept: Archive, events: list[dict], name: str = "round-robin", *, strict: bool = False
) -> Ledger:
    """Return a ledger of a tournament system that appends the events of games to ``events``."""
    schedule = system(name).schedule(Plan(kept.roster, repetition_of_empty_board))
    handlers = [game_events_to(events)]
    return Ledger(schedule, STANDARD, kept, handlers, strict=strict)


@pytest.mark.parametrize(
    ("kind", "policy", "is_barred"),
    [
        (Fault.TOO_MANY_PROCESSES, "bar", True),
        (Fault.FAILED_TO_START, "bar", False),
        (Fault.LATE, "forfeit", False),
    ],
)
def test_bots_barred_in_earlier_runs_stay_barred(tmp_path, kind, policy, is_barred):
    """A bot that was barred in an earlier run stays barred, unless it could not start.

    The reason for a failed start may be repaired by now.
    """
    game = record(1, winner=2, ending="forfeit", fault=fault("a", kind, policy))
    with archive(tmp_path) as kept:
        kept.issue(KEYS[0])
        kept.commit(KEYS[0], orjson.dumps(game))
    events: list[dict] = []
    with archive(tmp_path) as kept:
        ledger = ledger_of(kept, events)
        assert (ledger.issue() is None) is is_barred
    if is_barred:
        found = events[0]["fault"]
        assert (found["bot"], found["fault"], found["policy"]) == ("a", kind.value, "bar")
        assert (found["ply"], found["ms"], found["cpu_ms"]) == (0, 0.0, 0.0)
        assert found["detail"] == "not played, as the bot is barred"
        assert events[0]["winner"] == 1  # in the return game, in which b goes first


@pytest.mark.parametrize(
    "line", ['{"event":"move","bot":"\u202e"}', '{"event":"move",\r"bot":"a"}', '{"\x9b":1}']
)
def test_event_that_could_control_a_terminal_is_refused(tmp_path, line):
    """A line with characters that cannot be printed is not given to any handler."""
    events: list[dict] = []
    with archive(tmp_path) as kept:
        ledger = ledger_of(kept, events)
        ledger.issue()
        with pytest.raises(RecordRefused):
            ledger.take({"event": "move"}, line.encode())
        ledger.take({"event": "move"}, b'{"event":"move","game":1}')
    assert events == [{"event": "move", "game": 1}]


def test_bot_that_pondered_is_halted_in_later_games(tmp_path):
    """Later jobs halt the bot, also in the second try of a game that it has spoiled."""
    note = FaultRecord("b", Fault.PONDERED.value, "note", 3, 0.0, 0.0, "it used 12 ms")
    late = FaultRecord("a", Fault.STARVED.value, "retry", 0, 0.0, 0.0, "it had no processor")
    with archive(tmp_path) as kept:
        ledger = ledger_of(kept, [])
        job = ledger.issue()
        assert (job.halts_first, job.halts_second, job.repeated) == (False, False, False)
        names = {"first": "a", "second": "b"} if job.first == 0 else {"first": "b", "second": "a"}
        tried = record(job.game, **names, ending="void", fault=late, notes=[note])
        ledger.take(orjson.loads(orjson.dumps(tried)), orjson.dumps(tried))
        again = ledger.issue()
        assert (again.game, again.repeated) == (job.game, True)
        assert (again.halts_first, again.halts_second) == (job.first == 1, job.second == 1)
        assert [*ledger.starved] == [job.game]


def test_games_of_a_bot_that_withdrew_say_so(tmp_path):
    """A bot that withdrew loses the rest of its round, and the games say so.

    The records have its own name, as those of its earlier games. Only reports have another name.
    """
    bots = [BotSpec(name=name, command=("true", name)) for name in "abcd"]
    with FolderArchive(tmp_path, {}, bots) as kept:
        ledger = ledger_of(kept, [], "swiss")
        job = ledger.issue()
        key = ledger.tournament.issued_game(job.game).key
        first, second = kept.names[key.first], kept.names[key.second]
        kept.commit(key, orjson.dumps(record(1, first=first, second=second)))
    left = next(bot for bot in bots if bot.name not in {first, second})
    events: list[dict] = []
    with FolderArchive(tmp_path, {}, [bot for bot in bots if bot != left]) as kept:
        ledger = ledger_of(kept, events, "swiss")
        while ledger.issue():
            pass
        shown = [game for game in ledger.tournament.results if game.fault]
    assert {game.fault.bot for game in shown} == {f"{left.name} (withdrawn)"}
    assert events
    for event in events:
        assert event["fault"]["bot"] == left.name in {event["first"], event["second"]}
        assert event["fault"]["fault"] == "withdrawn"
        assert event["fault"]["detail"] == "not played, as the bot has withdrawn"


def play_with_killer(kept: Archive, killers: str, name: str, *, strict: bool = True) -> Ledger:
    """Return the ledger after a tournament in which workers of some bots' games are lost."""
    ledger = ledger_of(kept, [], name, strict=strict)
    while (job := ledger.issue()) is not None:
        key = ledger.tournament.issued_game(job.game).key
        names = kept.names[key.first], kept.names[key.second]
        if set(names) & set(killers):
            ledger.lose(job.game)
        else:
            won = record(job.game, first=names[0], second=names[1], moves="4142434",
                         ms=[1.0] * 7, cpu_ms=[1.0] * 7, winner=1, ending="line")  # fmt: skip
            event = orjson.loads(line := orjson.dumps(won))
            ledger.take(event, line)
    return ledger


def entrants(names: str) -> list[BotSpec]:
    """Return a bot for each letter."""
    return [BotSpec(name=name, command=("true", name)) for name in names]


def barred_for_lost_workers(ledger: Ledger) -> set[str]:
    """Return the bots that lost games without playing because they stopped their workers."""
    faults = [game.fault for game in ledger.tournament.results if game.fault is not None]
    assert all(fault.detail == "not played, as the bot is barred" for fault in faults)
    return {fault.bot for fault in faults if fault.fault == Fault.LOST_WORKERS}


@pytest.mark.parametrize("names", ["kab", "akb", "abk", "abkc", "kabcdef"])
def test_strict_tournament_is_completed_without_its_killer(names) -> None:
    """A bot whose workers are lost in all games forfeits these games, even those given up."""
    ledger = play_with_killer(Archive(entrants(names)), "k", "round-robin")
    assert ledger.tournament.is_complete
    assert barred_for_lost_workers(ledger) == {"k"}
    for game in ledger.tournament.results:
        assert (game.fault is not None) == ("k" in {game.first, game.second})


@pytest.mark.parametrize(
    ("names", "killers", "system", "strict"),
    [
        ("kabc", "k", "round-robin", False),  # not asked for
        ("ka", "k", "round-robin", True),  # both bots are in all games
        ("cab", "ab", "gauntlet", True),  # the challenger is in all games
    ],
)
def test_no_bot_is_barred_if_another_reason_is_possible(names, killers, system, strict) -> None:
    """Games stay unplayed and nobody is barred, if it is not clear which bot is the reason."""
    kept = Archive(entrants(names))
    ledger = play_with_killer(kept, killers, system, strict=strict)
    assert barred_for_lost_workers(ledger) == set()
    assert not ledger.tournament.is_complete
    assert len(ledger.lost) >= 3


@pytest.mark.parametrize("strict", [True, False])
def test_bar_for_lost_workers_lasts_in_strict_runs(tmp_path, strict) -> None:
    """A bot that an earlier run has barred is still barred only if the new run is strict, too."""
    with FolderArchive(tmp_path, {}, entrants("kab")) as kept:
        play_with_killer(kept, "k", "round-robin")
    with FolderArchive(tmp_path, {}, entrants("kabc")) as kept:
        ledger = play_with_killer(kept, "", "round-robin", strict=strict)
    new = [game for game in ledger.tournament.results if {"k", "c"} == {game.first, game.second}]
    assert [game.ending for game in new] == (["forfeit"] if strict else ["line"]) * 2
