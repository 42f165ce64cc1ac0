// A kernel makes the passes of an unobserved IDA*, as fast as one kind of heuristic allows.
#pragma once

#include <concepts>
#include <type_traits>
#include <vector>

#include "tilewise/domain.hpp"
#include "tilewise/meter.hpp"
#include "tilewise/outcome.hpp"

namespace tilewise {

template <class K>
concept Kernel = requires(K kernel, const K& placed, const std::vector<Move>& moves, int bound, Stats& stats) {
    // put the node in place that moves lead to from the start
    kernel.place(moves);
    { placed.h() } -> std::same_as<int>;
    { placed.at_goal() } -> std::same_as<bool>;
    // one pass below a bound from the node in place, which is not the goal; true when the search is
    // over: a solution is found, or a limit reached. Counters are added to `stats`
    { kernel.pass(bound, stats) } -> std::same_as<bool>;
    // what the pass came to: the least f above its bound, and the moves to the goal if it is found
    { placed.least_above() } -> std::same_as<int>;
    { placed.found() } -> std::same_as<bool>;
    { placed.moves() } -> std::same_as<const std::vector<Move>&>;
};

// A function that makes a kernel for the meter of a thread.
template <class Make>
concept KernelMaker = Kernel<std::invoke_result_t<Make, Meter&>>;

}  // namespace tilewise
