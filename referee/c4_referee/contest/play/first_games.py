"""First games of each player: a player that fails in all of them in the same way gives up.

The games are first by their numbers, not by the order in which they end, so that a later run comes
to the same result.
"""

from collections.abc import Iterable

from c4_protocol.records.events import FaultRecord, GameEnded

from c4_referee.bots.contain.faults import Policy
from c4_referee.records.rounds import Pairing, Player


class FirstGames:
    """First ``limit`` games of each player, and the faults by which the player forfeited them.

    With a limit of 0, no player gives up.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._faults: dict[Player, dict[int, FaultRecord | None]] = {}
        """Faults of each player in its first games that have ended, by number. ``None`` stands for
        a game that the player has not forfeited."""
        self._numbers: dict[Player, list[int]] = {}
        self.suspects: set[Player] = set()
        """Players whose first games have all ended with the same fault so far."""

    def add(self, pairings: Iterable[Pairing]) -> None:
        """Add the games of a round."""
        for pairing in sorted(pairings, key=lambda pairing: pairing.number):
            for player in pairing.players:
                numbers = self._numbers.setdefault(player, [])
                if len(numbers) < self.limit:
                    numbers.append(pairing.number)

    def note_end(self, pairing: Pairing, result: GameEnded | None) -> Player | None:
        """Note the end of a game, and return the player that gives up because of it, if any.

        ``result`` is ``None`` for a game that will not be played.
        """
        gives_up, loser, fault = None, None, None
        if result and result.ending == "forfeit":
            loser, fault = pairing.players[2 - result.winner], result.fault
        is_barred = fault is not None and fault.policy != Policy.FORFEIT.value
        for player in pairing.players:
            if pairing.number in self._numbers[player]:
                own = fault if player == loser and not is_barred else None
                if self._completes_same_fault(player, pairing.number, own):
                    gives_up = player
        return gives_up

    def _completes_same_fault(self, player: Player, number: int, fault: FaultRecord | None) -> bool:
        """Note the end of a first game, and return whether it completes the same fault in all."""
        faults = self._faults.setdefault(player, {})
        faults[number] = fault
        kinds = {each and each.fault for each in faults.values()}
        if len(kinds) > 1 or fault is None:
            self.suspects.discard(player)
            return False
        self.suspects.add(player)
        return len(faults) == self.limit

    def must_wait(self, pairing: Pairing) -> bool:
        """Return whether a game must wait, because a player of it may give up before.

        This is so if the player has ended some of its first games, all with the same fault, and the
        others have not ended. So a bot that never answers does not waste the time of more games.
        """
        return any(
            player in self.suspects and pairing.number not in self._numbers[player]
            for player in pairing.players
        )
