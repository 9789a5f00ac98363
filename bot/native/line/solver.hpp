// Forced wins and losses in one variant without gravity.
#pragma once

#include <bit>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "attack.hpp"
#include "proof.hpp"

namespace c4 {

/// Whether there is a win (nothing if the limits were reached), its first cell or -1, and nodes.
using LineAnswer = std::tuple<std::optional<bool>, int, std::int64_t>;

/// A solver that remembers positions. In all functions, the winner plays at most `max_stones` more
/// stones, and at most `max_plain` of them are plain moves.
template <class Grid>
class LineSolver {
  public:
    using B = typename Grid::B;

    LineSolver(const Variant& variant, std::size_t megabytes)
        : grid(variant), memory_(bits_for(megabytes)) {}

    /// Returns whether the player to move `wins` a game that is not over, or whether the opponent
    /// does, whatever the player to move plays.
    LineAnswer solve(const Position<B>& position, bool wins, int max_stones, int max_plain,
                     const Limits& limits) {
        const B ends = grid.winning_cells(position.own, position.other);
        if (wins && ends && max_stones) return {true, lowest(ends), 1};
        Budget budget(limits);
        Attack<Grid> attack(grid, memory_, budget);
        try {
            if (!holds(attack, position, wins, max_stones, max_plain)) {
                return {false, -1, budget.nodes};
            }
            const int cell = wins ? lowest(attack.first_move(position, max_stones, max_plain)) : -1;
            return {true, cell, budget.nodes};
        } catch (const OutOfBudget&) {
            return {std::nullopt, -1, budget.nodes};
        }
    }

    /// Returns the steps of a win or a loss; nothing if the limits were reached. Throws
    /// `std::invalid_argument` if there is no such win or loss.
    std::optional<std::vector<Step<B>>> proof(const Position<B>& position, bool wins,
                                              int max_stones, int max_plain, const Limits& limits) {
        Budget budget(limits);
        Attack<Grid> attack(grid, memory_, budget);
        Proof<Grid> proof(grid, attack);
        try {
            if (!holds(attack, position, wins, max_stones, max_plain)) {
                throw std::invalid_argument("there is no win with these stones");
            }
            return wins ? proof.of_win(position, max_stones, max_plain)
                        : proof.of_loss(position, max_stones, max_plain);
        } catch (const OutOfBudget&) {
            return std::nullopt;
        }
    }

    void forget() { memory_.forget(); }

    const Grid grid;

  private:
    static int bits_for(std::size_t megabytes) {
        return static_cast<int>(std::bit_width((megabytes << 20) / sizeof(Finding<B>))) - 1;
    }

    bool holds(Attack<Grid>& attack, const Position<B>& position, bool wins, int max_stones,
               int max_plain) const {
        const bool ends = grid.winning_cells(position.own, position.other);
        if (!wins)
            return !ends && attack.beats({position.other, position.own}, max_stones, max_plain);
        return max_stones && (ends || attack.wins(position, max_stones, max_plain));
    }

    Memory<B> memory_;
};

}  // namespace c4
