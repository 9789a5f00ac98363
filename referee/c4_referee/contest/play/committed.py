"""Events of games that have a result, for ``--events``."""

from collections.abc import Callable

import orjson


class CommittedGames:
    """Handler that gives another handler the events of a game when the game has a result.

    So a game that is rolled back leaves no events, and each game that counts has its events once.
    """

    def __init__(self, handler: Callable[[bytes], None]) -> None:
        self._handler = handler
        self._waiting: dict[int, list[bytes]] = {}

    def __call__(self, line: bytes) -> None:
        """Take an event. Remarks are left out, because ``game_ended`` has all of them."""
        event = orjson.loads(line)
        match event:
            case {"event": "game_started" | "move", "game": number}:
                self._waiting.setdefault(number, []).append(line)
            case {"event": "game_rolled_back", "game": number}:
                self._waiting.pop(number, None)
            case {"event": "game_ended", "game": number}:
                for each in (*self._waiting.pop(number, ()), line):
                    self._handler(each)
            case {"event": "match_ended" | "tournament_ended"}:
                self._handler(line)
