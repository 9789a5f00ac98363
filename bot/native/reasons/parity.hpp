// Games that the parity of free cells decides: the twin of c4_bot/reasons/parity.py. The comment in
// ../solver/follow_up.hpp says why these rules hold. The code there is written for speed and finds
// bounds of scores, so it is not used here.
#pragma once

#include "../board.hpp"

namespace c4::reasons {

template <class Board, class B = typename Board::B>
bool is_quiet(const Board& board, const Position<B>& position) {
    return !board.winning_cells(position) && !board.opponent_winning_cells(position);
}

/// Returns a cell and all cells above it.
template <class Board, class B = typename Board::B>
B from(const Board& board, B cell) {
    return board.column_of(cell) & ~(cell - 1);
}

template <class Board, class B = typename Board::B>
B lowest_of_columns(const Board& board, B cells) {
    B found = 0;
    while (cells) {
        const B cell = take_lowest(cells);
        found |= cell;
        cells &= ~board.column_of(cell);
    }
    return found;
}

/// Returns whether the opponent completes no line if the follower gets the `sure` cells. The game
/// ends when the follower reaches one of `traps`.
template <class Board, class B = typename Board::B>
bool holds(const Board& board, const Position<B>& position, B sure, B traps) {
    B ended = 0;
    while (traps) ended |= from(board, take_lowest(traps));
    const B free = board.all & ~position.occupied();
    return !board.has_line(position.own | (free & ~sure & ~(ended << 1)));
}

template <class Board, class B = typename Board::B>
B decisive_threats(const Board& board, const Position<B>& position) {
    if (!board.variant.gravity || !is_quiet(board, position)) return 0;
    const B occupied = position.occupied(), upper = board.upper;
    const B later = board.all & ~occupied & ~board.playable(occupied);
    const B wins = board.completing_cells(position.other) & later;
    if ((board.variant.cells() - position.ply()) % 2 == 0) {
        const B traps = lowest_of_columns(board, wins & upper);
        return traps && holds(board, position, later & upper, traps) ? traps : 0;
    }
    B candidates = lowest_of_columns(board, wins & ~upper);
    while (candidates) {
        const B trap = take_lowest(candidates), column = board.column_of(trap);
        const B below = column & (trap - 1);
        const B sure = (later & ((upper & ~column) | (below & ~upper))) | trap;
        const B traps = lowest_of_columns(board, (wins & sure) | trap);
        if (holds(board, position, sure, traps)) return traps;
    }
    return 0;
}

template <class Board, class B = typename Board::B>
bool answers_above_hold(const Board& board, const Position<B>& position) {
    const B occupied = position.occupied();
    if (!board.variant.gravity || !is_quiet(board, position)) return false;
    if (board.playable(occupied) & board.upper) return false;
    return holds(board, position, board.all & ~occupied & board.upper, B{0});
}

}  // namespace c4::reasons
