"""Programs that make a bot out of something that is not a program."""
