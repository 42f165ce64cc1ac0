// What the engine is to run: a kind of search, and its options.
#pragma once

#include <cstdint>

#include "tilewise/domain.hpp"
#include "tilewise/search/automaton.hpp"
#include "tilewise/search/best_first.hpp"

namespace tilewise {

// The kinds of searches: three open lists of best-first search, and three searches of their own.
enum class Algorithm : std::uint8_t { queue, stack, buckets, deepening, astar_idastar, beam };

struct Request {
    Algorithm algorithm;
    Priority priority;
    std::uint64_t width;
    Order order = default_order;
    const MoveAutomaton* automaton = nullptr;  // IDA*: words of moves to leave out
    int batch = 0;                             // A*: nodes taken at once
    int threads = 1;                           // IDA*: share the subtrees of the root
    int below = 0;                             // IDA*: the cost of a known solution, which shorter ones must beat; 0 is none
    std::uint64_t nodes = 0;                   // A*+IDA*: states that A* stores
};

}  // namespace tilewise
