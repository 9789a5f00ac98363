"""How a bot plays: its session, its clock, and a person in the terminal."""
