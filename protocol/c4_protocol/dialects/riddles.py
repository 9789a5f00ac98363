"""Four in a Row as riddles.io played it, the successor of theaigames.

::

    referee  settings timebank 10000
             settings time_per_move 500
             settings player_names player0,player1
             settings your_bot player0
             settings your_botid 0
             settings field_width 7
             settings field_height 6
             update game round 1
             update game field .,.,.,.,.,.,.,.,...,.,.,.
             action move 10000                    bot  place_disc 3
             update game round 2
             update game field .,.,.,.,.,.,.,.,...,0,1,.,.
             action move 9775                     bot  place_disc 3

Differences from theaigames:

- The size of the board is ``field_width`` and ``field_height``. Players count from 0.
- The field lists all cells from the top left, separated by commas only. ``.`` is an empty cell,
  0 and 1 are the players.
- A round is one move of each player (connect-four-engine of riddles.io, in Java). Nothing is sent
  after the bot's own move.
- An answer that is not a legal move loses the game at once. No words may follow the column.

The platform sends the settings in another order, and more of them. Their order has no meaning.
"""

import re

from c4_protocol.dialects import _settings

RIDDLES_ONLY_LINE = re.compile(
    rb"settings\s+(field_(width|height)|player_names\s+player0|your_bot\s+player0|your_botid\s+0)\b"
    rb"|update\s+game\s+field\s[^.]*\."
)
"""Pattern for the start of a line that theaigames never sends."""
PLATFORM = _settings.Platform(
    name="riddles",
    width=b"field_width",
    height=b"field_height",
    cells=(b".", b"0", b"1"),
    row_separator=b",",
    tries=1,
    plies_per_round=2,
    allows_comments=False,
    shows_own_move=False,
)


class BotEnd(_settings.BotEnd):
    """The bot's side of a conversation. ``theaigames`` recognises it by the first lines."""

    platform = PLATFORM


class RefereeEnd(_settings.RefereeEnd):
    """The referee's side of a conversation."""

    platform = PLATFORM
