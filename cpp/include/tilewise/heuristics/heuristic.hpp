// A heuristic: an estimate of the moves to one goal. Searches call it once for each new state.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace tilewise {

template <class State>
class Heuristic {
public:
    virtual ~Heuristic() = default;
    virtual int operator()(const State& state) const = 0;

    // The value of `next`, which comes from a state of value h when the tile on `target` slides to
    // the blank.
    virtual int after_slide(const State& /*state*/, int /*h*/, int /*blank*/, int /*target*/, const State& next) const {
        return (*this)(next);
    }
};

// Where each tile is at home.
struct Homes {
    Homes(int rows_, int columns_, const std::uint8_t* goal) : rows(rows_), columns(columns_) {
        for (int cell = 0; cell < rows * columns; ++cell) {
            row[goal[cell]] = cell / columns;
            column[goal[cell]] = cell % columns;
        }
    }
    int cells() const { return rows * columns; }
    int cell(int tile) const { return row[static_cast<std::size_t>(tile)] * columns + column[static_cast<std::size_t>(tile)]; }

    int rows;
    int columns;
    std::array<int, 256> row{};
    std::array<int, 256> column{};
};

template <class State>
class Zero final : public Heuristic<State> {
public:
    int operator()(const State&) const override { return 0; }
};

template <class State>
class Maximum final : public Heuristic<State> {
public:
    explicit Maximum(std::vector<std::unique_ptr<Heuristic<State>>> parts) : parts_(std::move(parts)) {}

    int operator()(const State& state) const override {
        int most = 0;
        for (const auto& part : parts_) {
            const int value = (*part)(state);
            if (value > most) most = value;
        }
        return most;
    }

private:
    std::vector<std::unique_ptr<Heuristic<State>>> parts_;
};

template <class State>
class Sum final : public Heuristic<State> {
public:
    explicit Sum(std::vector<std::unique_ptr<Heuristic<State>>> parts) : parts_(std::move(parts)) {}

    int operator()(const State& state) const override {
        int sum = 0;
        for (const auto& part : parts_) sum += (*part)(state);
        return sum;
    }

private:
    std::vector<std::unique_ptr<Heuristic<State>>> parts_;
};

}  // namespace tilewise
