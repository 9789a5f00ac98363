"""Bots: their descriptions, their processes and limits, and the conversations with them."""
