#!/usr/bin/env bash
# Gradescope runs this once, when it builds the image of an autograder.
#
# To make the autograder, put these files into one zip, without a folder around them: setup.sh,
# run_autograder, rubric.toml (begin with examples/rubric.toml) and the wheel of c4-arena. In a clone,
# `pip wheel --no-deps .` makes it: use the version of Python that the base image has.
#
# Choose a base image with Python 3.11 or later. Make this line a command, with what the languages of
# your students need:
#   apt-get update && apt-get install -y python3-venv default-jdk gcc golang
#
# AUTOGRADER and PYTHON are for a trial on your own machine.
set -euo pipefail

root=${AUTOGRADER:-/autograder}
"${PYTHON:-python3}" -m venv "$root/venv"
"$root/venv/bin/pip" install --quiet "$root"/source/c4_arena-*.whl
"$root/venv/bin/c4-referee" --version
