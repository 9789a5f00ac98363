"""Files and folders of the other bots of a contest, which a bot in the sandbox does not see."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from c4_protocol.program.errors import UsageError

from c4_referee.bots.agents import command_without_prefix
from c4_referee.bots.contain import named
from c4_referee.bots.contain.places import is_in_one_of, real_path
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
    def _folders(self) -> list[Path]:
        return [Path(bot.working_folder or "").resolve() for bot in self._bots]

    @cached_property
    def _programs(self) -> list[tuple[object, ...]]:
        """What each bot runs. Bots of one folder whose programs are equal see each other.

        In the current folder, this is about programs that a command names with ``.`` or ``-m``.
        In other folders, the commands must name the same files. If they name none, they are equal.
        """
        programs: list[tuple[object, ...]] = []
        for number, (bot, folder) in enumerate(zip(self._bots, self._folders, strict=True)):
            command = command_without_prefix(bot.command)
            program = named.current_program(command, folder)
            if bot.working_folder:
                files = frozenset(named.named_paths(command, folder))
                programs.append((folder, program, files or tuple(command)))
            else:
                programs.append((folder, program or number))
        return programs

    def paths_of_others(self, number: int) -> list[Path]:
        """Return the files and folders of all bots except those that run the same program.

        The folder of this bot is among them if another bot has it, too, or if a bot without a
        folder has other files in it.
        """
        own = self._folders[number]
        found: list[Path] = []
        for other, paths in enumerate(self._paths_by_bot):
            if self._programs[other] != self._programs[number]:
                ends = [*paths, *({*map(real_path, paths)} - {*paths})]  # links may lead to them
                found += ends
                if self._bots[number].working_folder and not self._bots[other].working_folder:
                    foreign = {*ends} - {*self._paths_by_bot[number]}
                    found += [own] if any(is_in_one_of(path, [own]) for path in foreign) else []
        return found

    def check_common_folders(self, out: Path | None) -> None:
        """Raise ``UsageError`` for a bot whose program is in a folder that others use, too.

        This is about bots in the sandbox whose program is all of the current folder, or of a folder
        that is not theirs alone. ``out`` is the folder in which the games are stored.
        """
        for number, (bot, folder) in enumerate(zip(self._bots, self._folders, strict=True)):
            others = self.paths_of_others(number)
            has_folder = bot.working_folder and folder not in others
            files = named.program_files(bot.command, folder)
            if has_folder or not files or not bot.is_sandboxed:
                continue
            if reason := named.why_program_is_hidden(files, folder, others, out and out.resolve()):
                raise UsageError(
                    f"bot '{bot.name}' runs a program in {folder}, but {reason}: give the bot a "
                    'folder of its own, with folder = "DIR" in its table'
                )
