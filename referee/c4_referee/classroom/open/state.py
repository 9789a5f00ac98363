"""The instructor's settings of an open class: whether the ladder pauses, deadline, and final."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field, ValidationError, field_validator

from c4_referee.system.safe_files import read_regular, replace_file

STATE_FILE = "open.json"
TIME_PATTERN = r"^([0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2})?$"


class State(BaseModel):
    """The state of an open class. Hand-ins after the ``deadline``, a local time, are late.

    ``final`` is when the final was asked for, as names in the inbox begin, or "". Hand-ins from
    before are taken in first. ``is_played`` is true if its games were played, and ``published``
    says what came of the last final.
    """

    paused: bool = False
    final: Annotated[str, Field(pattern="^([0-9]{20})?$")] = ""
    is_played: bool = False
    published: str = ""
    deadline: Annotated[str, Field(pattern=TIME_PATTERN)] = ""

    @field_validator("deadline")
    @classmethod
    def _is_a_time(cls, text: str) -> str:
        if text:
            datetime.strptime(text, "%Y-%m-%d %H:%M").astimezone()
        return text

    def is_late(self, time: str) -> bool:
        """Return whether a hand-in at a local time, in the form of the deadline, is late."""
        return bool(self.deadline) and time > self.deadline

    def changed_to(self, wanted: "State") -> "State":
        """Return the state after a change by the instructor. A final that was asked for stays."""
        known = {"is_played": self.is_played, "published": self.published}
        return wanted.model_copy(update={**known, "final": self.final or wanted.final})

    def save(self, folder: Path) -> None:
        """Write the state of the class in a folder. Raises ``OSError`` if this is not possible."""
        replace_file(folder / STATE_FILE, self.model_dump_json().encode())


def read_state(folder: Path) -> State:
    """Return the state of the class in a folder."""
    try:
        return State.model_validate_json(read_regular(folder / STATE_FILE))
    except (OSError, ValidationError):
        return State()
