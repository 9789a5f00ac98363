"""An agent for Kaggle's ConnectX: the free column nearest to the middle."""


def agent(observation, configuration):
    """Return the column to play."""
    free = [x for x in range(configuration.columns) if observation.board[x] == 0]
    return min(free, key=lambda x: abs(2 * x + 1 - configuration.columns))
