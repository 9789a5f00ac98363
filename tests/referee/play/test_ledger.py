"""A ledger decides the games of barred and withdrawn bots."""

import orjson
import pytest
from c4_protocol.events import FaultRecord
from c4_protocol.variant import STANDARD
from c4_referee.bots.faults import Fault
from c4_referee.bots.spec import BotSpec
from c4_referee.play.ledger import Ledger
from c4_referee.play.records import RecordRefused
from c4_referee.schedule import Plan, repeated, system
from c4_referee.storage.archive import FolderArchive
from kept import KEYS, archive, record


def fault(bot: str, kind: Fault, policy: str) -> FaultRecord:
    """Return a fault in the fourth ply."""
    return FaultRecord(bot, kind.value, policy, 3, 1.0, 1.0, "what happened")


def ledger_of(kept: FolderArchive, events: list[dict], name: str = "round-robin") -> Ledger:
    """Return a ledger of a tournament system that appends its events to ``events``."""
    schedule = system(name)(Plan(kept.roster, repeated))
    return Ledger(schedule, STANDARD, kept, [lambda line: events.append(orjson.loads(line))])


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
        ledger.take({"event": "move"}, b'{"event":"move"}')
    assert events == [{"event": "move"}]


def test_games_of_a_bot_that_withdrew_say_so(tmp_path):
    """A bot that withdrew loses the rest of its round, and the games say so."""
    bots = [BotSpec(name=name, command=("true", name)) for name in "abcd"]
    with FolderArchive(tmp_path, {}, bots) as kept:
        ledger = ledger_of(kept, [], "swiss")
        job = ledger.issue()
        key = ledger.tournament.issued(job.game).key
        first, second = kept.names[key.first], kept.names[key.second]
        kept.commit(key, orjson.dumps(record(1, first=first, second=second)))
    left = next(bot for bot in bots if bot.name not in {first, second})
    events: list[dict] = []
    with FolderArchive(tmp_path, {}, [bot for bot in bots if bot != left]) as kept:
        ledger = ledger_of(kept, events, "swiss")
        while ledger.issue():
            pass
    assert events
    for event in events:
        assert event["fault"]["bot"].startswith(f"{left.name} (withdrawn")
        assert event["fault"]["fault"] == "withdrawn"
        assert event["fault"]["detail"] == "not played, as the bot has withdrawn"
