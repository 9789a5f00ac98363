// Learned weights of patterns of cells: the twin of c4_bot/evaluate/network.py.
//
// The bits of a column are looked up once; they give the codes of all its segments. A row of codes
// is then moved to its place in eight indices at the same time, which the compiler does with vector
// instructions.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../contract.hpp"
#include "../mutex.hpp"
#include "zugzwang.hpp"

namespace c4 {

/// A shape of patterns: segments of `rows` cells in `columns` neighbouring columns. Each is `slope`
/// rows above the one before it.
struct Shape {
    int columns, rows, slope;

    constexpr int bits() const { return columns * (rows + 1); }
    constexpr bool operator==(const Shape&) const = default;
};

/// The order of the weights of a network, and the search for those that a position has.
class NetworkLayout {
  public:
    static constexpr int MAX_HEIGHT = 8;
    static constexpr int MAX_WIDTH = 16;
    static constexpr int MAX_PATTERN_BITS = 16;

    /// Throws `std::invalid_argument` if a network cannot have these shapes on this board.
    NetworkLayout(const Variant& variant, const std::vector<Shape>& shapes)
        : variant_(variant), column_codes_(std::size_t{2} << variant.height),
          even_rows_(0xAA & ((1u << variant.height) - 1)) {
        if (!variant.gravity || variant.height > MAX_HEIGHT || variant.width > MAX_WIDTH) {
            throw std::invalid_argument("no network for this board");
        }
        for (const Shape& shape : shapes) add(shape);
        ending_ = add_table(ENDING_PATTERNS);
        balance_ = add_table(BALANCE_PATTERNS);
    }

    /// Returns the number of weights.
    std::size_t size() const { return 2 * half_; }

    /// Returns for each weight the index of the one that stands for it. A pattern and its mirror
    /// image are worth the same, so one weight stands for both.
    std::vector<std::uint32_t> representatives() const {
        std::vector<std::uint32_t> found(size());
        for (std::size_t i = 0; i < found.size(); ++i) found[i] = static_cast<std::uint32_t>(i);
        for (const Run& run : runs_) {
            const bool is_central = 2 * run.first + run.shape.columns == variant_.width;
            if (run.shape.slope || !is_central) continue;
            for (std::size_t i = 0; i < run.count * run.size; ++i) {
                const std::size_t image = i - i % run.size + reversed(i % run.size, run.shape);
                for (const std::size_t seat : {std::size_t{0}, half_}) {
                    found[seat + run.begin + i] =
                        static_cast<std::uint32_t>(seat + run.begin + std::min(i, image));
                }
            }
        }
        return found;
    }

    /// Calls `use` with the index of each weight of a position. `own` are the stones of the player
    /// to move, and `judged` is what `Zugzwang` says of the position.
    template <class Board, class B, class Use>
    void for_each_index(const Board& board, B own, B other,
                        const typename Zugzwang<Board>::Judged& judged, const Use& use) const {
        const B occupied = own | other;
        const int ply = popcount(occupied);
        const std::size_t seat = ply % 2 ? half_ : 0;
        std::array<std::uint32_t, MAX_WIDTH> columns;
        const B key = own | (occupied + board.bottom);
        const std::uint32_t mask = static_cast<std::uint32_t>(column_codes_ - 1);
        for (int x = 0; x < variant_.width; ++x) {
            columns[x] = static_cast<std::uint32_t>(key >> (x * variant_.stride())) & mask;
        }
        for (const Run& run : runs_) {
            const std::size_t table = seat + run.begin;
            if (run.shape.columns == 4 && run.shape.rows == 2) {
                use_run<4, 2>(run, columns, table, use);
            } else if (run.shape.columns == 1 && run.shape.rows == variant_.height) {
                use(table + columns[run.first]);
            } else {
                use_run<0, 0>(run, columns, table, use);
            }
        }
        use(seat + ending_ + (std::min(judged.safe, 63) << 2 | (judged.result + 1)));
        use(seat + balance_ + balance(board, board.all & ~occupied, judged.ours, judged.theirs));
    }

  private:
    static constexpr int LANES = 2 * MAX_HEIGHT;  // of a content of a column: the upper half is 0
    static constexpr std::size_t ENDING_PATTERNS = 256, BALANCE_PATTERNS = 2048;

    /// All patterns of a shape that begin in one column: `count` tables of `size` weights. A step
    /// of -1 reads the pattern from the right, because it shares its table with its mirror image.
    struct Run {
        Shape shape;
        int first, step, count;
        std::size_t size, begin, codes;
    };

    /// Returns the index of a pattern that is read from the other side.
    static std::size_t reversed(std::size_t index, const Shape& shape) {
        const int bits = shape.rows + 1;
        std::size_t found = 0;
        for (int k = 0; k < shape.columns; ++k, index >>= bits) {
            found = found << bits | (index & ((std::size_t{1} << bits) - 1));
        }
        return found;
    }

    /// Eight codes or indices, which the processor handles at the same time.
    using Lanes [[gnu::vector_size(2 * MAX_HEIGHT)]] = std::uint16_t;

    /// Uses the weights of the patterns of a run, from the bottom to the top. `COLUMNS` and `ROWS`
    /// are those of the shape if the compiler knows them, otherwise 0.
    template <int COLUMNS, int ROWS, class Use>
    void use_run(const Run& run, const std::array<std::uint32_t, MAX_WIDTH>& columns,
                 std::size_t table, const Use& use) const {
        const std::uint16_t* codes = codes_[run.codes].data();
        const int count = COLUMNS ? COLUMNS : run.shape.columns;
        const int bits = (ROWS ? ROWS : run.shape.rows) + 1;
        Lanes found{};
        for (int k = 0, x = run.first; k < count; ++k, x += run.step) {
            Lanes lanes;
            std::memcpy(&lanes, codes + columns[x] * LANES + k * run.shape.slope, sizeof(lanes));
            found |= lanes << (k * bits);
        }
        for (int y = 0; y < run.count; ++y, table += run.size) use(table + found[y]);
    }

    void add(const Shape& shape) {
        const auto [columns, rows, slope] = shape;
        const int count = variant_.height - rows + 1 - slope * (columns - 1);
        if (columns < 1 || rows < 1 || slope < 0 || slope > 1 || count < 1 ||
            columns > variant_.width || shape.bits() > MAX_PATTERN_BITS) {
            throw std::invalid_argument("no such shape of patterns");
        }
        const std::size_t codes = codes_of(rows), size = std::size_t{1} << shape.bits();
        const int last = variant_.width - columns;
        for (int x = 0; x <= last; ++x) {
            const bool is_first = slope || 2 * x <= last;
            const std::size_t begin =
                is_first ? add_table(count * size) : begin_of(shape, last - x);
            const int first = is_first ? x : x + columns - 1;
            runs_.push_back({shape, first, is_first ? 1 : -1, count, size, begin, codes});
        }
        for (int x = 0; slope && x <= last; ++x) {
            runs_.push_back(
                {shape, x + columns - 1, -1, count, size, begin_of(shape, last - x), codes});
        }
    }

    std::size_t begin_of(const Shape& shape, int x) const {
        const auto same = [&](const Run& run) {
            return run.shape == shape && run.first == x && run.step == 1;
        };
        return std::ranges::find_if(runs_, same)->begin;
    }

    std::size_t add_table(std::size_t size) { return std::exchange(half_, half_ + size); }

    /// Returns the index of the codes of segments of `rows` cells, for every content of a column.
    std::size_t codes_of(int rows) {
        for (std::size_t i = 0; i < heights_.size(); ++i) {
            if (heights_[i] == rows) return i;
        }
        heights_.push_back(rows);
        std::vector<std::uint16_t>& codes = codes_.emplace_back(column_codes_ * LANES);
        for (std::uint32_t column = 1; column < column_codes_; ++column) {
            for (int y = 0; y + rows <= variant_.height; ++y) {
                codes[column * LANES + y] = code_of(column, y, rows);
            }
        }
        return heights_.size() - 1;
    }

    /// Returns the code of the segment of `rows` cells from row `y` on. A column has a 1 above its
    /// top stone, and below it a 1 for each own stone. The code is the same for the segment alone,
    /// and 0 if its lowest cell is free and cannot be played.
    static std::uint16_t code_of(std::uint32_t column, int y, int rows) {
        const int height = std::bit_width(column) - 1;
        if (height < y) return 0;
        const int stones = std::min(height - y, rows);
        const std::uint32_t top = 1u << stones;
        return static_cast<std::uint16_t>(top | (column >> y & (top - 1)));
    }

    /// Returns the number of columns whose lowest threat of a player is in an even or odd row.
    template <class Board, class B>
    std::size_t balance(const Board& board, B free, B ours, B theirs) const {
        const B end = board.bottom << variant_.height, even = board.bottom * even_rows_;
        const auto rows_of = [&](B threats) {
            const B all = threats | end;
            const B lowest = all & ~(all - board.bottom) & board.all;
            return std::min(popcount(lowest & even), 3) << 2 |
                   std::min(popcount(lowest & ~even), 3);
        };
        return std::min(popcount(free) / 8, 7) << 8 | rows_of(ours) << 4 | rows_of(theirs);
    }

    const Variant variant_;
    const std::size_t column_codes_;
    const unsigned even_rows_;  // of one column: the second from the bottom, the fourth, ...
    std::size_t half_ = 0;
    std::vector<int> heights_;
    std::vector<std::vector<std::uint16_t>> codes_;
    std::vector<Run> runs_;
    std::size_t ending_, balance_;
};

/// The learned weights of one variant.
struct NetworkWeights {
    NetworkLayout layout;
    std::vector<std::int8_t> weights;
};

/// The networks that Python has given to the core, one for each variant.
class Networks {
  public:
    using Given = std::shared_ptr<const NetworkWeights>;

    /// Throws `std::invalid_argument` if the number of weights is not that of the layout.
    static void give(const Variant& variant, const std::vector<Shape>& shapes,
                     std::vector<std::int8_t> weights) {
        NetworkLayout layout(variant, shapes);
        if (weights.size() != layout.size()) throw std::invalid_argument("too few or many weights");
        auto given = std::make_shared<NetworkWeights>(std::move(layout), std::move(weights));
        const std::lock_guard lock(mutex_);
        all_[variant] = std::move(given);
    }

    /// Returns the network of a variant, or null.
    static Given of(const Variant& variant) {
        const std::lock_guard lock(mutex_);
        const auto found = all_.find(variant);
        return found == all_.end() ? nullptr : found->second;
    }

  private:
    static inline Mutex mutex_;
    static inline std::map<Variant, Given> all_;
};

/// An evaluator with the network of the variant. Without one it is `Zugzwang`.
template <class Board>
class Network final : public Evaluator<typename Board::B> {
  public:
    using B = typename Board::B;

    Network(const Board& board, Parameters& parameters)
        : board_(board), network_(Networks::of(board.variant)), zugzwang_(board, parameters) {}

    Score evaluate(B own, B other, bool moves) const override {
        if (!network_) return zugzwang_.evaluate(own, other, moves);
        return moves ? value(own, other) : -value(other, own);
    }

  private:
    static constexpr Score UNITS_PER_STORED_UNIT = 3;

    Score value(B own, B other) const {
        const auto judged = zugzwang_.judge(own, other);
        const std::int8_t* weights = network_->weights.data();
        int sum = 0;
        network_->layout.for_each_index(board_, own, other, judged,
                                        [&](std::size_t index) { sum += weights[index]; });
        return judged.score + UNITS_PER_STORED_UNIT * sum;
    }

    const Board& board_;
    const Networks::Given network_;
    const Zugzwang<Board> zugzwang_;
};

}  // namespace c4
