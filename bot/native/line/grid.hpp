// The rules of games in which stones go anywhere, on boards without gaps: cell (x, y) is bit
// `x * height + y`, so that 8x8 fits into 64 bits, and 128 cells fit into 128 bits.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "../board.hpp"
#include "../evaluate/open_windows.hpp"

namespace c4 {

/// Returns the number of the cell of a board with one stone.
template <Bits B>
std::uint8_t cell_of(B stone) {
    return static_cast<std::uint8_t>(lowest(stone));
}

/// One variant; `K` is the length of a line if the compiler knows it, otherwise 0.
template <Bits Word, int K>
class Grid {
  public:
    using B = Word;
    static constexpr int CELLS = 8 * sizeof(B), MAX_CONNECT = K ? K : MAX_SIDE;

    explicit Grid(const Variant& rules) : variant(rules) {
        all = variant.cells() == CELLS ? ~B{0} : (B{1} << variant.cells()) - 1;
        const int height = variant.height;
        if (variant.directions & HORIZONTAL) add(height, 1, 0);
        if (variant.directions & VERTICAL) add(1, 0, 1);
        if (variant.directions & DIAGONAL) {
            add(height + 1, 1, 1);
            add(height - 1, 1, -1);
        }
        find_symmetries();
        find_central();
    }

    int connect() const { return K ? K : variant.connect; }

    /// Returns the free cells of windows without a stone of `other`, by the number of stones of
    /// `own` that the window lacks: `[1]` are the cells that complete a line, `[2]` those that make
    /// a threat, ...
    template <int MAX_LACKING>
    std::array<B, MAX_LACKING + 1> lacking(B own, B other) const {
        std::array<B, MAX_LACKING + 1> cells{};
        for (const auto& [step, starts] : directions_) {
            const OpenWindows<Grid, MAX_LACKING> windows(*this, step, own, ~(own | other));
            for (int m = 1; m <= MAX_LACKING; ++m) {
                cells[m] |= windows.cells(*this, windows.lacking[m] & starts);
            }
        }
        for (B& found : cells) found &= ~own;
        return cells;
    }

    bool has_line(B stones) const {
        for (const auto& [step, starts] : directions_) {
            B lines = starts;
            for (int i = 0; i < connect(); ++i) lines &= stones >> (i * step);
            if (lines) return true;
        }
        return false;
    }

    /// Returns false: without gravity, stones need no support.
    bool has_floating(B) const { return false; }

    bool is_over(const Position<B>& position) const {
        return position.occupied() == all || has_line(position.own) || has_line(position.other);
    }

    /// Returns the cells on which the owner of `own` completes a line now.
    B winning_cells(B own, B other) const { return lacking<1>(own, other)[1]; }

    /// Returns the smallest image of a position, and the index of its symmetry.
    std::pair<Position<B>, int> canonical(const Position<B>& position) const {
        std::pair<Position<B>, int> best{position, 0};
        for (int i = 1; i < int(symmetries.size()); ++i) {
            const Position<B> image{turned(position.own, i), turned(position.other, i)};
            if (std::pair(image.own, image.other) < std::pair(best.first.own, best.first.other)) {
                best = {image, i};
            }
        }
        return best;
    }

    B turned(B cells, int symmetry) const {
        B image = 0;
        while (cells) image |= B{1} << symmetries[symmetry][lowest(take_lowest(cells))];
        return image;
    }

    const Variant variant;
    B all;
    std::vector<std::array<std::uint8_t, CELLS>> symmetries;  // where cells go; 0 is the identity
    std::vector<B> central;  // all cells, those on the most lines first, then the most central

  private:
    struct Direction {
        int step;
        B starts;  // where windows begin
    };

    void add(int step, int dx, int dy) {
        B starts = 0;
        const int reach = connect() - 1;
        for (int x = 0; x + dx * reach < variant.width; ++x) {
            for (int y = 0; y < variant.height; ++y) {
                const int last = y + dy * reach;
                if (0 <= last && last < variant.height) starts |= cell(x, y);
            }
        }
        if (starts) directions_.push_back({step, starts});
    }

    B cell(int x, int y) const { return B{1} << (x * variant.height + y); }

    /// Finds the flips, and the turns if both sides and both directions are alike.
    void find_symmetries() {
        const auto [width, height, _, gravity, directions] = variant;
        const bool across = directions & HORIZONTAL, up = directions & VERTICAL;
        const int count = width == height && across == up ? 8 : 4;
        for (int i = 0; i < count; ++i) {
            auto& image = symmetries.emplace_back();
            for (int x = 0; x < width; ++x) {
                for (int y = 0; y < height; ++y) {
                    const int u = i & 1 ? width - 1 - x : x, v = i & 2 ? height - 1 - y : y;
                    const int place = i & 4 ? v * height + u : u * height + v;
                    image[x * height + y] = static_cast<std::uint8_t>(place);
                }
            }
        }
    }

    void find_central() {
        for (B cells = all; cells;) central.push_back(take_lowest(cells));
        std::ranges::stable_sort(central, {}, [&](B cell) {
            const int x = lowest(cell) / variant.height, y = lowest(cell) % variant.height;
            const int across = 2 * x - variant.width + 1, up = 2 * y - variant.height + 1;
            return std::pair(-lines_through(cell), across * across + up * up);
        });
    }

    int lines_through(B cell) const {
        int count = 0;
        for (const auto& [step, starts] : directions_) {
            for (int i = 0; i < connect(); ++i) count += (starts << (i * step) & cell) != 0;
        }
        return count;
    }

    Series<Direction, 4> directions_;
};

}  // namespace c4
