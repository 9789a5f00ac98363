#!/bin/sh
# Starts a bot that has to be compiled first, from its source, C or Java in one file:
#
#   c4-referee match "sh examples/run.sh examples/look_ahead.c" "c4-bot --plays random" --games 10
#
# A tournament starts its bots anew for every game. So what was compiled is kept, under a name that
# changes with the source, and compiled again only then. Games are played side by side: each
# compiles under a name of its own, and moves only what is complete to where others look for it.
# A sandbox keeps nothing: there, compile beforehand with  sh examples/run.sh FILE </dev/null

set -eu
source=$1
shift
name=$(basename "$source")
cache=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/c4-bots
built=$cache/$name-$(cksum <"$source" | tr ' ' -)

compile() {                       # to the file $1, beside which there is room for more
  case $name in
    *.c) cc -O2 -o "$1" "$source" -lm ;;
    *.java)
      javac -J-XX:TieredStopAtLevel=1 -d "$1.classes" "$source"
      jar --create --file "$1" --main-class "${name%.java}" -C "$1.classes" .
      rm -r "$1.classes" ;;
    *) echo "run.sh: $source: only .c and .java are compiled here" >&2; exit 2 ;;
  esac
} >&2                             # a compiler's words are none of the bot's

if [ ! -e "$built" ]; then
  mkdir -p "$cache" 2>/dev/null || :
  if [ -w "$cache" ]; then
    compile "$built.$$"
    mv "$built.$$" "$built"
  else                            # in a sandbox, say, which has a /tmp of its own
    built=$(mktemp -d)/bot
    compile "$built"
  fi
fi
case $name in
  *.java) exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar "$built" "$@" ;;
  *) exec "$built" "$@" ;;
esac
