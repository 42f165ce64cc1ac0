// All states of a small shape by their distance from a goal: breadth-first over bits.
//
// A state is the cell of the blank and the order of the tiles, read row by row without the blank.
// Half of all orders can be reached, and the last two tiles follow from the others, so an order is
// half its rank: a bit in words of 60, the orders of five tiles. The shape is turned so that it
// has no more columns than rows. A sideways step of the blank leaves the order as it is; a step
// up or down moves one tile over `columns - 1` others.
//
// As moves change the colour of the blank's cell, cells of one colour hold the last level and the
// others the level before, which becomes the next.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <stdexcept>
#include <vector>

#include "tilewise/memory.hpp"
#include "tilewise/patterns/progress.hpp"
#include "tilewise/patterns/ranking.hpp"
#include "tilewise/patterns/turning.hpp"
#include "tilewise/threads.hpp"

namespace tilewise {

// Where states are: a shape turned upright, the goal's blank, and a word and bit for each state.
class SpaceIndex {
public:
    static constexpr std::uint32_t orders_of_word = 60;
    static constexpr int most_cells = 12;

    struct Place {
        int cell;
        std::uint32_t order;
        std::uint32_t word() const { return order / orders_of_word; }
        std::uint32_t bit() const { return order % orders_of_word; }
    };

    // `blank` is the cell of the blank in the goal, in which every other cell has its own tile.
    SpaceIndex(int rows, int columns, int blank)
        : turned_(rows < columns),
          rows_(std::max(rows, columns)),
          columns_(std::min(rows, columns)),
          blank_(upright(rows, columns, blank)) {
        if (rows * columns > most_cells || columns_ < 2) throw std::invalid_argument("a whole space has 4 to 12 cells");
    }

    int cells() const { return rows_ * columns_; }
    int rows() const { return rows_; }
    int columns() const { return columns_; }
    int tiles() const { return cells() - 1; }
    int blank() const { return blank_; }
    std::uint32_t orders() const { return static_cast<std::uint32_t>(factorial(tiles()) / 2); }
    std::uint32_t words() const { return (orders() + orders_of_word - 1) / orders_of_word; }
    std::size_t bytes() const { return static_cast<std::size_t>(cells()) * words() * 8; }

    // Whether orders are odd permutations of the goal's while the blank is on a cell.
    std::uint32_t parity(int cell) const {
        return static_cast<std::uint32_t>(std::abs(cell / columns_ - blank_ / columns_) * (columns_ - 1)) & 1;
    }
    // 0 or 1: whether a distance is odd while the blank is on a cell.
    int colour(int cell) const { return (cell / columns_ + cell % columns_ + blank_ / columns_ + blank_ % columns_) & 1; }

    // A state as for each cell the cell at which its tile is at home. Throws for what is no state.
    Place place(const std::uint8_t* homes) const {
        Sequence order{};
        std::size_t count = 0;
        int cell = -1;
        std::uint32_t seen = 0;
        for (int at = 0; at < cells(); ++at) {
            const int home = upright_home(homes[original(at)]);
            seen |= std::uint32_t{1} << home;
            if (home == blank_) {
                cell = at;
            } else {
                order[count++] = static_cast<std::uint8_t>(home - (home > blank_));
            }
        }
        if (seen != (std::uint32_t{1} << cells()) - 1) throw std::invalid_argument("not a state of this shape");
        const std::uint32_t rank = order_rank(order, tiles());
        if (digits_parity(rank, tiles(), tiles()) != parity(cell))
            throw std::invalid_argument("not a state that reaches the goal");
        return {cell, rank / 2};
    }

    std::vector<std::uint8_t> state(Place place) const {
        const Sequence order = order_of_parity(place.order, parity(place.cell), tiles());
        std::vector<std::uint8_t> homes(static_cast<std::size_t>(cells()));
        std::size_t next = 0;
        for (int at = 0; at < cells(); ++at) {
            int home = blank_;
            if (at != place.cell) {
                home = order[next++];
                home += home >= blank_;
            }
            homes[static_cast<std::size_t>(original(at))] = static_cast<std::uint8_t>(original(home));
        }
        return homes;
    }

    // For each cell of the blank the cells it can go to.
    std::array<int, 4> steps(int cell) const {
        const int row = cell / columns_;
        const int column = cell % columns_;
        return {row > 0 ? cell - columns_ : -1, row + 1 < rows_ ? cell + columns_ : -1, column > 0 ? cell - 1 : -1,
                column + 1 < columns_ ? cell + 1 : -1};
    }

private:
    int upright(int rows, int columns, int cell) const {
        if (cell < 0 || cell >= rows * columns) throw std::invalid_argument("no such cell");
        return turned_ ? cell % columns * rows + cell / columns : cell;
    }
    int original(int cell) const { return turned_ ? cell % columns_ * rows_ + cell / columns_ : cell; }
    int upright_home(int home) const { return turned_ ? upright(columns_, rows_, home) : upright(rows_, columns_, home); }

    bool turned_;
    int rows_;
    int columns_;
    int blank_;
};

class SpaceSearch {
public:
    SpaceSearch(const SpaceIndex& index, int threads)
        : index_(index), threads_(threads), sets_(static_cast<std::size_t>(index.cells()) * index.words()) {
        for (int cell = 0; cell < index.cells(); ++cell) {
            for (const int source : index.steps(cell)) {
                if (source < 0) continue;
                turnings_.emplace_back(index.tiles(), index.columns(), source, cell, index.parity(source));
            }
            first_.push_back(turnings_.size());
        }
        sets_[static_cast<std::size_t>(index.blank()) * index.words()] = 1;
        sizes_.assign(static_cast<std::size_t>(index.cells()) * ranges(), 0);
        sizes_[static_cast<std::size_t>(index.blank()) * ranges()] = 1;
        counts_.push_back(1);
        const int before = std::max(0, index.tiles() - 5);
        for (std::uint32_t word = 0; word < index.words(); ++word) {
            word_parity_.push_back(static_cast<std::uint8_t>(digits_parity(word, index.tiles(), before)));
        }
    }

    // Levels up to `depth`, or all; `bits` gets for each state the second bit of its distance.
    // False if the caller ended it.
    bool run(std::optional<int> depth, std::uint64_t* bits, Progress& progress) {
        progress.add(1);
        if (depth == 0) return true;
        // all threads must agree whether to go on: one that left alone would keep the others waiting
        std::barrier next_level(threads_, [this, depth, &progress]() noexcept {
            const std::uint64_t made = made_.exchange(0);
            more_ = made > 0;
            if (more_) counts_.push_back(made);
            if (depth && counts_.size() > static_cast<std::size_t>(*depth)) more_ = false;
            if (progress.ended()) more_ = false;
            next_.store(0);
        });
        counts_.reserve(256);
        in_threads(threads_, [&](int number) {
            std::vector<std::uint64_t> made(range_words());
            do {
                try {
                    make_level(number == 0, bits, made.data(), progress);
                } catch (...) {
                    progress.end();
                    next_level.arrive_and_drop();
                    throw;
                }
                next_level.arrive_and_wait();
            } while (more_);
        });
        return !progress.ended();
    }

    const std::vector<std::uint64_t>& counts() const { return counts_; }

    // States of the last level made: all of them, or `most` drawn at random.
    std::vector<SpaceIndex::Place> last_level(std::uint64_t most, std::uint64_t seed) const {
        const std::uint64_t count = counts_.back();
        std::mt19937_64 random(seed);
        std::vector<SpaceIndex::Place> drawn;
        std::uint64_t left = count;
        std::uint64_t wanted = std::min(most, count);
        for (int cell = 0; cell < index_.cells() && wanted > 0; ++cell) {
            if (index_.colour(cell) != static_cast<int>((counts_.size() - 1) & 1)) continue;
            const std::uint64_t* set = &sets_[static_cast<std::size_t>(cell) * index_.words()];
            for (std::uint32_t word = 0; word < index_.words() && wanted > 0; ++word) {
                for (std::uint64_t rest = set[word]; rest != 0 && wanted > 0; rest &= rest - 1, --left) {
                    if (wanted < left && below(random, left) >= wanted) continue;
                    drawn.push_back(
                        {cell, word * SpaceIndex::orders_of_word + static_cast<std::uint32_t>(std::countr_zero(rest))});
                    --wanted;
                }
            }
        }
        return drawn;
    }

private:
    // A number below a bound, the same on every platform.
    static std::uint64_t below(std::mt19937_64& random, std::uint64_t bound) {
        const std::uint64_t whole = UINT64_MAX / bound * bound;
        for (;;) {
            const std::uint64_t number = random();
            if (number < whole) return number % bound;
        }
    }

    // Work is handed out in ranges of words, each of whole groups of eight tiles where there are
    // enough tiles.
    std::uint32_t range_words() const { return std::min<std::uint32_t>(index_.words(), 336); }
    std::uint32_t ranges() const { return index_.words() / range_words(); }

    void make_level(bool calling, std::uint64_t* bits, std::uint64_t* made, Progress& progress) {
        const std::size_t level = counts_.size();
        std::uint64_t found = 0;
        const std::size_t tasks = static_cast<std::size_t>(index_.cells()) * ranges();
        constexpr std::size_t tasks_at_once = 16;
        for (;;) {
            const std::size_t begin = next_.fetch_add(tasks_at_once);
            if (begin >= tasks || progress.ended()) break;
            std::uint64_t fresh = 0;
            for (std::size_t task = begin; task < std::min(begin + tasks_at_once, tasks); ++task) {
                const auto cell = static_cast<int>(task / ranges());
                if (index_.colour(cell) == static_cast<int>(level & 1))
                    fresh += make_range(task, (level & 2) != 0 ? bits : nullptr, made);
            }
            found += fresh;
            progress.add(fresh);
            if (calling) progress.look();
        }
        made_.fetch_add(found);
    }

    std::uint32_t make_range(std::size_t task, std::uint64_t* bits, std::uint64_t* made) {
        const std::size_t cell = task / ranges();
        const std::uint32_t words = range_words();
        const auto begin = static_cast<std::uint32_t>(task % ranges()) * words;
        bool any = false;
        std::memset(made, 0, std::size_t{words} * 8);
        for (std::size_t i = cell == 0 ? 0 : first_[cell - 1]; i < first_[cell]; ++i) {
            const auto source = static_cast<std::size_t>(turnings_[i].source);
            any |= turnings_[i].pull(made, &sets_[source * index_.words()], &sizes_[source * ranges()], word_parity_.data(),
                                     begin, words);
        }
        std::uint64_t* set = &sets_[cell * index_.words() + begin];
        const bool was_empty = sizes_[task] == 0;
        sizes_[task] = 0;
        if (!any && was_empty) return 0;
        std::uint32_t count = 0;
        for (std::uint32_t i = 0; i < words; ++i) {
            set[i] = made[i] & ~set[i];
            count += static_cast<std::uint32_t>(std::popcount(set[i]));
        }
        if (bits != nullptr && count > 0) {
            std::uint64_t* out = bits + cell * index_.words() + begin;
            for (std::uint32_t i = 0; i < words; ++i) out[i] |= set[i];
        }
        sizes_[task] = count;
        return count;
    }

    const SpaceIndex& index_;
    int threads_;
    ZeroedArray<std::uint64_t> sets_;
    std::vector<Turning> turnings_;          // by the cell they lead to
    std::vector<std::size_t> first_;         // for each cell, the end of its turnings
    std::vector<std::uint32_t> sizes_;       // states in each range of a set
    std::vector<std::uint8_t> word_parity_;  // of the places before the last five
    std::vector<std::uint64_t> counts_;
    bool more_ = true;
    std::atomic<std::size_t> next_ = 0;
    std::atomic<std::uint64_t> made_ = 0;
};

// The distance of a state by the second bits of all distances, walking down to the goal.
inline int space_distance(const SpaceIndex& index, const std::uint64_t* bits, const std::uint8_t* homes) {
    const auto modulo_four = [&](SpaceIndex::Place place) {
        const std::uint64_t word = bits[static_cast<std::size_t>(place.cell) * index.words() + place.word()];
        return static_cast<int>(word >> place.bit() & 1) * 2 + index.colour(place.cell);
    };
    SpaceIndex::Place at = index.place(homes);
    int steps = 0;
    while (at.cell != index.blank() || at.order != 0) {
        const int wanted = (modulo_four(at) + 3) & 3;
        const Sequence order = order_of_parity(at.order, index.parity(at.cell), index.tiles());
        bool nearer = false;
        for (const int target : index.steps(at.cell)) {
            if (target < 0) continue;
            const auto [from, to] = Turning::shift(index.columns(), at.cell, target);
            const SpaceIndex::Place next{target, order_rank(moved(order, from, to), index.tiles()) / 2};
            if (modulo_four(next) != wanted) continue;
            at = next;
            nearer = true;
            break;
        }
        if (!nearer || ++steps > 1000) throw std::runtime_error("the table of distances is damaged");
    }
    return steps;
}

}  // namespace tilewise
