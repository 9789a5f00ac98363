// The interfaces of evaluators and searches: the twin of c4_bot/contract.py.
//
// A search is a class template over the board. Its constructor takes the board, an evaluator, the
// parameters and the limits; `search(position)` returns the result. An evaluator is a class
// template over the board. Its constructor takes the board and the parameters. Parameters have the
// names of the fields of the Python twin.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bits.hpp"

namespace c4 {

using Score = std::int64_t;
using Numbers = std::vector<Score>;
using Parameters = std::map<std::string, Numbers>;  // most have one number
using Clock = std::chrono::steady_clock;

inline constexpr Score WIN = Score{1} << 60;
inline constexpr Score MAX_EVALUATION = WIN - (Score{1} << 20);
inline constexpr Score MAX_WEIGHT = Score{1} << 20;

inline Score won(int ply) { return WIN - ply; }
inline bool is_proven(Score score) { return std::abs(score) > MAX_EVALUATION; }

/// Returns whether a complete search to `depth` plies from `ply` proves the score.
inline bool is_exact(Score score, int depth, int ply, int cells) {
    return (is_proven(score) ? WIN - std::abs(score) : cells) - ply <= depth;
}

/// Returns a number that is called `name`; throws `std::invalid_argument` unless it is from `least`
/// to `most`.
template <class Number>
Number checked(const char* name, Number number, Number least, Number most) {
    if (least <= number && number <= most) return number;
    throw std::invalid_argument(std::string(name) + ": " + std::to_string(number) +
                                " is not from " + std::to_string(least) + " to " +
                                std::to_string(most));
}

/// Takes out the numbers of a parameter. Throws `std::invalid_argument` if it is missing, or if a
/// number is so large that a search or an evaluator could add numbers up to more than a `Score`
/// holds.
inline Numbers take_list(Parameters& parameters, const char* name) {
    const auto taken = parameters.extract(name);
    if (!taken) throw std::invalid_argument(std::string(name) + ": this parameter is missing");
    for (const Score number : taken.mapped()) checked(name, number, -MAX_WEIGHT, MAX_WEIGHT);
    return taken.mapped();
}

/// Does the same for a parameter of one number in a range.
inline Score take(Parameters& parameters, const char* name, Score least = -MAX_WEIGHT,
                  Score most = MAX_WEIGHT) {
    const Numbers numbers = take_list(parameters, name);
    if (numbers.size() == 1) return checked(name, numbers[0], least, most);
    throw std::invalid_argument(std::string(name) + ": not one number");
}

/// Throws `std::invalid_argument` if nobody has taken one of the parameters.
inline void check_all_taken(const Parameters& parameters) {
    if (parameters.empty()) return;
    throw std::invalid_argument(parameters.begin()->first + ": no parameter has this name");
}

inline constexpr std::chrono::milliseconds SIGNALS{50};  // time between two looks at signals

/// The limits of a search, all its threads together; a negative number stands for no limit.
///
/// `handle_signals`, if it is set, is called from time to time. What it throws ends the search.
struct Limits {
    int depth = -1;
    std::int64_t nodes = -1;
    std::optional<Clock::time_point> deadline = {};
    int threads = 1;
    std::function<void()> handle_signals = {};

    bool is_bounded() const { return nodes >= 0 || deadline; }

    /// Returns the depth of the last iteration: at least 1, at most the number of free cells.
    int max_depth(int free) const { return depth < 0 ? free : std::clamp(depth, 1, free); }
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

    /// Returns the score for the owner of `own`; `moves` says whether this player is to move.
    virtual Score evaluate(B own, B other, bool moves) const = 0;

    /// Returns the score for the player to move, who owns `own`. The position is evaluated for this
    /// player if `sign` is 1, and for the opponent if it is -1.
    Score evaluate_for(int sign, B own, B other) const {
        return sign == 1 ? evaluate(own, other, true) : -evaluate(other, own, false);
    }
};

/// The evaluator of searches that evaluate nothing.
template <Bits B>
class NoEvaluator final : public Evaluator<B> {
  public:
    Score evaluate(B, B, bool) const override { return 0; }
};

struct OutOfBudget : std::exception {};

/// State that the threads of one search share: the number of nodes that they have visited, and
/// whether they have to stop. A thread adds its nodes when it checks its limits.
struct Team {
    std::atomic<std::int64_t> nodes = 0;
    std::atomic<bool> stopped = false;
};

/// Calls `handle_signals`, if it is set and this thread has not called it in the last 50 ms.
inline void look_at_signals(const std::function<void()>& handle_signals, Clock::time_point now) {
    static thread_local Clock::time_point next;  // of all searches of the thread
    if (!handle_signals || now < next) return;
    next = now + SIGNALS;
    handle_signals();
}

/// A counter of the positions that a thread visits. It throws `OutOfBudget` when the limits are
/// reached. A team may visit up to `interval` nodes more for each thread after the first. The limits
/// must outlive it.
class Budget {
  public:
    static constexpr std::int64_t NO_LIMIT = std::numeric_limits<std::int64_t>::max();

    explicit Budget(const Limits& limits, Team* team = nullptr, std::int64_t interval = 64)
        : limits_(limits), team_(team), interval_(interval) {
        allow(limits.nodes);
    }

    void visit() {
        if (nodes >= next_look_) look();
        ++nodes;
    }

    /// Sets the maximum number of nodes, including those that have been visited.
    void allow(std::int64_t most) {
        most_ = most < 0 ? NO_LIMIT : most;
        const bool look_now = team_ || limits_.deadline;
        next_look_ =
            look_now ? nodes : nodes + std::clamp<std::int64_t>(most_ - nodes, 0, interval_);
    }

    /// Adds the new nodes of this thread to those of the team; returns the number of all nodes.
    std::int64_t total() {
        if (!team_) return nodes;
        const std::int64_t added = nodes - std::exchange(counted_, nodes);
        return team_->nodes.fetch_add(added, std::memory_order_relaxed) + added;
    }

    std::int64_t nodes = 0;

  private:
    /// Checks the limits. This takes as long as a few nodes, so it is not done at every node.
    [[gnu::noinline]] void look() {
        const std::int64_t spent = total();
        if (spent >= most_ || (team_ && team_->stopped)) throw OutOfBudget{};
        if (limits_.deadline || limits_.handle_signals) {
            const Clock::time_point now = Clock::now();
            if (limits_.deadline && now >= *limits_.deadline) throw OutOfBudget{};
            look_at_signals(limits_.handle_signals, now);
        }
        next_look_ = nodes + std::min(interval_, most_ - spent);
    }

    std::int64_t most_, next_look_;
    std::int64_t counted_ = 0;  // nodes that were added to those of the team
    const Limits& limits_;
    Team* team_;
    std::int64_t interval_;
};

}  // namespace c4
