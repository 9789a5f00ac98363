"""Games on a Dask cluster; ``docs/cluster.md`` explains how to use it.

No game is played in a Dask process. As the local runner does, each Dask worker keeps worker
processes of this package (``play.worker``), one for each of its threads, and gives them jobs. The
settings and the bots' folders are sent to each Dask worker once, as a plugin, which is removed when
the referee disconnects. Each game is a Dask task, whose input has a few bytes.
"""
