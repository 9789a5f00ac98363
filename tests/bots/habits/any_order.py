"""A bot that takes the course's flags in any order, and does not start without them."""

import argparse

from playing import play

parser = argparse.ArgumentParser()
for flag in ("--player", "--width", "--height"):
    parser.add_argument(flag, type=int, required=True)
play(**vars(parser.parse_args()))
