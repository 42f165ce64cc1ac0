// A network that predicts the next move of the blank. As a heuristic: how far it gets on its own.
#pragma once

#include <cstdlib>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include "tilewise/learned/homes_board.hpp"
#include "tilewise/learned/network.hpp"

namespace tilewise {

class Policy {
public:
    // For boards as the model has them, and one goal of these.
    Policy(int rows, int columns, std::shared_ptr<const Network> network, HomesBoard goal)
        : steps_(rows, columns), network_(std::move(network)), goal_(std::move(goal)), at_goal_(goal_.size()) {
        for (std::size_t cell = 0; cell < goal_.size(); ++cell) at_goal_[goal_[cell]] = static_cast<int>(cell);
    }

    // The cell that the blank goes to: that of the largest output, of equals the first.
    int best(const HomesBoard& board, int blank) const {
        const Network::Outputs outputs = network_->of(board.data());
        int chosen = -1;
        for (int way = 0; way < 4; ++way) {
            if (steps_.to(blank, way) == BlankSteps::none) continue;
            if (chosen < 0 || outputs[static_cast<std::size_t>(way)] > outputs[static_cast<std::size_t>(chosen)]) chosen = way;
        }
        return steps_.to(blank, chosen);
    }

    // The moves to the goal; where they come to a circle, those to it and Manhattan distance there.
    int moves(const HomeCell* start) const {
        HomesBoard board(start, start + steps_.cells());
        int blank = blank_of(board);
        std::unordered_map<std::string, int> seen;
        for (int made = 0; board != goal_; ++made) {
            const auto [known, is_new] = seen.emplace(std::string(board.begin(), board.end()), made);
            if (!is_new) return known->second + manhattan(board);
            slide(board, blank, best(board, blank));
        }
        return static_cast<int>(seen.size());
    }

private:
    int manhattan(const HomesBoard& board) const {
        int sum = 0;
        for (int cell = 0; cell < steps_.cells(); ++cell) {
            const HomeCell home = board[static_cast<std::size_t>(cell)];
            if (home == 0) continue;
            const int wanted = at_goal_[home];
            sum += std::abs(cell / steps_.columns() - wanted / steps_.columns()) +
                   std::abs(cell % steps_.columns() - wanted % steps_.columns());
        }
        return sum;
    }

    BlankSteps steps_;
    std::shared_ptr<const Network> network_;
    HomesBoard goal_;
    std::vector<int> at_goal_;
};

}  // namespace tilewise
