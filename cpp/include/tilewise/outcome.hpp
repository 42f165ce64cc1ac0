// What a search returns: how it ended, the moves, the counters (as in stats.py).
#pragma once

#include <cstdint>
#include <vector>

#include "tilewise/domain.hpp"

namespace tilewise {

// `met`: the bound has come to the cost of the solution that the search was given.
enum class Status : std::uint8_t { solved, unsolvable, limit, stuck, cancelled, met };

struct Stats {
    std::uint64_t expanded = 0;
    std::uint64_t generated = 0;
    std::uint64_t stored = 0;
    std::uint64_t duplicates = 0;
    std::uint64_t reopened = 0;
    std::uint64_t max_frontier = 0;
    std::uint64_t peak_stored = 0;
    std::uint64_t max_depth = 0;
    std::uint64_t iterations = 0;
    std::uint64_t expanded_below_cost = 0;
    std::uint64_t peak_memory = 0;
    std::uint64_t bound = 0;  // for progress: the f that the search has come to
};

struct Outcome {
    Status status = Status::unsolvable;
    std::vector<Move> moves;
    Stats stats;
};

}  // namespace tilewise
