// What a wide beam is asked for, and what came of it.
#pragma once

#include <cstdint>
#include <vector>

#include "tilewise/learned/homes_board.hpp"
#include "tilewise/outcome.hpp"

namespace tilewise {

struct BeamRequest {
    std::uint32_t width = 1000;
    std::uint32_t most_moves = 10000;  // the search ends without a solution when it has come to this depth
    std::uint64_t most_generated = UINT64_MAX;
    double seconds = 0;  // 0 is no limit
    std::uint64_t memory = UINT64_MAX;
    int threads = 1;
    bool partly = false;     // without a solution, give the path to the state that was nearest to the goal
    bool narrows = false;    // keep fewer states near the goal, where the path is hardly ever lost
    double ends_in = 0;      // seconds: keep fewer states if that is what it takes to come to most_moves by then; 0 for all
    int between_polls = 50;  // milliseconds
};

struct BeamOutcome {
    Status status = Status::stuck;
    std::vector<HomeCell> path;  // the cells that the blank goes to
    std::uint64_t expanded = 0;
    std::uint64_t generated = 0;
    std::uint64_t stored = 0;
    std::uint64_t duplicates = 0;
    std::uint32_t depth = 0;
    std::uint64_t bytes = 0;
    int best_value = 0;
};

}  // namespace tilewise
