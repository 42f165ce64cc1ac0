// The part of tilewise.native._native that builds, proves and reads tables.

#include "tables.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>

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
    return [poll](std::uint64_t done, std::uint64_t total) {
        const nb::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        return !poll.is_none() && nb::cast<bool>(poll(done, total));
    };
}

// The cells of a pattern, checked.
Mask mask_of(int rows, int columns, const std::vector<int>& cells, int blank, int threads) {
    const int all = rows * columns;
    if (rows < 2 || columns < 2 || all > 25) throw std::invalid_argument("a pattern's shape has 2x2 to 25 cells");
    if (cells.empty() || cells.size() > most_tiles) throw std::invalid_argument("a pattern has 1 to 10 tiles");
    if (threads < 1 || threads > 1024) throw std::invalid_argument("1 to 1024 threads can build");
    Mask mask = 0;
    int last = -1;
    for (const int cell : cells) {
        if (cell <= last || cell >= all) throw std::invalid_argument("a pattern's cells are on the board, in order");
        mask |= bit(last = cell);
    }
    if (blank < 0 || blank >= all || (mask & bit(blank)) != 0)
        throw std::invalid_argument("the blank is on a cell beside the pattern");
    return mask;
}

bool build_pattern(int rows, int columns, const std::vector<int>& cells, int blank, Bytes out, int threads,
                   const std::string& level, const nb::object& poll) {
    const Mask goal = mask_of(rows, columns, cells, blank, threads);
    const auto tiles = static_cast<int>(cells.size());
    const std::uint64_t entries = binomial(rows * columns, tiles) * factorial(tiles);
    if (out.size() != entries) throw std::invalid_argument("a byte for each entry is needed");
    std::uint8_t* values = out.data();
    Progress progress(entries, polling(poll));
    const nb::gil_scoped_release released;
    return PatternBuilder(rows, columns, tiles, kernels_named(level)).run(goal, blank, values, threads, progress);
}

std::optional<std::uint64_t> wrong_entries(int rows, int columns, const std::vector<int>& cells, int blank, ReadBytes table,
                                           int threads, const nb::object& poll) {
    const Mask goal = mask_of(rows, columns, cells, blank, threads);
    const auto tiles = static_cast<int>(cells.size());
    if (table.size() != binomial(rows * columns, tiles) * factorial(tiles))
        throw std::invalid_argument("a byte for each entry is needed");
    const std::uint8_t* values = table.data();
    Progress progress(table.size(), polling(poll));
    const nb::gil_scoped_release released;
    return PatternProof(rows, columns, tiles).wrong_entries(goal, blank, values, threads, progress);
}

std::uint64_t* words_of(void* bytes, std::size_t size, const SpaceIndex& index) {
    if (size != index.bytes() || reinterpret_cast<std::uintptr_t>(bytes) % 8 != 0)
        throw std::invalid_argument("aligned bytes for the whole space are needed");
    return static_cast<std::uint64_t*>(bytes);
}

std::optional<std::vector<std::uint64_t>> build_distances(int rows, int columns, int blank, std::optional<Bytes> out, int threads,
                                                          const nb::object& poll) {
    const SpaceIndex index(rows, columns, blank);
    std::uint64_t* bits = out ? words_of(out->data(), out->size(), index) : nullptr;
    Progress progress(std::uint64_t{index.orders()} * static_cast<std::uint64_t>(index.cells()), polling(poll));
    const nb::gil_scoped_release released;
    if (bits != nullptr) std::memset(bits, 0, index.bytes());
    SpaceSearch search(index, threads);
    if (!search.run(std::nullopt, bits, progress)) return std::nullopt;
    return search.counts();
}

std::optional<std::pair<std::uint64_t, std::vector<std::vector<std::uint8_t>>>> states_at(int rows, int columns, int blank,
                                                                                          int depth, std::uint64_t most,
                                                                                          std::uint64_t seed, int threads,
                                                                                          const nb::object& poll) {
    const SpaceIndex index(rows, columns, blank);
    Progress progress(std::uint64_t{index.orders()} * static_cast<std::uint64_t>(index.cells()), polling(poll));
    const nb::gil_scoped_release released;
    SpaceSearch search(index, threads);
    if (!search.run(depth, nullptr, progress)) return std::nullopt;
    std::pair<std::uint64_t, std::vector<std::vector<std::uint8_t>>> answer;
    if (static_cast<int>(search.counts().size()) != depth + 1) return answer;
    answer.first = search.counts().back();
    for (const SpaceIndex::Place place : search.last_level(most, seed)) answer.second.push_back(index.state(place));
    return answer;
}

int distance(int rows, int columns, int blank, const ReadBytes& table, const nb::bytes& homes) {
    const SpaceIndex index(rows, columns, blank);
    const std::uint64_t* bits = words_of(const_cast<std::uint8_t*>(table.data()), table.size(), index);
    if (homes.size() != static_cast<std::size_t>(index.cells())) throw std::invalid_argument("a byte for each cell is needed");
    return space_distance(index, bits, reinterpret_cast<const std::uint8_t*>(homes.c_str()));
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
               nb::arg("out"), nb::kw_only(), nb::arg("threads") = 1, nb::arg("kernels") = "", nb::arg("poll") = nb::none(),
               "Fill the table of a pattern; False if poll ended it.");
    module.def("wrong_entries", &wrong_entries, nb::arg("rows"), nb::arg("columns"), nb::arg("cells"), nb::arg("blank"),
               nb::arg("table"), nb::kw_only(), nb::arg("threads") = 1, nb::arg("poll") = nb::none(),
               "How many entries of a pattern's table a proof finds wrong; None if poll ended it.");
    module.def(
        "distance_bytes", [](int rows, int columns) { return SpaceIndex(rows, columns, 0).bytes(); }, nb::arg("rows"),
        nb::arg("columns"), "The size of a table of distances.");
    module.def("build_distances", &build_distances, nb::arg("rows"), nb::arg("columns"), nb::arg("blank"), nb::arg("out").none(),
               nb::kw_only(), nb::arg("threads") = 1, nb::arg("poll") = nb::none(),
               "Count the states of a shape by depth, and fill a table; None if poll ended it.");
    module.def("states_at", &states_at, nb::arg("rows"), nb::arg("columns"), nb::arg("blank"), nb::arg("depth"), nb::arg("most"),
               nb::arg("seed"), nb::kw_only(), nb::arg("threads") = 1, nb::arg("poll") = nb::none(),
               "The number of states at a depth, and some of them; None if poll ended it.");
    module.def("distance", &distance, nb::arg("rows"), nb::arg("columns"), nb::arg("blank"), nb::arg("table"), nb::arg("homes"),
               "The distance of a state by a table of distances.");
}
