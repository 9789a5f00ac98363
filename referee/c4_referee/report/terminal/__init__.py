"""Reports, replays and progress in a terminal."""
