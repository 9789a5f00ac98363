"""Questions to a bot, and its answers."""
