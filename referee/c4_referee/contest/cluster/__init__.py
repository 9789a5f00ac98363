"""Games on a Dask cluster. ``docs/cluster.md`` explains how to use one.

No game is played in a Dask process. Each Dask worker does the same as the local runner: it starts
worker processes of this package (``play.worker``), one for each of its threads, and gives them
jobs. The settings and the bots' folders are sent to each Dask worker once, as a plugin. The plugin
is removed when the referee disconnects. Each Dask task is a batch of short games, or a single game.
Its input is only a few bytes for each game.
"""
