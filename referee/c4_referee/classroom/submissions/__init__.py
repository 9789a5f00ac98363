"""Submissions of a class: taken out of the download of a course platform, unpacked, and started.

``handed.py`` describes what a download holds, and ``platforms`` reads the downloads of each course
platform. ``unpacking.py`` unpacks the archives of other people. ``start_rules.py`` finds out how a
submission starts, with the table of ``bots.languages``, and ``compiling.py`` compiles it.
"""
