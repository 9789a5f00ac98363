// The scores of all moves of a position, which share the table, the limits and the threads.
#pragma once

#include <algorithm>
#include <atomic>
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
template <class Board, const Knowledge<Board>* KNOWN = nullptr>
class AllMoves {
  public:
    using B = typename Board::B;
    using Known = std::optional<int>;

    /// `thread` is as in `Solver::solve`.
    AllMoves(Solver<Board, KNOWN>& solver, const Limits& limits, int thread = 0)
        : solver_(solver), limits_(limits), search_(solver.search_of(thread, limits)) {
        if (limits.nodes >= 0) limits_.threads = 1;
        solver.provide_near(limits_.threads);
    }

    /// Returns bounds of the scores of the legal moves of a game that is not over, the most central
    /// move first. The search ends when each score is exact or known to be outside `wanted`, or
    /// when the limits are reached. `score_of(position)` returns the score of a position if it is
    /// known, for its player to move.
    template <class ScoreOf>
    std::vector<SolvedMove<B>> solve(const Position<B>& position, Bounds wanted,
                                     const ScoreOf& score_of) {
        const Known most = score_of(position);
        if (most) wanted.high = std::min(wanted.high, *most);
        add_moves(position, -wanted, score_of);
        narrow_quickly();
        if (limits_.threads > 1) narrow_apart();
        for (Move& move : moves_) narrow_fully(move, search_, limits_);
        return results(most);
    }

  private:
    using Search = typename Solver<Board, KNOWN>::Search;
    using Task = typename Solver<Board, KNOWN>::Task;

    struct Move {
        B stone;
        Task task;
        std::int64_t nodes = 0;
    };

    template <class ScoreOf>
    void add_moves(const Position<B>& position, const Bounds& wanted, const ScoreOf& score_of) {
        const Board& board = solver_.knowledge().board;
        const B playable = board.playable(position.occupied());
        for (const B choice : board.choices) {
            if (const B stone = playable & choice) {
                moves_.push_back({stone, task_of(position.play(stone), wanted, score_of)});
            }
        }
    }

    /// Returns the task of a child, whose game may be over.
    template <class ScoreOf>
    Task task_of(const Position<B>& child, const Bounds& wanted, const ScoreOf& score_of) const {
        const Board& board = solver_.knowledge().board;
        if (board.has_line(child.other)) return solved(-worth(board.variant, child.ply()));
        if (!board.playable(child.occupied())) return solved(0);
        if (const Known score = score_of(child)) return solved(*score);
        return solver_.task_of(child, search_, wanted);
    }

    static Task solved(int score) { return {{}, false, {score, score}, {score, score}}; }

    /// Searches every move for a short time.
    void narrow_quickly() {
        const auto quickly = [&](Move& move, Search& search) {
            narrow(move, search, [&] { solver_.narrow_quickly(move.task, search, limits_); });
        };
        if (limits_.threads > 1) return each_in_parallel(nullptr, quickly);
        for (Move& move : moves_) quickly(move, search_);
    }

    /// Lets every thread search a move by itself, until a thread finds no move left.
    void narrow_apart() {
        Team team;
        Limits alone = limits_;
        alone.threads = 1;
        each_in_parallel(&team,
                         [&](Move& move, Search& search) { narrow_fully(move, search, alone); });
    }

    void narrow_fully(Move& move, Search& search, const Limits& limits) {
        narrow(move, search, [&] { solver_.narrow_fully(move.task, search, limits); });
    }

    /// Calls `work` for each move, in any number of threads, each with a search of its own.
    template <class Work>
    void each_in_parallel(Team* team, const Work& work) {
        Team unused;
        std::atomic<std::size_t> next = 0;
        in_parallel(limits_, limits_.threads, team ? *team : unused, [&](int thread) {
            Search search = solver_.search_of(thread, limits_, team);
            for (std::size_t i; (i = next++) < moves_.size();) work(moves_[i], search);
            if (team) team->stopped = true;
        });
    }

    /// Searches an open move, and counts its nodes.
    template <class Work>
    static void narrow(Move& move, const Search& search, const Work& work) {
        if (!move.task.is_open()) return;
        const std::int64_t before = search.budget.nodes;
        work();
        move.nodes += search.budget.nodes - before;
    }

    std::vector<SolvedMove<B>> results(const Known& most) const {
        std::vector<SolvedMove<B>> found;
        for (const auto& [stone, task, nodes] : moves_) {
            Bounds bounds = task.turned ? task.bounds : -task.bounds;
            if (most) bounds.high = std::min(bounds.high, *most);
            found.push_back({stone, bounds, nodes});
        }
        return found;
    }

    Solver<Board, KNOWN>& solver_;
    Limits limits_;
    Search search_;
    std::vector<Move> moves_;
};

}  // namespace c4
