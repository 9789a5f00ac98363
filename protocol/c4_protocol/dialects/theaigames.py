"""Four in a Row as theaigames.com played it: settings, updates and actions.

::

    referee  settings timebank 10000
             settings time_per_move 500
             settings player_names player1,player2
             settings your_bot player1
             settings your_botid 1
             settings field_columns 7
             settings field_rows 6
             update game round 1
             update game field 0,0,0,0,0,0,0;...;0,0,0,0,0,0,0
             action move 10000                    bot  place_disc 3
             update game field 0,0,0,0,0,0,0;...;0,0,0,1,0,0,0
             update game round 3
             update game field 0,0,0,0,0,0,0;...;0,0,0,1,2,0,0
             action move 9775                     bot  place_disc 3

The field lists the rows from the top. 0 is an empty cell, 1 and 2 are the players. Columns count
from 0. Any words may follow the column. A round is one ply, so that player 1 reads odd numbers.

Habits of the engine (fourinarow-engine of theaigames, in Java):

- The action contains the milliseconds in the bot's time bank, and the engine waits that long. A
  move then adds ``time_per_move`` to the bank, which never exceeds ``timebank``.
- After the bot's move it sends the field without an action. A bot that has lost reads the round and
  the field, without an action.
- Any other answer is a failure, and so are ``no_moves`` and no answer in time. The field and the
  action follow again in the same turn. The third failure in a turn loses the game. At the third
  time-out in a game the engine stops the bot. A word instead of the column crashes the engine.
- The bot's last line is its answer, even if it was written before the action.

Our referee counts ``no_moves`` and lines without a column as failures, too. But a late answer loses
at once, as in all dialects. The field after the bot's move is sent together with the next question,
so a bot does not read the field after its last move.

The bot's side speaks the dialect riddles, too. Conversations in both may begin with the same line.
The bot's side recognises riddles by the first line that theaigames never sends.
"""

import re

from c4_protocol.dialects import _settings, riddles
from c4_protocol.records.messages import MoveRequest, Reply

PLATFORM = _settings.Platform(
    name="theaigames",
    width=b"field_columns",
    height=b"field_rows",
    cells=(b"0", b"1", b"2"),
    row_separator=b";",
    tries=3,
    plies_per_round=1,
    allows_comments=True,
    shows_own_move=True,
)


class BotEnd(_settings.BotEnd):
    """The bot's side of a conversation in this dialect or in riddles."""

    platform = PLATFORM
    first_line = re.compile(rb"(settings|update|action)(\s|$)")

    def read_line(self, line: bytes) -> MoveRequest | Reply:
        """Read a setting, an update or an action. Some of them show that the dialect is riddles."""
        if riddles.RIDDLES_ONLY_LINE.match(line):
            self.platform = riddles.PLATFORM
        return super().read_line(line)


class RefereeEnd(_settings.RefereeEnd):
    """The referee's side of a conversation."""

    platform = PLATFORM
