// How each slide changes the learned value of a board: one look-up for each cell.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "tilewise/learned/pair_values.hpp"
#include "tilewise/learned/slide_batch.hpp"
#include "tilewise/threads.hpp"

namespace tilewise {

// For two neighbouring cells p < q and a tile: row[c * cells + x] is what the value changes by, because of the tile of home x
// on cell c, when the tile slides from q to p and the blank from p to q. The slide back changes it by the opposite, so one
// row serves both.
class SlideValues {
public:
    static constexpr int scale = PairValues::scale;

    // `look` is called now and then by the calling thread; what it throws ends the making.
    explicit SlideValues(const PairValues& values, const std::function<void()>& look = {})
        : values_(values),
          steps_(values.layout().steps()),
          cells_(steps_.cells()),
          sum_(sum_for(static_cast<std::size_t>(cells_))) {
        const auto cells = static_cast<std::size_t>(cells_);
        row_size_ = cells * cells;
        edges_.resize(cells * 4, 0);
        fixed_.resize(cells * 4 * cells, 0);
        std::size_t edges = 0;
        for (int p = 0; p < cells_; ++p) {
            for (const int way : {1, 3}) {
                const int q = steps_.to(p, way);
                if (q == BlankSteps::none) continue;
                edges_[edge(p, way)] = edges_[edge(q, way ^ 1)] = edges++;
            }
        }
        rows_.resize(edges * cells * row_size_ + SlideBatch::padded);
        // one thread for each core where it takes long: a first answer waits for it
        const auto cores = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 8U));
        std::atomic<int> next{0};
        in_threads(cells_ < large ? 1 : cores, [&](int number) {
            for (int p = next.fetch_add(1); p < cells_; p = next.fetch_add(1)) {
                if (number == 0 && look) look_or_end(look, next);
                for (const int way : {1, 3}) {
                    if (steps_.to(p, way) != BlankSteps::none) fill(p, steps_.to(p, way), way);
                }
            }
        });
        change_ = fits_ ? batched_changes() : nullptr;
    }

    const BlankSteps& steps() const { return steps_; }
    int cells() const { return cells_; }
    int value(const HomeCell* board) const { return values_.value(board); }

    // What a slide changes the value by is the sum of one number of its row for each cell.
    struct Slide {
        const std::int16_t* row;
        int fixed;
        bool back;
    };
    // The blank goes from a cell in a direction, where this tile is.
    Slide slide(int blank, int way, int tile) const {
        const std::size_t from = edge(blank, way);
        const auto home = static_cast<std::size_t>(tile);
        const auto cells = static_cast<std::size_t>(cells_);
        return {&rows_[(edges_[from] * cells + home) * row_size_], fixed_[from * cells + home], (way & 1) == 0};
    }
    template <int Cells>
    int after(int value, const Slide& slide, const HomeCell* board) const {
        const int sum = Cells > 0 ? sum_of<Cells>(slide.row, board) : sum_(slide.row, board);
        return value + (slide.back ? -sum : sum) + slide.fixed;
    }

    // The same for up to 32 boards at once, where the processor can do that: null where it cannot.
    ChangeValues change() const { return change_; }
    void prepare(SlideBatch& batch, const Slide& slide) const {
        batch.cells = static_cast<std::size_t>(cells_);
        batch.row = slide.row;
        batch.back = slide.back;
        batch.fixed = slide.fixed;
    }

    std::size_t bytes() const { return rows_.size() * sizeof(rows_[0]) + fixed_.size() * sizeof(fixed_[0]); }

private:
    static constexpr int large = 40;  // cells

    using Sum = int (*)(const std::int16_t*, const HomeCell*);

    // The compiler knows where each cell's numbers begin.
    template <std::size_t Cells>
    static int sum_of(const std::int16_t* row, const HomeCell* board) {
        return [&]<std::size_t... Cell>(std::index_sequence<Cell...>) {
            return (0 + ... + row[Cell * Cells + board[Cell]]);
        }(std::make_index_sequence<Cells>());
    }
    static Sum sum_for(std::size_t cells) {
        return [&]<std::size_t... Cells>(std::index_sequence<Cells...>) {
            return std::array<Sum, sizeof...(Cells)>{&sum_of<Cells>...}.at(cells);
        }(std::make_index_sequence<PairLayout::most_cells + 1>());
    }

    static std::size_t edge(int cell, int way) { return static_cast<std::size_t>(cell) * 4 + static_cast<std::size_t>(way); }

    void look_or_end(const std::function<void()>& look, std::atomic<int>& next) const {
        try {
            look();
        } catch (...) {
            next = cells_;
            throw;
        }
    }

    // The value that a tile on cell p has beside each tile on each other cell: out[c * cells + x].
    void beside(int p, int tile, std::vector<std::int16_t>& out) const {
        out.assign(row_size_, 0);
        const auto cells = static_cast<std::size_t>(cells_);
        for (int c = 0; c < cells_; ++c) {
            if (c == p) continue;
            std::int16_t* row = &out[static_cast<std::size_t>(c) * cells];
            if (p < c) {
                const std::int16_t* pair = values_.pair(p, c) + tile * cells_;
                for (std::size_t x = 0; x < cells; ++x) row[x] = pair[x];
            } else {
                const std::int16_t* pair = values_.pair(c, p) + tile;
                for (std::size_t x = 0; x < cells; ++x) row[x] = pair[x * cells];
            }
        }
    }

    void fill(int p, int q, int way) {
        std::vector<std::int16_t> blank_p;
        std::vector<std::int16_t> blank_q;
        std::vector<std::int16_t> tile_p;
        std::vector<std::int16_t> tile_q;
        beside(p, 0, blank_p);
        beside(q, 0, blank_q);
        const std::size_t number = edges_[edge(p, way)];
        const auto cells = static_cast<std::size_t>(cells_);
        for (int tile = 1; tile < cells_; ++tile) {
            beside(p, tile, tile_p);
            beside(q, tile, tile_q);
            std::int16_t* row = &rows_[(number * cells + static_cast<std::size_t>(tile)) * row_size_];
            for (std::size_t i = 0; i < row_size_; ++i)
                row[i] = static_cast<std::int16_t>(tile_p[i] - tile_q[i] + blank_q[i] - blank_p[i]);
            for (const int own : {p, q}) {
                for (std::size_t x = 0; x < cells; ++x) row[static_cast<std::size_t>(own) * cells + x] = 0;
            }
            if (!sum_fits(row)) fits_ = false;
            const int fixed = values_.single(p, tile) - values_.single(q, tile) + values_.single(q, 0) - values_.single(p, 0) +
                              values_.pair(p, q, tile, 0) - values_.pair(p, q, 0, tile);
            fixed_[edge(p, way) * cells + static_cast<std::size_t>(tile)] = fixed;
            fixed_[edge(q, way ^ 1) * cells + static_cast<std::size_t>(tile)] = -fixed;
        }
    }

    // Whether no board's sum of the row's numbers exceeds 16 bits.
    bool sum_fits(const std::int16_t* row) const {
        const auto cells = static_cast<std::size_t>(cells_);
        int most = 0;
        for (std::size_t cell = 0; cell < cells; ++cell) {
            int largest = 0;
            for (std::size_t x = 0; x < cells; ++x) largest = std::max(largest, std::abs(int{row[cell * cells + x]}));
            most += largest;
        }
        return most <= INT16_MAX;
    }

    const PairValues& values_;
    BlankSteps steps_;
    int cells_;
    Sum sum_;
    std::atomic<bool> fits_{true};
    ChangeValues change_ = nullptr;
    std::size_t row_size_ = 0;
    std::vector<std::size_t> edges_;
    std::vector<int> fixed_;
    std::vector<std::int16_t> rows_;
};

}  // namespace tilewise
