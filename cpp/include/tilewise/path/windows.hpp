// Shortens a path: parts of it are solved again between their end boards.
#pragma once

#include <cstdint>
#include <vector>

#include "tilewise/domain.hpp"
#include "tilewise/meter.hpp"

namespace tilewise {

struct WindowOptions {
    int length = 24;               // moves of a window
    std::uint64_t nodes = 10'000;  // that one window may take
    std::size_t offset = 0;        // where the path is cut into the pieces that threads share out
    int threads = 1;
};

struct ShortenedPath {
    std::vector<Move> moves;
    std::uint64_t generated = 0;
};

// Every window of the path is searched by iterative deepening with Manhattan distance to its last board, and replaced where
// a shorter way is found within its nodes. When the meter says stop, the path is as it is by then. The answer does not
// depend on the number of threads unless the meter ends it.
ShortenedPath shorten_by_windows(int rows, int columns, const std::vector<std::uint8_t>& start, const std::vector<Move>& moves,
                                 const WindowOptions& options, Meter& meter);

}  // namespace tilewise
