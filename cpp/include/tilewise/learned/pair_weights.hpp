// The weights while they are trained, as floating-point numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "tilewise/learned/pair_layout.hpp"
#include "tilewise/learned/square_layout.hpp"

namespace tilewise {

class PairWeights {
public:
    explicit PairWeights(const PairLayout& layout)
        : layout_(layout),
          squares_of_(layout),
          singles(layout.singles()),
          own(layout.own_weights()),
          shared(PairLayout::shared_weights) {
        const int cells = layout.cells();
        for (int cell = 0; cell < cells; ++cell) {
            for (int home = 0; home < cells; ++home)
                singles[layout.single(cell, home)] = static_cast<float>(layout.distance(cell, home));
        }
        for (int a = 0; a < cells; ++a) {
            for (int b = a + 1; b < cells; ++b) {
                float* weights = &own[layout.own(layout.pair(a, b), 0, 0)];
                for (int ta = 0; ta < cells; ++ta) {
                    for (int tb = 0; tb < cells; ++tb, ++weights) *weights = layout.reversed(a, b, ta, tb) ? 2.0F : 0.0F;
                }
            }
        }
    }

    const PairLayout& layout() const { return layout_; }

    // Of weights of the same layout, which need them no more.
    void take_numbers_of(PairWeights& other) {
        singles.swap(other.singles);
        own.swap(other.own);
        shared.swap(other.shared);
        squares.swap(other.squares);
    }
    void begin_squares() {
        if (squares.empty()) squares.resize(SquareLayout::weights);
    }
    std::size_t number_of_squares() const { return squares_of_.squares().size(); }

    float value(const HomeCell* board) const {
        float sum = 0;
        walk(
            board, [&](std::size_t single) { sum += singles[single]; },
            [&](std::size_t pair, int relation) {
                sum += own[pair];
                if (relation >= 0) sum += shared[static_cast<std::size_t>(relation)];
            });
        return sum + value_of_squares(board);
    }

    // One step of gradient descent: `by` is added to every weight that the board uses, the others to shared ones and to those
    // of squares.
    void add(const HomeCell* board, float by, float for_shared, float for_squares = 0) {
        walk(
            board, [&](std::size_t single) { singles[single] += by; },
            [&](std::size_t pair, int relation) {
                own[pair] += by;
                if (relation >= 0) shared[static_cast<std::size_t>(relation)] += for_shared;
            });
        add_to_squares(board, for_squares);
    }

    // One step toward value(first) - value(second) = gap; the error before it. Pairs of cells that have the same tiles on both
    // boards have no part in it.
    float descend(const HomeCell* first, const HomeCell* second, float gap, float step, float shared_step,
                  float squares_step = 0) {
        touched_.clear();
        const int cells = layout_.cells();
        int changed[256];
        int changes = 0;
        for (int cell = 0; cell < cells; ++cell) {
            if (first[cell] != second[cell]) changed[changes++] = cell;
        }
        float error = value_of_squares(first) - value_of_squares(second) - gap;
        for (int i = 0; i < changes; ++i) {
            const int a = changed[i];
            error += singles[layout_.single(a, first[a])] - singles[layout_.single(a, second[a])];
            for (int b = 0; b < cells; ++b) {
                if (b == a || (b < a && first[b] != second[b])) continue;  // two changed cells are one pair
                touch(a, b, first, second);
            }
        }
        for (const Touched& each : touched_) {
            error += own[each.first] - own[each.second];
            if (each.shared_first >= 0) error += shared[at(each.shared_first)] - shared[at(each.shared_second)];
        }
        const float by = -step * error;
        const float for_shared = -shared_step * error;
        for (int i = 0; i < changes; ++i) {
            singles[layout_.single(changed[i], first[changed[i]])] += by;
            singles[layout_.single(changed[i], second[changed[i]])] -= by;
        }
        for (const Touched& each : touched_) {
            own[each.first] += by;
            own[each.second] -= by;
            if (each.shared_first >= 0) {
                shared[at(each.shared_first)] += for_shared;
                shared[at(each.shared_second)] -= for_shared;
            }
        }
        add_to_squares(first, -squares_step * error);
        add_to_squares(second, squares_step * error);
        return error;
    }

    // For square shapes: a board and its transposed image are equally far from home, so their weights are made equal.
    // `look` is called now and then; what it throws leaves some of them as they were.
    void symmetrise(const std::function<void()>& look = {}) {
        const int cells = layout_.cells();
        const auto even_out = [](float& one, float& other) { one = other = (one + other) / 2; };
        for (int a = 0; a < cells; ++a) {
            if (look) look();
            const int image_a = layout_.transposed(a);
            for (int t = 0; t < cells; ++t)
                even_out(singles[layout_.single(a, t)], singles[layout_.single(image_a, layout_.transposed(t))]);
            for (int b = a + 1; b < cells; ++b) {
                const int image_b = layout_.transposed(b);
                const bool swapped = image_a > image_b;
                const std::size_t pair = layout_.pair(a, b);
                const std::size_t image = swapped ? layout_.pair(image_b, image_a) : layout_.pair(image_a, image_b);
                if (image < pair) continue;
                for (int ta = 0; ta < cells; ++ta) {
                    for (int tb = 0; tb < cells; ++tb) {
                        const int first = layout_.transposed(swapped ? tb : ta);
                        const int second = layout_.transposed(swapped ? ta : tb);
                        even_out(own[layout_.own(pair, ta, tb)], own[layout_.own(image, first, second)]);
                    }
                }
            }
        }
        const std::vector<std::size_t> image = PairLayout::transposed_shared();
        for (std::size_t i = 0; i < image.size(); ++i) {
            if (image[i] > i) even_out(shared[i], shared[image[i]]);
        }
        if (squares.empty()) return;
        if (look) look();
        static const std::vector<std::size_t> image_of_square = SquareLayout::transposed();
        for (std::size_t i = 0; i < squares.size(); ++i) {
            if (image_of_square[i] > i) even_out(squares[i], squares[image_of_square[i]]);
        }
    }

private:
    float value_of_squares(const HomeCell* board) const {
        float sum = 0;
        if (squares.empty()) return sum;
        for (const auto& square : squares_of_.squares()) sum += squares[squares_of_.weight(square, board)];
        return sum;
    }
    void add_to_squares(const HomeCell* board, float by) {
        if (squares.empty() || by == 0) return;
        for (const auto& square : squares_of_.squares()) squares[squares_of_.weight(square, board)] += by;
    }

    struct Touched {
        std::uint32_t first;
        std::uint32_t second;
        std::int32_t shared_first;
        std::int32_t shared_second;
    };
    static std::size_t at(std::int32_t weight) { return static_cast<std::size_t>(weight); }

    void touch(int a, int b, const HomeCell* first, const HomeCell* second) {
        if (a > b) std::swap(a, b);
        const std::size_t pair = layout_.pair(a, b);
        Touched touched{static_cast<std::uint32_t>(layout_.own(pair, first[a], first[b])),
                        static_cast<std::uint32_t>(layout_.own(pair, second[a], second[b])), -1, -1};
        const int relation = layout_.relation(pair);
        if (relation >= 0) {
            const auto weight = [&](const HomeCell* board) {
                return relation + layout_.offset_class(a, board[a]) * PairLayout::classes + layout_.offset_class(b, board[b]);
            };
            touched.shared_first = weight(first);
            touched.shared_second = weight(second);
        }
        touched_.push_back(touched);
    }

    template <class Single, class Pair>
    void walk(const HomeCell* board, Single on_single, Pair on_pair) const {
        const int cells = layout_.cells();
        int classes[256];
        for (int cell = 0; cell < cells; ++cell) classes[cell] = layout_.offset_class(cell, board[cell]);
        std::size_t pair = 0;
        for (int a = 0; a < cells; ++a) {
            on_single(layout_.single(a, board[a]));
            const int class_a = classes[a] * PairLayout::classes;
            for (int b = a + 1; b < cells; ++b, ++pair) {
                const int relation = layout_.relation(pair);
                on_pair(layout_.own(pair, board[a], board[b]), relation < 0 ? -1 : relation + class_a + classes[b]);
            }
        }
    }

    const PairLayout& layout_;
    SquareLayout squares_of_;
    std::vector<Touched> touched_;

public:
    std::vector<float> singles;
    std::vector<float> own;
    std::vector<float> shared;
    std::vector<float> squares;  // none: the model has no values of squares
};

}  // namespace tilewise
