"""Reports of games that were played: records, tables on a terminal, and progress."""
