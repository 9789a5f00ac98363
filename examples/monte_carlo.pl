#!/usr/bin/perl
# Plays random games for half of its time, and makes the move after which it won most of them (Monte
# Carlo). It tries all moves equally often; playouts.py tries good moves more often.
#
#   c4-referee match "perl examples/monte_carlo.pl" "c4-bot --plays random" --games 10 --time-ms 300
use strict;
use warnings;
use Time::HiRes qw(time);

$| = 1;    # write each answer at once
my ($step, $line);    # the distance between columns, and the pattern of a line of four

# A board is its columns, each from the top and with a wall: "000012]000000]000021]...".
sub free {
    my $board = shift;
    return grep { substr($board, $_ * $step, 1) eq '0' } 0 .. length($board) / $step - 1;
}

# Returns the board after a move: the stone falls to the last empty cell of the column.
sub after {
    my ($board, $x, $player) = @_;
    pos($board) = $x * $step;
    $board =~ s/\G(0*)0/$1$player/;
    return $board;
}

# Plays a column, then random moves: returns 1 if the player wins, 0 for a draw, -1 for a loss.
sub playout {
    my ($board, $x, $player) = @_;
    return 1 if ($board = after($board, $x, $player)) =~ $line;
    my @free = free($board) or return 0;
    return -playout($board, $free[rand @free], 3 - $player);
}

# Returns the column to play, counting from 0.
sub choose {
    my ($board, $me, $deadline) = @_;
    my @free = free($board);
    for my $player ($me, 3 - $me) {    # take a win, or stop one, without random games
        for my $x (@free) { return $x if after($board, $x, $player) =~ $line }
    }
    my %won;
    do { $won{$_} += playout($board, $_, $me) for @free } while time() < $deadline;
    return (sort { $won{$b} <=> $won{$a} } @free)[0];
}

while (my $text = <STDIN>) {
    last if $text =~ /^:exit/;
    my %value = $text =~ /"(\w+)"\s*:\s*([\d.]+)/g;
    next unless $text =~ /"grid"\s*:\s*\[(.*?\])\s*\]/;    # a blank line
    my $board = $1 =~ tr/012]//cdr;
    $step = 1 + index $board, ']';
    my $steps = join '|', map { "(?:.{$_}\\1){3}" } 0, $step - 2 .. $step;
    $line = qr/([12])(?:$steps)/;
    my $fewer = 1 + ($board =~ tr/1// > $board =~ tr/2//);
    my $me = $value{player} // ("@ARGV" =~ /--player ([12])/)[0] // $fewer;
    my $seconds = ($value{time_ms} // 100) / 2000;    # little with a clock for the whole game
    printf "{\"move\":%d}\n", choose($board, $me, time() + $seconds);
}
