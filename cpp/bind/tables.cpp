// The part of tilewise.native._native that builds, proves and reads tables.

#include "tables.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "arguments.hpp"
#include "gil.hpp"
#include "tilewise/patterns/builder.hpp"
#include "tilewise/patterns/proof.hpp"
#include "tilewise/patterns/space.hpp"

namespace nb = nanobind;
using namespace tilewise;

namespace {

using Bytes = nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ReadBytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

constexpr int most_tiles = 10;

Progress::Poll polling(const nb::object& poll) {
    checked_poll(poll);
    return [poll](std::uint64_t done, std::uint64_t total) {
        const GilHeld gil;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        return !poll.is_none() && nb::cast<bool>(poll(done, total));
    };
}

// The cells of a pattern, checked.
Mask mask_of(int rows, int columns, const std::vector<int>& cells, int blank) {
    const int all = checked_cells(rows, columns);
    expect(all <= most_cells_of_patterns, "expected a shape of up to 64 cells for a pattern");
    expect(!cells.empty() && cells.size() <= most_tiles, "expected 1 to 10 tiles for a pattern");
    Mask mask = 0;
    int last = -1;
    for (const int cell : cells) {
        expect(cell > last && cell < all, "expected a pattern's cells on the board, in order");
        mask |= bit(last = cell);
    }
    expect(blank >= 0 && blank < all && (mask & bit(blank)) == 0, "expected the blank on a cell beside the pattern");
    return mask;
}

// The states of a shape, checked.
SpaceIndex index_of(int rows, int columns, int blank) {
    expect(checked_cells(rows, columns) <= SpaceIndex::most_cells, "expected a shape of 4 to 12 cells for a whole space");
    return {rows, columns, blank};
}

bool build_pattern(int rows, int columns, const std::vector<int>& cells, int blank, Bytes out, int threads,
                   const std::string& level, const nb::object& poll) {
    const Mask goal = mask_of(rows, columns, cells, blank);
    const auto tiles = static_cast<int>(cells.size());
    const std::uint64_t entries = binomial(rows * columns, tiles) * factorial(tiles);
    expect(out.size() == entries, "expected a byte for each entry");
    threads = checked_threads(threads);
    std::uint8_t* values = out.data();
    Progress progress(entries, polling(poll));
    const GilReleased released;
    return PatternBuilder(rows, columns, tiles, kernels_named(level), &progress).run(goal, blank, values, threads, progress);
}

std::optional<std::uint64_t> wrong_entries(int rows, int columns, const std::vector<int>& cells, int blank, ReadBytes table,
                                           int threads, const nb::object& poll) {
    const Mask goal = mask_of(rows, columns, cells, blank);
    const auto tiles = static_cast<int>(cells.size());
    expect(table.size() == binomial(rows * columns, tiles) * factorial(tiles), "expected a byte for each entry");
    threads = checked_threads(threads);
    const std::uint8_t* values = table.data();
    Progress progress(table.size(), polling(poll));
    const GilReleased released;
    return PatternProof(rows, columns, tiles, progress).wrong_entries(goal, blank, values, threads);
}

std::uint64_t* words_of(void* bytes, std::size_t size, const SpaceIndex& index) {
    expect(size == index.bytes() && reinterpret_cast<std::uintptr_t>(bytes) % 8 == 0,
           "expected aligned bytes for the whole space");
    return static_cast<std::uint64_t*>(bytes);
}

std::optional<std::vector<std::uint64_t>> build_distances(int rows, int columns, int blank, std::optional<Bytes> out, int threads,
                                                          const nb::object& poll) {
    const SpaceIndex index = index_of(rows, columns, blank);
    std::uint64_t* bits = out ? words_of(out->data(), out->size(), index) : nullptr;
    Progress progress(std::uint64_t{index.orders()} * static_cast<std::uint64_t>(index.cells()), polling(poll));
    const GilReleased released;
    if (bits != nullptr) std::memset(bits, 0, index.bytes());
    SpaceSearch search(index, checked_threads(threads));
    if (!search.run(std::nullopt, bits, progress)) return std::nullopt;
    return search.counts();
}

std::optional<std::pair<std::uint64_t, std::vector<std::vector<std::uint8_t>>>> states_at(int rows, int columns, int blank,
                                                                                          int depth, std::uint64_t most,
                                                                                          std::uint64_t seed, int threads,
                                                                                          const nb::object& poll) {
    const SpaceIndex index = index_of(rows, columns, blank);
    Progress progress(std::uint64_t{index.orders()} * static_cast<std::uint64_t>(index.cells()), polling(poll));
    const GilReleased released;
    expect(depth >= 0, "expected a depth of at least 0");
    SpaceSearch search(index, checked_threads(threads));
    if (!search.run(depth, nullptr, progress)) return std::nullopt;
    std::pair<std::uint64_t, std::vector<std::vector<std::uint8_t>>> answer;
    if (search.counts().size() != static_cast<std::size_t>(depth) + 1) return answer;
    answer.first = search.counts().back();
    for (const SpaceIndex::Place place : search.last_level(most, seed)) answer.second.push_back(index.state(place));
    return answer;
}

int distance(int rows, int columns, int blank, const ReadBytes& table, const nb::bytes& homes) {
    const SpaceIndex index = index_of(rows, columns, blank);
    const std::uint64_t* bits = words_of(const_cast<std::uint8_t*>(table.data()), table.size(), index);
    return space_distance(index, bits, checked_tiles(homes, index.cells()).data());
}

}  // namespace

void bind_tables(nb::module_& module) {
    module.def(
        "kernels",
        [] {
            std::vector<std::string> names;
            for (const Kernels* level : kernels()) names.emplace_back(level->name);
            return names;
        },
        "The levels of instructions that tables can be built with here, the best first.");
    module.def("build_pattern", &build_pattern, nb::arg("rows"), nb::arg("columns"), nb::arg("cells"), nb::arg("blank"),
               nb::arg("out").noconvert(), nb::kw_only(), nb::arg("threads") = 1, nb::arg("kernels") = "",
               nb::arg("poll") = nb::none(), "Fill the table of a pattern; False if poll ended it.");
    module.def("wrong_entries", &wrong_entries, nb::arg("rows"), nb::arg("columns"), nb::arg("cells"), nb::arg("blank"),
               nb::arg("table").noconvert(), nb::kw_only(), nb::arg("threads") = 1, nb::arg("poll") = nb::none(),
               "How many entries of a pattern's table a proof finds wrong; None if poll ended it.");
    module.def(
        "distance_bytes", [](int rows, int columns) { return index_of(rows, columns, 0).bytes(); }, nb::arg("rows"),
        nb::arg("columns"), "The size of a table of distances.");
    module.def("build_distances", &build_distances, nb::arg("rows"), nb::arg("columns"), nb::arg("blank"),
               nb::arg("out").noconvert().none(), nb::kw_only(), nb::arg("threads") = 1, nb::arg("poll") = nb::none(),
               "Count the states of a shape by depth, and fill a table; None if poll ended it.");
    module.def("states_at", &states_at, nb::arg("rows"), nb::arg("columns"), nb::arg("blank"), nb::arg("depth"), nb::arg("most"),
               nb::arg("seed"), nb::kw_only(), nb::arg("threads") = 1, nb::arg("poll") = nb::none(),
               "The number of states at a depth, and some of them; None if poll ended it.");
    module.def("distance", &distance, nb::arg("rows"), nb::arg("columns"), nb::arg("blank"), nb::arg("table").noconvert(),
               nb::arg("homes"), "The distance of a state by a table of distances.");
}
