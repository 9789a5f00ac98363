"""Files and folders of the other bots of a contest, which a bot in the sandbox does not see."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from c4_protocol.program.errors import UsageError

from c4_referee.bots.agents import command_without_prefix
from c4_referee.bots.contain import named
from c4_referee.bots.spec import BotSpec


class OtherBots:
    """Bots of a contest, and the files and folders of each of them."""

    def __init__(self, bots: Sequence[BotSpec]) -> None:
        self._bots = bots

    @cached_property
    def _paths_by_bot(self) -> list[list[Path]]:
        return [
            named.paths_hidden_from_others(command_without_prefix(bot.command), bot.working_folder)
            for bot in self._bots
        ]

    @cached_property
    def _current_programs(self) -> list[tuple[str, ...] | None]:
        """Programs of the current folder, for bots that run one of them."""
        return [
            None if bot.working_folder else named.current_program(bot.command, Path.cwd())
            for bot in self._bots
        ]

    def paths_of_others(self, number: int) -> list[Path]:
        """Return the files and folders of all bots except the one with this index.

        Bots that run the same program of the current folder share its files.
        """
        program = self._current_programs[number]
        return [
            path
            for other, paths in enumerate(self._paths_by_bot)
            if other != number and (program is None or program != self._current_programs[other])
            for path in paths
        ]

    def check_current_folder(self, out: Path | None) -> None:
        """Raise ``UsageError`` for a bot whose program is in a folder that others use, too.

        This is about bots in the sandbox with a program in the current folder. ``out`` is the
        folder in which the games are stored.
        """
        folder = Path.cwd()
        for number, bot in enumerate(self._bots):
            if self._current_programs[number] is None or not bot.is_sandboxed:
                continue
            files = named.program_files(bot.command, folder)
            others = self.paths_of_others(number)
            if reason := named.why_program_is_hidden(files, folder, others, out and out.resolve()):
                raise UsageError(
                    f"bot '{bot.name}' runs a program in {folder}, but {reason}: give the bot a "
                    'folder of its own, with folder = "DIR" in its table'
                )
