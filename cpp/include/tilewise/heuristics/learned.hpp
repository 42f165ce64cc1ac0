// Learned values as a heuristic: a model that sees boards mirrored and renamed.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "tilewise/heuristics/cellwise.hpp"
#include "tilewise/heuristics/heuristic.hpp"
#include "tilewise/learned/homes_board.hpp"

namespace tilewise {

// A model, and how a board is turned for it.
struct LearnedModel {
    // Moves, from a board as the model has it, and the Manhattan distance of the board to the goal.
    std::function<int(const HomeCell* board, int manhattan)> moves;
    std::vector<std::uint8_t> cells;  // for each cell of the board, the model's
    std::vector<std::uint8_t> homes;  // for each tile, its home cell in the model
    int lowered_by = 0;
};

template <BoardState State>
class Learned final : public Heuristic<State> {
public:
    static constexpr std::string_view name = "learned";
    static constexpr bool changes_by_one = false;

    Learned(const Homes& homes, LearnedModel model) : manhattan_(homes), model_(std::move(model)) {}

    int operator()(const State& state) const override {
        std::array<HomeCell, 256> board;
        for (std::size_t cell = 0; cell < model_.cells.size(); ++cell)
            board[model_.cells[cell]] = model_.homes[static_cast<std::size_t>(state.tile(static_cast<int>(cell)))];
        return std::max(0, model_.moves(board.data(), manhattan_(state)) - model_.lowered_by);
    }

private:
    Manhattan<State> manhattan_;
    LearnedModel model_;
};
static_assert(NamedHeuristic<Learned<PackedState>, PackedState>);

}  // namespace tilewise
