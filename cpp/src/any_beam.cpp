// The beams by heuristics of the engine: one for each kind of state.

#include "tilewise/search/any_beam.hpp"

#include "tilewise/search/estimated_values.hpp"
#include "tilewise/search/pattern_values.hpp"

namespace tilewise {

BeamOutcome any_beam(const Estimate& estimate, const std::vector<std::uint8_t>& start, const BeamRequest& request,
                     const std::function<bool(const BeamOutcome&)>& poll) {
    const auto run = [&]<int Cells = 0>(const auto& values) {
        return WideBeam<std::decay_t<decltype(values)>, Cells>(values).run(start, estimate.goal(), request, poll);
    };
    const auto run_by_patterns = [&](const auto& values) {
        return values.cells() == 25 ? run.template operator()<25>(values) : run(values);
    };
    if (PatternValues<1>::serves(estimate)) return run_by_patterns(PatternValues<1>(estimate));
    if (PatternValues<2>::serves(estimate)) return run_by_patterns(PatternValues<2>(estimate));
    if (estimate.rows() * estimate.columns() <= PackedState::max_cells) return run(EstimatedValues<PackedState>(estimate));
    if (estimate.rows() == 5 && estimate.columns() == 5) return run(EstimatedValues<State5x5>(estimate));
    return run(EstimatedValues<LargeState>(estimate));
}

}  // namespace tilewise
