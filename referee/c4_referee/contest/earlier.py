"""What was played before a run, in its folder or in a match that is kept.

A run says before its first game if it does not go on with the contest that was played last. The
contest that was played last is also what a changed bot is compared with.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from os.path import isfile
from pathlib import Path
from typing import Any

import orjson
from c4_protocol.program.errors import ArenaError

from c4_referee.bots.clock import TimeControl
from c4_referee.contest.contest import Contest
from c4_referee.records.storage.contests import StoredContest, meant, read_contests
from c4_referee.records.storage.database import DATABASE_FILE
from c4_referee.records.storage.fingerprint import fingerprint_of_bot
from c4_referee.records.storage.folder_archive import settings_and_key
from c4_referee.records.storage.kept import is_kept_folder, kept_folders
from c4_referee.records.storage.store import Store

SETTINGS = ("name", "system", "pairs", "openings", "seed", "anchor")
"""Keys of a tournament's identity that are texts or numbers of its file."""
CONDITIONS = ("variant", "control", "controls")
"""Keys of identities that must be equal if results of two contests are compared."""


FILES = "command, files or settings of "
"""First words of the name of a setting: what the fingerprint of a bot is made of."""
NOT_SET = "not set"


@dataclass(frozen=True)
class Earlier:
    """The contest that was played last, until a run began.

    ``note`` says that the run goes on with another contest, and why. It is empty if it does not.
    ``changed`` are the names of the bots whose results can be compared with those of their earlier
    versions in the ``contest``.
    """

    contest: StoredContest
    note: str
    changed: tuple[str, ...]


def earlier_run(contest: Contest, folder: Path) -> Earlier | None:
    """Return what was played before in the folder of a run, or in the last kept match like it.

    It is ``None`` if there is nothing, or if the run goes on with the same contest and bots.
    """
    if not isfile(folder / DATABASE_FILE):  # noqa: PTH113 - a Path raises an error for a long name
        return _earlier_kept(contest) if is_kept_folder(folder) else None
    settings, key = settings_and_key(contest.stored_identity)
    with Store(folder / DATABASE_FILE, read_only=True) as store:  # reading all games takes longer
        if store.is_empty:
            return None
        number = store.find(key)
        entrants, rosters = store.entrants(number), store.rosters(number)
        places = {place for _, present in rosters[-1:] for place in present}
        present = {(it.name, it.fingerprint) for place, it in entrants.items() if place in places}
        if number == store.marked and present == {*_fingerprints(contest).items()}:
            return None
    contests, identity = read_contests(folder), orjson.loads(settings)
    if not contests:
        return None
    before = meant(contests)
    found = next((each for each in contests if each.identity == identity), None)
    note = ""
    if found is not before:
        apart = sum(len(each.all_games) for each in contests if each is not found)
        goes_on = (
            f"begins contest {len(contests) + 1}"
            if found is None
            else f"continues contest {found.number}, whose {len(found.all_games)} games count"
        )
        note = (
            f"{folder}: {'; '.join(_differences(before, identity, contest))}. So this run "
            f"{goes_on}.\nOther games stay in {folder} ({apart}), but do not count here: "
            f"--contest {before.number} shows those of contest {before.number}."
        )
    return Earlier(before, note, _changed(before, identity, contest))


def _earlier_kept(contest: Contest) -> Earlier | None:
    """Return the last kept match of the same command lines under the same conditions."""
    settings, _ = settings_and_key(contest.stored_identity)
    commands = [orjson.dumps(bot.command).decode() for bot in contest.bots]
    for folder in kept_folders():
        with suppress(ArenaError):
            with Store(folder / DATABASE_FILE, read_only=True) as store:
                entrants = [] if store.is_empty else [*store.entrants(store.marked or 1).values()]
            if [entrant.command for entrant in entrants] == commands:
                before = meant(read_contests(folder))
                return Earlier(before, "", _changed(before, orjson.loads(settings), contest))
    return None


def _fingerprints(contest: Contest) -> dict[str, str]:
    return {bot.name: fingerprint_of_bot(bot) for bot in contest.players}


def _changed(
    before: StoredContest, identity: Mapping[str, Any], contest: Contest
) -> tuple[str, ...]:
    """Return the names of changed bots, if the conditions are as they were."""
    if any(before.identity.get(name) != identity.get(name) for name in CONDITIONS):
        return ()
    old = {bot.own_name: bot.fingerprint for bot in before.bots if not bot.withdrawn}
    now = _fingerprints(contest)
    return tuple(name for name in now if old.get(name, now[name]) != now[name])


def _differences(before: StoredContest, identity: Mapping[str, Any], contest: Contest) -> list[str]:
    """Return what is another one than in the contest that was played last, as texts."""
    old, new = _described(before.identity), _described(identity)
    old["variant"], new["variant"] = str(before.variant), str(contest.variant)
    names = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    return [
        f"{name} is {new.get(name, NOT_SET)} (it was {old.get(name, NOT_SET)})"
        for name in names
        if not name.startswith(FILES)
    ] + [
        f"{name} have changed"
        for name in names
        if name.startswith(FILES) and name in old and name in new
    ]


def _described(identity: Mapping[str, Any]) -> dict[str, str]:
    """Return the settings of a contest by names that people know."""
    settings = {name: str(identity[name]) for name in SETTINGS if name in identity}
    settings.setdefault("system", "match")
    with suppress(TypeError, KeyError):  # an identity that was changed by hand
        for number, bot in enumerate(identity.get("bots", ()), 1):
            settings[f"bot {number}"] = bot["name"]
            settings[f"{FILES}{bot['name']}"] = bot["fingerprint"]
        given = identity["controls"] if "controls" in identity else [identity["control"]]
        controls = [TimeControl(**each) for each in given]
        times = [(str(each), each.first_ms or NOT_SET, each.startup_ms) for each in controls]
        for name, values in zip(
            ("time", "first_ms", "startup_ms"), zip(*times, strict=True), strict=True
        ):
            settings[name] = " and ".join(dict.fromkeys(map(str, values)))
    return settings
