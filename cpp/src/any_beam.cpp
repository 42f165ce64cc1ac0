// The beams by heuristics of the engine: one for each kind of state.

#include "tilewise/search/any_beam.hpp"

#include <algorithm>
#include <chrono>

#include "tilewise/search/estimated_values.hpp"
#include "tilewise/search/pattern_values.hpp"

namespace tilewise {

namespace {

constexpr double children_a_second = 3e6;  // at least, on one core

using Start = std::vector<std::uint8_t>;
using Poll = std::function<bool(const BeamOutcome&)>;

template <int Cells, class Values>
BeamOutcome run(const Values& values, const Estimate& estimate, const Start& start, const BeamRequest& request,
                const Poll& poll) {
    return WideBeam<Values, Cells>(values).run(start, estimate.goal(), request, poll);
}

// A beam by pattern databases, in their spread form where so many children are expected that making it pays. What that takes
// is part of the limits.
template <std::size_t Groups>
BeamOutcome beam_by_patterns(const Estimate& estimate, const Start& start, const BeamRequest& request, const Poll& poll) {
    const PatternTables& tables = *estimate.tables();
    const BlankSteps steps(estimate.rows(), estimate.columns());
    const auto search = [&]<class Places>(const Places& places, const BeamRequest& within) {
        const PatternValues<Groups, Places> values(tables, steps, places);
        return values.cells() == 25 ? run<25>(values, estimate, start, within, poll)
                                    : run<0>(values, estimate, start, within, poll);
    };
    const auto began = std::chrono::steady_clock::now();
    const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(); };
    const auto go_on = [&] { return (request.seconds == 0 || seconds() < request.seconds) && !poll(BeamOutcome{}); };
    const auto depth = static_cast<std::uint64_t>(std::max(0, estimate.of(start)));
    const double in_time = request.seconds > 0 ? request.seconds * children_a_second : 1e18;
    const std::uint64_t expected =
        std::min({request.most_generated, 3 * depth * request.width, static_cast<std::uint64_t>(in_time)});
    const std::uint64_t beam = WideBeam<PatternValues<Groups, CompactPlaces>, 0>::bytes_for(steps.cells(), request, 2 * depth);
    const std::uint64_t room = beam < request.memory ? request.memory - beam : 0;
    const auto* spread = tables.spread(room, request.threads, go_on, expected);
    BeamRequest left = request;
    if (request.seconds > 0) left.seconds = std::max(request.seconds - seconds(), 1e-9);
    if (spread == nullptr || tables.bytes() > room) return search(CompactPlaces(tables, steps), left);
    left.memory -= tables.bytes();
    return search(SpreadPlaces(*spread, steps), left);
}

}  // namespace

BeamOutcome any_beam(const Estimate& estimate, const Start& start, const BeamRequest& request, const Poll& poll) {
    if (PatternValues<1, CompactPlaces>::serves(estimate)) return beam_by_patterns<1>(estimate, start, request, poll);
    if (PatternValues<2, CompactPlaces>::serves(estimate)) return beam_by_patterns<2>(estimate, start, request, poll);
    if (estimate.rows() * estimate.columns() <= PackedState::max_cells)
        return run<0>(EstimatedValues<PackedState>(estimate), estimate, start, request, poll);
    if (estimate.rows() == 5 && estimate.columns() == 5)
        return run<0>(EstimatedValues<State5x5>(estimate), estimate, start, request, poll);
    return run<0>(EstimatedValues<LargeState>(estimate), estimate, start, request, poll);
}

}  // namespace tilewise
