// Tests of learned values: slides against whole sums, gradient steps against plain ones, the beam on several threads.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "check.hpp"
#include "tilewise/learned/folding.hpp"
#include "tilewise/learned/learned_values.hpp"
#include "tilewise/learned/policy.hpp"
#include "tilewise/learned/training.hpp"

using namespace tilewise;

namespace {

HomesBoard solved(int cells) {
    HomesBoard board;
    for (int cell = 0; cell < cells; ++cell) board.push_back(static_cast<HomeCell>(cell));
    return board;
}

int walk(HomesBoard& board, int blank, int moves, const BlankSteps& steps, SplitMix& random) {
    for (int i = 0; i < moves; ++i) {
        int to = BlankSteps::none;
        while (to == BlankSteps::none) to = steps.to(blank, static_cast<int>(random.below(4)));
        slide(board, blank, to);
    }
    return blank;
}

void disturb(PairWeights& weights, SplitMix& random) {
    for (auto* part : {&weights.singles, &weights.own, &weights.shared, &weights.squares}) {
        for (float& weight : *part) weight += static_cast<float>(random.below(1000)) / 1000.0F - 0.5F;
    }
}

template <int Cells, class Values>
void slides_add_up_to_the_value(const Values& values) {
    SplitMix random(3);
    HomesBoard board = solved(values.cells());
    int blank = 0;
    int value = values.value(board.data());
    check(value == 0);
    for (int i = 0; i < 300; ++i) {
        const int way = static_cast<int>(random.below(4));
        const int to = values.steps().to(blank, way);
        if (to == BlankSteps::none) continue;
        const HomeCell tile = board[static_cast<std::size_t>(to)];
        if constexpr (SummedValues<Values>) {
            value = values.template after<Cells>(value, values.slide(blank, way, tile), board.data());
        } else {
            typename Values::Prepared prepared;
            values.prepare(board.data(), prepared);
            value = values.template after<Cells>(value, prepared, blank, way, tile);
        }
        slide(board, blank, to);
        check(value == values.value(board.data()));
    }
}

void values_do_not_depend_on_the_path() {
    for (const auto& [rows, columns] : {std::pair{2, 2}, {3, 4}, {4, 5}, {6, 6}}) {
        const PairLayout layout(rows, columns);
        PairWeights weights(layout);
        SplitMix random(1);
        disturb(weights, random);
        const PairValues values(weights);
        const SlideValues slides(values);
        slides_add_up_to_the_value<0>(slides);
        if (slides.cells() == 36) slides_add_up_to_the_value<36>(slides);
    }
    const PairLayout layout(5, 5);
    PairWeights weights(layout);
    SplitMix random(2);
    disturb(weights, random);
    const PairValues small(weights);
    slides_add_up_to_the_value<0>(StretchedValues(small, 9, 9));
    slides_add_up_to_the_value<0>(StretchedValues(small, 5, 16));
}

void slides_change_the_values_of_squares() {
    for (const auto& [rows, columns] : {std::pair{2, 2}, {2, 5}, {3, 4}, {5, 5}, {6, 6}, {8, 8}}) {
        const PairLayout layout(rows, columns);
        PairWeights weights(layout);
        weights.begin_squares();
        SplitMix random(1);
        disturb(weights, random);
        const LearnedValues values(weights);
        values.with_slides([&](const auto& slides) {
            slides_add_up_to_the_value<0>(slides);
            using Slides = std::decay_t<decltype(slides)>;
            check((std::is_same_v<Slides, SlidesWithSquares>));
            if constexpr (std::is_same_v<Slides, SlidesWithSquares>) {
                if (slides.cells() == 36) slides_add_up_to_the_value<36>(slides);
            }
        });
        HomesBoard board = solved(layout.cells());
        walk(board, 0, 99, layout.steps(), random);
        check(std::abs(static_cast<float>(values.value(board)) / PairValues::scale - weights.value(board.data()) +
                       weights.value(solved(layout.cells()).data())) < static_cast<float>(layout.pairs()) / PairValues::scale);
    }
}

// Boards with the blank on one cell and the same tile beside it; what else they have where is drawn at random.
std::vector<HomeCell> alike(int cells, int blank, int to, HomeCell tile, std::size_t count, SplitMix& random) {
    std::vector<HomeCell> boards;
    for (std::size_t number = 0; number < count; ++number) {
        HomesBoard board = solved(cells);
        for (int left = cells; left > 1; --left)
            std::swap(board[static_cast<std::size_t>(left - 1)],
                      board[static_cast<std::size_t>(random.below(static_cast<std::uint64_t>(left)))]);
        std::swap(*std::find(board.begin(), board.end(), 0), board[static_cast<std::size_t>(blank)]);
        std::swap(*std::find(board.begin(), board.end(), tile), board[static_cast<std::size_t>(to)]);
        boards.insert(boards.end(), board.begin(), board.end());
    }
    boards.resize(boards.size() + SlideBatch::padded);
    return boards;
}

template <class Slides>
void boards_together_change_as_they_do_alone(const Slides& slides) {
    const auto cells = static_cast<std::size_t>(slides.cells());
    SplitMix random(4);
    for (int round = 0; round < 200; ++round) {
        const int blank = static_cast<int>(random.below(cells));
        const int way = round % 4;
        const int to = slides.steps().to(blank, way);
        if (to == BlankSteps::none) continue;
        const auto tile = static_cast<HomeCell>(1 + random.below(cells - 1));
        const auto boards = alike(slides.cells(), blank, to, tile, SlideBatch::most, random);
        const auto slide = slides.slide(blank, way, tile);
        SlideBatch batch;
        slides.prepare(batch, slide);
        for (std::size_t i = 0; i < SlideBatch::most; ++i) batch.boards[i] = &boards[i * cells];
        slides.change()(batch);
        for (std::size_t i = 0; i < SlideBatch::most; ++i)
            check(batch.changes[i] == slides.template after<0>(0, slide, batch.boards[i]));
    }
}

void values_of_boards_together_are_those_that_they_have_alone() {
    if (batched_changes() == nullptr) return;  // on this processor boards are never evaluated together
    for (const auto& [rows, columns] : {std::pair{2, 2}, {2, 5}, {3, 4}, {5, 5}, {6, 6}, {7, 9}, {8, 8}}) {
        const PairLayout layout(rows, columns);
        PairWeights weights(layout);
        SplitMix random(1);
        for (const bool squares : {false, true}) {
            if (squares) weights.begin_squares();
            disturb(weights, random);
            const LearnedValues values(weights);
            values.with_slides([](const auto& slides) { boards_together_change_as_they_do_alone(slides); });
        }
    }
}

// 36 numbers of a row, each as large as they can be, would not fit the 16 bits in which boards are added up together.
void rows_of_large_numbers_are_added_up_alone() {
    const PairLayout layout(6, 6);
    PairWeights weights(layout);
    SplitMix random(2);
    for (float& weight : weights.own) weight = random.below(2) == 0 ? -31.0F : 31.0F;
    const PairValues values(weights);
    const SlideValues slides(values);
    check(slides.change() == nullptr);
    slides_add_up_to_the_value<36>(slides);
}

// On a board of its own size, a stretched model leaves out pairs of cells that are far apart and nothing else.
void stretched_values_of_the_same_shape_are_the_same() {
    const PairLayout layout(5, 5);
    PairWeights weights(layout);
    SplitMix random(5);
    disturb(weights, random);
    const PairValues dense(weights);
    const StretchedValues stretched(dense, 5, 5);
    HomesBoard board = solved(25);
    int blank = 0;
    for (int i = 0; i < 50; ++i) {
        blank = walk(board, blank, 7, layout.steps(), random);
        check(std::abs(dense.value(board.data()) - stretched.value(board.data())) <= 25 * 26);  // each is rounded
    }
}

void a_step_on_a_difference_is_two_plain_steps() {
    const PairLayout layout(4, 5);
    PairWeights weights(layout);
    weights.begin_squares();
    SplitMix random(7);
    disturb(weights, random);
    HomesBoard first = solved(20);
    const int blank = walk(first, 0, 300, layout.steps(), random);
    HomesBoard second = first;
    walk(second, blank, 9, layout.steps(), random);
    PairWeights plain = weights;
    const float error = plain.value(first.data()) - plain.value(second.data()) - 9;
    plain.add(first.data(), -0.01F * error, -0.005F * error, -0.02F * error);
    plain.add(second.data(), 0.01F * error, 0.005F * error, 0.02F * error);
    check(std::abs(weights.descend(first.data(), second.data(), 9, 0.01F, 0.005F, 0.02F) - error) < 1e-3F);
    for (std::size_t i = 0; i < plain.own.size(); ++i) check(std::abs(plain.own[i] - weights.own[i]) < 1e-5F);
    for (std::size_t i = 0; i < plain.shared.size(); ++i) check(std::abs(plain.shared[i] - weights.shared[i]) < 1e-5F);
    for (std::size_t i = 0; i < plain.squares.size(); ++i) check(std::abs(plain.squares[i] - weights.squares[i]) < 1e-5F);
}

// Values of 8x8 take a while: what the caller throws while they are made ends it, in every part of it.
void making_values_ends_when_the_caller_throws() {
    struct Interrupted {};
    const PairLayout layout(7, 7);
    const PairWeights weights(layout);
    int looks = 0;
    const LearnedValues whole(weights, [&] { ++looks; });
    check(looks > 49);  // more than the pairs alone
    for (const int last : {1, 49, looks}) {
        int left = last;
        bool ended = false;
        try {
            const LearnedValues values(weights, [&] {
                if (--left == 0) throw Interrupted();
            });
        } catch (const Interrupted&) {
            ended = true;
        }
        check(ended || last > 49);  // how many looks the slides have depends on the other threads
        check(!ended || left == 0);
    }
}

void transposed_boards_get_equal_values() {
    const PairLayout layout(5, 5);
    PairWeights weights(layout);
    weights.begin_squares();
    SplitMix random(9);
    disturb(weights, random);
    weights.symmetrise();
    HomesBoard board = solved(25);
    walk(board, 0, 500, layout.steps(), random);
    HomesBoard image(25);
    for (int cell = 0; cell < 25; ++cell)
        image[static_cast<std::size_t>(layout.transposed(cell))] =
            static_cast<HomeCell>(layout.transposed(board[static_cast<std::size_t>(cell)]));
    check(board != image);
    check(std::abs(weights.value(board.data()) - weights.value(image.data())) < 1e-3F);
}

// Folded weights become whole again, and weights that are no images of each other are not folded.
void half_of_the_weights_of_a_square_shape_is_enough() {
    const PairLayout layout(3, 3);
    PairWeights weights(layout);
    SplitMix random(11);
    disturb(weights, random);
    weights.symmetrise();
    std::vector<std::int16_t> own;
    for (const float weight : weights.own) own.push_back(static_cast<std::int16_t>(weight * 1000));
    const Folding folding(layout);
    std::vector<std::int16_t> half(folding.size());
    check(folding.fold(own.data(), half.data()) && half.size() < own.size() * 6 / 10);
    std::vector<std::int16_t> whole(own.size());
    folding.unfold(half.data(), whole.data());
    check(whole == own);
    own.back() ^= 1;
    check(!folding.fold(own.data(), half.data()));
    const PairLayout wide(2, 3);
    bool refused = false;
    try {
        const Folding impossible(wide);
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    check(refused);
}

void a_path_is_the_same_for_any_number_of_threads() {
    const PairLayout layout(5, 5);
    const LearnedValues values{PairWeights(layout)};
    SplitMix random(11);
    HomesBoard start = solved(25);
    walk(start, 0, 400, layout.steps(), random);
    BeamRequest request;
    request.width = 5000;
    request.most_moves = 400;
    const BeamOutcome one = values.beam(start, solved(25), request, {});
    check(one.status == Status::solved);
    HomesBoard board = start;
    int blank = blank_of(board);
    for (const HomeCell to : one.path) slide(board, blank, to);
    check(board == solved(25));
    request.threads = 3;
    const BeamOutcome three = values.beam(start, solved(25), request, {});
    check(one.path == three.path && one.generated == three.generated);
    request.most_generated = one.generated - 1;
    const BeamOutcome limited = values.beam(start, solved(25), request, {});
    check(limited.status == Status::limit && limited.generated <= request.most_generated);
    request.most_generated = UINT64_MAX;
    request.memory = 1000;
    check(values.beam(start, solved(25), request, {}).status == Status::limit);
}

void training_does_not_depend_on_the_number_of_threads() {
    TrainingPlan plan;
    plan.boards = 6;
    plan.path_width = 60;
    plan.rank_width = 20;
    plan.samples = 200;
    PairTraining one(3, 4, plan, 5);
    PairTraining two(3, 4, plan, 5);
    one.weights().begin_squares();
    two.weights().begin_squares();
    for (const Lesson lesson :
         {Lesson::rest, Lesson::rest, Lesson::differences, Lesson::differences, Lesson::ranks, Lesson::ranks}) {
        one.round(lesson, 1, 1);
        two.round(lesson, 1, 2);
    }
    check(one.weights().own == two.weights().own && one.weights().shared == two.weights().shared);
    check(one.weights().own != PairTraining(3, 4, plan, 5).weights().own);
    check(one.weights().squares == two.weights().squares);
    check(one.weights().squares != std::vector<float>(SquareLayout::weights));
}

// Two inputs of three are 1: what a layer hands on is cut off at 0 and at 32,767.
void a_network_hands_on_what_is_within_its_bounds() {
    const auto value = [](std::int16_t first, std::int16_t weight, int least) {
        std::vector<std::int16_t> rows(36 * 2, first);
        const NetworkLayer hidden{2, 1, 1, {weight, weight}, {3}};
        const NetworkLayer last{1, 1, 0, {1}, {-1024}};
        const Network network(6, rows, {0, 0}, {hidden, last});
        const HomesBoard board = solved(6);
        return std::pair(network.of(board.data())[0], network.moves(board.data(), least));
    };
    check(value(1024, 1, 2) == std::pair(std::int64_t{(2 * 6 * 1024 + 3) / 2 - 1024}, 6));
    check(value(1024, 1, 3).second == 5 && value(1024, 1, 0).second == 0);
    check(value(-1024, 1, 2).first == 1 - 1024 && value(-1024, 1, 3).second == 1);
    check(value(32767, 1, 2).first == 32767 - 1024 && value(1024, -5, 2).first == -1024);
    bool refused = false;
    try {
        const NetworkLayer too_large{2, 1, 0, {32767, 32767}, {std::numeric_limits<std::int32_t>::max()}};
        Network(6, std::vector<std::int16_t>(72), {0, 0}, {too_large, {1, 1, 0, {1}, {0}}});
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    check(refused);
}

// With equal outputs it goes up, or where that cannot be, down: from the goal in a circle of two.
void a_policy_counts_its_moves_or_stops_in_a_circle() {
    std::vector<std::int16_t> rows(36, 0);
    const auto network = std::make_shared<const Network>(6, rows, std::vector<std::int32_t>{0},
                                                         std::vector<NetworkLayer>{{1, 4, 0, {0, 0, 0, 0}, {0, 0, 0, 0}}});
    const Policy policy(2, 3, network, solved(6));
    HomesBoard board = solved(6);
    int blank = 0;
    slide(board, blank, 3);
    check(policy.moves(solved(6).data()) == 0 && policy.moves(board.data()) == 1);
    slide(board, blank, 4);
    check(policy.moves(board.data()) == 2);  // Manhattan distance: it only goes up and down
}

}  // namespace

int main() {
    making_values_ends_when_the_caller_throws();
    values_do_not_depend_on_the_path();
    slides_change_the_values_of_squares();
    values_of_boards_together_are_those_that_they_have_alone();
    rows_of_large_numbers_are_added_up_alone();
    stretched_values_of_the_same_shape_are_the_same();
    a_step_on_a_difference_is_two_plain_steps();
    transposed_boards_get_equal_values();
    half_of_the_weights_of_a_square_shape_is_enough();
    a_path_is_the_same_for_any_number_of_threads();
    training_does_not_depend_on_the_number_of_threads();
    a_network_hands_on_what_is_within_its_bounds();
    a_policy_counts_its_moves_or_stops_in_a_circle();
    std::puts("learned values: all checks passed");
}
