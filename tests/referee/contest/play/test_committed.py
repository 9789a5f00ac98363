"""``--events`` has the events of games that have a result, each once."""

import orjson
from c4_referee.contest.play.committed import CommittedGames


def test_events_of_a_game_arrive_with_its_result() -> None:
    """A game that is rolled back leaves no event, and two games are not mixed."""
    written: list[tuple[str, int]] = []

    def write(line: bytes) -> None:
        event = orjson.loads(line)
        written.append((event["event"], event.get("game", 0)))

    handler = CommittedGames(write)
    for event, game in [
        ("contest_started", 0), ("progress", 0), ("game_started", 1), ("game_started", 2),
        ("move", 1), ("remark", 1), ("move", 2), ("game_rolled_back", 1), ("game_ended", 2),
        ("game_started", 1), ("move", 1), ("game_ended", 1), ("game_ended", 3), ("match_ended", 0),
    ]:  # fmt: skip
        handler(orjson.dumps({"event": event, "game": game}))
    whole = ["game_started", "move", "game_ended"]
    expected = [(event, game) for game in (2, 1) for event in whole]
    assert written == [*expected, ("game_ended", 3), ("match_ended", 0)]
