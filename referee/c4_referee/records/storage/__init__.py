"""Storage of contests on disk."""
