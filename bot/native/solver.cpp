// The class `Solver` of the Python module: one type for all variants.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <tuple>

#include "book.hpp"
#include "border.hpp"
#include "solver/moves.hpp"
#include "solver/solver.hpp"

namespace nb = nanobind;

namespace c4 {
namespace {

using MoveFields = std::tuple<int, int, int, std::int64_t>;  // cell, lower and upper bound, nodes

class AnySolver {
  public:
    virtual ~AnySolver() = default;
    virtual Solved solve(const Stones& stones, const Bounds& wanted, const Limits& limits) = 0;
    virtual std::vector<MoveFields> score_moves(const Stones& stones, const Bounds& wanted,
                                                const Limits& limits, const Book* book) = 0;
    virtual std::optional<Stones> played(std::string_view moves) const = 0;
    virtual std::pair<int, int> follow_up_bounds(const Stones& stones) const = 0;
    virtual void forget() = 0;
};

template <class Board, const Knowledge<Board>* KNOWN = nullptr>
class SolverOf : public AnySolver {
  public:
    using B = typename Board::B;

    SolverOf(const Variant& variant, std::size_t megabytes) : solver_(variant, megabytes) {}

    Solved solve(const Stones& stones, const Bounds& wanted, const Limits& limits) override {
        return solver_.solve(open_position_of(stones, solver_.knowledge().board), wanted, limits);
    }

    std::vector<MoveFields> score_moves(const Stones& stones, const Bounds& wanted,
                                        const Limits& limits, const Book* book) override {
        const auto score_of = [&](const Position<B>& position) {
            return book ? score_in(*book, position) : std::nullopt;
        };
        const auto position = open_position_of(stones, solver_.knowledge().board);
        AllMoves<Board, KNOWN> moves(solver_, limits);
        std::vector<MoveFields> found;
        for (const auto& [stone, bounds, nodes] : moves.solve(position, wanted, score_of)) {
            found.emplace_back(lowest(stone), bounds.low, bounds.high, nodes);
        }
        return found;
    }

    std::optional<Stones> played(std::string_view moves) const override {
        const Board& board = solver_.knowledge().board;
        Position<B> position{0, 0};
        for (const char name : moves) {
            const B playable = board.playable(position.occupied()) & board.column_at(column(name));
            if (!playable || board.has_line(position.other)) return std::nullopt;
            position = position.play(playable);
        }
        if (board.is_over(position)) return std::nullopt;
        return Stones{halves(position.own), halves(position.other)};
    }

    /// Returns the best bounds that any null window gives.
    std::pair<int, int> follow_up_bounds(const Stones& stones) const override {
        const auto& [board, follow_up, _] = solver_.knowledge();
        const Node<B> node = node_of(board, open_position_of(stones, board));
        const int low = -worth(board.variant, node.ply + 2);
        const int high = worth(board.variant, node.ply + 1);
        Bounds best{low, high};
        for (int alpha = low; alpha < high; ++alpha) {
            best.narrow({follow_up.lower_bound(node, low, alpha),
                         follow_up.upper_bound(node, high, alpha)});
        }
        return {best.low, best.high};
    }

    void forget() override { solver_.forget(); }

  private:
    /// Returns the column with this name in a move string, from 0; -1 if there is none.
    static int column(char name) {
        if ('1' <= name && name <= '9') return name - '1';
        if ('a' <= name && name <= 'z') return name - 'a' + 9;
        if ('A' <= name && name <= 'Z') return name - 'A' + 35;
        return -1;
    }

    static std::optional<int> score_in(const Book& book, const Position<B>& position) {
        return book.score({static_cast<Narrow>(position.own), static_cast<Narrow>(position.other)});
    }

    static Halves halves(B board) { return {low(board), high(board)}; }

    Solver<Board, KNOWN> solver_;
};

/// Memory of a Python object, which stays valid as long as this object. `T` is the type of the
/// elements. Throws if the object has no such elements.
template <class T>
class Buffer {
  public:
    explicit Buffer(nb::handle object) {
        if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE)) throw nb::python_error();
        if (reinterpret_cast<std::uintptr_t>(view_.buf) % alignof(T) || view_.len % sizeof(T)) {
            PyBuffer_Release(&view_);
            throw std::invalid_argument("a buffer with elements of another size");
        }
    }

    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() { PyBuffer_Release(&view_); }

    std::span<const T> elements() const {
        return {static_cast<const T*>(view_.buf), view_.len / sizeof(T)};
    }

  private:
    Py_buffer view_;
};

/// The book that Python sees. It keeps the memory of the book valid.
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

    Buffer<std::uint64_t> firsts_;
    Buffer<std::uint32_t> begins_;
    Buffer<std::uint8_t> entries_;
    Book book_;
};

/// A board whose sizes the compiler knows. This saves a tenth of the time, and takes 30 KB of code.
template <int WIDTH, int HEIGHT>
struct KnownBoard {
    static constexpr Variant VARIANT{WIDTH, HEIGHT, 4, true, HORIZONTAL | VERTICAL | DIAGONAL};
    static constexpr Knowledge<Board<Narrow, 4>> KNOWLEDGE{VARIANT};
    using Solver = SolverOf<Board<Narrow, 4>, &KNOWLEDGE>;
};

/// Returns the solver that knows the most about its variant at compile time.
std::unique_ptr<AnySolver> solver_for(const Sizes& sizes, std::size_t megabytes) {
    using Standard = KnownBoard<7, 6>;
    using Larger = KnownBoard<8, 7>;
    const Variant variant = variant_of(sizes);
    if (!variant.gravity) throw std::invalid_argument("stones have to fall");
    if (variant == Standard::VARIANT) {
        return std::make_unique<Standard::Solver>(variant, megabytes);
    }
    if (variant == Larger::VARIANT) return std::make_unique<Larger::Solver>(variant, megabytes);
    return with_board(variant, [&]<class Board>(const Board&) -> std::unique_ptr<AnySolver> {
        return std::make_unique<SolverOf<Board>>(variant, megabytes);
    });
}

/// The class that Python sees.
class PySolver {
  public:
    PySolver(const Sizes& sizes, std::size_t megabytes)
        : solver_(solver_for(sizes, table_size(megabytes))) {}

    std::tuple<int, int, std::int64_t> solve(const Stones& stones, std::pair<int, int> wanted,
                                             const LimitFields& fields) {
        const Turn turn(owner_);
        const Solved found = solver_->solve(stones, between(wanted), limits_of(fields));
        return {found.bounds.low, found.bounds.high, found.nodes};
    }

    /// Returns all legal moves with bounds of their scores, and the nodes of each.
    std::vector<MoveFields> score_moves(const Stones& stones, std::pair<int, int> wanted,
                                        const LimitFields& fields) {
        const Turn turn(owner_);
        const Book* book = book_ ? &book_->book() : nullptr;
        return solver_->score_moves(stones, between(wanted), limits_of(fields), book);
    }

    /// Solves the position after the moves of a move string. Returns bounds, nodes and nanoseconds,
    /// or nothing if the moves are not legal or if the game is over.
    std::optional<std::tuple<int, int, std::int64_t, std::int64_t>> solve_moves(
        const nb::bytes& moves, std::pair<int, int> wanted, const LimitFields& fields) {
        const auto began = Clock::now();
        const auto stones = solver_->played({moves.c_str(), moves.size()});
        if (!stones) return std::nullopt;
        std::tuple<int, int, std::int64_t> found;
        if (const auto known = book_ ? book_->score(*stones) : std::nullopt) {
            found = {*known, *known, 0};
        } else {
            const nb::gil_scoped_release without_gil;
            found = solve(*stones, wanted, fields);
        }
        const std::chrono::nanoseconds taken = Clock::now() - began;
        return std::tuple_cat(found, std::tuple(std::int64_t{taken.count()}));
    }

    void use_book(const PyBook* book) { book_ = book; }

    std::pair<int, int> follow_up_bounds(const Stones& stones) const {
        return solver_->follow_up_bounds(stones);
    }

    void forget() {
        const Turn turn(owner_);
        solver_->forget();
    }

  private:
    static Bounds between(const std::pair<int, int>& wanted) {
        const auto [low, high] = wanted;
        return {std::clamp(low, -MAX_BITS, MAX_BITS), std::clamp(high, -MAX_BITS, MAX_BITS)};
    }

    std::unique_ptr<AnySolver> solver_;
    const PyBook* book_ = nullptr;
    std::atomic<std::thread::id> owner_{};
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
        .def("use_book", &PySolver::use_book, "book"_a, nb::keep_alive<1, 2>())
        .def("follow_up_bounds", &PySolver::follow_up_bounds, "stones"_a)
        .def("forget", &PySolver::forget, without_gil);
}

}  // namespace c4
