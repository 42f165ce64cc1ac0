// The beams by heuristics of the engine: one for each kind of state.

#include "tilewise/search/any_beam.hpp"

#include "tilewise/search/estimated_values.hpp"
#include "tilewise/search/pattern_values.hpp"

namespace tilewise {

BeamOutcome any_beam(const Estimate& estimate, const std::vector<std::uint8_t>& start, const BeamRequest& request,
                     const std::function<bool(const BeamOutcome&)>& poll) {
    const auto run = [&](const auto& values) {
        return WideBeam<std::decay_t<decltype(values)>, 0>(values).run(start, estimate.goal(), request, poll);
    };
    if (PatternValues::serves(estimate)) return run(PatternValues(estimate));
    if (estimate.rows() * estimate.columns() <= PackedState::max_cells) return run(EstimatedValues<PackedState>(estimate));
    if (estimate.rows() == 5 && estimate.columns() == 5) return run(EstimatedValues<State5x5>(estimate));
    return run(EstimatedValues<LargeState>(estimate));
}

}  // namespace tilewise
