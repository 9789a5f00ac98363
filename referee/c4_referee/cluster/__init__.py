"""Games on a Dask cluster; ``docs/cluster.md`` tells how to use it.

Nothing of a game happens in a Dask process: each keeps workers of ours, one a thread, as the local
runner does, and gives them jobs. What they share, settings and bots' folders, is a plugin of the
Dask workers for as long as the referee is there; a game is a task of a few bytes.
"""
