"""A bar of what is done, drawn with rich; nothing where there is no terminal."""

from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn


class Bar:
    """So many things done of a total, on standard error; a context manager.

    ``more`` are columns behind the number. Without ``threaded`` no thread draws it, only ``move``.
    """

    def __init__(
        self, title: str, *more: ProgressColumn, total: int | None = None, threaded: bool = True
    ) -> None:
        console = Console(stderr=True)
        self._threaded = threaded
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            *more,
            console=console,
            transient=True,
            auto_refresh=threaded,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task(title, total=total, told="")

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def move(self, done: int, total: int | None = None, told: str = "") -> None:
        """Shows so many done, and a word on them where a column has room for ``told``."""
        refresh = not self._threaded
        self._bar.update(self._task, completed=done, total=total, told=told, refresh=refresh)

    def stop(self) -> None:
        """Takes the bar away."""
        self._bar.stop()
