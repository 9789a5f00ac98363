"""The command ``c4-tune``: tournaments that search for good weights for a player."""
