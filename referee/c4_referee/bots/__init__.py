"""Bots: their descriptions, their processes and limits, and the dialogue with them."""
