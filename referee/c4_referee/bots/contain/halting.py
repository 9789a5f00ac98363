"""Whether a bot is halted outside of its turns, and whether a report says that it thinks there.

Halting harms no bot that waits there, so it begins early, and no report says so: collectors,
compilers and thread pools use a processor after an answer, too. Therefore the referee watches the
next answers of a bot that is halted. It lets the bot run for a moment before the opponent is asked.
A language soon finishes its work, and then the bot rests. A bot that thinks does not rest.
"""

from c4_referee.bots.contain.faults import Fault, Foul

MAX_IDLE_MS = 10.0
"""Maximum processor time in milliseconds that all processes of a bot together may use between an
answer and the next question. A bot that uses more is halted there from then on. It is more than the
precision of the times of ended processes. It is less than ``GRACE_MS``, so it does not make an
opponent late."""
WATCH_STEP_SECONDS = 0.2
"""Seconds between two measurements of a bot that is watched."""
MAX_RESTING_SECONDS = 0.002
"""Maximum processor time in seconds between two measurements with which a bot is resting. It has
finished the work of its language then. Idle virtual machines used less than 1 ms in 0.3 s."""
MIN_THINKING_SECONDS, MIN_WATCH_SECONDS, MAX_WATCH_SECONDS = 0.2, 0.6, 3.0
"""Minimum processor time, and minimum time since its answer, with which a bot that has not rested
is thinking, and maximum time of a watch, all in seconds. After an answer, Java, Node, Mono, Go,
Racket, Clojure and NumPy used at most 146 ms of processor time, also on two processors with a load
of 25. Within the maximum, a bot that thinks needs only a fifteenth of a processor."""
MIN_THINKING_WATCHES, MAX_QUIET_WATCHES = 5, 3
"""Number of watches in which a bot is thinking after which it is reported, and number of others
after which it is no longer watched."""


def found_thinking(passed: float, used: float, used_last: float) -> bool | None:
    """Return whether a watched bot is thinking, or ``None`` if this is not certain yet.

    It has used ``used`` seconds of processor time in the ``passed`` seconds since its answer, and
    ``used_last`` in the last step.
    """
    if used_last < MAX_RESTING_SECONDS:
        return False
    if passed >= MIN_WATCH_SECONDS and used >= MIN_THINKING_SECONDS:
        return True
    return False if passed >= MAX_WATCH_SECONDS else None


class Halting:
    """Decision whether a bot is halted outside of its turns.

    ``freeze`` is the value in the bot's spec: always, never, or with ``None`` when needed. The
    object belongs to a contestant, so the decision is for all later games, too.
    """

    def __init__(self, freeze: bool | None) -> None:
        self.is_on = freeze is True
        self.is_watching = False
        """True if the bot is watched after its next answer."""
        self._is_open = freeze is None
        self._thinking = self._quiet = 0  # numbers of watches
        self._used_seconds = self._watched_seconds = 0.0  # in the watches in which it was thinking
        self._foul: Foul | None = None

    def note_idle_time(self, idle_seconds: float) -> None:
        """Note the processor time that the bot has used since its last answer."""
        if self._is_open and idle_seconds * 1000 > MAX_IDLE_MS:
            self.begin_to_halt()
            self.is_watching = True

    def note_watch(self, used: float, passed: float, *, is_thinking: bool) -> None:
        """Note the result of a watch of ``passed`` seconds, and the processor time in it."""
        if not is_thinking:
            self._quiet += 1
            self.is_watching = self._quiet < MAX_QUIET_WATCHES
            return
        self._thinking += 1
        self._used_seconds += used
        self._watched_seconds += passed
        if self._thinking == MIN_THINKING_WATCHES:
            self.is_watching = False
            share = self._used_seconds / self._watched_seconds
            text = f"it used {share:.0%} of a processor in {self._thinking} of them"
            self._foul = Foul(Fault.PONDERED, text.replace("%", " %") + "; it is halted there")

    def begin_to_halt(self) -> None:
        """Halt the bot from now on, because it used a processor in a game of another worker.

        This does nothing if its spec says never. The bot is not watched, because it was before.
        """
        self.is_on, self._is_open = self.is_on or self._is_open, False
        self.is_watching = False

    def take_foul(self) -> Foul | None:
        """Return a foul if the bot was found thinking since the last call, otherwise ``None``.

        A bot that is always halted commits no foul.
        """
        foul, self._foul = self._foul, None
        return foul
