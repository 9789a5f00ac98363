"""Players for other platforms: files that play without this package (``c4-bot export``)."""
