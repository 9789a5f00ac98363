"""Contests: their bots and conditions, and the function that plays them."""
