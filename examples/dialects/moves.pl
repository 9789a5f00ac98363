#!/usr/bin/perl
# Speaks the protocol "moves": it reads the opponent's column and writes its own. If it reads "go!",
# it makes the first move. No line shows the board, so the bot keeps its own.
#
#   c4-referee match moves random --bots examples/dialects/standard.toml --games 4
#
# It wins or stops a win if it can, and otherwise plays near the middle. Its arguments are the width
# and the height of the board, which the referee writes for {width} and {height} in the command.
use strict;
use warnings;

$| = 1;    # write each answer at once
my ($width, $height) = (@ARGV, 7, 6)[0 .. 1];
my $step = $height + 1;
my $order = sub { abs(2 * $_[0] + 1 - $width) };

# Columns from the bottom, with a wall above each: "." is an empty cell, "x" is ours, "o" theirs.
my $board = ('.' x $height . '|') x $width;

# Returns the columns that are not full, those in the middle first.
sub free {
    my @free = grep { substr($board, $_ * $step + $height - 1, 1) eq '.' } 0 .. $width - 1;
    return sort { $order->($a) <=> $order->($b) } @free;
}

# Returns the board after a move: the stone falls to the first empty cell of the column.
sub after {
    my ($x, $stone) = @_;
    my $after = $board;
    substr($after, index($after, '.', $x * $step), 1) = $stone;
    return $after;
}

# Returns whether there is a line: four stones with the same number of cells between them.
sub has_line {
    my ($after, $stone) = @_;
    return grep { $after =~ /$stone(?:.{$_}$stone){3}/ } 0, $height - 1, $height, $height + 1;
}

sub choose {
    my @free = free();
    for my $stone ('x', 'o') {    # take a win, or stop one
        for my $x (@free) {
            return $x if has_line(after($x, $stone), $stone);
        }
    }
    return $free[0];
}

while (my $line = <STDIN>) {
    $board = after($1, 'o') if $line =~ /(\d+)/;
    my $x = choose();
    $board = after($x, 'x');
    print "$x\n";
}
