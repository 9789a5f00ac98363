// The rules on bitboards: the twin of c4_protocol/rules/variant.py and c4_protocol/rules/position.py.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "series.hpp"

namespace c4 {

inline constexpr int MAX_SIDE = 52;

enum Direction : unsigned { HORIZONTAL = 1, VERTICAL = 2, DIAGONAL = 4 };

/// The game that is played; `directions` is a set of `Direction`.
struct Variant {
    int width, height, connect;
    bool gravity;
    unsigned directions;

    constexpr int stride() const { return height + 1; }
    constexpr int bits() const { return width * stride(); }
    constexpr int cells() const { return width * height; }
    constexpr auto operator<=>(const Variant&) const = default;
};

/// The stones of the player to move, and those of the opponent.
template <Bits B>
struct Position {
    B own, other;

    B occupied() const { return own | other; }
    int ply() const { return popcount(occupied()); }
    Position play(B stone) const { return {other, own | stone}; }
};

/// The geometry and the rules of one variant. `K` is the length of a line if the compiler knows it,
/// so that it can unroll loops; otherwise 0.
template <Bits Word, int K>
class Board {
  public:
    using B = Word;
    static constexpr int MAX_CONNECT = K ? K : MAX_SIDE;

    constexpr explicit Board(const Variant& rules) : variant(rules) {
        for (int x = 0; x < variant.width; ++x) bottom |= B{1} << (x * variant.stride());
        all = bottom * column();
        for (int y = 1; y < variant.height; y += 2) even |= bottom << y;
        for (int y = variant.height - 1; y >= 0; y -= 2) upper |= bottom << y;
        find_steps();
        find_choices();
    }

    constexpr int connect() const { return K ? K : variant.connect; }

    B playable(B occupied) const {
        const B free = all & ~occupied;
        return variant.gravity ? (occupied + bottom) & free : free;
    }

    /// Returns whether a stone is above a free cell in a game in which stones fall.
    bool has_floating(B occupied) const {
        return variant.gravity && (occupied + bottom) & occupied;
    }

    /// Returns the legal moves as single bits, centre first.
    std::vector<B> moves(const Position<B>& position) const {
        const B playable = this->playable(position.occupied());
        std::vector<B> moves;
        for (const B choice : choices) {
            if (playable & choice) moves.push_back(playable & choice);
        }
        return moves;
    }

    /// Returns the legal moves: wins in one, moves that stop one, then the others.
    std::vector<B> urgent_first(const Position<B>& position) const {
        std::vector<B> moves = this->moves(position);
        const B wins = winning_cells(position), stops = opponent_winning_cells(position);
        std::ranges::stable_sort(
            moves, {}, [&](B stone) { return std::pair(!(wins & stone), !(stops & stone)); });
        return moves;
    }

    bool is_full(const Position<B>& position) const { return position.occupied() == all; }

    bool is_over(const Position<B>& position) const {
        return is_full(position) || has_line(position.own) || has_line(position.other);
    }

    /// Looks in all directions even if a line is found early: a branch that is often predicted wrong
    /// takes longer.
    bool has_line(B stones) const {
        B found = 0;
        for (const int step : steps) found |= lines(stones, step);
        return found != 0;
    }

    /// Returns the first cells of the lines in the direction of this step.
    B lines(B stones, int step) const {
        if constexpr (K == 4) {
            const B pairs = stones & (stones >> step);
            return pairs & (pairs >> 2 * step);
        }
        for (int length = 1, grow; length < connect(); length += grow) {
            grow = std::min(length, connect() - length);
            stones &= stones >> (grow * step);
        }
        return stones;
    }

    /// Returns the cells, taken or not, on which one more stone completes a line.
    B completing_cells(B stones) const {
        B found = 0;
        for (const int step : steps) found |= completing_in(stones, step);
        return found & all;
    }

    /// Returns these cells for the direction of this step alone; some may not be on the board.
    B completing_in(B stones, int step) const {
        return K == 4 ? completing_four(stones, step) : completing(stones, step);
    }

    /// Returns the cells on which the player to move completes a line now.
    B winning_cells(const Position<B>& position) const {
        return completing_cells(position.own) & playable(position.occupied());
    }

    /// Returns the cells on which the opponent would complete a line now.
    B opponent_winning_cells(const Position<B>& position) const {
        return completing_cells(position.other) & playable(position.occupied());
    }

    /// Returns the cells of the column of a cell.
    B column_of(B cell) const {
        const int stride = variant.stride();
        return column() << (lowest(cell) / stride * stride);
    }

    /// Returns the cells of the column with this index, from 0; none if there is no such column.
    B column_at(int x) const {
        return 0 <= x && x < variant.width ? column() << (x * variant.stride()) : B{0};
    }

    Position<B> mirrored(const Position<B>& position) const {
        return {mirrored(position.own), mirrored(position.other)};
    }

    const Variant variant;
    B bottom = 0, all = 0;
    B even = 0;   // the second row from the bottom, the fourth, ...
    B upper = 0;  // the cells with an even number of cells above
    Series<int, 4> steps;
    Series<B, 8 * sizeof(B)> choices;

  private:
    B completing(B stones, int step) const {
        std::array<B, MAX_CONNECT> before;
        before[0] = all;
        for (int i = 1; i < connect(); ++i) before[i] = (before[i - 1] & stones) << step;
        B after = all, found = 0;
        for (int i = connect() - 1; i >= 0; --i) {
            found |= before[i] & after;
            after = (after & stones) >> step;
        }
        return found;
    }

    /// Does the same for lines of four. Its steps do not depend on each other, which is faster.
    static B completing_four(B stones, int step) {
        const B before = stones << step, after = stones >> step;
        const B two_before = before & (stones << 2 * step);
        const B two_after = after & (stones >> 2 * step);
        return (two_before & ((stones << 3 * step) | after)) |
               (two_after & ((stones >> 3 * step) | before));
    }

    /// Returns the cells seen in a mirror: the leftmost column becomes the rightmost.
    B mirrored(B cells) const {
        const int stride = variant.stride();
        B found = 0;
        for (int x = 0; x < variant.width; ++x) {
            found = found << stride | (cells >> (x * stride) & column());
        }
        return found;
    }

    constexpr B column() const { return (B{1} << variant.height) - 1; }

    /// Finds the directions in which a line fits. The others have no lines, and their steps may be
    /// longer than a board can be shifted.
    constexpr void find_steps() {
        const bool across = variant.width >= connect(), up = variant.height >= connect();
        const int stride = variant.stride();
        if (variant.directions & HORIZONTAL && across) steps.push_back(stride);
        if (variant.directions & VERTICAL && up) steps.push_back(1);
        if (variant.directions & DIAGONAL && across && up) {
            steps.push_back(stride + 1);
            steps.push_back(stride - 1);
        }
    }

    constexpr void find_choices() {
        Series<int, 8 * sizeof(B)> distances;
        for (int x = 0; x < variant.width; ++x) {
            for (int y = 0; y < (variant.gravity ? 1 : variant.height); ++y) {
                const int across = 2 * x - variant.width + 1;
                const int up = variant.gravity ? 0 : 2 * y - variant.height + 1;
                const B choice = (variant.gravity ? column() : B{1}) << (x * variant.stride() + y);
                const int distance = across * across + up * up;
                int place = distances.size();
                while (place > 0 && distances[place - 1] > distance) --place;
                distances.insert(place, distance);
                choices.insert(place, choice);
            }
        }
    }
};

}  // namespace c4
