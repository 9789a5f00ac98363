// The C interface of the core for the page in the browser, compiled to WebAssembly by bot/web/make_page.py.
//
// All calls are about one board, which the last `page_open` opened, and the position that the last
// `page_show` showed. Bitboards are exchanged in two halves of 64 bits. bot/web/engine/core.js is
// the only caller, and passes only positions of games that are not over.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
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

using Half = std::uint64_t;

Wide whole(Half low, Half high) { return Wide{high} << 64 | low; }

Position<Wide> shown{0, 0};
std::vector<std::uint8_t> room;  // for files, and for names of parameters
std::vector<Shape> shapes;       // of the next network
Parameters parameters;           // of the next search and its evaluation
// The latest answers.
std::vector<SolvedMove<Wide>> moves;
Result chosen;
reasons::Reason<Wide> reason;

/// All that the page asks about positions of one board.
class Game {
  public:
    virtual ~Game() = default;
    virtual void use_book(const Book& book) = 0;
    virtual void begin(const Bounds& wanted) = 0;
    virtual bool step(Clock::time_point deadline) = 0;
    virtual std::vector<SolvedMove<Wide>> results() const = 0;
    virtual Result choose(bool as_human, const Limits& limits) const = 0;
    virtual reasons::Reason<Wide> reason_of(const reasons::Move<Wide>& move) const = 0;
};

template <class Solver>
class GameOf final : public Game {
  public:
    GameOf(const Variant& variant, int megabytes)
        : solver_(variant, megabytes), moves_(solver_, Limits{}) {}

    void use_book(const Book& book) override { solver_.use_book(book); }

    void begin(const Bounds& wanted) override { moves_.begin(position(), wanted); }

    bool step(Clock::time_point deadline) override { return moves_.step(deadline); }

    std::vector<SolvedMove<Wide>> results() const override {
        std::vector<SolvedMove<Wide>> found;
        for (const auto& [stone, bounds, nodes] : moves_.results()) {
            found.push_back({stone, bounds, nodes});
        }
        return found;
    }

    Result choose(bool as_human, const Limits& limits) const override {
        const Network<Board> network(board(), parameters);
        return as_human ? Human(board(), network, parameters, limits).search(position())
                        : Deepening(board(), network, parameters, limits).search(position());
    }

    reasons::Reason<Wide> reason_of(const reasons::Move<Wide>& move) const override {
        const auto [kind, cells, line, is_allowed] = reasons::Rules<Board>(board()).reason_of(
            {position(), static_cast<B>(move.stone), move.best, move.own,
             static_cast<B>(move.answers)});
        return {kind, cells, line, is_allowed};
    }

  private:
    using B = typename Solver::B;
    using Board = std::remove_cvref_t<decltype(std::declval<Solver>().knowledge().board)>;

    const Board& board() const { return solver_.knowledge().board; }
    static Position<B> position() {
        return {static_cast<B>(shown.own), static_cast<B>(shown.other)};
    }

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

std::optional<int> outcome(int number) {
    return number == UNKNOWN ? std::nullopt : std::optional(number);
}

}  // namespace
}  // namespace c4

using namespace c4;  // NOLINT(google-build-using-namespace)

// These are the exports of the module.
#pragma GCC visibility push(default)
extern "C" {

/// Returns memory of this size, for a file or a name. It is valid until the next call.
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

/// Adds a shape to those of the next network.
void page_add_shape(int columns, int rows, int slope) { shapes.push_back({columns, rows, slope}); }

/// Uses the weights in the room as the network of a board.
void page_use_network(int width, int height, int connect) {
    Networks::give(variant_of(width, height, connect), std::exchange(shapes, {}),
                   {room.begin(), room.end()});
}

/// Sets the position, by the stones of the player to move and those of the opponent.
void page_show(Half own_low, Half own_high, Half other_low, Half other_high) {
    shown = {whole(own_low, own_high), whole(other_low, other_high)};
}

/// Begins a search for the scores of all moves within two bounds.
void page_begin(int low, int high) { game->begin({low, high}); }

/// Continues the search for at most this many milliseconds; returns whether all scores are known.
bool page_step(double milliseconds) {
    const std::chrono::duration<double, std::milli> time(milliseconds);
    return game->step(Clock::now() + std::chrono::duration_cast<Clock::duration>(time));
}

/// Finds what is known now; returns the number of moves.
int page_results() {
    moves = game->results();
    return static_cast<int>(moves.size());
}

int page_cell(int move) { return lowest(moves[move].stone); }
int page_low(int move) { return moves[move].bounds.low; }
int page_high(int move) { return moves[move].bounds.high; }

/// Returns the number of nodes that the search has visited.
double page_nodes() {
    double sum = 0;
    for (const auto& move : game->results()) sum += static_cast<double>(move.nodes);
    return sum;
}

/// Appends a number to a parameter of the next search or its evaluation. Its name is in the room.
void page_append(int number) { parameters[{room.begin(), room.end()}].push_back(number); }

/// Returns the cell that `Human` chooses if `as_human`, otherwise the one of `Deepening`. A depth of
/// -1 stands for no limit.
int page_choose(bool as_human, int depth, int nodes) {
    chosen = game->choose(as_human, {depth, nodes});
    check_all_taken(parameters);
    return chosen.cell;
}

/// Returns the depth that was reached.
int page_depth() { return chosen.depth; }

/// Finds the reason of a move.
const char* page_reason(int cell, int best, int own, Half answers_low, Half answers_high) {
    static std::string name;
    reason = game->reason_of(
        {shown, Wide{1} << cell, outcome(best), outcome(own), whole(answers_low, answers_high)});
    name = reason.name();
    return name.c_str();
}

Half page_reason_low() { return low(reason.cells); }
Half page_reason_high() { return high(reason.cells); }
int page_line_length() { return static_cast<int>(reason.line.size()); }
int page_line_cell(int place) { return reason.line[place]; }
}
#pragma GCC visibility pop
