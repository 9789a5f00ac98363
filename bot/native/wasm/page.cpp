// The C interface of the core for the page in the browser, compiled to WebAssembly by bot/web/make_page.py.
//
// All calls are about one board: the one that the last `page_open` opened. Bitboards and numbers
// are exchanged in two arrays, whose addresses never change. `page_stones` holds the stones
// of the player to move, those of the opponent, and other cells, in two halves of 64 bits each.
// `page_numbers` holds everything else. bot/web/engine/core.js is the only caller, and
// passes only positions of games that are not over.

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "../evaluate/network.hpp"
#include "../reasons/kinds.hpp"
#include "../search/deepening.hpp"
#include "../search/human.hpp"
#include "../solver/known.hpp"
#include "../solver/moves.hpp"

namespace c4 {
namespace {

constexpr std::size_t BOOK_HEADER = 256;  // bytes
constexpr int UNKNOWN = 2;                // an outcome that is not known, between -1, 0 and 1

std::array<std::uint64_t, 6> stones;
std::array<std::int32_t, 256> numbers;
std::vector<std::uint8_t> room;  // for files

Wide wide(int index) { return Wide{stones[index + 1]} << 64 | stones[index]; }

/// Writes values into `numbers`, one after the other.
class Writer {
  public:
    void add(int number) { numbers[count_++] = number; }
    int count() const { return static_cast<int>(count_); }

  private:
    std::size_t count_ = 0;
};

/// All that the page asks about positions of one board.
class Game {
  public:
    virtual ~Game() = default;
    virtual void use_book(const Book& book) = 0;
    virtual void begin(const Bounds& wanted) = 0;
    virtual bool step(Clock::time_point deadline) = 0;
    virtual int results() const = 0;
    virtual double nodes() const = 0;
    virtual int choose(bool as_human, const Limits& limits, const Numbers& parameters,
                       const Numbers& weights) const = 0;
    virtual int reason(int cell, std::optional<int> best, std::optional<int> own) = 0;
};

template <class Solver>
class GameOf final : public Game {
  public:
    GameOf(const Variant& variant, int megabytes)
        : solver_(variant, megabytes), moves_(solver_, Limits{}) {}

    void use_book(const Book& book) override { solver_.use_book(book); }

    void begin(const Bounds& wanted) override { moves_.begin(position(), wanted); }

    bool step(Clock::time_point deadline) override { return moves_.step(deadline); }

    /// Writes the cell and two bounds of each move; returns the number of values written.
    int results() const override {
        Writer writer;
        for (const auto& [stone, bounds, nodes] : moves_.results()) {
            writer.add(lowest(stone));
            writer.add(bounds.low);
            writer.add(bounds.high);
        }
        return writer.count();
    }

    double nodes() const override {
        double sum = 0;
        for (const auto& move : moves_.results()) sum += static_cast<double>(move.nodes);
        return sum;
    }

    int choose(bool as_human, const Limits& limits, const Numbers& parameters,
               const Numbers& weights) const override {
        const Network<Board> network(board(), weights);
        const Result found =
            as_human ? Human(board(), network, parameters, limits).search(position())
                     : Deepening(board(), network, parameters, limits).search(position());
        numbers[0] = found.depth;
        return found.cell;
    }

    /// Writes the kind, whether it is allowed, and the line; returns the number of values written.
    /// Overwrites the answers in `stones` with the cells.
    int reason(int cell, std::optional<int> best, std::optional<int> own) override {
        const auto answers = static_cast<B>(wide(4));
        const auto found = reasons::Rules<Board>(board()).reason_of(
            {position(), B{1} << cell, best, own, answers});
        stones[4] = low(found.cells);
        stones[5] = high(Wide{found.cells});
        Writer writer;
        writer.add(static_cast<int>(found.kind));
        writer.add(found.is_allowed);
        for (const int step : found.line) writer.add(step);
        return writer.count();
    }

  private:
    using B = typename Solver::B;
    using Board = std::remove_cvref_t<decltype(std::declval<Solver>().knowledge().board)>;

    const Board& board() const { return solver_.knowledge().board; }
    static Position<B> position() { return {static_cast<B>(wide(0)), static_cast<B>(wide(2))}; }

    Solver solver_;
    AllMoves<Solver> moves_;
};

// There are only a few kinds of boards, because each adds 50 KB to the module.
std::unique_ptr<Game> game;
std::optional<Book> book;

Variant variant_of(int width, int height, int connect) {
    return {width, height, connect, true, HORIZONTAL | VERTICAL | DIAGONAL};
}

template <class Solver>
std::unique_ptr<Game> game_of(const Variant& variant, int megabytes) {
    return std::make_unique<GameOf<Solver>>(variant, megabytes);
}

Numbers numbers_at(int begin, int count) {
    return {numbers.begin() + begin, numbers.begin() + begin + count};
}

std::optional<int> outcome(int number) {
    return number == UNKNOWN ? std::nullopt : std::optional(number);
}

}  // namespace
}  // namespace c4

using namespace c4;  // NOLINT(google-build-using-namespace)

// These are the exports of the module.
#pragma GCC visibility push(default)
extern "C" {

std::uint64_t* page_stones() { return stones.data(); }
std::int32_t* page_numbers() { return numbers.data(); }

/// Returns memory of this size, for a file. It is valid until the next call.
std::uint8_t* page_room(int bytes) {
    room.assign(bytes, 0);
    return room.data();
}

/// Opens a board with a table of this size. Frees the memory of the previous board.
void page_open(int width, int height, int connect, int megabytes) {
    const Variant variant = variant_of(width, height, connect);
    game.reset();
    if (variant == Standard::VARIANT) {
        game = game_of<Standard::Solver>(variant, megabytes);
    } else if (connect != 4) {
        game = game_of<Solver<Board<Wide, 0>>>(variant, megabytes);
    } else if (variant.bits() <= 64) {
        game = game_of<Solver<Board<Narrow, 4>>>(variant, megabytes);
    } else {
        game = game_of<Solver<Board<Wide, 4>>>(variant, megabytes);
    }
}

/// Uses the book in the room. The room holds a book file (c4_bot/book/book_file.py) with this
/// number of blocks.
void page_use_book(int width, int height, int plies, int blocks) {
    static std::vector<std::uint8_t> file;  // the book stays in it
    file = std::exchange(room, {});
    const std::uint8_t* firsts = file.data() + BOOK_HEADER;
    const std::uint8_t* begins = firsts + 8 * blocks;
    const std::uint8_t* entries = begins + 4 * (blocks + 1);
    const std::size_t count = blocks;
    book.emplace(variant_of(width, height, 4), plies,
                 std::span(reinterpret_cast<const std::uint64_t*>(firsts), count),
                 std::span(reinterpret_cast<const std::uint32_t*>(begins), count + 1),
                 std::span(entries, file.data() + file.size()));
    game->use_book(*book);
}

/// Uses the weights in the room as the network of a board. Three of the numbers describe each shape.
void page_use_network(int width, int height, int connect, int shapes) {
    std::vector<Shape> made;
    for (int i = 0; i < shapes; ++i) {
        made.push_back({numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]});
    }
    Networks::give(variant_of(width, height, connect), made, {room.begin(), room.end()});
}

/// Begins a search for the scores of all moves within two bounds.
void page_begin(int low, int high) { game->begin({low, high}); }

/// Continues the search for at most this many milliseconds; returns whether all scores are known.
bool page_step(double milliseconds) {
    const std::chrono::duration<double, std::milli> time(milliseconds);
    return game->step(Clock::now() + std::chrono::duration_cast<Clock::duration>(time));
}

/// Writes the cell and two bounds of each move; returns the number of values written.
int page_results() { return game->results(); }

/// Returns the number of nodes that the search has visited.
double page_nodes() { return game->nodes(); }

/// Returns the cell that `Human` chooses if `as_human`, otherwise the one of `Deepening`. The
/// numbers are the parameters of the search, and then the weights of the evaluation. A depth of -1
/// stands for no limit. Writes the depth that was reached.
int page_choose(bool as_human, int depth, int nodes, int parameters, int weights) {
    const Limits limits{depth, nodes};
    return game->choose(as_human, limits, numbers_at(0, parameters),
                        numbers_at(parameters, weights));
}

/// Finds the reason of a move; returns the number of values written.
int page_reason(int cell, int best, int own) {
    return game->reason(cell, outcome(best), outcome(own));
}

/// Returns the name of a kind of reasons.
const char* page_kind(int kind) { return reasons::NAMES[kind]; }
}
#pragma GCC visibility pop
