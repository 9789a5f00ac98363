"""The program ``c4-tune``: searches for good weights of a player by games between players."""
