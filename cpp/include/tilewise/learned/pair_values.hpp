// Learned values as searches use them: whole numbers in 1/128 of a move, so that a board's value does not depend on the
// path to it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "tilewise/learned/pair_layout.hpp"
#include "tilewise/learned/pair_weights.hpp"

namespace tilewise {

class PairValues {
public:
    static constexpr int scale = 128;
    static constexpr int largest = 4000;  // four of them, added up, fit 16 bits

    // From weights in 1/128 of a move, beyond those that every model begins with: Manhattan distance and 2 for each
    // reversed pair.
    PairValues(int rows, int columns, const std::int16_t* singles, const std::int16_t* own, const std::int16_t* shared)
        : layout_(rows, columns), singles_(layout_.singles()), pairs_(layout_.own_weights()) {
        const int cells = layout_.cells();
        for (int cell = 0; cell < cells; ++cell) {
            for (int home = 0; home < cells; ++home) {
                const std::size_t at = layout_.single(cell, home);
                singles_[at] = layout_.distance(cell, home) * scale + singles[at];
            }
        }
        each_pair([&](std::size_t at, int a, int b, int ta, int tb, int relation) {
            const int beginning = layout_.in_line(a, b) && layout_.reversed(a, b, ta, tb) ? 2 * scale : 0;
            return beginning + own[at] + (relation < 0 ? 0 : shared[relation]);
        });
    }

    // `look` is called now and then; what it throws ends the making.
    explicit PairValues(const PairWeights& weights, const std::function<void()>& look = {})
        : layout_(weights.layout()), singles_(layout_.singles()), pairs_(layout_.own_weights()) {
        for (std::size_t at = 0; at < singles_.size(); ++at) singles_[at] = rounded(weights.singles[at]);
        each_pair(
            [&](std::size_t at, int, int, int, int, int relation) {
                return rounded(weights.own[at] + (relation < 0 ? 0 : weights.shared[static_cast<std::size_t>(relation)]));
            },
            look);
    }

    const PairLayout& layout() const { return layout_; }
    int single(int cell, int home) const { return singles_[layout_.single(cell, home)]; }
    // The values of a pair of different cells for all homes: row[home of a * cells + home of b], a < b.
    const std::int16_t* pair(int a, int b) const { return &pairs_[layout_.own(layout_.pair(a, b), 0, 0)]; }
    int pair(int a, int b, int home_a, int home_b) const {
        return a < b ? pair(a, b)[home_a * layout_.cells() + home_b] : pair(b, a)[home_b * layout_.cells() + home_a];
    }

    std::size_t bytes() const { return singles_.size() * sizeof(singles_[0]) + pairs_.size() * sizeof(pairs_[0]); }

    // The value of a board, 0 for the solved one.
    int value(const HomeCell* board) const { return sum(board) - solved_; }

private:
    static int rounded(float weight) { return static_cast<int>(std::lround(weight * scale)); }

    int sum(const HomeCell* board) const {
        const int cells = layout_.cells();
        int total = 0;
        for (int a = 0; a < cells; ++a) {
            total += single(a, board[a]);
            for (int b = a + 1; b < cells; ++b) total += pair(a, b)[board[a] * cells + board[b]];
        }
        return total;
    }

    template <class Value>
    void each_pair(Value value, const std::function<void()>& look = {}) {
        const int cells = layout_.cells();
        std::size_t at = 0;
        std::size_t pair = 0;
        for (int a = 0; a < cells; ++a) {
            if (look) look();
            for (int b = a + 1; b < cells; ++b, ++pair) {
                const int relation = layout_.relation(pair);
                for (int ta = 0; ta < cells; ++ta) {
                    const int row = relation + layout_.offset_class(a, ta) * PairLayout::classes;
                    for (int tb = 0; tb < cells; ++tb, ++at) {
                        const int weight = relation < 0 ? -1 : row + layout_.offset_class(b, tb);
                        pairs_[at] = static_cast<std::int16_t>(std::clamp(value(at, a, b, ta, tb, weight), -largest, largest));
                    }
                }
            }
        }
        HomesBoard solved(static_cast<std::size_t>(cells));
        for (int cell = 0; cell < cells; ++cell) solved[static_cast<std::size_t>(cell)] = static_cast<HomeCell>(cell);
        solved_ = sum(solved.data());
    }

    PairLayout layout_;
    std::vector<int> singles_;
    std::vector<std::int16_t> pairs_;
    int solved_ = 0;
};

}  // namespace tilewise
