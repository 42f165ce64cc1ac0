// The loops of unobserved iterative deepening, which are made of kernels, and parts of their passes.
#pragma once

#include <cstdint>
#include <vector>

#include "tilewise/estimate.hpp"
#include "tilewise/meter.hpp"
#include "tilewise/request.hpp"
#include "tilewise/search/subtree_search.hpp"

namespace tilewise {

using Tiles = std::vector<std::uint8_t>;

Outcome by_manhattan_in_threads(const Request& request, const Estimate& estimate, const Tiles& start, Meter& meter);
Outcome by_patterns(const Request& request, const Estimate& estimate, const Tiles& start, Meter& meter);
Outcome by_any_heuristic(const Request& request, const Estimate& estimate, const Tiles& start, Meter& meter);

// A*+IDA*, whose passes are made by the same kernels.
Outcome by_stored_patterns(const Request& request, const Estimate& estimate, const Tiles& start, Meter& meter);
Outcome by_stored_nodes(const Request& request, const Estimate& estimate, const Tiles& start, Meter& meter);

// One pass in parts, for heuristics that are tables: the roots of its subtrees, and the subtrees, which
// are expected to have about `expected` nodes.
Subtrees roots_of_pass(const Request& request, const Estimate& estimate, const Tiles& start, int bound, std::uint64_t wanted,
                       Meter& meter, Stats& stats);
SubtreesOutcome search_roots(const Request& request, const Estimate& estimate, const Tiles& start, int bound,
                             const std::vector<Path>& roots, std::uint64_t expected, Meter& meter, DoneSubtrees& done);

// The roots from which a solution within a bound is looked for first, see search/probe.hpp.
Subtrees roots_of_probe(const Request& request, const Estimate& estimate, const Tiles& start, int bound, std::uint64_t wanted,
                        std::size_t most_roots, Meter& meter, Stats& stats);

}  // namespace tilewise
