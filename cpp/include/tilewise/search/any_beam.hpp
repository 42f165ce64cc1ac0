// The beam at full speed by a heuristic of the engine, for any shape.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tilewise/estimate.hpp"
#include "tilewise/search/wide_beam.hpp"

namespace tilewise {

BeamOutcome any_beam(const Estimate& estimate, const std::vector<std::uint8_t>& start, const BeamRequest& request,
                     const std::function<bool(const BeamOutcome&)>& poll);

}  // namespace tilewise
