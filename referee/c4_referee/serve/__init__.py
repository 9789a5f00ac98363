"""The server of ``c4-referee serve``: contests and bots in a browser."""
