"""The ladder as everybody sees it: a contest that is never over, of the versions that play now.

Former versions are not listed, but their games count for the ratings of the others.
"""

from collections.abc import Mapping
from dataclasses import replace

from c4_referee.classroom.pages.privacy import for_everybody, message_for_everybody
from c4_referee.contest.live.state import Message
from c4_referee.records.storage.contests import StoredContest


class PublicLadder:
    """Removes from a ladder what only students may see.

    ``names`` are the real names that are shown, by alias.
    """

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names
        self._bots: frozenset[str] = frozenset()
        """Bots of the messages that follow."""

    def contest(self, contest: StoredContest) -> StoredContest:
        """Return the part of the stored ladder that is shown."""
        progress = replace(contest.progress, scheduled=0, is_complete=False)
        shown = replace(contest, progress=progress, lists_withdrawn=False)
        return for_everybody(shown, self._names)

    def message(self, message: Message) -> Message | None:
        """Return the part of a message of its stream that is shown, or ``None``."""
        event = message["event"]
        if event == "contest_started":
            self._bots = frozenset(message["bots"])
            earlier = [row for row in message["earlier"] if self._bots.issuperset(row[:2])]
            message = {**message, "earlier": earlier}
        elif event == "progress":
            message = {**message, "complete": False}
        elif event == "game_ended" and not self._bots.issuperset(
            (message["first"], message["second"])
        ):
            return None
        return message_for_everybody(message, self._names)
