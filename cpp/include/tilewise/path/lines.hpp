// Brings the tiles of the outer lines of a large board home, two at a time, until a small core is left.
#pragma once

#include <cstdint>
#include <vector>

#include "tilewise/domain.hpp"
#include "tilewise/meter.hpp"

namespace tilewise {

struct LineOptions {
    int core_rows = 8, core_columns = 8;  // what is left unsolved; it holds the goal's blank
    int core_row = 0, core_column = 0;    // its first cell
    int width = 1;                        // boards that are kept after each placement
    int threads = 1;
};

// The moves after which every cell outside of the core has its tile, or none where the meter says stop.
//
// It is a beam search over placements: a step brings the two tiles of two neighbouring cells of an outermost line home (one
// tile at the end of a line of odd length), on a short path found by best-first search over the cells of both tiles and the
// blank; the boards with the least moves so far plus weighted Manhattan distance are kept.
std::vector<Move> solve_outer_lines(int rows, int columns, const std::vector<std::uint8_t>& start,
                                    const std::vector<std::uint8_t>& goal, const LineOptions& options, Meter& meter);

}  // namespace tilewise
