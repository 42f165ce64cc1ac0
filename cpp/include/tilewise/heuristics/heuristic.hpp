// A heuristic: an estimate of the moves to one goal. Searches call it once for each new state.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tilewise/state.hpp"

namespace tilewise {

// What searches see of a heuristic: one instance of a search serves them all.
template <BoardState State>
class Heuristic {
public:
    virtual ~Heuristic() = default;
    virtual int operator()(const State& state) const = 0;

    // The value of `next`, which comes from a state of value h when the tile on `target` slides to
    // the blank.
    virtual int after_slide(const State& /*state*/, int /*h*/, int /*blank*/, int /*target*/, const State& next) const {
        return (*this)(next);
    }

    // The memory of its tables, where they are large.
    virtual std::uint64_t bytes() const { return 0; }
};

// A heuristic that has a name, in both engines, and says beside it what is known of it.
template <class H, class State>
concept NamedHeuristic = std::derived_from<H, Heuristic<State>> && !std::is_abstract_v<H> && requires {
    { H::name } -> std::convertible_to<std::string_view>;
    // Whether every move changes it by exactly one. Then it is consistent, and it has the parity of
    // the distance, so that f grows in twos.
    { H::changes_by_one } -> std::convertible_to<bool>;
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

template <BoardState State>
class Zero final : public Heuristic<State> {
public:
    static constexpr std::string_view name = "zero";
    static constexpr bool changes_by_one = false;

    explicit Zero(const Homes&) {}

    int operator()(const State&) const override { return 0; }
};
static_assert(NamedHeuristic<Zero<PackedState>, PackedState>);

template <BoardState State>
std::uint64_t bytes_of(const std::vector<std::unique_ptr<Heuristic<State>>>& parts) {
    std::uint64_t sum = 0;
    for (const auto& part : parts) sum += part->bytes();
    return sum;
}

template <BoardState State>
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

    std::uint64_t bytes() const override { return bytes_of(parts_); }

private:
    std::vector<std::unique_ptr<Heuristic<State>>> parts_;
};

template <BoardState State>
class Sum final : public Heuristic<State> {
public:
    explicit Sum(std::vector<std::unique_ptr<Heuristic<State>>> parts) : parts_(std::move(parts)) {}

    int operator()(const State& state) const override {
        int sum = 0;
        for (const auto& part : parts_) sum += (*part)(state);
        return sum;
    }

    std::uint64_t bytes() const override { return bytes_of(parts_); }

private:
    std::vector<std::unique_ptr<Heuristic<State>>> parts_;
};

}  // namespace tilewise
