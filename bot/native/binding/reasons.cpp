// The function `reason` of the Python module.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "../reasons/kinds.hpp"
#include "border.hpp"

namespace nb = nanobind;

namespace c4 {
namespace {

using ReasonFields = std::tuple<std::string, Halves, std::vector<int>>;

void check_outcome(const char* name, const std::optional<int>& outcome) {
    if (outcome) checked(name, *outcome, -1, 1);
}

/// Returns the bits of `cells`; throws `std::invalid_argument` if one of them is no legal move.
template <class Board, class B = typename Board::B>
B moves_among(const Board& board, const Position<B>& position, Wide cells) {
    if (cells & ~Wide{board.playable(position.occupied())}) {
        throw std::invalid_argument("a cell is not a legal move");
    }
    return static_cast<B>(cells);
}

/// Returns the kind of the reason of a move, its cells and its line. Throws `std::invalid_argument`
/// for games that are over, and if the move or one of the answers is not legal.
ReasonFields reason(const Sizes& sizes, const Stones& stones, int cell,
                    const std::optional<int>& best, const std::optional<int>& own,
                    const Halves& answers) {
    check_outcome("best", best);
    check_outcome("own", own);
    checked("cell", cell, 0, MAX_BITS - 1);
    return with_board(variant_of(sizes), [&]<class Board>(const Board& board) -> ReasonFields {
        const auto before = open_position_of(stones, board);
        const auto stone = moves_among(board, before, Wide{1} << cell);
        const auto known = moves_among(board, before.play(stone), whole(answers));
        const auto found =
            reasons::Rules<Board>(board).reason_of({before, stone, best, own, known});
        return {found.name(), halves(found.cells), found.line};
    });
}

}  // namespace

void add_reasons(nb::module_& module) {
    using namespace nb::literals;
    module.def("reason", &reason, "variant"_a, "stones"_a, "cell"_a, "best"_a.none(),
               "own"_a.none(), "answers"_a, nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace c4
