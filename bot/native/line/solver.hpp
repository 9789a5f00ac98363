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

    /// Returns whether the player to move wins a game that is not over.
    LineAnswer wins(const Position<B>& position, int max_stones, int max_plain,
                    const Limits& limits) {
        const B ends = grid.winning_cells(position.own, position.other);
        if (ends && max_stones) return {true, lowest(ends), 1};
        return within(limits, [&](Attack<Grid>& attack) -> std::pair<bool, int> {
            if (!finds_win(attack, position, max_stones, max_plain)) return {false, -1};
            if (attack.wins_by_fours(position, max_stones)) return {true, attack.line()[0]};
            return {true, lowest(attack.move(position, max_stones, max_plain))};
        });
    }

    /// Returns whether the opponent wins, whatever the player to move plays.
    LineAnswer loses(const Position<B>& position, int max_stones, int max_plain,
                     const Limits& limits) {
        return within(limits, [&](Attack<Grid>& attack) -> std::pair<bool, int> {
            return {finds_loss(attack, position, max_stones, max_plain), -1};
        });
    }

    /// Returns the steps of a win or a loss; nothing if the limits were reached. Throws
    /// `std::invalid_argument` if there is no such win or loss.
    std::optional<std::vector<Step<B>>> proof(const Position<B>& position, bool wins,
                                              int max_stones, int max_plain, const Limits& limits) {
        Budget budget(limits);
        Attack<Grid> attack(grid, memory_, budget);
        Proof<Grid> proof(grid, attack);
        try {
            if (!(wins ? finds_win(attack, position, max_stones, max_plain)
                       : finds_loss(attack, position, max_stones, max_plain))) {
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

    template <class Ask>
    LineAnswer within(const Limits& limits, const Ask& ask) {
        Budget budget(limits);
        Attack<Grid> attack(grid, memory_, budget);
        try {
            const auto [wins, cell] = ask(attack);
            return {wins, cell, budget.nodes};
        } catch (const OutOfBudget&) {
            return {std::nullopt, -1, budget.nodes};
        }
    }

    bool finds_win(Attack<Grid>& attack, const Position<B>& position, int max_stones,
                   int max_plain) const {
        if (max_stones == 0) return false;
        return grid.winning_cells(position.own, position.other) ||
               attack.wins(position, max_stones, max_plain);
    }

    bool finds_loss(Attack<Grid>& attack, const Position<B>& position, int max_stones,
                    int max_plain) const {
        return !grid.winning_cells(position.own, position.other) &&
               attack.beats({position.other, position.own}, max_stones, max_plain);
    }

    Memory<B> memory_;
};

}  // namespace c4
