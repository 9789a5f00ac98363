// The types that are exchanged with Python, and their conversions.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <utility>
#include <variant>

#include "../board.hpp"
#include "../contract.hpp"

namespace c4 {

using Halves = std::pair<std::uint64_t, std::uint64_t>;   // a bitboard: lower 64 bits, upper 64
using Stones = std::pair<Halves, Halves>;                 // of the player to move, of the opponent
using Sizes = std::tuple<int, int, int, bool, unsigned>;  // the fields of a `Variant`
// Depth in plies, nodes, seconds from the call, and threads. -1 stands for no limit.
using LimitFields = std::tuple<int, std::int64_t, double, int>;

/// Adds the class `Solver` to the module; in solver.cpp.
void add_solver(nanobind::module_& module);

/// Adds the class `LineSolver` to the module; in line.cpp.
void add_line_solver(nanobind::module_& module);

/// Adds the class `Trainer` to the module; in train.cpp, which is compiled only with TRAINING.
void add_trainer(nanobind::module_& module);

/// Adds the function `reason` to the module; in reasons.cpp.
void add_reasons(nanobind::module_& module);

/// Lets Python handle signals such as Ctrl-C, if this is the main thread. Throws what the handlers
/// raise. It is called without the GIL. Its definition is in core.cpp.
void handle_signals();

inline constexpr int MAX_THREADS = 1024;
inline constexpr std::size_t MAX_MEGABYTES = 1 << 20;

inline Variant variant_of(const Sizes& sizes) {
    const auto [width, height, connect, gravity, directions] = sizes;
    const auto is_side = [](int n) { return 1 <= n && n <= MAX_SIDE; };
    const bool known_directions = directions <= (HORIZONTAL | VERTICAL | DIAGONAL);
    if (!is_side(width) || !is_side(height) || !is_side(connect) || !known_directions) {
        throw std::invalid_argument("no such variant");
    }
    return {width, height, connect, gravity, directions};
}

/// Calls `use` with a board of this type. The compiler knows the usual lengths of a line.
template <Bits B, class Use>
auto with_board_of(const Variant& variant, const Use& use) {
    if (variant.connect == 4) return use(Board<B, 4>(variant));
    if (variant.connect == 5) return use(Board<B, 5>(variant));
    return use(Board<B, 0>(variant));
}

/// Calls `use` with the smallest type of board that holds the variant. Throws
/// `std::invalid_argument` if none does.
template <class Use>
auto with_board(const Variant& variant, const Use& use) {
    if (variant.bits() <= 64) return with_board_of<Narrow>(variant, use);
    if (variant.bits() <= MAX_BITS) return with_board_of<Wide>(variant, use);
    throw std::invalid_argument("the board has more than 128 bits");
}

/// A pointer to a `T` of one of the boards that `with_board` makes, or to one of `More`.
template <template <class> class T, class... More>
using OnAnyBoard =
    std::variant<std::unique_ptr<More>..., std::unique_ptr<T<Board<Narrow, 4>>>,
                 std::unique_ptr<T<Board<Narrow, 5>>>, std::unique_ptr<T<Board<Narrow, 0>>>,
                 std::unique_ptr<T<Board<Wide, 4>>>, std::unique_ptr<T<Board<Wide, 5>>>,
                 std::unique_ptr<T<Board<Wide, 0>>>>;

inline Wide whole(const Halves& halves) { return Wide{halves.second} << 64 | halves.first; }

template <Bits B>
Halves halves(B board) {
    return {low(board), high(Wide{board})};
}

/// Returns the position with these stones. Throws `std::invalid_argument` if a cell has stones
/// of both players, or if a stone is on no cell of `all`. The searches rely on this.
template <Bits B>
Position<B> position_of(const Stones& stones, B all) {
    const Wide own = whole(stones.first), other = whole(stones.second);
    if (own & other) throw std::invalid_argument("stones of both players on one cell");
    if ((own | other) & ~Wide{all}) throw std::invalid_argument("a stone outside the board");
    return {static_cast<B>(own), static_cast<B>(other)};
}

/// Does the same for a board or a grid. Also throws if a stone is above a free cell in a game with
/// gravity.
template <class Board>
Position<typename Board::B> position_of(const Stones& stones, const Board& board) {
    const auto position = position_of(stones, board.all);
    if (board.has_floating(position.occupied())) {
        throw std::invalid_argument("a stone above a free cell");
    }
    return position;
}

/// Returns the position of a game that is not over; throws `std::invalid_argument` if it is over.
template <class Board>
Position<typename Board::B> open_position_of(const Stones& stones, const Board& board) {
    const auto position = position_of(stones, board);
    if (board.is_over(position)) throw std::invalid_argument("the game is over");
    return position;
}

/// Returns the size of a table, at least 1 MiB.
inline std::size_t table_size(std::size_t megabytes) {
    return std::max<std::size_t>(checked<std::size_t>("megabytes", megabytes, 0, MAX_MEGABYTES), 1);
}

/// A mutex whose threads handle signals while they wait.
class Turn {
  public:
    void lock() {
        const std::thread::id self = std::this_thread::get_id();
        for (std::thread::id other; !owner_.compare_exchange_strong(other, self); other = {}) {
            if (other == self) {
                throw std::runtime_error(
                    "a signal handler cannot use the solver that it interrupts");
            }
            handle_signals();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }

    void unlock() { owner_.store({}, std::memory_order_release); }

  private:
    std::atomic<std::thread::id> owner_{};
};

/// A pointer of one of several types. One thread at a time uses its object.
template <class AnyPointer>
class Exclusive {
  public:
    explicit Exclusive(AnyPointer pointer) : pointer_(std::move(pointer)) {}

    template <class Use>
    auto use(const Use& use) {
        const std::lock_guard guard(turn_);
        return look(use);
    }

    /// Calls `use` without waiting, for what does not change.
    template <class Use>
    auto look(const Use& use) const {
        return std::visit([&](const auto& pointer) { return use(*pointer); }, pointer_);
    }

  private:
    const AnyPointer pointer_;
    Turn turn_;
};

/// Returns the limits of a search that starts now.
inline Limits limits_of(const LimitFields& fields) {
    const auto [depth, nodes, seconds, threads] = fields;
    if (std::isnan(seconds)) throw std::invalid_argument("seconds: not a number");
    if (threads > MAX_THREADS) checked("threads", threads, 1, MAX_THREADS);
    Limits limits{depth, nodes, std::nullopt, threads, handle_signals};
    if (seconds >= 0) {
        const std::chrono::duration<double> left(std::min(seconds, 1e9));  // more would overflow
        limits.deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(left);
    }
    return limits;
}

}  // namespace c4
