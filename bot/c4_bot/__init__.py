"""A Connect Four player that reads precepts and writes moves."""
