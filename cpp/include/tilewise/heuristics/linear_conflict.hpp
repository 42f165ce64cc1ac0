// Manhattan distance plus 2 for each tile that must leave its line (Hansson, Mayer, Yung 1992).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tilewise/heuristics/cellwise.hpp"
#include "tilewise/state.hpp"

namespace tilewise {

// Twice the number of tiles outside a longest increasing subsequence of their homes.
template <class TileAt>
int leaving(int length, TileAt home_or_minus_one) {
    std::array<int, 16> tails{};
    int run = 0;
    int tiles = 0;
    for (int i = 0; i < length; ++i) {
        const int home = home_or_minus_one(i);
        if (home < 0) continue;
        ++tiles;
        int place = 0;
        while (place < run && tails[static_cast<std::size_t>(place)] < home) ++place;
        tails[static_cast<std::size_t>(place)] = home;
        if (place == run) ++run;
    }
    return 2 * (tiles - run);
}

// The lines of any state, walked tile by tile.
template <BoardState State>
class LinearConflict final : public Heuristic<State> {
public:
    static constexpr std::string_view name = "linear_conflict";
    static constexpr bool changes_by_one = true;

    explicit LinearConflict(const Homes& homes) : homes_(homes), distance_(homes) {}

    int operator()(const State& state) const override {
        int sum = distance_(state);
        for (int row = 0; row < homes_.rows; ++row) {
            sum += leaving(homes_.columns, [&](int i) {
                const auto tile = static_cast<std::size_t>(state.tile(row * homes_.columns + i));
                return tile != 0 && homes_.row[tile] == row ? homes_.column[tile] : -1;
            });
        }
        for (int column = 0; column < homes_.columns; ++column) {
            sum += leaving(homes_.rows, [&](int i) {
                const auto tile = static_cast<std::size_t>(state.tile(i * homes_.columns + column));
                return tile != 0 && homes_.column[tile] == column ? homes_.row[tile] : -1;
            });
        }
        return sum;
    }

private:
    Homes homes_;
    Manhattan<State> distance_;
};
static_assert(NamedHeuristic<LinearConflict<PackedState>, PackedState>);

// The same for packed states with lines of at most four tiles: a line is an index of at most 16 bits, and a
// table gives its share of distance and conflicts at once.
class LinearConflictByLines final : public Heuristic<PackedState> {
public:
    static bool serves(const Homes& homes) { return homes.rows <= 4 && homes.columns <= 4; }

    explicit LinearConflictByLines(const Homes& homes)
        : rows_(homes.rows),
          columns_(homes.columns),
          row_size_(std::size_t{1} << (4 * columns_)),
          column_size_(std::size_t{1} << (4 * rows_)) {
        for (int row = 0; row < rows_; ++row) fill(homes, row, columns_, homes.row, homes.column);
        for (int column = 0; column < columns_; ++column) fill(homes, column, rows_, homes.column, homes.row);
    }

    int operator()(const PackedState& state) const override {
        if (rows_ == 4 && columns_ == 4) return of_sixteen(state.bits());
        const std::uint8_t* table = values_.data();
        int sum = 0;
        std::uint64_t rest = state.bits();
        for (int row = 0; row < rows_; ++row, table += row_size_, rest >>= 4 * columns_) sum += table[rest & (row_size_ - 1)];
        for (int column = 0; column < columns_; ++column, table += column_size_) {
            std::uint64_t index = 0;
            std::uint64_t bits = state.bits() >> (4 * column);
            for (int row = 0; row < rows_; ++row, bits >>= 4 * columns_) index |= (bits & 15) << (4 * row);
            sum += table[index];
        }
        return sum;
    }

    // A slide changes the line that it goes along and the two that it goes between.
    int after_slide(const PackedState& state, int h, int blank, int target, const PackedState& next) const override {
        if (rows_ != 4 || columns_ != 4) return (*this)(next);
        const auto row_change = [&](int row) {
            const std::uint8_t* table = values_.data() + (static_cast<std::size_t>(row) << 16);
            return table[next.bits() >> (16 * row) & 0xffff] - table[state.bits() >> (16 * row) & 0xffff];
        };
        const auto column_change = [&](int column) {
            const std::uint8_t* table = values_.data() + (static_cast<std::size_t>(column + 4) << 16);
            return table[column_of(next.bits(), column)] - table[column_of(state.bits(), column)];
        };
        if (blank / 4 == target / 4) return h + row_change(blank / 4) + column_change(blank % 4) + column_change(target % 4);
        return h + column_change(blank % 4) + row_change(blank / 4) + row_change(target / 4);
    }

    std::uint64_t bytes() const override { return values_.capacity(); }

private:
    // The four tiles of a column side by side: one product shifts each to its place.
    static std::uint64_t column_of(std::uint64_t bits, int column) {
        return (bits >> (4 * column) & 0x000f000f000f000fu) * 0x0001001001001000u >> 48;
    }

    // Eight lines of 16 bits: those of the board, and those of the board turned over its diagonal.
    int of_sixteen(std::uint64_t bits) const {
        const std::uint64_t swapped = (bits ^ bits >> 12) & 0x0000f0f00000f0f0u;
        std::uint64_t turned = bits ^ swapped ^ swapped << 12;
        const std::uint64_t far = (turned ^ turned >> 24) & 0x00000000ff00ff00u;
        turned ^= far ^ far << 24;
        const std::uint8_t* table = values_.data();
        int sum = 0;
        for (int line = 0; line < 4; ++line, bits >>= 16, turned >>= 16) {
            sum += table[(static_cast<std::size_t>(line) << 16) + (bits & 0xffff)];
            sum += table[(static_cast<std::size_t>(line + 4) << 16) + (turned & 0xffff)];
        }
        return sum;
    }

    // The values of one line: steps of its tiles along it (those across it are counted by the
    // lines of the other direction) and conflicts of the tiles that are at home in it.
    void fill(const Homes& homes, int line, int length, const std::array<int, 256>& line_of,
              const std::array<int, 256>& place_of) {
        const std::size_t size = std::size_t{1} << (4 * length);
        for (std::size_t index = 0; index < size; ++index) {
            int steps = 0;
            for (int i = 0; i < length; ++i) {
                const std::size_t tile = index >> (4 * i) & 15;
                if (tile != 0 && static_cast<int>(tile) < homes.cells()) steps += std::abs(place_of[tile] - i);
            }
            const int conflicts = leaving(length, [&](int i) {
                const std::size_t tile = index >> (4 * i) & 15;
                return tile != 0 && static_cast<int>(tile) < homes.cells() && line_of[tile] == line ? place_of[tile] : -1;
            });
            values_.push_back(static_cast<std::uint8_t>(steps + conflicts));
        }
    }

    int rows_;
    int columns_;
    std::size_t row_size_;
    std::size_t column_size_;
    std::vector<std::uint8_t> values_;
};

}  // namespace tilewise
