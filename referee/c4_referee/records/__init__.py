"""Stored contests, formats of results, standings and statistics."""
