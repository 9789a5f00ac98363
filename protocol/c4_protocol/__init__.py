"""What a bot and a referee say to each other, and the rules of the game they say it about.

Knows nothing of bots or referees: they meet here, and over a pipe.
"""
