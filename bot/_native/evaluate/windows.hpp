// Windows, counted all at once: a board shifted onto itself looks at every window in parallel.
#pragma once

#include <array>

#include "../board.hpp"

namespace c4 {

/// The windows of one direction that one player can still fill, by how many stones they lack.
/// A bitboard of windows has the bits of their first cells.
template <class Board>
struct Windows {
    using B = typename Board::B;

    Windows() = default;

    Windows(const Board& board, int step, B stones, B free) : step(step) {
        lacking[0] = board.all;
        for (int cell = 0; cell < board.connect(); ++cell) {
            const B stone = stones >> (cell * step), gap = free >> (cell * step);
            lacking[cell + 1] = lacking[cell] & gap;
            for (int n = cell; n > 0; --n) lacking[n] = (lacking[n] & stone) | (lacking[n - 1] & gap);
            lacking[0] &= stone;
        }
    }

    /// All of them, whatever they lack.
    B open(const Board& board) const {
        B found = 0;
        for (int lack = 0; lack <= board.connect(); ++lack) found |= lacking[lack];
        return found;
    }

    /// The cells of some windows.
    B cells(const Board& board, B windows) const {
        B found = 0;
        for (int cell = 0; cell < board.connect(); ++cell) found |= windows << (cell * step);
        return found;
    }

    /// The windows that hold some of these cells, and bits that stand for no window.
    B through(const Board& board, B cells) const {
        B found = 0;
        for (int cell = 0; cell < board.connect(); ++cell) found |= cells >> (cell * step);
        return found;
    }

    int step;
    std::array<B, Board::MAX_CONNECT + 1> lacking;
};

}  // namespace c4
