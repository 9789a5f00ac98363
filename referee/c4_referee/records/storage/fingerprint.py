"""Fingerprints of bots: two bots with the same name and fingerprint are the same entrant.

A fingerprint covers how the bot is started, the content of the files that its command names, and
everything in its ``folder``, but not the path of the folder. Without a ``folder``, modules that the
bot imports are not covered. If a user edits a bot, its match is a new contest. In a tournament, the
edited bot is a new entrant.
"""

from contextlib import suppress
from dataclasses import asdict, replace
from hashlib import file_digest, sha256
from pathlib import Path

import orjson

from c4_referee.bots.bot_files import named_files
from c4_referee.bots.bot_folder import folder_digest
from c4_referee.bots.spec import BotSpec

OWN_COMMANDS = frozenset({"c4-bot", "c4-solve", "c4-referee", "c4-tune"})
"""Console scripts of this package."""
DEFAULT_SETTINGS = asdict(BotSpec(name="", command=()))
CURRENT_AND_FORMER_IMPORTS = (
    (b"from c4_bot.", b"from bot."),
    (b"from c4_referee.", b"from referee."),
)
"""Imports in our console scripts, each with its spelling in versions up to 0.1.

Fingerprints are made from the former spelling, so that games stored by those versions still count.
"""


def fingerprint_of_bot(bot: BotSpec) -> str:
    """Return the SHA-256 of a bot's start settings and known files, in hexadecimal."""
    # Default values are left out. Otherwise a new field of ``BotSpec`` would change fingerprints.
    arguments = None if bot.arguments == "none" else bot.arguments
    sandbox, freeze = bot.sandbox or None, bot.freeze or None
    settings = asdict(
        replace(bot, folder=None, arguments=arguments, sandbox=sandbox, freeze=freeze)
    )
    start = {name: value for name, value in settings.items() if value != DEFAULT_SETTINGS[name]}
    digest = sha256(orjson.dumps(start, option=orjson.OPT_SORT_KEYS))
    if bot.folder is not None:
        digest.update(folder_digest(Path(bot.folder)).encode())
    for path in named_files(bot):
        with suppress(OSError, ValueError):  # most words are not files, and some cannot be paths
            if path.is_file():
                digest.update(_content_digest(path))
    return digest.hexdigest()


def _content_digest(path: Path) -> bytes:
    """Return the SHA-256 of a file. Our console scripts are hashed in their former spelling."""
    if path.name in OWN_COMMANDS:
        script = path.read_bytes()
        for present, former_spelling in CURRENT_AND_FORMER_IMPORTS:
            script = script.replace(b"\n" + present, b"\n" + former_spelling)
        return sha256(script).digest()
    with path.open("rb") as content:
        return file_digest(content, "sha256").digest()
