// Is a position worth more than a given score? Negamax with a null window.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>

#include "../contract.hpp"
#include "busy.hpp"
#include "follow_up.hpp"
#include "promise.hpp"
#include "table.hpp"

namespace c4 {

/// What does not change while a variant is solved.
template <class Board>
struct Knowledge {
    constexpr explicit Knowledge(const Variant& variant)
        : board(variant), follow_up(board), promise(board) {}
    Knowledge(const Knowledge&) = delete;

    const Board board;
    const FollowUp<Board> follow_up;
    const Promise<Board> promise;
};

/// One thread's search; `busy` is there if it has company. Where the compiler knows the variant,
/// `KNOWN` is its knowledge.
///
/// All nodes it visits are quiet: neither player can complete a line at once. What is forced is
/// played out before a child is looked at. Aligned, as threads whose counters share a line of the
/// cache lose a third of their speed.
template <class Board, const Knowledge<Board>* KNOWN = nullptr>
class alignas(128) SolverSearch {
  public:
    using B = typename Board::B;
    static constexpr std::int64_t NO_LIMIT = std::numeric_limits<std::int64_t>::max();

    SolverSearch(const Knowledge<Board>& knowledge, SolverTable<B>& table,
                 const std::atomic<bool>& stopped, Busy* busy = nullptr)
        : knowledge_(knowledge), table_(table), stopped_(stopped), busy_(busy) {}

    /// Plays what is forced: the score for the player to move if that decides the game.
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

    /// Nobody wins a quiet node before his second stone.
    Bounds natural(int ply) const { return {-worth_of(ply + 4), worth_of(ply + 3)}; }

    /// A lower bound of a quiet node's score if it is above `alpha`, an upper bound otherwise.
    ///
    /// Throws `OutOfBudget` when it is told to stop, or has visited `limit` nodes in all.
    int visit(const Node<B>& node, int alpha) {
        Bounds bounds = natural(node.ply);
        if (bounds.high <= alpha) return bounds.high;
        if (bounds.low > alpha) return bounds.low;
        const Place place = place_of(node);
        table_.find(place, bounds);
        if (bounds.high <= alpha) return bounds.high;
        if (bounds.low > alpha) return bounds.low;
        count();
        const std::int64_t before = nodes;
        const int best = expand(node, alpha);
        bounds.narrow(best > alpha ? Bounds{best, bounds.high} : Bounds{bounds.low, best});
        table_.store(place, bounds, std::bit_width(std::uint64_t(nodes - before)));
        return best;
    }

    std::int64_t nodes = 0;
    std::int64_t limit = NO_LIMIT;
    std::optional<Clock::time_point> deadline;

  private:
    static constexpr int MOST_MOVES = KNOWN != nullptr ? KNOWN->board.variant.width : MAX_SIDE;

    /// Where a move leads once all that is forced is played; `turned` if the player who made the
    /// move is to move again.
    struct Child : Node<B> {
        Place place;
        bool turned;
        int promise;
    };

    /// Children in the order of their promise, equal ones as they came.
    class Children {
      public:
        /// Where to build the next one: copying it would take longer than anything else here.
        Child& spare() { return items_[count_]; }

        void keep_spare() {
            int place = count_;
            for (; place > 0 && (*this)[place - 1].promise < spare().promise; --place) {
                order_[place] = order_[place - 1];
            }
            order_[place] = static_cast<std::uint8_t>(count_++);
        }

        int size() const { return count_; }
        const Child& operator[](int place) const { return items_[order_[place]]; }

      private:
        std::array<Child, MOST_MOVES> items_;
        std::array<std::uint8_t, MOST_MOVES> order_;
        int count_ = 0;
    };

    const Knowledge<Board>& knowledge() const {
        if constexpr (KNOWN != nullptr) {
            return *KNOWN;
        } else {
            return knowledge_;
        }
    }

    const Board& board() const { return knowledge().board; }
    int worth_of(int ply) const { return worth(board().variant, ply); }

    /// The score where nobody threatens to win at once but the game is decided all the same.
    std::optional<int> end_of(const Node<B>& node, B playable) const {
        if (!playable) return 0;
        if (!safe(node, playable)) return -worth_of(node.ply + 2);
        if (node.ply + 2 >= board().variant.cells()) return 0;
        return std::nullopt;
    }

    /// The moves after which the other player doesn't win at once.
    static B safe(const Node<B>& node, B playable) { return playable & ~(node.threats >> 1); }

    /// How many stones are left to whoever has to win for the score to be on his side of `alpha`,
    /// until it is too late.
    int stones_left(int ply, int alpha) const {
        const auto [low, high] = natural(ply);
        return alpha >= 0 ? high - alpha + 1 : alpha - low + 2;
    }

    int expand(const Node<B>& node, int alpha) {
        Children children;
        int best = -worth_of(node.ply + 2);
        const B moves = safe(node, board().playable(node.occupied()));
        const bool simple = stones_left(node.ply, alpha) < WORTH_ORDERING;
        for (const B choice : board().choices) {
            if (const B stone = moves & choice) {
                best = std::max(best, generate(node, stone, simple, children));
                if (best > alpha) return best;
            }
        }
        std::array<const Child*, MOST_MOVES> open;
        int count = 0;
        for (int i = 0; i < children.size(); ++i) {
            const Child& child = children[i];
            const Bounds bounds = bounds_from_above(child, alpha);
            if (bounds.low > alpha) return bounds.low;
            if (bounds.high > alpha) {
                open[count++] = &child;
            } else {
                best = std::max(best, bounds.high);
            }
        }
        return search_all(open.data(), count, alpha, best);
    }

    /// The best score of these children, or the first that is above `alpha`. Those that another
    /// thread is at come last: by then their scores may be in the table.
    int search_all(const Child** children, int count, int alpha, int best) {
        int later = 0;
        for (int i = 0; i < count && best <= alpha; ++i) {
            if (i > 0 && busy_ && busy_->has(children[i]->place)) {
                children[later++] = children[i];
            } else {
                best = std::max(best, score_of(*children[i], alpha));
            }
        }
        for (int i = 0; i < later && best <= alpha; ++i) {
            best = std::max(best, score_of(*children[i], alpha));
        }
        return best;
    }

    int score_of(const Child& child, int alpha) {
        const int own_alpha = child.turned ? alpha : -alpha - 1;
        const bool is_shared = busy_ && stones_left(child.ply, own_alpha) >= WORTH_SHARING;
        if (is_shared) busy_->enter(child.place);
        const int score = visit(child, own_alpha);
        if (is_shared) busy_->leave(child.place);
        return child.turned ? score : -score;
    }

    /// In the first third of a game mirror images meet often enough to be worth looking for: that
    /// halves the time for the empty board.
    Place place_of(const Node<B>& node) const {
        B key = key_of(board(), node);
        if (3 * node.ply <= board().variant.cells()) {
            key = std::min(key, key_of(board(), board().mirrored(node)));
        }
        return table_.place_of(key);
    }

    /// Puts the child that a move leads to among the others, the most promising first; or returns
    /// its score, if what is forced decides the game.
    int generate(const Node<B>& node, B stone, bool simple, Children& children) const {
        Child& child = children.spare();
        static_cast<Node<B>&>(child) = play(board(), node, stone);
        const Node<B> after = child;
        child.turned = false;
        if (const auto score = play_out(child, child.turned)) {
            return child.turned ? *score : -*score;
        }
        child.place = place_of(child);
        table_.prefetch(child.place);
        child.promise = simple ? popcount(after.threats) : knowledge().promise.of(after, stone);
        children.keep_spare();
        return -MAX_SCORE;
    }

    /// What is known of a child without visiting it, for the player to move in its parent.
    Bounds bounds_from_above(const Child& child, int alpha) {
        return child.turned ? bounds_of(child, alpha) : -bounds_of(child, -alpha - 1);
    }

    /// The same for the player to move in the child; `alpha` is his.
    Bounds bounds_of(const Child& child, int alpha) {
        Bounds bounds = natural(child.ply);
        if (bounds.high <= alpha || bounds.low > alpha) return bounds;
        if (alpha >= 0 && bounds.high == alpha + 1) return by_attack(child, bounds);
        if (alpha < 0 && bounds.low == alpha) return by_defence(child, bounds);
        bounds.high = knowledge().follow_up.most(child, bounds.high);
        if (bounds.high > alpha && stones_left(child.ply, alpha) >= WORTH_PROBING) {
            table_.find(child.place, bounds);
        }
        return bounds;
    }

    Bounds by_attack(const Node<B>& node, const Bounds& bounds) {
        count();
        const bool wins = wins_with_second(node);
        return wins ? Bounds{bounds.high, bounds.high} : Bounds{bounds.low, bounds.high - 1};
    }

    Bounds by_defence(const Node<B>& node, const Bounds& bounds) {
        count();
        const bool survives = survives_second(node);
        return survives ? Bounds{bounds.low + 1, bounds.high} : Bounds{bounds.low, bounds.low};
    }

    /// Whether the player to move, who cannot win at once, wins with his second stone.
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

    /// Whether whoever has to answer a move, and cannot win at once, lets its maker win; `wins`
    /// are the cells that the latter wants.
    static bool leaves_no_answer(B wins, B playable) {
        const B now = wins & playable;
        if (now) return several(now) || (now << 1) & wins;
        return playable && !(playable & ~(wins >> 1));
    }

    /// Whether the player to move in a quiet node keeps the other one from winning with his second
    /// stone.
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

    void count() {
        if (nodes >= limit) throw OutOfBudget{};
        if ((++nodes & 1023) == 0) look();
    }

    void look() const {
        if (stopped_.load(std::memory_order_relaxed)) throw OutOfBudget{};
        if (deadline && Clock::now() >= *deadline) throw OutOfBudget{};
    }

    static constexpr int MAX_SCORE = 64;

    // With fewer stones left than these, so little can follow that more care doesn't pay.
    static constexpr int WORTH_ORDERING = 7, WORTH_PROBING = 5, WORTH_SHARING = 9;

    const Knowledge<Board>& knowledge_;
    SolverTable<B>& table_;
    const std::atomic<bool>& stopped_;
    Busy* const busy_;
};

}  // namespace c4
