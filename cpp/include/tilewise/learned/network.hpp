// Multi-layer networks in whole numbers: the same values on every machine and in both engines.
//
// An input stands for a tile on a cell, so the first layer is a sum of rows. What a layer hands on is
// in 1/1024, from 0 to 32,767.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tilewise/learned/homes_board.hpp"

namespace tilewise {

// The weights of a layer, in 1/2^shift, those of an output one after the other; its biases are in
// 1/2^(shift + 10), as its sums are.
struct NetworkLayer {
    int inputs;
    int outputs;
    int shift;
    std::vector<std::int16_t> weights;
    std::vector<std::int32_t> biases;
};

class Network {
public:
    static constexpr int activation_bits = 10;
    static constexpr int widest = 1024;
    static constexpr int largest_shift = 12;
    using Outputs = std::array<std::int64_t, 4>;

    // `first` has a row of weights for each tile on each cell, in 1/1024 as its biases are.
    Network(int cells, std::vector<std::int16_t> first, std::vector<std::int32_t> first_biases, std::vector<NetworkLayer> layers)
        : cells_(cells),
          width_(first_biases.size()),
          first_(std::move(first)),
          biases_(std::move(first_biases)),
          layers_(std::move(layers)) {
        check();
    }

    int cells() const { return cells_; }
    int outputs() const { return layers_.back().outputs; }
    // Outputs are in 1/2^bits.
    int output_bits() const { return layers_.back().shift + activation_bits; }
    std::size_t bytes() const {
        std::size_t sum = first_.size() * sizeof(std::int16_t) + biases_.size() * sizeof(std::int32_t);
        for (const NetworkLayer& layer : layers_) sum += layer.weights.size() * sizeof(std::int16_t);
        return sum;
    }

    Outputs of(const HomeCell* board) const {
        std::array<std::int16_t, widest> handed_on;
        first_layer(board, handed_on);
        for (std::size_t number = 0; number + 1 < layers_.size(); ++number) {
            const NetworkLayer& layer = layers_[number];
            std::array<std::int16_t, widest> next;
            for (int output = 0; output < layer.outputs; ++output) {
                const auto sum = sum_of<std::int32_t>(layer, output, handed_on.data());
                next[static_cast<std::size_t>(output)] = within(sum >> layer.shift);
            }
            handed_on = next;
        }
        Outputs found{};
        const NetworkLayer& last = layers_.back();
        for (int output = 0; output < last.outputs; ++output)
            found[static_cast<std::size_t>(output)] = sum_of<std::int64_t>(last, output, handed_on.data());
        return found;
    }

    // The first output as a number of moves: the nearest one with the parity of a lower bound, which
    // the distance always has; 0 where the bound is 0.
    int moves(const HomeCell* board, int least) const {
        if (least == 0) return 0;
        const std::int64_t parity = least % 2;
        const std::int64_t unit = std::int64_t{1} << output_bits();
        const std::int64_t pairs = (of(board)[0] - (parity - 1) * unit) >> (output_bits() + 1);
        return static_cast<int>(std::clamp<std::int64_t>(2 * pairs + parity, parity, most_moves));
    }

    static constexpr std::int64_t most_moves = 10'000;

private:
    static std::int16_t within(std::int32_t sum) {
        return static_cast<std::int16_t>(std::clamp<std::int32_t>(sum, 0, std::numeric_limits<std::int16_t>::max()));
    }

    void first_layer(const HomeCell* board, std::array<std::int16_t, widest>& handed_on) const {
        std::array<std::int32_t, widest> sums;
        std::copy(biases_.begin(), biases_.end(), sums.begin());
        for (int cell = 0; cell < cells_; ++cell) {
            const std::int16_t* row = first_.data() + static_cast<std::size_t>(cell * cells_ + board[cell]) * width_;
            for (std::size_t i = 0; i < width_; ++i) sums[i] += row[i];
        }
        for (std::size_t i = 0; i < width_; ++i) handed_on[i] = within(sums[i]);
    }

    template <class Sum>
    static Sum sum_of(const NetworkLayer& layer, int output, const std::int16_t* inputs) {
        const std::int16_t* weights = layer.weights.data() + static_cast<std::size_t>(output * layer.inputs);
        Sum sum = layer.biases[static_cast<std::size_t>(output)];
        for (int i = 0; i < layer.inputs; ++i) sum += std::int32_t{weights[i]} * inputs[i];
        return sum;
    }

    // Sizes that fit, and no sum of a hidden layer that 32 bits cannot hold.
    void check() const {
        constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();
        const auto expect = [](bool holds) {
            if (!holds) throw std::invalid_argument("expected the layers of a network");
        };
        expect(cells_ >= 4 && cells_ <= 64 && width_ >= 1 && width_ <= widest && !layers_.empty());
        expect(first_.size() == static_cast<std::size_t>(cells_ * cells_) * width_);
        for (const std::int32_t bias : biases_) expect(bias >= -largest / 2 && bias <= largest / 2);
        auto inputs = static_cast<int>(width_);
        for (const NetworkLayer& layer : layers_) {
            expect(layer.inputs == inputs && layer.outputs >= 1 && layer.outputs <= widest);
            expect(layer.shift >= 0 && layer.shift <= largest_shift);
            expect(layer.weights.size() == static_cast<std::size_t>(layer.inputs) * static_cast<std::size_t>(layer.outputs));
            expect(layer.biases.size() == static_cast<std::size_t>(layer.outputs));
            inputs = layer.outputs;
            if (&layer != &layers_.back()) expect(fits(layer));
        }
        expect(inputs <= 4);
    }

    static bool fits(const NetworkLayer& layer) {
        const std::int16_t* weight = layer.weights.data();
        for (int output = 0; output < layer.outputs; ++output) {
            std::int64_t most = std::abs(std::int64_t{layer.biases[static_cast<std::size_t>(output)]});
            for (int i = 0; i < layer.inputs; ++i)
                most += std::abs(std::int64_t{*weight++}) * std::numeric_limits<std::int16_t>::max();
            if (most > std::numeric_limits<std::int32_t>::max()) return false;
        }
        return true;
    }

    int cells_;
    std::size_t width_;
    std::vector<std::int16_t> first_;
    std::vector<std::int32_t> biases_;
    std::vector<NetworkLayer> layers_;
};

}  // namespace tilewise
