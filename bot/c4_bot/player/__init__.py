"""What a player is, and which players there are."""
