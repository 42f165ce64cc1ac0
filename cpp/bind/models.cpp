// The part of tilewise.native._native for learned models as heuristics: networks, policies, pairs.

#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "arguments.hpp"
#include "gil.hpp"
#include "learned.hpp"
#include "tilewise/heuristics/learned.hpp"
#include "tilewise/learned/learned_values.hpp"
#include "tilewise/learned/network.hpp"
#include "tilewise/learned/policy.hpp"

namespace nb = nanobind;
using namespace tilewise;

namespace {

template <class Number>
using Array = nb::ndarray<const Number, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Boards = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Outputs = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<2>>;
// Inputs, outputs, shift, weights, biases.
using Layer = std::tuple<int, int, int, Array<std::int16_t>, Array<std::int32_t>>;

template <class Number>
std::vector<Number> copied(const Array<Number>& array) {
    return {array.data(), array.data() + array.size()};
}

void make_network(Network* self, int cells, const Array<std::int16_t>& first, const Array<std::int32_t>& biases,
                  const std::vector<Layer>& given) {
    std::vector<NetworkLayer> layers;
    for (const auto& [inputs, outputs, shift, weights, of_outputs] : given)
        layers.push_back({inputs, outputs, shift, copied(weights), copied(of_outputs)});
    new (self) Network(cells, copied(first), copied(biases), std::move(layers));
}

Outputs outputs_of(const Network& network, const Boards& boards) {
    const std::size_t count = boards.shape(0);
    const auto cells = static_cast<std::size_t>(network.cells());
    const auto width = static_cast<std::size_t>(network.outputs());
    expect(boards.shape(1) == cells, "expected a byte for each cell of each board");
    const HomeCell* data = boards.data();
    expect(std::all_of(data, data + count * cells, [&](HomeCell home) { return home < cells; }),
           "expected home cells of the network's shape");
    auto* found = new std::int64_t[std::max<std::size_t>(1, count * width)];
    const nb::capsule owner(found, [](void* p) noexcept { delete[] static_cast<std::int64_t*>(p); });
    {
        const GilReleased released;
        for (std::size_t board = 0; board < count; ++board) {
            const Network::Outputs outputs = network.of(data + board * cells);
            std::copy_n(outputs.begin(), width, found + board * width);
        }
    }
    return Outputs(found, {count, width}, owner);
}

LearnedModel turned(const nb::bytes& cells, const nb::bytes& homes, int expected) {
    LearnedModel model;
    model.cells = checked_tiles(cells, expected);
    model.homes = checked_tiles(homes, expected);
    return model;
}

LearnedModel of_pairs(const std::shared_ptr<LearnedValues>& values, const nb::bytes& cells, const nb::bytes& homes, int at_goal) {
    LearnedModel model = turned(cells, homes, values->layout().cells());
    model.moves = [values, at_goal](const HomeCell* board, int) { return values->moves(board, at_goal); };
    return model;
}

LearnedModel of_network(const std::shared_ptr<Network>& network, const nb::bytes& cells, const nb::bytes& homes, int lowered_by) {
    expect(lowered_by >= 0, "expected to lower by at least 0");
    LearnedModel model = turned(cells, homes, network->cells());
    model.lowered_by = lowered_by;
    model.moves = [network](const HomeCell* board, int least) { return network->moves(board, least); };
    return model;
}

LearnedModel of_policy(int rows, int columns, const std::shared_ptr<Network>& network, const nb::bytes& cells,
                       const nb::bytes& homes, const nb::bytes& goal) {
    expect(checked_cells(rows, columns) == network->cells() && network->outputs() == 4, "expected a network for moves");
    LearnedModel model = turned(cells, homes, network->cells());
    const auto policy = std::make_shared<const Policy>(rows, columns, network, checked_tiles(goal, network->cells()));
    model.moves = [policy](const HomeCell* board, int) { return policy->moves(board); };
    return model;
}

}  // namespace

void bind_models(nb::module_& module) {
    nb::class_<Network>(module, "Network", "A multi-layer network in whole numbers.")
        .def("__init__", &make_network, nb::arg("cells"), nb::arg("first"), nb::arg("first_biases"), nb::arg("layers"))
        .def("outputs", &outputs_of, nb::arg("boards"), "The outputs for boards: for each cell the home of its tile.")
        .def_prop_ro("output_bits", &Network::output_bits, "Outputs are in 1/2^bits.")
        .def_prop_ro("nbytes", &Network::bytes);
    nb::class_<LearnedModel>(module, "LearnedModel", "A model as a heuristic: how boards are turned for it, and its moves.")
        .def_static("of_pairs", &of_pairs, nb::arg("values"), nb::arg("cells"), nb::arg("homes"), nb::arg("at_goal"))
        .def_static("of_network", &of_network, nb::arg("network"), nb::arg("cells"), nb::arg("homes"), nb::arg("lowered_by"))
        .def_static("of_policy", &of_policy, nb::arg("rows"), nb::arg("columns"), nb::arg("network"), nb::arg("cells"),
                    nb::arg("homes"), nb::arg("goal"))
        .def(
            "__call__",
            [](const LearnedModel& self, const nb::bytes& board, int manhattan) {
                const auto homes = checked_tiles(board, static_cast<int>(self.cells.size()));
                return std::max(0, self.moves(homes.data(), manhattan) - self.lowered_by);
            },
            nb::arg("board"), nb::arg("manhattan"), "Moves, from a board as the model has it.");
}
