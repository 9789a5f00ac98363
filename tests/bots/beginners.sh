#!/bin/sh
# Bots with beginners' mistakes in shell: sh beginners.sh MISTAKE. See beginners.py.

# Prints the columns of a precept's grid, one on each line, such as 000012 from the top.
columns() {
  grid=${1#*\"grid\":}
  printf '%s\n' "${grid%%]]*}" | sed 's/\],/\n/g' | sed 's/[^0-9\n]//g'
}

# Prints the number of each column that matches a pattern, counting from 0.
matching() {
  columns "$1" | grep -n "$2" | cut -d: -f1 | while read -r number; do echo $((number - 1)); done
}

say() { printf '{"move":%s}\n' "$1"; }
free() { matching "$1" '^0'; }
first() { free "$1" | head -n 1; }
any() { shuf -n 1; }

case $1 in
  counts_from_1) while read -r line; do say $(($(free "$line" | any) + 1)); done ;;
  answers_the_row)
    while read -r line; do
      column=$(columns "$line" | grep '^0' | head -n 1)
      stones=$(printf %s "$column" | tr -d 0 | wc -c)
      say $((${#column} - stones - 1))
    done ;;
  upside_down) while read -r line; do say "$(matching "$line" '0$' | any)"; done ;;
  reads_rows)
    while read -r line; do
      row=$(columns "$line" | head -n 1)
      say "$(printf %s "$row" | grep -o . | grep -n 0 | cut -d: -f1 | while read -r n; do
        echo $((n - 1)); done | any)"
    done ;;
  ignores_full_columns) while read -r line; do say "$(shuf -i 0-6 -n 1)"; done ;;
  does_not_flush)
    while read -r line; do answers="$answers$(say "$(first "$line")")
"; done
    printf %s "$answers" ;;
  reads_to_the_end) lines=$(cat); printf '%s\n' "$lines" | while read -r line; do
    say "$(first "$line")"; done ;;
  prints_debug_text) while read -r line; do echo thinking; say "$(first "$line")"; done ;;
  prints_a_number) while read -r line; do first "$line"; done ;;
  answers_once) read -r line; say "$(first "$line")" ;;
  needs_arguments) : "${3:?usage: beginners.sh MISTAKE --player PLAYER}"
    while read -r line; do say "$(first "$line")"; done ;;
  prints_a_dictionary) while read -r line; do echo "{move: $(first "$line")}"; done ;;
  prints_over_lines)
    while read -r line; do printf '{\n  "move": %s\n}\n' "$(first "$line")"; done ;;
esac
