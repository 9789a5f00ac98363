"""What people get to see of games that were played."""
