"""Players: their parts, and the registry of their names."""
