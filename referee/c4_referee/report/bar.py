"""A bar of what is done, drawn with rich; nothing where there is no terminal."""

from typing import Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Column
from rich.text import Text


class Games(ProgressColumn):
    """How many games were played, and of how many; ``bound`` says if that is a limit only."""

    def __init__(self) -> None:
        super().__init__(Column(no_wrap=True))

    def render(self, task: Task) -> Text:
        """Return the numbers of a task."""
        return Text(games_of(int(task.completed), task.total, task.fields["bound"]))


class TimeLeft(TimeRemainingColumn):
    """The time left, where the total is known: a ``bound`` on it is no basis for an estimate."""

    def render(self, task: Task) -> Text:
        """Return the estimate, or nothing."""
        return Text() if task.fields["bound"] else super().render(task)


def games_of(done: int, total: float | None, bound: str) -> str:
    """Return ``3 of 10``, or ``3 of at least 10`` with such a bound."""
    if total is None:
        return f"{done}"
    return " ".join(filter(None, (f"{done} of", bound, f"{total:.0f}")))


class Bar:
    """So many things done of a total, on standard error; a context manager.

    ``more`` are columns behind the ``number``. Without ``threaded`` no thread draws it, only
    ``move``.
    """

    def __init__(
        self,
        title: str,
        *more: ProgressColumn,
        number: ProgressColumn | None = None,
        total: int | None = None,
        threaded: bool = True,
    ) -> None:
        console = Console(stderr=True)
        self._threaded = threaded
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            number or MofNCompleteColumn(),
            *more,
            console=console,
            transient=True,
            auto_refresh=threaded,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task(title, total=total, told="", bound="")

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def move(self, done: int, total: int | None = None, *, told: str = "", bound: str = "") -> None:
        """Show how many are done; ``told`` and ``bound`` are for columns that show them."""
        refresh = not self._threaded
        self._bar.update(
            self._task, completed=done, total=total, told=told, bound=bound, refresh=refresh
        )

    def stop(self) -> None:
        """Takes the bar away."""
        self._bar.stop()
