"""Which of the ways in which a submission may start plays: the first that passes the check."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from c4_referee.bots.languages import BUILD_FILES
from c4_referee.check.whole_file import check_all
from c4_referee.classroom.check_versions import failures
from c4_referee.classroom.submissions.compiling import Compiled, first_error, spec_of
from c4_referee.classroom.submissions.mains import short_list
from c4_referee.classroom.submissions.start import Start, Unclear
from c4_referee.classroom.tables import bots_toml
from c4_referee.system.safe_files import replace_file


def chosen_start(
    starts: Sequence[Start],
    compiled: Callable[[Start], Compiled],
    fault: Callable[[Start], str],
) -> tuple[Start, Compiled]:
    """Return the start of a submission that plays, and what compiling it has given.

    ``compiled`` compiles a start in a fresh copy. ``fault`` checks the bot in it, and returns what
    is wrong with it, or "". A start that is alone needs no check here, nor does one whose build
    file makes a program. If none passes, the first one is compiled again and returned. Raises
    ``Unclear`` if it is one of several main programs.
    """
    faults: dict[str, str] = {}
    mains = [start.main for start in starts if start.main]
    for start in starts:
        done, why = compiled(start), ""
        if len(starts) == 1:
            return start, done
        if not done.passed:
            why = f"it does not compile: {first_error(done.messages)}"
        elif start.because not in BUILD_FILES:
            why = fault(start)
        if not why:
            others = [main for main in mains if main != start.main]
            note = f"{short_list(others)} could, too" if start.main and others else ""
            note = f"{short_list([*faults])} failed" if faults else note
            return replace(start, note=note), done
        faults[start.main or start.because] = why
    if len(mains) > 1:
        found = "; ".join(f"{main}: {faults[main]}" for main in mains)
        raise Unclear(f"several programs could be its main one, and none plays: {found}", mains)
    return starts[0], compiled(starts[0])


def fault_of(
    start: Start,
    folder: Path,
    python: str,
    options: Sequence[str] = (),
    seconds: float = 60.0,
    *,
    sandboxed: bool,
) -> str:
    """Return why the bot that is compiled in ``folder / "build"`` fails the check, or "".

    ``python`` is the environment of the class, and ``options`` are those of ``c4-referee check``. A
    file that describes the bot is in the folder meanwhile.
    """
    path = folder / "check.toml"
    spec = spec_of(start, "bot", folder / "build", python, sandboxed=sandboxed)
    replace_file(path, bots_toml([spec]))
    argv = ["check", "--bots", str(path), *options]
    (checked,) = check_all(["bot"], argv, 1, lambda _: None, seconds)
    path.unlink()
    if checked.passed_here or checked.report is None:
        return checked.reason
    return str(failures(checked.report)[0]["seen"])
