"""Which of several contests is meant, and the words for the others."""

from collections.abc import Sequence

from c4_protocol.program.errors import UsageError

from c4_referee.records.storage.contests import StoredContest


def recency(contest: StoredContest) -> tuple[bool, int, int]:
    """Return a key that is greatest for the contest that was played or continued last.

    Each run marks its contest. Older folders have no mark: there, the last result decides, and then
    the beginning.
    """
    return contest.is_marked, contest.last_result, contest.number


def meant(contests: Sequence[StoredContest]) -> StoredContest:
    """Return the contest that is meant if nobody chooses one: the one that was played last."""
    return max(contests, key=recency)


def chosen_contest(
    source: str,
    contests: Sequence[StoredContest],
    number: int | None,
    option: str = "--contest ",
    more: str = "",
) -> tuple[StoredContest, str]:
    """Return the contest with this number, or without one the contest that is meant.

    The text says that there are others, and how to see them: by ``option`` and a number, and by
    ``more``. It is empty if there are none, or if there is a number. Raises ``UsageError`` if there
    is no such contest.
    """
    held = f"{source} holds {len(contests)} contest{'s'[: len(contests) != 1]}"
    if number is not None and not 0 < number <= len(contests):
        raise UsageError(f"{option}{number}: {held}")
    contest = meant(contests) if number is None else contests[number - 1]
    if number is not None or len(contests) == 1:
        return contest, ""
    why = ", played last" if contest.is_marked or contest.last_result else ""
    meaning = f"contest {contest.number} is meant{why}"
    return contest, f"{held}: {meaning} ({option}K chooses another{more})"
