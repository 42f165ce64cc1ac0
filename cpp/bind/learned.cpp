// The part of tilewise.native._native for learned values: models, the beam over them, training.

#include "learned.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "gil.hpp"
#include "going_on.hpp"
#include "tilewise/learned/folding.hpp"
#include "tilewise/learned/learned_values.hpp"
#include "tilewise/learned/training.hpp"
#include "tilewise/search/any_beam.hpp"

namespace nb = nanobind;
using namespace tilewise;

namespace {

using Whole = nb::ndarray<const std::int16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Real = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Made = nb::ndarray<nb::numpy, float, nb::ndim<1>>;
using MadeWhole = nb::ndarray<nb::numpy, std::int16_t, nb::ndim<1>>;

HomesBoard board_of(const nb::bytes& homes, int cells) {
    const auto* data = reinterpret_cast<const HomeCell*>(homes.c_str());
    HomesBoard board(data, data + homes.size());
    HomesBoard sorted = board;
    std::sort(sorted.begin(), sorted.end());
    bool all = sorted.size() == static_cast<std::size_t>(cells);
    for (std::size_t cell = 0; all && cell < sorted.size(); ++cell) all = sorted[cell] == cell;
    if (!all) throw std::invalid_argument("each home cell is needed once");
    return board;
}

template <class Array>
void need(const Array& array, std::size_t size) {
    if (array.size() != size) throw std::invalid_argument("a number for each weight is needed");
}

// A model has all weights of squares, or none.
void need_squares(std::size_t size) {
    if (size != 0 && size != SquareLayout::weights) throw std::invalid_argument("a number for each weight of squares is needed");
}

PairLayout checked(int rows, int columns) {
    checked_cells(rows, columns);
    PairLayout layout(rows, columns);
    if (layout.cells() > PairLayout::most_cells) throw std::invalid_argument("a shape of at most 64 cells can have a model");
    return layout;
}

using Counters = nb::typed<nb::dict, nb::str, int>;
using BeamAnswer = nb::typed<nb::tuple, int, nb::bytes, Counters>;
using Numbers = nb::typed<nb::tuple, int, int, int, int>;
using Weights = nb::typed<nb::tuple, Made, Made, Made, Made>;
using WholeWeights = nb::typed<nb::tuple, MadeWhole, MadeWhole, MadeWhole, MadeWhole>;
using Report = nb::typed<nb::dict, nb::str, nb::any>;

Counters counters_of(const BeamOutcome& outcome) {
    Counters dict;
    dict["expanded"] = outcome.expanded;
    dict["generated"] = outcome.generated;
    dict["stored"] = outcome.stored;
    dict["duplicates"] = outcome.duplicates;
    dict["max_depth"] = outcome.depth;
    dict["peak_memory"] = outcome.bytes;
    return dict;
}

// Limits and options of a beam, as Python gives them.
BeamRequest request_of(std::uint32_t width, std::uint32_t most_moves, std::uint64_t generated, double seconds,
                       std::uint64_t memory, int threads) {
    if (width < 1 || width >= (std::uint32_t{1} << 29)) throw std::invalid_argument("a beam has a width of 1 to 536,870,911");
    expect(seconds >= 0, "expected seconds of at least 0");
    threads = checked_threads(threads);
    BeamRequest request;
    request.width = width;
    request.most_moves = most_moves;
    request.most_generated = generated;
    request.seconds = seconds;
    request.memory = memory;
    request.threads = threads;
    return request;
}

template <class Run>
BeamAnswer run_beam(const nb::object& poll, Run run) {
    checked_poll(poll);
    const auto ask = [&poll](const BeamOutcome& outcome) {
        const GilHeld gil;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        return !poll.is_none() && nb::cast<bool>(poll(counters_of(outcome)));
    };
    BeamOutcome outcome;
    {
        const GilReleased released;
        outcome = run(ask);
    }
    return nb::borrow<BeamAnswer>(
        nb::make_tuple(static_cast<int>(outcome.status),
                       nb::bytes(reinterpret_cast<const char*>(outcome.path.data()), outcome.path.size()), counters_of(outcome)));
}

BeamAnswer run_learned_beam(const LearnedValues& values, const nb::bytes& start, const nb::bytes& goal, std::uint32_t width,
                            std::uint32_t most_moves, std::uint64_t generated, double seconds, std::uint64_t memory, int threads,
                            bool partly, bool narrows, double ends_in, const nb::object& poll) {
    expect(ends_in >= 0, "expected seconds of at least 0");
    const int cells = values.layout().cells();
    const HomesBoard from = board_of(start, cells);
    const HomesBoard to = board_of(goal, cells);
    BeamRequest request = request_of(width, most_moves, generated, seconds, memory, threads);
    request.partly = partly;
    request.narrows = narrows;
    request.ends_in = ends_in;
    return run_beam(poll, [&](const auto& ask) { return values.beam(from, to, request, ask); });
}

BeamAnswer run_wide_beam(const Estimate& estimate, const nb::bytes& start, std::uint32_t width, std::uint32_t most_moves,
                         std::uint64_t generated, double seconds, std::uint64_t memory, int threads, const nb::object& poll) {
    const HomesBoard from = board_of(start, estimate.rows() * estimate.columns());
    const BeamRequest request = request_of(width, most_moves, generated, seconds, memory, threads);
    return run_beam(poll, [&](const auto& ask) { return any_beam(estimate, from, request, ask); });
}

Made copied(const std::vector<float>& weights) {
    auto* data = new float[weights.size()];
    std::copy(weights.begin(), weights.end(), data);
    const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<float*>(p); });
    return Made(data, {weights.size()}, owner);
}

MadeWhole whole_numbers(std::size_t size) {
    auto* data = new std::int16_t[size];
    const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<std::int16_t*>(p); });
    return MadeWhole(data, {size}, owner);
}

// What weights are beyond those that they began with, as models have them: whole numbers in 1/128 of a move.
template <class First>
MadeWhole beyond(const std::vector<float>& weights, const First& first) {
    need(first, weights.size());
    constexpr float most = 32000;
    constexpr float rounding = 3 << 22;  // so large that a sum has no bits below 1: loops of it have vector instructions
    MadeWhole made = whole_numbers(weights.size());
    std::int16_t* data = made.data();
    const float* from = first.data();
    for (std::size_t at = 0; at < weights.size(); ++at) {
        const float exact = std::min(std::max((weights[at] - from[at]) * PairValues::scale, -most), most);
        data[at] = static_cast<std::int16_t>(exact + rounding - rounding);
    }
    return made;
}

std::optional<MadeWhole> folded_weights(int side, const Whole& own) {
    const PairLayout layout = checked(side, side);
    need(own, layout.own_weights());
    const Folding folding(layout);
    MadeWhole half = whole_numbers(folding.size());
    if (!folding.fold(own.data(), half.data())) return std::nullopt;
    return half;
}

MadeWhole unfolded_weights(int side, const Whole& half) {
    const PairLayout layout = checked(side, side);
    const Folding folding(layout);
    need(half, folding.size());
    MadeWhole own = whole_numbers(layout.own_weights());
    folding.unfold(half.data(), own.data());
    return own;
}

void load(PairTraining& training, const Real& singles, const Real& own, const Real& shared, const Real& squares,
          bool long_walks) {
    PairWeights& weights = training.weights();
    const auto put = [](std::vector<float>& to, const Real& from) {
        need(from, to.size());
        std::copy(from.data(), from.data() + from.size(), to.begin());
    };
    put(weights.singles, singles);
    put(weights.own, own);
    put(weights.shared, shared);
    need_squares(squares.size());
    if (squares.size() > 0) {
        weights.begin_squares();
        put(weights.squares, squares);
    }
    if (long_walks) training.begin_with_long_walks();
}

Lesson lesson_called(const std::string& name) {
    if (name == "rest") return Lesson::rest;
    if (name == "differences") return Lesson::differences;
    expect(name == "ranks", "expected rest, differences or ranks");
    return Lesson::ranks;
}

Report train_round(PairTraining& training, const std::string& lesson, float rate, int threads, const nb::object& poll) {
    threads = checked_threads(threads);
    const Lesson wanted = lesson_called(lesson);
    expect(rate >= 0 && rate <= 1, "expected a rate of 0 to 1");
    const GoOn go_on = going_on(poll, std::chrono::milliseconds(10));  // after Ctrl-C there are weights to be kept
    RoundReport report;
    {
        const GilReleased released;
        report = training.round(wanted, rate, threads, [&go_on] { check(go_on); });
    }
    Report dict;
    dict["rounds"] = report.rounds;
    dict["walk"] = report.walk;
    dict["solved"] = report.solved;
    dict["failed"] = report.failed;
    dict["random_boards"] = report.random_boards;
    dict["mean_length"] = report.mean_length;
    dict["error"] = report.error;
    dict["generated"] = report.generated;
    dict["width"] = report.width;
    return dict;
}

}  // namespace

void bind_learned(nb::module_& module) {
    nb::class_<LearnedValues>(module, "LearnedValues", "A model of learned values for one shape, the goal's blank on cell 0.")
        .def(
            "__init__",
            [](LearnedValues* self, int rows, int columns, const Whole& singles, const Whole& own, const Whole& shared,
               const Whole& squares) {
                const PairLayout layout = checked(rows, columns);
                need(singles, layout.singles());
                need(own, layout.own_weights());
                need(shared, PairLayout::shared_weights);
                need_squares(squares.size());
                const std::int16_t* of_squares = squares.size() > 0 ? squares.data() : nullptr;
                const GilReleased released;
                new (self) LearnedValues(rows, columns, singles.data(), own.data(), shared.data(), of_squares);
            },
            nb::arg("rows"), nb::arg("columns"), nb::arg("singles"), nb::arg("own"), nb::arg("shared"), nb::arg("squares"))
        .def_static(
            "stretched",
            [](int rows, int columns, int side, const Whole& singles, const Whole& own, const Whole& shared,
               const nb::object& poll) {
                expect(checked_cells(rows, columns) > 0 && side >= 2 && side <= std::min(rows, columns),
                       "expected a side of at least 2 that is not longer than those of the shape");
                const PairLayout small = checked(side, side);
                need(singles, small.singles());
                need(own, small.own_weights());
                need(shared, PairLayout::shared_weights);
                const GoOn go_on = going_on(poll);
                const GilReleased released;
                const PairValues values(side, side, singles.data(), own.data(), shared.data());
                return std::make_unique<LearnedValues>(rows, columns, values, go_on);
            },
            nb::arg("rows"), nb::arg("columns"), nb::arg("side"), nb::arg("singles"), nb::arg("own"), nb::arg("shared"),
            nb::arg("poll").none() = nb::none(), "A model for a large shape, by the weights of a smaller square one.")
        .def(
            "value",
            [](const LearnedValues& self, const nb::bytes& homes) { return self.value(board_of(homes, self.layout().cells())); },
            nb::arg("homes"), "The value of a board, in 1/128 of a move.")
        .def_prop_ro("bytes", &LearnedValues::bytes);
    module.def(
        "learned_beam", &run_learned_beam, nb::arg("values"), nb::arg("start"), nb::arg("goal"), nb::kw_only(), nb::arg("width"),
        nb::arg("most_moves"), nb::arg("generated"), nb::arg("seconds"), nb::arg("memory"), nb::arg("threads"),
        nb::arg("partly") = false, nb::arg("narrows") = false, nb::arg("ends_in") = 0.0, nb::arg("poll").none() = nb::none(),
        "A beam by learned values alone: status, the cells that the blank goes to, counters. Partly: without a "
        "solution, the way to the board that promised the shortest one. Narrows: fewer boards near the goal. Ends in: as few "
        "boards as it takes to come to most_moves in these seconds.");
    module.def("wide_beam", &run_wide_beam, nb::arg("estimate"), nb::arg("start"), nb::kw_only(), nb::arg("width"),
               nb::arg("most_moves"), nb::arg("generated"), nb::arg("seconds"), nb::arg("memory"), nb::arg("threads"),
               nb::arg("poll").none() = nb::none(),
               "A beam by an estimate, at full speed: status, the cells that the blank goes to, counters.");
    module.def(
        "learned_beam_bytes",
        [](int cells, std::uint32_t width, std::uint64_t moves) {
            expect(cells >= 4 && cells <= most_lines * most_lines, "expected 4 to 256 cells");
            expect(moves < (std::uint64_t{1} << 32), "expected fewer than 2^32 moves");
            BeamRequest request;
            request.width = width;
            return WideBeam<SlideValues, 0>::bytes_for(cells, request, moves);
        },
        nb::arg("cells"), nb::arg("width"), nb::arg("moves"), "What a beam of that width needs at most.");
    module.def(
        "learned_sizes",
        [](int rows, int columns) {
            checked_cells(rows, columns);
            const PairLayout layout(rows, columns);
            return nb::borrow<Numbers>(
                nb::make_tuple(layout.singles(), layout.own_weights(), PairLayout::shared_weights, SquareLayout::weights));
        },
        nb::arg("rows"), nb::arg("columns"), "The numbers of weights of a model: of single tiles, of pairs, shared, of squares.");
    module.def("folded_weights", &folded_weights, nb::arg("side"), nb::arg("own"),
               "Half of the weights of pairs of a square shape, or None if a board and its transposed image differ.");
    module.def("unfolded_weights", &unfolded_weights, nb::arg("side"), nb::arg("half"), "All weights of pairs, from that half.");
    module.def(
        "folded_size", [](int side) { return Folding(checked(side, side)).size(); }, nb::arg("side"),
        "The number of weights of that half.");
    nb::class_<PairTraining>(module, "Training", "Training of learned values for one shape.")
        .def(
            "__init__",
            [](PairTraining* self, int rows, int columns, std::uint64_t seed, bool shared_only) {
                expect(checked_cells(rows, columns) <= PairLayout::most_cells || shared_only,
                       "a shape of at most 64 cells can have weights of its own");
                TrainingPlan plan;
                plan.shared_only = shared_only;
                new (self) PairTraining(rows, columns, plan, seed);
            },
            nb::arg("rows"), nb::arg("columns"), nb::arg("seed"), nb::arg("shared_only") = false)
        .def("round", &train_round, nb::arg("lesson"), nb::arg("rate"), nb::arg("threads"), nb::arg("poll").none() = nb::none(),
             "Solve boards and learn from those of before: rest, differences or ranks. A round that is ended leaves the weights.")
        .def_prop_ro("walks_are_long", &PairTraining::walks_are_long)
        .def(
            "weights",
            [](PairTraining& self) {
                const PairWeights& weights = self.weights();
                return nb::borrow<Weights>(nb::make_tuple(copied(weights.singles), copied(weights.own), copied(weights.shared),
                                                          copied(weights.squares)));
            },
            "The weights: of single tiles, of pairs, shared, of squares if there are any.")
        .def(
            "begin_squares", [](PairTraining& self) { self.weights().begin_squares(); },
            "From now on values of squares are learned, too.")
        .def(
            "set_beams",
            [](PairTraining& self, std::uint32_t wide, std::uint32_t narrow) {
                expect(narrow >= 1 && narrow <= wide && wide <= 1'000'000, "expected widths of 1 to 1,000,000, the larger first");
                self.plan().path_width = wide;
                self.plan().rank_width = narrow;
            },
            nb::arg("wide"), nb::arg("narrow"),
            "How wide the beams of ranks are: the one that finds paths, and the one to keep to them.")
        .def(
            "beyond",
            [](PairTraining& self, const Real& singles, const Real& own, const Real& shared) {
                const PairWeights& weights = self.weights();
                return nb::borrow<WholeWeights>(
                    nb::make_tuple(beyond(weights.singles, singles), beyond(weights.own, own), beyond(weights.shared, shared),
                                   beyond(weights.squares, std::vector<float>(weights.squares.size()))));
            },
            nb::arg("singles"), nb::arg("own"), nb::arg("shared"),
            "What the weights are beyond these, as models have them: whole numbers in 1/128 of a move.")
        .def("load", &load, nb::arg("singles"), nb::arg("own"), nb::arg("shared"), nb::arg("squares"), nb::arg("long_walks"));
}
