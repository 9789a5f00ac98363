"""Incidents are found in the records of games and in the ledger."""

from dataclasses import replace
from types import SimpleNamespace

from c4_protocol.records.events import FaultRecord
from c4_referee.bots.contain.faults import Fault
from c4_referee.contest.contest import incidents_of
from games import finished


def test_incidents_of_a_ledger():
    """There is an incident for each kind of disturbance, with the names of the bots."""
    late = FaultRecord("b", Fault.STARVED.value, "retry", 3, 0.0, 0.0, "it had no processor")
    game = finished(1, "a", "b", "", 1)
    games = [replace(game, absent_ms=600.0), replace(game, absent_ms=500.0)]
    others = [replace(finished(3, "c", "d", "", 1), absent_ms=999.0)]
    tournament = SimpleNamespace(results=[*games, *others])
    ledger = SimpleNamespace(
        tournament=tournament, lost=[("a", "b"), ("c", "a")], starved={2: late}
    )
    ledger.pondered = {1: "it used 12 ms"}
    found = incidents_of(ledger, {0: "a", 1: "b"}, (), ())
    assert (found.lost_games, found.suspects) == (2, ("a",))
    assert found.pondered == {"b": "it used 12 ms"}
    assert found.starved == ("b in game 2: it had no processor",)
    assert found.absent_ms == {"a": 1100.0, "b": 1100.0}
    assert found.changed_files == {}
