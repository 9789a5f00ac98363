# Makes or stops a line of four if it can. Otherwise it plays the free column of the lowest rank.
use strict;
use warnings;

$| = 1;

sub rank { my ($x, $w, $empty) = @_; return (2 * $x + 1 - $w) * (2 * $x + 1 - $w) * 9 - $empty; }

sub wins {
    my ($x, $player, @columns) = @_;
    my $h = length $columns[0];
    $columns[$x] =~ s/^(0*)0/$1$player/;
    my $board = join ']', @columns;
    return scalar grep { $board =~ /$player(?:.{$_}$player){3}/ } 0, $h - 1 .. $h + 1;
}

while (my $line = <STDIN>) {
    last if $line =~ /^:exit/;
    next unless $line =~ /"grid"\s*:\s*\[(.*?)\]\s*\]/;
    my @columns = split /\]/, $1 =~ tr/012]//cdr;
    my $me = $line =~ /"player"\s*:\s*(\d)/ ? $1 : 1;
    my @free = grep { $columns[$_] =~ /^0/ } 0 .. $#columns;
    my %rank = map { $_ => rank($_, scalar @columns, $columns[$_] =~ tr/0//) } @free;
    @free = sort { $rank{$a} <=> $rank{$b} or $a <=> $b } @free;
    my @win = grep { wins($_, $me, @columns) } @free;
    my @stop = grep { wins($_, 3 - $me, @columns) } @free;
    printf "{\"move\":%d}\n", (@win, @stop, @free)[0];
}
