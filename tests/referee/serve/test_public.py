"""Games for everybody contain no text that bots wrote to standard error."""

import orjson
from c4_protocol.records.events import FaultRecord
from c4_referee.records.storage.contests import read_contests
from c4_referee.serve.public import public_contest
from kept import KEYS, archive, record

SECRET = "password 1234"
FAULT = FaultRecord(
    "a", "exited", "forfeit", 0, 1.0, 1.0, f"with code 1; its last words: {SECRET}", "hello"
)


def test_standard_error_is_left_out(tmp_path) -> None:
    """Neither records nor faults quote standard error. What a fault was stays."""
    values = {"winner": 2, "ending": "forfeit", "fault": FAULT, "notes": [FAULT]}
    game = record(1, first="a", second="b", stderr={"a": SECRET}, **values)
    with archive(tmp_path) as kept:
        kept.issue(KEYS[0])
        kept.commit(KEYS[0], orjson.dumps(game))
    (contest,) = read_contests(tmp_path)
    assert SECRET in repr(contest)
    (shown,) = public_contest(contest).games
    assert SECRET not in repr(public_contest(contest))
    assert (shown.fault.detail, shown.fault.line, shown.winner) == ("with code 1", "hello", 2)
