// Open windows, all counted at once: a board shifted onto itself shows every window in parallel.
#pragma once

#include <algorithm>
#include <array>

#include "../board.hpp"

namespace c4 {

/// The windows of one direction that one player can still fill, by the number of stones that they
/// lack; those that lack more than `MOST` are not counted. A bitboard of windows has the bits of
/// their first cells.
template <class Board, int MOST = Board::MAX_CONNECT>
struct OpenWindows {
    using B = typename Board::B;

    OpenWindows() = default;

    OpenWindows(const Board& board, int direction, B stones, B free) : step(direction) {
        if constexpr (Board::MAX_CONNECT == 4) {
            count_fours(stones, free);
        } else {
            count(board, stones, free);
        }
    }

    /// Returns all of these windows.
    B open(const Board& board) const {
        B found = 0;
        for (int lack = 0; lack <= board.connect(); ++lack) found |= lacking[lack];
        return found;
    }

    /// Returns the cells of some windows.
    B cells(const Board& board, B windows) const {
        B found = 0;
        for (int cell = 0; cell < board.connect(); ++cell) found |= windows << (cell * step);
        return found;
    }

    /// Returns the windows that hold some of these cells; other bits that are set are no windows.
    B through(const Board& board, B cells) const {
        B found = 0;
        for (int cell = 0; cell < board.connect(); ++cell) found |= cells >> (cell * step);
        return found;
    }

    int step;
    std::array<B, Board::MAX_CONNECT + 1> lacking;

  private:
    /// Counts cell by cell: a stone leaves the number that a window lacks, a gap adds one.
    void count(const Board& board, B stones, B free) {
        lacking[0] = board.all;
        for (int cell = 0; cell < board.connect(); ++cell) {
            const B stone = stones >> (cell * step), gap = free >> (cell * step);
            if (cell < MOST) lacking[cell + 1] = lacking[cell] & gap;
            for (int n = std::min(cell, MOST); n > 0; --n)
                lacking[n] = (lacking[n] & stone) | (lacking[n - 1] & gap);
            lacking[0] &= stone;
        }
    }

    /// Does the same for lines of four, three times as fast: a window is a pair of pairs of cells.
    void count_fours(B stones, B free) {
        const B stone = stones >> step, gap = free >> step;
        const B none = stones & stone, one = (stones & gap) | (free & stone), two = free & gap;
        const int far = 2 * step;
        const B none_far = none >> far, one_far = one >> far, two_far = two >> far;
        lacking = {none & none_far, (none & one_far) | (one & none_far),
                   (none & two_far) | (one & one_far) | (two & none_far),
                   (one & two_far) | (two & one_far), two & two_far};
    }
};

}  // namespace c4
