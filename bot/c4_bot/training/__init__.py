"""Many games and the training of networks, for the tuner."""
