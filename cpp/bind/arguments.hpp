// Arguments of the module's functions, checked: what is wrong is an error and never gets further.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

constexpr int most_lines = 16;
constexpr int most_threads = 1024;

inline void expect(bool holds, const char* otherwise) {
    if (!holds) throw std::invalid_argument(otherwise);
}

// The number of cells.
inline int checked_cells(int rows, int columns) {
    expect(rows >= 2 && columns >= 2 && rows <= most_lines && columns <= most_lines, "expected a shape of 2x2 to 16x16");
    return rows * columns;
}

// More threads than the cores can serve would wait for each other, and for the one that looks at the
// clock: a few for each core are enough.
inline int checked_threads(int threads) {
    constexpr int threads_a_core = 4;
    expect(threads >= 1 && threads <= most_threads, "expected 1 to 1024 threads");
    const auto cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    return std::min(threads, threads_a_core * cores);
}

inline const nanobind::object& checked_poll(const nanobind::object& poll) {
    if (!poll.is_none() && PyCallable_Check(poll.ptr()) == 0) throw nanobind::type_error("expected a function or None for poll");
    return poll;
}

// For each cell its tile, each tile once.
inline std::vector<std::uint8_t> checked_tiles(const nanobind::bytes& tiles, int cells) {
    expect(tiles.size() == static_cast<std::size_t>(cells), "expected a byte for each cell");
    const auto* data = reinterpret_cast<const std::uint8_t*>(tiles.c_str());
    std::bitset<256> seen;
    for (std::size_t cell = 0; cell < tiles.size(); ++cell) seen.set(data[cell]);
    for (std::size_t tile = 0; tile < tiles.size(); ++tile) expect(seen[tile], "expected each tile once");
    return {data, data + tiles.size()};
}
