// The scores of all moves of a position, which share the table, the limits and the threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "solver.hpp"

namespace c4 {

/// Bounds of the score of a move, for the player who makes it, and the nodes that they took.
template <Bits B>
struct SolvedMove {
    B stone;
    Bounds bounds;
    std::int64_t nodes;
};

/// One search for the scores of all moves of a position.
///
/// Easy moves come first, so that as many moves as possible are scored when the limits are reached.
/// Then every thread takes a move of its own, until a thread finds none left. From then on all
/// threads search one move together; what was found of it before is in the table.
template <class Solver>
class AllMoves {
  public:
    using B = typename Solver::B;
    using Known = std::optional<int>;

    /// `thread` is as in `Solver::solve`.
    AllMoves(Solver& solver, const Limits& limits, int thread = 0)
        : solver_(solver), limits_(limits), search_(solver.search_of(thread, limits_)) {
        if (limits.nodes >= 0) limits_.threads = 1;
        solver.provide_near(limits_.threads);
    }

    /// Returns bounds of the scores of the legal moves of a game that is not over, the most central
    /// move first. The search ends when each score is exact or known to be outside `wanted`, or
    /// when the limits are reached. The book is asked first.
    std::vector<SolvedMove<B>> solve(const Position<B>& position, const Bounds& wanted) {
        begin(position, wanted);
        narrow_quickly();
        if (limits_.threads > 1) narrow_apart();
        for (Move& move : moves_) narrow_fully(move, search_, limits_);
        return results();
    }

    /// Does the work of `solve` by one thread, in steps: `begin`, then `step` until it returns true.
    void begin(const Position<B>& position, Bounds wanted) {
        most_ = solver_.known_score(position);
        if (most_) wanted.high = std::min(wanted.high, *most_);
        moves_.clear();
        begun_ = 0;
        add_moves(position, -wanted);
    }

    /// Searches until a deadline; returns whether there is nothing left to search.
    bool step(Clock::time_point deadline) {
        limits_.deadline = deadline;
        search_.budget.allow(limits_.nodes);
        for (; begun_ < moves_.size() && Clock::now() < deadline; ++begun_) {
            narrow_quickly(moves_[begun_], search_);
        }
        for (Move& move : moves_) narrow_fully(move, search_, limits_);
        return std::ranges::none_of(moves_, [](const Move& move) { return move.task.is_open(); });
    }

    /// Returns the bounds that are known now, the most central move first.
    std::vector<SolvedMove<B>> results() const {
        std::vector<SolvedMove<B>> found;
        for (const auto& [stone, task, nodes] : moves_) {
            Bounds bounds = task.turned ? task.bounds : -task.bounds;
            if (most_) bounds.high = std::min(bounds.high, *most_);
            found.push_back({stone, bounds, nodes});
        }
        return found;
    }

  private:
    using Search = typename Solver::Search;
    using Task = typename Solver::Task;

    struct Move {
        B stone;
        Task task;
        std::int64_t nodes = 0;
    };

    void add_moves(const Position<B>& position, const Bounds& wanted) {
        const auto& board = solver_.knowledge().board;
        const B playable = board.playable(position.occupied());
        for (const B choice : board.choices) {
            if (const B stone = playable & choice) {
                moves_.push_back({stone, task_of(position.play(stone), wanted)});
            }
        }
    }

    /// Returns the task of a child, whose game may be over.
    Task task_of(const Position<B>& child, const Bounds& wanted) const {
        const auto& board = solver_.knowledge().board;
        if (board.has_line(child.other)) return solved(-worth(board.variant, child.ply()));
        if (!board.playable(child.occupied())) return solved(0);
        if (const Known score = solver_.known_score(child)) return solved(*score);
        return solver_.task_of(child, search_, wanted);
    }

    static Task solved(int score) { return {{}, false, {score, score}, {score, score}}; }

    /// Searches every move for a short time.
    void narrow_quickly() {
        if (limits_.threads <= 1) {
            for (Move& move : moves_) narrow_quickly(move, search_);
            return;
        }
        Team team;
        in_parallel(limits_, static_cast<int>(moves_.size()), team, [&](int i, int thread) {
            Search search = solver_.search_of(thread, limits_);
            narrow_quickly(moves_[i], search);
        });
    }

    void narrow_quickly(Move& move, Search& search) {
        narrow(move, search, [&] { solver_.narrow_quickly(move.task, search, limits_); });
    }

    /// Lets every thread search a move by itself, until a thread finds no move left.
    void narrow_apart() {
        Team team;
        Limits alone = limits_;
        alone.threads = 1;
        const int count = static_cast<int>(moves_.size());
        in_parallel(limits_, count + 1, team, [&](int i, int thread) {
            if (i == count) {
                team.stopped = true;
                return;
            }
            Search search = solver_.search_of(thread, limits_, &team);
            narrow_fully(moves_[i], search, alone);
        });
    }

    void narrow_fully(Move& move, Search& search, const Limits& limits) {
        narrow(move, search, [&] { solver_.narrow_fully(move.task, search, limits); });
    }

    /// Searches an open move, and counts its nodes.
    template <class Work>
    static void narrow(Move& move, const Search& search, const Work& work) {
        if (!move.task.is_open()) return;
        const std::int64_t before = search.budget.nodes;
        work();
        move.nodes += search.budget.nodes - before;
    }

    Solver& solver_;
    Limits limits_;
    Search search_;
    std::vector<Move> moves_;
    Known most_;             // the score of the position, if the book has it
    std::size_t begun_ = 0;  // number of moves that `step` has already searched briefly
};

}  // namespace c4
