// Threat-space search: can a player force a line with a given number of stones?
//
// A move of the attacker that leaves two ways to complete a line wins. A *four* leaves one way, and
// so one reply. A *quiet* move threatens to win by fours: only replies that spoil all such wins
// have to be searched (dual-lambda search with zones: Thomsen, Lambda-search in game trees, 2000;
// Allis, van den Herik, Huntjens, Go-Moku solved by new search techniques, 1996). A *plain* move
// makes no such threat, and all replies to it are searched.
//
// A plain move is searched only if the attacker would win when the opponent passes. If every stone
// may be a plain move, the search is complete: it finds every win.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "../contract.hpp"
#include "fours.hpp"
#include "grid.hpp"
#include "memory.hpp"

namespace c4 {

using Lines = std::vector<std::vector<std::uint8_t>>;

template <class Grid>
class Attack {
  public:
    using B = typename Grid::B;

    Attack(const Grid& grid, Memory<B>& memory, Budget& budget)
        : grid_(grid), memory_(memory), budget_(budget), fours_(grid, budget) {}

    /// Returns whether the player to move, who has no winning cell, wins with at most `most`
    /// stones; at most `plain` of them may be plain moves.
    bool wins(const Position<B>& position, int most, int plain) {
        budget_.visit();
        const Allowed allowed = allowed_to(most, plain);
        const bool is_early = position.ply() <= EARLY;
        const Position<B> key = is_early ? grid_.canonical(position).first : position;
        if (const auto* known = memory_.find(key)) {
            if (known->wins(allowed)) return true;
            if (known->fails(allowed)) return false;
        }
        const bool won = wins_by_fours(position, most) || move(position, most, plain);
        memory_.of(key).keep(allowed, won);
        return won;
    }

    /// Returns the first move of a win as in `wins` that takes more than fours; 0 if there is none.
    B move(const Position<B>& position, int most, int plain) {
        const B must = grid_.winning_cells(position.other, position.own);
        if (most < 3 || several(must)) return 0;
        std::array<Candidate, Grid::CELLS> candidates;
        const int count = threatening(position, must, most, candidates);
        B tried = 0;
        for (int i = 0; i < count; ++i) {
            const auto& [stone, replies] = candidates[i];
            const Position<B> attack{position.own | stone, position.other};
            if (after_all(attack, replies, most - 1, plain)) return stone;
            tried |= stone;
        }
        return plain ? plain_move(position, must ? must & ~tried : ~tried, most, plain) : 0;
    }

    /// Returns whether the attacker, who has just moved, wins with at most `most` more stones
    /// against every reply. The opponent has no winning cell.
    bool beats(const Position<B>& attack, int most, int plain) {
        if (most == 0) return false;
        const B replies = replies_to(attack, most);
        const bool is_threat = replies != free(attack);
        return (is_threat || wins(attack, most, plain)) && after_all(attack, replies, most, plain);
    }

    /// Returns the replies that the attacker cannot refute by fours. Each of the other replies is
    /// refuted by one of the lines that are added to `lines`.
    B unrefuted(const Position<B>& attack, B replies, int most, Lines* lines = nullptr) {
        B hard = 0;
        while (replies) {
            const B reply = take_lowest(replies);
            if (wins_by_fours({attack.own, attack.other | reply}, most)) {
                replies &= fours_.zone();
                hard &= fours_.zone();
                if (lines) lines->push_back(fours_.line());
            } else {
                hard |= reply;
            }
        }
        return hard;
    }

    /// Returns the replies that have to be looked at after the attacker's move. Against all others
    /// one of the lines that are added to `lines` wins.
    B replies_to(const Position<B>& attack, int most, Lines* lines = nullptr) {
        if (const B threats = grid_.winning_cells(attack.own, attack.other)) {
            for (B left = lines ? threats : 0; left;) {
                lines->push_back({cell_of(take_lowest(left))});
            }
            return several(threats) ? 0 : threats;
        }
        if (!wins_by_fours(attack, most)) return free(attack);
        if (lines) lines->push_back(fours_.line());
        return fours_.zone() & free(attack);
    }

    /// Returns whether the player to move wins by fours alone; `line` is then the winning line.
    bool wins_by_fours(const Position<B>& position, int most) {
        return fours_.win(position, grid_.winning_cells(position.other, position.own), most);
    }

    std::vector<std::uint8_t> line() const { return fours_.line(); }

    B free(const Position<B>& position) const { return grid_.all & ~position.occupied(); }

  private:
    static constexpr int EARLY = 6;  // stones up to which images of a position count as one

    struct Candidate {
        B stone, replies;
    };

    static std::uint8_t cell_of(B stone) { return lowest(stone); }

    /// If every stone may be a plain move, the maximum of plain moves does not matter.
    static Allowed allowed_to(int most, int plain) {
        return {static_cast<std::uint8_t>(most),
                static_cast<std::uint8_t>(plain < most ? plain : Grid::CELLS)};
    }

    /// Finds the quiet moves, those with the fewest replies first, and after them the fours.
    int threatening(const Position<B>& position, B must, int most,
                    std::array<Candidate, Grid::CELLS>& candidates) {
        const auto [own, other] = position;
        const auto near = grid_.template lacking<3>(own, other);
        int count = 0;
        for (B left = must ? must : near[2] | near[3]; left;) {
            const Position<B> attack{own | take_lowest(left), other};
            B replies = grid_.winning_cells(attack.own, other);
            if (!replies) {
                if (!fours_.win(attack, 0, most - 1)) continue;
                replies = fours_.zone() & free(attack);
            }
            candidates[count++] = {attack.own ^ own, replies};
        }
        std::stable_sort(candidates.begin(), candidates.begin() + count,
                         [](const Candidate& a, const Candidate& b) { return rank(a) < rank(b); });
        return count;
    }

    static int rank(const Candidate& candidate) {
        const int replies = popcount(candidate.replies);
        return replies == 1 ? Grid::CELLS : replies;
    }

    B plain_move(const Position<B>& position, B among, int most, int plain) {
        for (const B stone : grid_.central) {
            if (!(stone & among & free(position))) continue;
            const Position<B> attack{position.own | stone, position.other};
            if (beats(attack, most - 1, plain - 1)) return stone;
        }
        return 0;
    }

    bool after_all(const Position<B>& attack, B replies, int most, int plain) {
        B hard = unrefuted(attack, replies, most);
        if (hard && most < 3) return false;
        while (hard) {
            if (!wins({attack.own, attack.other | take_lowest(hard)}, most, plain)) return false;
        }
        return true;
    }

    const Grid& grid_;
    Memory<B>& memory_;
    Budget& budget_;
    Fours<Grid> fours_;
};

}  // namespace c4
