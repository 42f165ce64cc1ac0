// Binds what works on whole paths.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <string_view>

#include "arguments.hpp"
#include "gil.hpp"
#include "tables.hpp"
#include "tilewise/path/lines.hpp"
#include "tilewise/path/windows.hpp"

namespace nb = nanobind;
using namespace tilewise;

namespace {

// The moves of a text, each of which must be possible.
std::vector<Move> moves_of(const std::string& letters, int rows, int columns, const std::vector<std::uint8_t>& start) {
    int blank = 0;
    while (start[static_cast<std::size_t>(blank)] != 0) ++blank;
    int row = blank / columns, column = blank % columns;
    std::vector<Move> moves;
    for (const char letter : letters) {
        const std::size_t move = std::string_view("UDLR").find(letter);
        expect(move <= right, "expected the letters U D L R for moves");
        row += move == down ? 1 : move == up ? -1 : 0;
        column += move == right ? 1 : move == left ? -1 : 0;
        expect(row >= 0 && row < rows && column >= 0 && column < columns, "expected moves that stay on the board");
        moves.push_back(static_cast<Move>(move));
    }
    return moves;
}

std::string text_of(const std::vector<Move>& moves) {
    std::string text;
    for (const Move move : moves) text += "UDLR"[move];
    return text;
}

// Called about every 50 ms without the GIL: lets Ctrl-C in, then asks the caller.
Meter::Poll polling(const nb::object& poll) {
    return [poll](const Stats& stats) {
        const GilHeld gil;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        return !poll.is_none() && nb::cast<bool>(poll(stats.generated));
    };
}

std::tuple<std::string, std::uint64_t> shorten(int rows, int columns, const nb::bytes& tiles, const std::string& letters,
                                               int length, std::uint64_t nodes, std::uint64_t offset, int threads, double seconds,
                                               const nb::object& poll) {
    expect(length >= 4 && length <= 200, "expected a window of 4 to 200 moves");
    expect(seconds >= 0, "expected seconds of at least 0");
    threads = checked_threads(threads);
    checked_poll(poll);
    const auto start = checked_tiles(tiles, checked_cells(rows, columns));
    const auto moves = moves_of(letters, rows, columns, start);
    Meter meter({UINT64_MAX, seconds, UINT64_MAX}, polling(poll));
    ShortenedPath shortened;
    {
        const GilReleased released;
        shortened = shorten_by_windows(rows, columns, start, moves, {length, nodes, offset, threads}, meter);
    }
    return {text_of(shortened.moves), shortened.generated};
}

std::string solve_lines(int rows, int columns, const nb::bytes& tiles, const nb::bytes& goal_tiles, int core_row, int core_column,
                        int core_rows, int core_columns, int width, int threads, double seconds, const nb::object& poll) {
    const int cells = checked_cells(rows, columns);
    const auto start = checked_tiles(tiles, cells), goal = checked_tiles(goal_tiles, cells);
    expect(core_row >= 0 && core_column >= 0 && core_rows >= 2 && core_columns >= 2 && core_rows <= rows - core_row &&
               core_columns <= columns - core_column,
           "expected a core on the board");
    expect(width >= 1 && width <= 100'000, "expected 1 to 100000 boards to keep");
    expect(seconds >= 0, "expected seconds of at least 0");
    threads = checked_threads(threads);
    checked_poll(poll);
    Meter meter({UINT64_MAX, seconds, UINT64_MAX}, polling(poll));
    const GilReleased released;
    return text_of(
        solve_outer_lines(rows, columns, start, goal, {core_rows, core_columns, core_row, core_column, width, threads}, meter));
}

}  // namespace

void bind_paths(nb::module_& module) {
    module.def("solve_lines", &solve_lines, nb::arg("rows"), nb::arg("columns"), nb::arg("start"), nb::arg("goal"), nb::kw_only(),
               nb::arg("core_row"), nb::arg("core_column"), nb::arg("core_rows"), nb::arg("core_columns"), nb::arg("width"),
               nb::arg("threads"), nb::arg("seconds"), nb::arg("poll").none(),
               "Bring all tiles outside of a core home; empty if the time is over or there is nothing to do.");
    module.def("shorten_path", &shorten, nb::arg("rows"), nb::arg("columns"), nb::arg("start"), nb::arg("moves"), nb::kw_only(),
               nb::arg("length"), nb::arg("nodes"), nb::arg("offset"), nb::arg("threads"), nb::arg("seconds"),
               nb::arg("poll").none(),
               "Solve windows of a path again, each within a number of nodes: the path by then, and the nodes generated.");
}
