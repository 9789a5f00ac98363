// Exact scores of positions with few stones: the twin of the class `Book` of c4_bot/book/book_file.py,
// which describes the file.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>

#include "board.hpp"
#include "solver/score.hpp"

namespace c4 {

/// A book in memory that belongs to Python. `firsts` holds the first key of each block, `begins`
/// the offset of each block in `entries` and of the end of the last one, in ascending order.
class Book {
  public:
    using Rules = Board<Narrow, 4>;

    Book(const Variant& variant, int plies, std::span<const std::uint64_t> firsts,
         std::span<const std::uint32_t> begins, std::span<const std::uint8_t> entries)
        : board_(variant), plies_(plies), firsts_(firsts), begins_(begins), entries_(entries) {}

    const Rules& board() const { return board_; }

    /// Returns the score of a game that is not over, for the player to move, if the book has it or
    /// if it follows from the entries.
    std::optional<int> score(Position<Narrow> position) const {
        for (int sign = 1; position.ply() <= plies_; sign = -sign) {
            if (board_.winning_cells(position)) {
                return sign * worth(board_.variant, position.ply() + 1);
            }
            const Narrow stops = board_.opponent_winning_cells(position);
            if (!stops || position.ply() == plies_) {
                const std::optional<int> found = find(key(position));
                return found ? std::optional(sign * *found) : std::nullopt;
            }
            position = position.play(std::bit_floor(stops));  // with two stops, both lose
        }
        return std::nullopt;
    }

  private:
    static constexpr int SCORE_BITS = 6;
    static constexpr int STORED_ZERO = 1 << (SCORE_BITS - 1);

    Narrow key(const Position<Narrow>& position) const {
        return std::min(key_of_one_side(position), key_of_one_side(board_.mirrored(position)));
    }

    Narrow key_of_one_side(const Position<Narrow>& position) const {
        return position.own + position.occupied() + board_.bottom;
    }

    std::optional<int> find(std::uint64_t wanted) const {
        const auto after = std::ranges::upper_bound(firsts_, wanted);
        if (after == firsts_.begin()) return std::nullopt;
        const std::size_t block = after - firsts_.begin() - 1;
        std::uint64_t word = firsts_[block], number = 0;
        int shift = 0;
        for (std::size_t at = begins_[block]; at < begins_[block + 1]; ++at) {
            number |= std::uint64_t{entries_[at] & 0x7Fu} << shift;
            shift += 7;
            if (entries_[at] >= 0x80 && shift < 64) continue;  // a number has at most 64 bits
            word += number >> SCORE_BITS;
            if (word >= wanted) {
                if (word > wanted) return std::nullopt;
                return static_cast<int>(number & (2 * STORED_ZERO - 1)) - STORED_ZERO;
            }
            number = shift = 0;
        }
        return std::nullopt;
    }

    Rules board_;
    int plies_;
    std::span<const std::uint64_t> firsts_;
    std::span<const std::uint32_t> begins_;
    std::span<const std::uint8_t> entries_;
};

}  // namespace c4
