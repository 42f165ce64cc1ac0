// The engine: one entry for every search that a loop serves.
#pragma once

#include <cstdint>
#include <vector>

#include "tilewise/estimate.hpp"
#include "tilewise/loops.hpp"
#include "tilewise/meter.hpp"
#include "tilewise/observers.hpp"
#include "tilewise/outcome.hpp"
#include "tilewise/request.hpp"

namespace tilewise {

// By the first loop that serves the search and does not give up. `recorder` is null for a search
// that is not watched.
Outcome search(const Request& request, const Estimate& estimate, const std::vector<std::uint8_t>& start, Meter& meter,
               Recorder* recorder);

}  // namespace tilewise
