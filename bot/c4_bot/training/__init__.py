"""What the tuner asks for: many games, and the training of networks."""
