"""The commands of ``c4-referee``, one module each, and what command lines have in common.

A module has ``add(commands)``, which describes its part of the command line; it imports what the
command needs only when that runs.
"""
