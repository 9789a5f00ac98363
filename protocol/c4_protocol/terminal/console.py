"""The console of all reports."""

import re
from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from c4_protocol.program.text import visible


class SafeConsole(Console):
    """Console that shows texts of other people without obeying control characters in them.

    Names are harmless since they were read, so that only texts of unknown origin are changed here.
    Rich keeps its own control codes apart from texts. In a file or a pipe, no line ends in blanks.
    """

    def _render_buffer(self, buffer: Iterable[Segment]) -> str:
        text = super()._render_buffer(buffer)
        return text if self.is_terminal else re.sub(r" +$", "", text, flags=re.MULTILINE)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Yield the segments of a renderable, with escapes for what cannot be printed."""
        for segment in super().render(renderable, options):
            if segment.control or segment.text.isprintable():
                yield segment
            else:
                yield Segment(visible(segment.text, keep="\n"), segment.style)
