"""Results on standard output."""

import sys

import orjson


def print_json(record: object) -> None:
    """Print a record as a line of JSON."""
    sys.stdout.buffer.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))
