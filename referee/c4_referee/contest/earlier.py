"""What was played before a run, in its folder or in a match that is kept.

A run says before its first game if it does not go on with the contest that was played last. The
contest that was played last is also what a changed bot is compared with.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from os.path import isfile
from pathlib import Path

import orjson
from c4_protocol.program.errors import ArenaError

from c4_referee.contest.contest import Contest
from c4_referee.records.storage.contests import StoredContest, read_contests
from c4_referee.records.storage.database import DATABASE_FILE
from c4_referee.records.storage.fingerprint import fingerprint_of_bot
from c4_referee.records.storage.folder_archive import settings_and_key
from c4_referee.records.storage.kept import is_kept_folder, kept_folders
from c4_referee.records.storage.meant import meant
from c4_referee.records.storage.store import Store

CONDITIONS = ("variant", "control", "controls")
"""Keys of identities that must be equal if results of two contests are compared."""
NAMES = {"move_ms": "time_ms"}
"""Names of settings for people, if they are not those in an identity."""


@dataclass(frozen=True)
class Earlier:
    """The contest that was played last, until a run began.

    ``note`` says that the run goes on with another contest, and why. It is empty if it does not.
    ``changed`` are the names of the bots whose results can be compared with those of their earlier
    versions in the ``contest``.
    """

    contest: StoredContest
    note: str
    changed: list[str]


def stored_names(folder: str | Path | None) -> set[str]:
    """Return the names of all bots in the folder of a run. It is empty without such a folder."""
    path = Path(folder or "", DATABASE_FILE)
    if folder is None or not isfile(path):  # noqa: PTH113 - a Path raises an error for a long name
        return set()
    with Store(path, read_only=True) as store:
        return set() if store.is_empty else store.bot_names()


def earlier_run(contest: Contest, folder: Path) -> Earlier | None:
    """Return what was played before in the folder of a run, or in the last kept match like it.

    It is ``None`` if there is nothing, or if the run goes on with the same contest and bots.
    """
    settings, key = settings_and_key(contest.stored_identity)
    identity = orjson.loads(settings)
    bots = {bot.name: fingerprint_of_bot(bot) for bot in contest.players}
    if not isfile(folder / DATABASE_FILE):  # noqa: PTH113 - a Path raises an error for a long name
        contests = _kept_contests(contest) if is_kept_folder(folder) else []
    else:
        contests = [] if _goes_on(folder, key, bots) else read_contests(folder)
    if not contests:
        return None
    before, note = meant(contests), ""
    old = {bot.own_name: bot.fingerprint for bot in before.bots if not bot.withdrawn}
    changed = [name for name in bots if old.get(name, bots[name]) != bots[name]]
    found = next((each for each in contests if each.identity == identity), None)
    if found is not before and not is_kept_folder(folder):
        why = [*_differences(before.identity, identity)]
        if "bots" in identity:
            why += [f"{name} has changed" for name in changed]
        apart = sum(len(each.all_games) for each in contests if each is not found)
        goes_on = f"begins contest {len(contests) + 1}"
        if found is not None:
            goes_on = f"continues contest {found.number}, whose {len(found.games)} games count"
        note = (
            f"{folder}: {'; '.join(why)}. So this run {goes_on}.\nOther games stay in {folder} "
            f"({apart}), but do not count here: --contest {before.number} shows those of contest "
            f"{before.number}."
        )
    if any(before.identity.get(name) != identity.get(name) for name in CONDITIONS):
        changed = []
    return Earlier(before, note, changed)


def _goes_on(folder: Path, key: str, bots: Mapping[str, str]) -> bool:
    """Return whether the last run in a folder was one of this contest, with these bots.

    Most runs are. This is found without reading all games.
    """
    with Store(folder / DATABASE_FILE, read_only=True) as store:
        if store.is_empty or store.find(key) != (number := store.marked):
            return False
        entrants = store.entrants(number)
        roster = [place for _, places in store.rosters(number)[-1:] for place in places]
    return {entrants[place].name: entrants[place].fingerprint for place in roster} == bots


def _kept_contests(contest: Contest) -> list[StoredContest]:
    """Return the last kept match of the same command lines."""
    commands = [orjson.dumps(bot.command).decode() for bot in contest.bots]
    for folder in kept_folders():
        with suppress(ArenaError):
            with Store(folder / DATABASE_FILE, read_only=True) as store:
                entrants = [] if store.is_empty else store.entrants(store.marked or 1).values()
            if [entrant.command for entrant in entrants] == commands:
                return read_contests(folder)
    return []


def _differences(old: object, new: object) -> Iterator[str]:
    """Generate what is another one in an identity than in an earlier one, as texts."""
    former, now = _settings(old), _settings(new)
    for name in {**former, **now}:
        if name != "fingerprint" and former.get(name) != now.get(name):
            yield f"{name} is {now.get(name, 'not set')} (it was {former.get(name, 'not set')})"


def _settings(identity: object, name: str = "") -> dict[str, str]:
    """Return the values in a part of an identity as texts, by names that people know."""
    if isinstance(identity, dict):
        parts = [_settings(value, key) for key, value in identity.items()]
    elif isinstance(identity, list):
        parts = [_settings(value, name) for value in identity]
    else:
        return {} if identity is None else {NAMES.get(name, name): f"{identity}"}
    found: dict[str, list[str]] = {}
    for part in parts:
        for key, text in part.items():
            found.setdefault(key, []).append(text)
    return {key: " and ".join(dict.fromkeys(texts)) for key, texts in found.items()}
