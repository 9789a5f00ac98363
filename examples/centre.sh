#!/bin/sh
# Plays the free column nearest to the middle, in two dozen lines of POSIX shell. It needs no other
# program. Run a match with it:
#
#   c4-referee match "sh examples/centre.sh" "c4-bot --plays random" --games 10
#
# Each line of input is one precept as JSON, {"grid":[[0,0,...],[...]],...}. The grid is a list of
# columns, each from the top. A column is free while its first cell is 0.

while IFS= read -r precept; do
  case $precept in
    :exit*) exit ;;
    *\"grid\"*) ;;
    *) continue ;;                # a blank line
  esac
  while :; do                     # remove spaces: some drivers write them
    case $precept in *" "*) precept=${precept%% *}${precept#* } ;; *) break ;; esac
  done
  grid=${precept#*\"grid\":[}
  grid=${grid%%]]*}],             # [0,0,0],[0,0,1],...
  free='' column=0
  while [ -n "$grid" ]; do
    case $grid in "[0"*) free="$free $column" ;; esac
    grid=${grid#*],} column=$((column + 1))
  done
  best='' nearest=$((column + column))
  for candidate in $free; do
    off=$((2 * candidate - column + 1))
    [ "$off" -lt 0 ] && off=$((-off))
    [ "$off" -lt "$nearest" ] && nearest=$off best=$candidate
  done
  printf '{"move":%s}\n' "$best"
done
