"""What is kept of contests, and what it says."""
