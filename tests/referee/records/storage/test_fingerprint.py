"""Fingerprints: the changes that make a bot another entrant."""

from c4_referee.bots.spec import BotSpec
from c4_referee.bots.toml import checked_values
from c4_referee.records.storage.fingerprint import fingerprint_of_bot


def test_edited_bot_is_another_bot(tmp_path):
    """The fingerprint covers the files that a command names, relative to the bot's folder."""
    (tmp_path / "bot.py").write_text("one")
    bot = BotSpec(name="a", command=("python3", "bot.py", "no file", "x" * 5000), cwd=str(tmp_path))
    before = fingerprint_of_bot(bot)
    assert fingerprint_of_bot(bot) == before
    (tmp_path / "bot.py").write_text("two")
    assert fingerprint_of_bot(bot) != before


def test_arguments_are_part_of_the_fingerprint():
    """Other arguments change the fingerprint. The default arguments do not."""

    def fingerprint(command: str = "bot", **settings: object) -> str:
        settings |= {"name": "bot", "command": command}
        return fingerprint_of_bot(checked_values(BotSpec, settings, "test"))

    plain = fingerprint()
    assert len({plain, fingerprint(arguments="course"), fingerprint("python3 {player}")}) == 3
    assert fingerprint(arguments="none") == plain
