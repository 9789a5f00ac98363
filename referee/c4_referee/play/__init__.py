"""Playing the games of a tournament: which is next, who plays it where, and what came of it."""
