// The classes `Book` and `Solver` of the Python module.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "../book.hpp"
#include "../solver/known.hpp"
#include "../solver/many.hpp"
#include "../solver/moves.hpp"
#include "../solver/solver.hpp"
#include "border.hpp"

namespace nb = nanobind;

namespace c4 {
namespace {

using BoundFields = std::pair<int, int>;                     // lower and upper bound of a score
using SolvedFields = std::tuple<int, int, std::int64_t>;     // bounds, nodes
using MoveFields = std::tuple<int, int, int, std::int64_t>;  // cell, bounds, nodes
using TimedFields = std::tuple<int, int, std::int64_t, std::int64_t>;  // bounds, nodes, nanoseconds

/// Memory of a Python object, which stays valid as long as this object. `T` is the type of the
/// elements. Throws if the object has no such elements.
template <class T>
class Buffer {
  public:
    explicit Buffer(nb::handle object) {
        const int flags = std::is_const_v<T> ? PyBUF_SIMPLE : PyBUF_WRITABLE;
        if (PyObject_GetBuffer(object.ptr(), &view_, flags)) throw nb::python_error();
        if (reinterpret_cast<std::uintptr_t>(view_.buf) % alignof(T) || view_.len % sizeof(T)) {
            PyBuffer_Release(&view_);
            throw std::invalid_argument("a buffer with elements of another size");
        }
    }

    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() { PyBuffer_Release(&view_); }

    std::span<T> elements() const { return {static_cast<T*>(view_.buf), view_.len / sizeof(T)}; }

  private:
    Py_buffer view_;
};

/// Scores of positions with few stones. The three parts of the file stay in the memory of Python.
class PyBook {
  public:
    PyBook(const Sizes& sizes, int plies, nb::handle firsts, nb::handle begins, nb::handle entries)
        : firsts_(firsts), begins_(begins), entries_(entries),
          book_(book_variant(sizes), plies, firsts_.elements(), begins_.elements(),
                entries_.elements()) {
        const auto offsets = begins_.elements();
        if (offsets.size() != firsts_.elements().size() + 1 || !std::ranges::is_sorted(offsets) ||
            offsets.back() > entries_.elements().size()) {
            throw std::invalid_argument("blocks outside the book");
        }
    }

    std::optional<int> score(const Stones& stones) const {
        return book_.score(position_of(stones, book_.board()));
    }

    const Book& book() const { return book_; }

  private:
    static Variant book_variant(const Sizes& sizes) {
        const Variant variant = variant_of(sizes);
        if (!variant.gravity || variant.connect != 4 || variant.bits() > 64) {
            throw std::invalid_argument("no variant for a book");
        }
        return variant;
    }

    Buffer<const std::uint64_t> firsts_;
    Buffer<const std::uint32_t> begins_;
    Buffer<const std::uint8_t> entries_;
    Book book_;
};

template <class Board>
using PlainSolver = Solver<Board>;

using AnySolver = OnAnyBoard<PlainSolver, Standard::Solver, Larger::Solver>;

/// Returns the solver that knows the most about its variant at compile time.
AnySolver solver_for(const Variant& variant, std::size_t megabytes) {
    if (!variant.gravity) throw std::invalid_argument("stones have to fall");
    if (variant == Standard::VARIANT) {
        return std::make_unique<Standard::Solver>(variant, megabytes);
    }
    if (variant == Larger::VARIANT) return std::make_unique<Larger::Solver>(variant, megabytes);
    return with_board(variant, [&]<class Board>(const Board&) -> AnySolver {
        return std::make_unique<Solver<Board>>(variant, megabytes);
    });
}

/// Returns the column with this name in a move string, from 0; -1 if there is none.
int column_of(char name) {
    if ('1' <= name && name <= '9') return name - '1';
    if ('a' <= name && name <= 'z') return name - 'a' + 9;
    if ('A' <= name && name <= 'Z') return name - 'A' + 35;
    return -1;
}

/// Returns the position after a move string; nothing if it is not legal, or ends the game.
template <class Board, class B = typename Board::B>
std::optional<Position<B>> played(const Board& board, std::string_view moves) {
    Position<B> position{0, 0};
    for (const char name : moves) {
        const B playable = board.playable(position.occupied()) & board.column_at(column_of(name));
        if (!playable || board.has_line(position.other)) return std::nullopt;
        position = position.play(playable);
    }
    return board.is_over(position) ? std::nullopt : std::optional(position);
}

/// Exact scores of one variant with gravity, in Pons's convention, for the player to move. The
/// table has at least 16 MiB (32 on boards of more than 64 bits). A search ends when the
/// bounds are equal, when they show that the score is not within `wanted`, or at its limits.
class PySolver {
  public:
    PySolver(const Sizes& sizes, std::size_t megabytes)
        : solver_(solver_for(variant_of(sizes), table_size(megabytes))) {}

    /// Returns the bounds of a score and the nodes visited. A limit of depth has no effect.
    SolvedFields solve(const Stones& stones, const BoundFields& wanted, const LimitFields& limits) {
        return solver_.use([&](auto& solver) -> SolvedFields {
            const auto position = open_position_of(stones, solver.knowledge().board);
            const auto [bounds, nodes] = solver.solve(position, between(wanted), limits_of(limits));
            return {bounds.low, bounds.high, nodes};
        });
    }

    /// Returns the cell, the bounds and the nodes of each legal move, the most central first. The
    /// book is asked first. With a limit of nodes, one thread searches.
    std::vector<MoveFields> score_moves(const Stones& stones, const BoundFields& wanted,
                                        const LimitFields& limits) {
        return solver_.use([&](auto& solver) {
            const auto position = open_position_of(stones, solver.knowledge().board);
            AllMoves moves(solver, limits_of(limits));
            std::vector<MoveFields> fields;
            for (const auto& [stone, bounds, nodes] : moves.solve(position, between(wanted))) {
                fields.emplace_back(lowest(stone), bounds.low, bounds.high, nodes);
            }
            return fields;
        });
    }

    /// Solves the position after the moves of a move string. The book is asked first. Returns
    /// bounds, nodes and nanoseconds, or nothing if the moves are not legal or the game is over.
    std::optional<TimedFields> solve_moves(const nb::bytes& moves, const BoundFields& wanted,
                                           const LimitFields& limits) {
        const auto began = Clock::now();
        return solver_.look([&](const auto& solver) -> std::optional<TimedFields> {
            const auto position = played(solver.knowledge().board, {moves.c_str(), moves.size()});
            if (!position) return std::nullopt;
            SolvedFields solved;
            if (const auto score = solver.known_score(*position)) {
                solved = {*score, *score, 0};
            } else {
                const nb::gil_scoped_release without_gil;
                solved = solve({halves(position->own), halves(position->other)}, wanted, limits);
            }
            const std::chrono::nanoseconds taken = Clock::now() - began;
            return std::tuple_cat(solved, std::tuple(std::int64_t{taken.count()}));
        });
    }

    /// Solves many positions; see `ManyPositions`. `stones` has four 64-bit numbers for each: the
    /// halves of the own stones and of the other's. `rows` has a byte for its score and one for
    /// each column. `scope` is the number of a `Scope`. `done` is one 64-bit number. All are
    /// buffers of Python. Throws `std::invalid_argument` if the game of a position is over.
    void solve_many(nb::handle stones, nb::handle rows, nb::handle done, int scope, int threads) {
        const Buffer<const std::uint64_t> in(stones);
        const Buffer<std::int8_t> out(rows);
        const Buffer<std::atomic<std::int64_t>> counter(done);
        const nb::gil_scoped_release without_gil;
        const Limits limits = limits_of({-1, -1, -1, checked("threads", threads, 1, MAX_THREADS)});
        const auto wanted = static_cast<Scope>(checked("scope", scope, 0, 3));
        solver_.use([&](auto& solver) {
            const auto& board = solver.knowledge().board;
            const std::size_t count = in.elements().size() / 4;
            if (in.elements().size() % 4 || counter.elements().size() != 1 ||
                out.elements().size() != count * (board.variant.width + 1)) {
                throw std::invalid_argument("arrays of different lengths");
            }
            const auto position_at = [&](std::size_t i) {
                const auto four = in.elements().subspan(4 * i, 4);
                return open_position_of({{four[0], four[1]}, {four[2], four[3]}}, board);
            };
            for (std::size_t i = 0; i < count; ++i) position_at(i);  // so that it throws now
            ManyPositions(solver, wanted, limits)
                .solve(out.elements(), counter.elements()[0], position_at);
        });
    }

    /// The book must be of the same variant.
    void use_book(const PyBook& book) {
        solver_.use([&](auto& solver) { solver.use_book(book.book()); });
    }

    BoundFields follow_up_bounds(const Stones& stones) const {
        return solver_.look([&](const auto& solver) -> BoundFields {
            const auto position = open_position_of(stones, solver.knowledge().board);
            const Bounds bounds = solver.follow_up_bounds(position);
            return {bounds.low, bounds.high};
        });
    }

    void forget() {
        solver_.use([](auto& solver) { solver.forget(); });
    }

  private:
    static Bounds between(const BoundFields& wanted) {
        const auto [low, high] = wanted;
        return {std::clamp(low, -MAX_BITS, MAX_BITS), std::clamp(high, -MAX_BITS, MAX_BITS)};
    }

    Exclusive<AnySolver> solver_;
};

}  // namespace

void add_solver(nb::module_& module) {
    using namespace nb::literals;
    const auto without_gil = nb::call_guard<nb::gil_scoped_release>();
    nb::class_<PyBook>(module, "Book")
        .def(nb::init<const Sizes&, int, nb::handle, nb::handle, nb::handle>(), "variant"_a,
             "plies"_a, "firsts"_a, "begins"_a, "entries"_a)
        .def("score", &PyBook::score, "stones"_a);
    nb::class_<PySolver>(module, "Solver")
        .def(nb::init<const Sizes&, std::size_t>(), "variant"_a, "megabytes"_a)
        .def("solve", &PySolver::solve, "stones"_a, "wanted"_a, "limits"_a, without_gil)
        .def("score_moves", &PySolver::score_moves, "stones"_a, "wanted"_a, "limits"_a, without_gil)
        .def("solve_moves", &PySolver::solve_moves, "moves"_a, "wanted"_a, "limits"_a)
        .def("solve_many", &PySolver::solve_many, "stones"_a, "rows"_a, "done"_a, "scope"_a,
             "threads"_a)
        .def("use_book", &PySolver::use_book, "book"_a, nb::keep_alive<1, 2>(), without_gil)
        .def("follow_up_bounds", &PySolver::follow_up_bounds, "stones"_a)
        .def("forget", &PySolver::forget, without_gil);
}

}  // namespace c4
