"""Asks a judge for exact values of positions, and measures with them how accurately bots moved."""
