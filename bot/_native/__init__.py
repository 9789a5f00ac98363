"""The searches and evaluators again in C++; ``bot.native`` decides when they play."""
