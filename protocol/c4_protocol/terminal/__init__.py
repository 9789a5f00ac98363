"""Games of a person in a terminal, for the commands of the bot and of the referee."""
