"""Whether a bot is halted outside of its turns, because it would use the time of its opponents."""

from c4_referee.bots.contain.faults import Fault, Foul

MAX_IDLE_MS = 10.0
"""Maximum processor time in milliseconds that all processes of a bot together may use between an
answer and the next question. A bot that uses more is halted there from then on. It is more than a
garbage collector needs, and more than the precision of the times of ended processes. It is less
than ``GRACE_MS``, so it does not make an opponent late."""


class Halting:
    """Decision whether a bot is halted outside of its turns.

    ``freeze`` is the value in the bot's spec: always, never, or with ``None`` when needed. The
    object belongs to a contestant, so the decision is for all later games, too.
    """

    def __init__(self, freeze: bool | None) -> None:
        self.is_on = freeze is True
        self._is_open = freeze is None
        self._foul: Foul | None = None

    def note_idle_time(self, idle_seconds: float) -> None:
        """Note the processor time that the bot has used since its last answer."""
        if not self._is_open or idle_seconds * 1000 <= MAX_IDLE_MS:
            return
        self.is_on, self._is_open = True, False
        ms = f"{idle_seconds * 1000:.0f} ms"
        text = f"it used {ms} of processor time in one; it is halted there"
        self._foul = Foul(Fault.PONDERED, text)

    def begin_to_halt(self) -> None:
        """Halt the bot from now on, because it used a processor in a game of another worker.

        This does nothing if its spec says never.
        """
        self.is_on, self._is_open = self.is_on or self._is_open, False

    def take_foul(self) -> Foul | None:
        """Return a foul if the bot is halted since the last call, otherwise ``None``.

        A bot that is always halted commits no foul.
        """
        foul, self._foul = self._foul, None
        return foul
