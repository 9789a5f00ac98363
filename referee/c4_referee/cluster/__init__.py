"""Games on a Dask cluster; ``docs/cluster.md`` explains how to use it.

No game is played in a Dask process. As the local runner does, each Dask worker keeps worker
processes of this package (``play.worker``), one for each of its threads, and gives them jobs. The
settings and the bots' folders are a plugin of the Dask workers as long as the referee is connected.
A game is a task of a few bytes.
"""
