#!/bin/sh
# Plays the free column of the lowest rank.
while IFS= read -r line; do
  case $line in :exit*) exit ;; *\"grid\"*) ;; *) continue ;; esac
  grid=$(printf '%s' "${line#*\"grid\"}" | tr -cd '012]')
  grid=${grid%%]]*}]
  rest=$grid w=0 x=0 best='' lowest=0
  while [ -n "$rest" ]; do rest=${rest#*]} w=$((w + 1)); done
  while [ -n "$grid" ]; do
    zeros=${grid%%[]12]*}
    empty=${#zeros}
    rank=$(((2 * x + 1 - w) * (2 * x + 1 - w) * 9 - empty))
    if [ "$empty" -gt 0 ] && { [ -z "$best" ] || [ "$rank" -lt "$lowest" ]; }; then
      best=$x lowest=$rank
    fi
    grid=${grid#*]} x=$((x + 1))
  done
  printf '{"move":%s}\n' "$best"
done
