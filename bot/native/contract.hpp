// The interfaces of evaluators and searches: the twin of c4_bot/contract.py.
//
// A search is a class template over the board. Its constructor takes the board, an evaluator, the
// parameters and the limits; `search(position)` returns the result. An evaluator is a class
// template over the board. Its constructor takes the board and the parameters. Parameters are the
// fields of the Python twin, in their order.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "bits.hpp"

namespace c4 {

using Score = std::int64_t;
using Numbers = std::vector<Score>;  // the parameters of a search or an evaluator
using Clock = std::chrono::steady_clock;

inline constexpr Score WIN = Score{1} << 60;
inline constexpr Score PROVEN = WIN - (Score{1} << 20);

inline Score won(int ply) { return WIN - ply; }
inline bool is_proven(Score score) { return std::abs(score) > PROVEN; }

/// Returns whether a complete search to `depth` plies from `ply` proves the score.
inline bool is_exact(Score score, int depth, int ply, int cells) {
    return (is_proven(score) ? WIN - std::abs(score) : cells) - ply <= depth;
}

/// The limits of a search; a negative number stands for no limit.
struct Limits {
    int depth = -1;
    std::int64_t nodes = -1;
    std::optional<Clock::time_point> deadline;
    int threads = 1;

    bool is_bounded() const { return nodes >= 0 || deadline; }
};

using Scored = std::tuple<int, Score, bool>;  // a move, its score, and whether it is proven

struct Result {
    int cell;
    Score score = 0;
    bool exact = false;
    int depth = 0;
    std::int64_t nodes = 0;
    std::vector<int> line = {};
    std::vector<Scored> scores = {};  // of all moves, if each was searched by itself
    std::string reason = {};
};

template <Bits B>
class Evaluator {
  public:
    virtual ~Evaluator() = default;

    /// Returns the score for the owner of `own`, who need not be the player to move.
    virtual Score evaluate(B own, B other) const = 0;
};

/// The evaluator of searches that evaluate nothing.
template <Bits B>
class NoEvaluator final : public Evaluator<B> {
  public:
    Score evaluate(B, B) const override { return 0; }
};

struct OutOfBudget {};

/// A counter of visited positions that throws `OutOfBudget` at the limits.
class Budget {
  public:
    explicit Budget(const Limits& limits) : most_(limits.nodes), deadline_(limits.deadline) {}

    void visit() {
        if (nodes == most_) throw OutOfBudget{};
        // Reading the clock takes as long as a few nodes, so only every 64th node does so.
        if (deadline_ && nodes % 64 == 0 && Clock::now() >= *deadline_) throw OutOfBudget{};
        ++nodes;
    }

    std::int64_t nodes = 0;

  private:
    std::int64_t most_;
    std::optional<Clock::time_point> deadline_;
};

}  // namespace c4
