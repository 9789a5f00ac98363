"""Session and clock of a bot that plays, and a person in the terminal."""
