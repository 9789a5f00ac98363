// The scores of many positions, which threads take one after the other.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "moves.hpp"

namespace c4 {

/// What is wanted of each position: who wins, its score, its score and best moves, or the scores of
/// all its moves.
enum class Scope : std::uint8_t { RESULT, POSITION, BEST, ALL };

/// A score that is not known, or that of a column that is full.
inline constexpr std::int8_t NO_SCORE = -128;

/// Thrown in a thread when another thread has ended the work. Other than `OutOfBudget`, it ends all
/// searches of the thread at once.
struct Ended : std::exception {};

/// One search for the scores of many positions. Threads share the table of the solver, but not their
/// searches, so a hard position keeps one thread busy.
template <class Solver>
class ManyPositions {
  public:
    using B = typename Solver::B;

    /// `limits` has the number of threads and `handle_signals`; other limits must not be set.
    ManyPositions(Solver& solver, Scope scope, const Limits& limits)
        : solver_(solver), scope_(scope), limits_(limits) {
        solver.provide_near(limits.threads);
        alone_.handle_signals = [this] {
            if (team_.stopped) throw Ended{};
            if (limits_.handle_signals) limits_.handle_signals();
        };
    }

    /// Writes a row for each position, from the first to the last: its score, then the score of
    /// each column from left to right for the player who moves there, or `NO_SCORE`. `position_at`
    /// returns the position with an index, whose game is not over. `done` counts the rows that are
    /// written.
    template <class PositionAt>
    void solve(std::span<std::int8_t> rows, std::atomic<std::int64_t>& done,
               const PositionAt& position_at) {
        const std::size_t row = variant().width + 1;
        const int count = static_cast<int>(rows.size() / row);
        in_parallel(limits_, count, team_, [&](int i, int thread) {
            write(rows.subspan(i * row, row), position_at(i), thread);
            ++done;
        });
    }

  private:
    void write(std::span<std::int8_t> row, const Position<B>& position, int thread) {
        std::ranges::fill(row, NO_SCORE);
        if (scope_ == Scope::ALL) {
            write_moves(row, position, ANY, thread);
            row[0] = *std::ranges::max_element(row);
            return;
        }
        const Bounds wanted = scope_ == Scope::RESULT ? Bounds{-1, 1} : ANY;
        row[0] = score(position, wanted, thread);
        if (scope_ == Scope::RESULT) row[0] = (row[0] > 0) - (row[0] < 0);
        if (scope_ == Scope::BEST) write_moves(row, position, {row[0] - 1, row[0]}, thread);
    }

    int score(const Position<B>& position, const Bounds& wanted, int thread) {
        if (const auto known = solver_.known_score(position)) return *known;
        const Bounds bounds = solver_.solve(position, wanted, alone_, thread).bounds;
        return bounds.high < 0 ? bounds.high : bounds.low;
    }

    /// Writes the scores of the moves that are at least `wanted.high`.
    void write_moves(std::span<std::int8_t> row, const Position<B>& position, const Bounds& wanted,
                     int thread) {
        AllMoves moves(solver_, alone_, thread);
        for (const auto& [stone, bounds, _] : moves.solve(position, wanted)) {
            const bool is_wanted = wanted.high == ANY.high || bounds.low >= wanted.high;
            if (is_wanted) row[1 + lowest(stone) / variant().stride()] = bounds.low;
        }
    }

    const Variant& variant() const { return solver_.knowledge().board.variant; }

    static constexpr Bounds ANY{-MAX_BITS, MAX_BITS};

    Solver& solver_;
    const Scope scope_;
    const Limits limits_;
    Limits alone_;  // of the searches of one thread
    Team team_;
};

}  // namespace c4
