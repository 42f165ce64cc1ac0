// Learned values by shared weights alone, for boards that are too large for tables of their slides.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tilewise/learned/pair_layout.hpp"
#include "tilewise/learned/pair_values.hpp"

namespace tilewise {

class SharedValues {
public:
    static constexpr int scale = PairValues::scale;
    using Prepared = std::array<std::uint16_t, 256>;

    SharedValues(int rows, int columns, const std::int16_t* shared)
        : layout_(rows, columns), shared_(shared, shared + PairLayout::shared_weights) {
        HomesBoard solved;
        for (int cell = 0; cell < layout_.cells(); ++cell) solved.push_back(static_cast<HomeCell>(cell));
        solved_ = sum(solved.data());
    }

    const PairLayout& layout() const { return layout_; }
    const BlankSteps& steps() const { return layout_.steps(); }
    int cells() const { return layout_.cells(); }
    int value(const HomeCell* board) const { return sum(board) - solved_; }

    void prepare(const HomeCell* board, Prepared& places) const {
        for (int cell = 0; cell < cells(); ++cell) places[static_cast<std::size_t>(cell)] = board[cell];
    }

    template <int Cells>
    int after(int value, const Prepared& homes, int blank, int way, int tile) const {
        const int to = steps().to(blank, way);
        int sum = (layout_.distance(blank, tile) - layout_.distance(to, tile)) * scale;
        sum += pair(blank, to, tile, 0) - pair(blank, to, 0, tile);
        for (int cell = 0; cell < cells(); ++cell) {
            if (cell == blank || cell == to) continue;
            const int home = homes[static_cast<std::size_t>(cell)];
            sum +=
                pair(blank, cell, tile, home) + pair(to, cell, 0, home) - pair(blank, cell, 0, home) - pair(to, cell, tile, home);
        }
        return value + sum;
    }

private:
    int sum(const HomeCell* board) const {
        int total = 0;
        for (int a = 0; a < cells(); ++a) {
            total += layout_.distance(a, board[a]) * scale;
            for (int b = a + 1; b < cells(); ++b) total += pair(a, b, board[a], board[b]);
        }
        return total;
    }
    int pair(int a, int b, int home_a, int home_b) const {
        if (a > b) return pair(b, a, home_b, home_a);
        const int beginning = layout_.reversed(a, b, home_a, home_b) ? 2 * scale : 0;
        const int relation = layout_.relation(layout_.pair(a, b));
        if (relation < 0) return beginning;
        const int weight = relation + layout_.offset_class(a, home_a) * PairLayout::classes + layout_.offset_class(b, home_b);
        return beginning + shared_[static_cast<std::size_t>(weight)];
    }

    PairLayout layout_;
    std::vector<std::int16_t> shared_;
    int solved_ = 0;
};

}  // namespace tilewise
