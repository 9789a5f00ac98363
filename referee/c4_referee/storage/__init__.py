"""What is kept of a contest on disk."""
