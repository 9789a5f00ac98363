// Negamax with a null window: is a position worth more than a given score?
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "../contract.hpp"
#include "../ranking.hpp"
#include "busy.hpp"
#include "follow_up.hpp"
#include "move_order.hpp"
#include "table.hpp"

namespace c4 {

/// The parts of the solver that do not change while it solves positions of a variant.
template <class Board>
struct Knowledge {
    constexpr explicit Knowledge(const Variant& variant)
        : board(variant), follow_up(board), order(board) {}
    Knowledge(const Knowledge&) = delete;

    const Board board;
    const FollowUp<Board> follow_up;
    const MoveOrder<Board> order;
};

/// The tables of one thread. Results of little work are in the `near` one, which is the thread's
/// own and fits into the cache of one core. All other results are in the `far` one, which threads
/// share. A processor that waits for the memory of the far table could visit a node in the same
/// time.
template <Bits B>
struct SolverTables {
    using Near = SolverTable<B, 0>;
    using Far = SolverTable<B>;

    static constexpr std::size_t NEAR_BYTES = std::size_t{1} << 19;

    Near& near;
    Far& far;
};

/// The search of one thread; the threads of a team share `busy`. If the compiler knows the variant,
/// `KNOWN` is its knowledge.
///
/// All nodes that it visits are quiet: neither player has a winning cell. Forced moves are played
/// out before a child is examined. The class is aligned, as threads whose counters share a cache
/// line lose a third of their speed.
template <class Board, const Knowledge<Board>* KNOWN = nullptr>
class alignas(128) SolverSearch {
  public:
    using B = typename Board::B;

    SolverSearch(const Knowledge<Board>& knowledge, const SolverTables<B>& tables,
                 const Limits& limits, Team* team = nullptr, Busy* busy = nullptr)
        : budget(limits, team, INTERVAL), knowledge_(knowledge), tables_(tables), busy_(busy),
          rooms_(knowledge.board.variant) {}

    /// Plays all forced moves; returns the score for the player to move if they decide the game.
    std::optional<int> play_out(Node<B>& node, bool& turned) const {
        for (;;) {
            const B playable = board().playable(node.occupied());
            const B forced = node.threats & playable;
            if (!forced) return end_of(node, playable);
            if (several(forced) || (forced << 1) & node.threats) return -worth_of(node.ply + 2);
            node = play(board(), node, forced);
            turned = !turned;
        }
    }

    /// Returns the bounds of every quiet node: each player needs at least two stones to win, and
    /// has them left.
    Bounds natural(int ply) const {
        const int left = board().variant.cells() - ply;
        return {-((left - 2) / 2), (left - 1) / 2};
    }

    /// Returns a lower bound of a quiet node's score if it is above `alpha`, otherwise an upper
    /// bound.
    ///
    /// Throws `OutOfBudget` when the budget is spent.
    int visit(const Node<B>& node, int alpha) {
        Bounds bounds = natural(node.ply);
        if (bounds.high <= alpha) return bounds.high;
        if (bounds.low > alpha) return bounds.low;
        const int left = stones_left(node.ply, alpha);
        return look_up(node, place_of(node, left), left, alpha, bounds);
    }

    Budget budget;

  private:
    static constexpr std::int64_t INTERVAL = 1024;

    using Place = c4::Place<B>;

    /// The node after a move and all forced moves; `turned` if the player who made the move is to
    /// move again.
    struct Child : Node<B> {
        Place place;
        Bounds bounds;  // for the player to move in the child
        bool turned;
        int promise;
    };

    /// A child and its promise, by which the children of a node are sorted.
    struct Ranked {
        Child* child;
        int promise;
    };

    /// Room for the children of one node.
    struct Room {
        Child* children;
        Ranked* ranked;
    };

    /// Room for the children of the nodes of a line of play.
    struct Rooms {
        explicit Rooms(const Variant& variant)
            : children(variant.cells(), variant.width), ranked(variant.cells(), variant.width) {}

        Room at(int ply) { return {children.at(ply), ranked.at(ply)}; }

        Lists<Child> children;
        Lists<Ranked> ranked;
    };

    /// Stands for `Rooms` if the compiler knows the variant. The nodes then need so little room
    /// that it is on the stack, which is faster.
    struct NoRooms {
        explicit NoRooms(const Variant&) {}
    };

    const Knowledge<Board>& knowledge() const { return KNOWN != nullptr ? *KNOWN : knowledge_; }

    const Board& board() const { return knowledge().board; }
    int worth_of(int ply) const { return worth(board().variant, ply); }

    /// Returns the score of a game that is decided although no reply is forced.
    std::optional<int> end_of(const Node<B>& node, B playable) const {
        if (!playable) return 0;
        if (!safe(node, playable)) return -worth_of(node.ply + 2);
        if (node.ply + 2 >= board().variant.cells()) return 0;
        return std::nullopt;
    }

    /// Returns the moves after which the opponent does not win at once.
    static B safe(const Node<B>& node, B playable) { return playable & ~(node.threats >> 1); }

    /// Returns how many stones are left for the win that decides whether the score passes `alpha`:
    /// a win of the player to move if `alpha` is at least 0, otherwise a win of the opponent.
    int stones_left(int ply, int alpha) const {
        const auto [low, high] = natural(ply);
        return alpha >= 0 ? high - alpha + 1 : alpha - low + 2;
    }

    /// Calls `use` with the table for positions in which so many stones are left.
    template <class Use>
    auto with_table(int left, const Use& use) {
        return left < WORTH_SHARED_TABLE ? use(tables_.near) : use(tables_.far);
    }

    /// Does the same as `visit` for a node whose place is known, with bounds that do not answer the
    /// question.
    int look_up(const Node<B>& node, const Place& place, int left, int alpha, Bounds bounds) {
        with_table(left, [&](auto& table) { table.find(place, bounds); });
        if (bounds.high <= alpha) return bounds.high;
        if (bounds.low > alpha) return bounds.low;
        return search(node, place, left, alpha, bounds);
    }

    /// Does the same for a node that was looked up in vain.
    int search(const Node<B>& node, const Place& place, int left, int alpha, Bounds bounds) {
        budget.visit();
        const std::int64_t before = budget.nodes;
        const int best = expand(node, alpha);
        bounds.narrow(best > alpha ? Bounds{best, bounds.high} : Bounds{bounds.low, best});
        with_table(left, [&](auto& table) { table.store(place, bounds, budget.nodes - before); });
        return best;
    }

    int expand(const Node<B>& node, int alpha) {
        if constexpr (KNOWN != nullptr) {
            std::array<Child, KNOWN->board.variant.width> children;
            std::array<Ranked, KNOWN->board.variant.width> ranked;
            return expand(node, alpha, {children.data(), ranked.data()});
        } else {
            return expand(node, alpha, rooms_.at(node.ply));
        }
    }

    [[gnu::always_inline]] int expand(const Node<B>& node, int alpha, const Room& room) {
        Ranking<Ranked> ranking(room.ranked);
        int best = -worth_of(node.ply + 2);
        const B moves = safe(node, board().playable(node.occupied()));
        for (const B choice : board().choices) {
            if (const B stone = moves & choice) {
                Child& child = room.children[ranking.size()];
                if (const auto score = generate(node, stone, alpha, child)) {
                    best = std::max(best, *score);
                    if (best > alpha) return best;
                } else {
                    ranking.insert({&child, child.promise});
                }
            }
        }
        int open = 0;  // the number of children to search; they are moved to the front
        for (const Ranked& ranked : ranking) {
            const Bounds bounds = bounds_from_above(*ranked.child, alpha);
            if (bounds.low > alpha) return bounds.low;
            if (bounds.high > alpha) {
                room.ranked[open++] = ranked;
            } else {
                best = std::max(best, bounds.high);
            }
        }
        return search_all(room.ranked, open, alpha, best);
    }

    /// Returns the best score of these children, or the first one above `alpha`. Children that
    /// another thread is searching come last: by then their scores may be in the table.
    int search_all(Ranked* ranked, int count, int alpha, int best) {
        int later = 0;
        for (int i = 0; i < count && best <= alpha; ++i) {
            if (i > 0 && busy_ && busy_->has(ranked[i].child->place.bucket)) {
                ranked[later++] = ranked[i];
            } else {
                best = std::max(best, score_of(*ranked[i].child, alpha));
            }
        }
        for (int i = 0; i < later && best <= alpha; ++i) {
            best = std::max(best, score_of(*ranked[i].child, alpha));
        }
        return best;
    }

    int score_of(const Child& child, int alpha) {
        const int own_alpha = child.turned ? alpha : -alpha - 1;
        const int left = stones_left(child.ply, own_alpha);
        const int score = busy_ && left >= WORTH_SHARING
                              ? score_of_shared(child, left, own_alpha)
                              : search(child, child.place, left, own_alpha, child.bounds);
        return child.turned ? score : -score;
    }

    /// Returns the score of a child that another thread may have searched since it was looked up.
    int score_of_shared(const Child& child, int left, int alpha) {
        busy_->enter(child.place.bucket);
        const int score = look_up(child, child.place, left, alpha, child.bounds);
        busy_->leave(child.place.bucket);
        return score;
    }

    /// Returns the place of a node. In the first third of a game mirror images share one place,
    /// which halves the time for the empty board. Later this would cost more than it saves.
    Place place_of(const Node<B>& node, int left) {
        B key = key_of(board(), node);
        if (3 * node.ply <= board().variant.cells()) {
            key = std::min(key, key_of(board(), board().mirrored(node)));
        }
        return with_table(left, [&](const auto& table) {
            const Place place = table.place_of(key);
            table.prefetch(place);
            return place;
        });
    }

    /// Makes the child of a move directly in `child`, because copying it would be the slowest step.
    /// Returns its score if forced moves decide the game.
    std::optional<int> generate(const Node<B>& node, B stone, int alpha, Child& child) {
        static_cast<Node<B>&>(child) = play(board(), node, stone);
        const Node<B> after = child;
        child.turned = false;
        if (const auto score = play_out(child, child.turned)) {
            return child.turned ? *score : -*score;
        }
        const int left = stones_left(child.ply, child.turned ? alpha : -alpha - 1);
        child.place = place_of(child, left);
        const bool simple = stones_left(node.ply, alpha) < WORTH_ORDERING;
        child.promise = simple ? popcount(after.threats) : knowledge().order.promise(after, stone);
        return std::nullopt;
    }

    /// Returns bounds of a child without visiting it, for the player to move in its parent.
    Bounds bounds_from_above(Child& child, int alpha) {
        const int own_alpha = child.turned ? alpha : -alpha - 1;
        if constexpr (KNOWN != nullptr) {
            child.bounds = bounds_of(child, own_alpha);
        } else {
            child.bounds = bounds_apart(child, own_alpha);
        }
        return child.turned ? child.bounds : -child.bounds;
    }

    /// Does the same as `bounds_of`. It is never inlined, because the stack must suffice for games
    /// of more than 100 plies.
    [[gnu::noinline]] Bounds bounds_apart(const Child& child, int alpha) {
        return bounds_of(child, alpha);
    }

    /// Returns the same bounds for the player to move in the child; `alpha` is for that player too.
    Bounds bounds_of(const Child& child, int alpha) {
        Bounds bounds = natural(child.ply);
        if (bounds.high <= alpha || bounds.low > alpha) return bounds;
        if (alpha >= 0 && bounds.high == alpha + 1) return by_attack(child, bounds);
        if (alpha < 0 && bounds.low == alpha) return by_defence(child, bounds);
        const int left = stones_left(child.ply, alpha);
        with_table(left, [&](auto& table) { table.find(child.place, bounds); });
        if (bounds.high <= alpha || bounds.low > alpha) return bounds;
        bounds.high = knowledge().follow_up.upper_bound(child, bounds.high, alpha);
        if (bounds.high <= alpha) return bounds;
        bounds.low = knowledge().follow_up.lower_bound(child, bounds.low, alpha);
        return bounds;
    }

    Bounds by_attack(const Node<B>& node, const Bounds& bounds) {
        budget.visit();
        const bool wins = wins_with_second(node);
        return wins ? Bounds{bounds.high, bounds.high} : Bounds{bounds.low, bounds.high - 1};
    }

    Bounds by_defence(const Node<B>& node, const Bounds& bounds) {
        budget.visit();
        const bool survives = survives_second(node);
        return survives ? Bounds{bounds.low + 1, bounds.high} : Bounds{bounds.low, bounds.low};
    }

    /// Returns whether the player to move, who has no winning cell, wins with the second stone.
    bool wins_with_second(const Node<B>& node) const {
        const B playable = board().playable(node.occupied());
        const B forced = node.threats & playable;
        if (several(forced)) return false;
        B moves = safe(node, playable);
        if (forced) moves &= forced;
        while (moves) {
            const B stone = take_lowest(moves);
            const B wins = empty_completing(board(), node.own | stone, node.occupied() | stone);
            if (leaves_no_answer(wins, board().playable(node.occupied() | stone))) return true;
        }
        return false;
    }

    /// Returns whether every reply to a move lets its player win at once. `wins` are the cells that
    /// complete a line of that player; the player who replies has no winning cell.
    static bool leaves_no_answer(B wins, B playable) {
        const B now = wins & playable;
        if (now) return several(now) || (now << 1) & wins;
        return playable && !(playable & ~(wins >> 1));
    }

    /// Returns whether the player to move in a quiet node can keep the opponent from winning with
    /// the opponent's second stone.
    bool survives_second(const Node<B>& node) const {
        const B moves = safe(node, board().playable(node.occupied()));
        for (const B choice : board().choices) {
            const B stone = moves & choice;
            if (!stone) continue;
            const Node<B> child = play(board(), node, stone);
            const B playable = board().playable(child.occupied());
            if (!playable || leaves_no_answer(child.threats, playable)) return true;
            if (!wins_with_second(child)) return true;
        }
        return false;
    }

    // With fewer stones left than these, too little follows for the extra work to pay off.
    static constexpr int WORTH_ORDERING = 9, WORTH_SHARED_TABLE = 8, WORTH_SHARING = 9;

    const Knowledge<Board>& knowledge_;
    const SolverTables<B> tables_;
    Busy* const busy_;
    [[no_unique_address]] std::conditional_t<KNOWN == nullptr, Rooms, NoRooms> rooms_;
};

}  // namespace c4
