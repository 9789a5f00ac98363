"""Fingerprints of bots: two bots with the same name and fingerprint are the same entrant.

A fingerprint covers how the bot is started, the content of the files that its command names, and
everything in its ``folder``, but not the path of the folder. Without a ``folder``, modules that the
bot imports are not covered. If a user edits a bot, its match is a new contest. In a tournament, the
edited bot is a new entrant.
"""

from contextlib import suppress
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path

import orjson

from c4_referee.bots.bot_files import named_files
from c4_referee.bots.bot_folder import file_sha256, folder_digest
from c4_referee.bots.spec import BotSpec

DEFAULT_SETTINGS = asdict(BotSpec(name="", command=()))


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
                digest.update(file_sha256(path))
    return digest.hexdigest()
