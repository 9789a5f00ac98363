"""The instructor's settings of an open class: whether the ladder pauses, deadline, and final."""

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field, ValidationError

from c4_referee.system.safe_files import read_regular, replace_file

STATE_FILE = "open.json"
TIME_PATTERN = r"^(\d{4}-\d\d-\d\d \d\d:\d\d)?$"


class State(BaseModel):
    """The state of an open class. Hand-ins after the ``deadline``, a local time, are late.

    ``final`` is true while the final is to be played, and ``published`` says what came of it.
    """

    paused: bool = False
    final: bool = False
    published: str = ""
    deadline: Annotated[str, Field(pattern=TIME_PATTERN)] = ""

    def is_late(self, time: str) -> bool:
        """Return whether a hand-in at a local time, in the form of the deadline, is late."""
        return bool(self.deadline) and time > self.deadline

    def save(self, folder: Path) -> None:
        """Write the state of the class in a folder. Raises ``OSError`` if this is not possible."""
        replace_file(folder / STATE_FILE, self.model_dump_json().encode())


def read_state(folder: Path) -> State:
    """Return the state of the class in a folder."""
    try:
        return State.model_validate_json(read_regular(folder / STATE_FILE))
    except (OSError, ValidationError):
        return State()
