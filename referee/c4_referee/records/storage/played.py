"""Games of people against bots, which are kept in the user's state folder, apart from matches.

Each game has a folder of its own, as ``--out`` writes it.
"""

from pathlib import Path

from c4_protocol.program.text import visible
from c4_protocol.rules.position import Seat
from c4_protocol.rules.variant import Variant

from c4_referee.bots.spec import BotSpec
from c4_referee.records.rounds import GameKey, Player, Progress
from c4_referee.records.storage.folder_archive import FolderArchive, identity_of_bots
from c4_referee.records.storage.kept import PLAYED, new_folder

MAX_PERSON_NAME = 40
"""Maximum length of a person's name, in characters. The rest of a longer name is left out."""
PERSON_COMMAND = ("(a person)",)
"""Command line of a person in stored games. It names no program."""


def person_spec(name: str) -> BotSpec:
    """Return the spec that stands for a person in a game."""
    return BotSpec(name=name, command=PERSON_COMMAND)


def person_name(text: str | None, bot: BotSpec) -> str:
    """Return a harmless name for a person, which is not the bot's, made of any text."""
    name = visible(" ".join((text or "").split()))[:MAX_PERSON_NAME].strip() or "guest"
    return f"{name} (person)" if name == bot.name else name


def save_game(bot: BotSpec, person: str, variant: Variant, seat: Seat, line: bytes) -> Path:
    """Store a finished game, and return its folder.

    ``seat`` is that of the person, and ``line`` the event ``game_ended``. Raises ``ArenaError`` if
    the game cannot be stored.
    """
    bots = (person_spec(person), bot)[:: 1 if seat == 1 else -1]
    folder = new_folder([bot], PLAYED)
    with FolderArchive(folder, identity_of_bots(bots, variant, ()), bots) as archive:
        archive.record(Progress(1, is_complete=True))
        key = GameKey(Player(0), Player(1))
        archive.issue(key)
        archive.commit(key, line)
    return folder
