#!/usr/bin/perl
# Plays random games for half of its time, and makes the move after which it won most of them (Monte
# Carlo). It tries all moves equally often. playouts.py tries good moves more often, and remembers
# the moves that followed them.
#
#   c4-referee match "perl examples/monte_carlo.pl" "c4-bot --plays random" --games 10 --time-ms 300
#
# It needs only Perl: patterns find the values in the text of a line of JSON.
use strict;
use warnings;
use POSIX ();

$| = 1;    # write each answer at once
my $LINE = 4;

# Returns the seconds since a fixed time, in steps of a hundredth.
sub now { return (POSIX::times())[0] / 100 }

# Plays a column for a player, and returns whether that makes a line. Cells count from the top.
sub play {
    my ($grid, $x, $player) = @_;
    my $column = $grid->[$x];
    my $y = 0;
    $y++ while $y < $#$column && !$column->[$y + 1];
    $column->[$y] = $player;
    for my $step ([1, 0], [0, 1], [1, 1], [1, -1]) {
        my $stones = 1;
        for my $sign (1, -1) {
            my ($dx, $dy) = ($sign * $step->[0], $sign * $step->[1]);
            my ($i, $j) = ($x + $dx, $y + $dy);
            while ($i >= 0 && $i < @$grid && $j >= 0 && $j < @$column) {
                last if $grid->[$i][$j] != $player;
                $stones++;
                $i += $dx;
                $j += $dy;
            }
        }
        return 1 if $stones >= $LINE;
    }
    return 0;
}

sub free { my ($grid) = @_; return grep { !$grid->[$_][0] } 0 .. $#$grid }

# Plays our move and then random ones: returns 1 if we win, 0 for a draw, -1 if we lose.
sub playout {
    my ($grid, $x, $me) = @_;
    my @board = map { [@$_] } @$grid;
    my $player = $me;
    until (play(\@board, $x, $player)) {
        my @free = free(\@board) or return 0;
        $x = $free[rand @free];
        $player = 3 - $player;
    }
    return $player == $me ? 1 : -1;
}

# Returns the column to play, counting from 0.
sub choose {
    my ($grid, $me, $deadline) = @_;
    my @free = free($grid);
    for my $player ($me, 3 - $me) {    # take a win, and stop one, without random games
        for my $x (@free) {
            return $x if play([map { [@$_] } @$grid], $x, $player);
        }
    }
    my %won = map { $_ => 0 } @free;
    do {
        $won{$_} += playout($grid, $_, $me) for @free;
    } while (now() < $deadline);
    return (sort { $won{$b} <=> $won{$a} } @free)[0];
}

# Returns our number, 1 or 2: from the line, from the command line, or from the stones.
sub own_number {
    my ($line, $grid) = @_;
    return $1 if $line =~ /"player"\s*:\s*([12])/;
    return $1 if "@ARGV" =~ /--player ([12])/;
    my @stones = map { @$_ } @$grid;
    return 1 + ((grep { $_ == 1 } @stones) > (grep { $_ == 2 } @stones));
}

while (my $line = <STDIN>) {
    my $began = now();
    last if $line =~ /^:exit/;
    next unless $line =~ /"grid"\s*:\s*\[(.*?\])\s*\]/;    # a blank line
    my $grid = [map { [/\d/g] } $1 =~ /\[([^\[\]]*)\]/g];
    my $ms = $line =~ /"time_ms"\s*:\s*([\d.]+)/ ? $1 : 1000;
    $ms = $1 / 20 if $line =~ /"remaining_ms"\s*:\s*([\d.]+)/;    # the clock is for the whole game
    printf "{\"move\":%d}\n", choose($grid, own_number($line, $grid), $began + $ms / 2000);
}
