#!/bin/sh
# Compiles a bot if that is necessary, and starts it. The bot is one file in C, C#, Go or Java:
#
#   c4-referee match "sh examples/run.sh examples/look_ahead.c" "c4-bot --plays random" --games 10
#
# A tournament starts its bots anew for every game. So the compiled program is kept, under a name that
# changes with the source. Games can start at the same time: each compiles to a file with a name of
# its own, and moves it to the common name when it is complete. A sandbox keeps no files: compile
# before the tournament with  sh examples/run.sh FILE </dev/null

set -eu
source=$1
shift
name=$(basename "$source")
cache=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/c4-bots
built=$cache/$name-$(cksum <"$source" | tr ' ' -)

compile() {                       # to the file $1; other files are written beside it
  case $name in
    *.c) cc -O2 -o "$1" "$source" -lm ;;
    *.cs) mcs -out:"$1" "$source" ;;
    *.go) go build -o "$1" "$source" ;;
    *.java)
      javac -J-XX:TieredStopAtLevel=1 -d "$1.classes" "$source"
      jar --create --file "$1" --main-class "${name%.java}" -C "$1.classes" .
      rm -r "$1.classes" ;;
    *) echo "run.sh: $source: only .c, .cs, .go and .java are compiled here" >&2; exit 2 ;;
  esac
} >&2                             # the compiler's messages are no answers of the bot

if [ ! -e "$built" ]; then
  mkdir -p "$cache" 2>/dev/null || :
  if [ -w "$cache" ]; then
    compile "$built.$$"
    mv "$built.$$" "$built"
  else                            # for example in a sandbox, which has its own /tmp
    built=$(mktemp -d)/bot
    compile "$built"
  fi
fi
case $name in
  *.java) exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar "$built" "$@" ;;
  *.cs) exec mono "$built" "$@" ;;
  *) exec "$built" "$@" ;;
esac
