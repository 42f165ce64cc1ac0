// Tests of learned values: slides against whole sums, gradient steps against plain ones, the beam on several threads.

#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "check.hpp"
#include "tilewise/learned/learned_values.hpp"
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
    for (auto* part : {&weights.singles, &weights.own, &weights.shared}) {
        for (float& weight : *part) weight += static_cast<float>(random.below(1000)) / 1000.0F - 0.5F;
    }
}

template <class Values>
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
        typename Values::Prepared prepared;
        values.prepare(board.data(), prepared);
        value = values.template after<0>(value, prepared, blank, way, board[static_cast<std::size_t>(to)]);
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
        slides_add_up_to_the_value(SlideValues(values));
    }
    std::vector<std::int16_t> shared(PairLayout::shared_weights);
    SplitMix random(2);
    for (std::int16_t& weight : shared) weight = static_cast<std::int16_t>(random.below(200));
    slides_add_up_to_the_value(SharedValues(9, 9, shared.data()));
}

void shared_weights_alone_are_a_model_without_own_ones() {
    std::vector<std::int16_t> shared(PairLayout::shared_weights);
    SplitMix random(5);
    for (std::int16_t& weight : shared) weight = static_cast<std::int16_t>(random.below(200));
    const PairLayout layout(4, 6);
    const std::vector<std::int16_t> singles(layout.singles());
    const std::vector<std::int16_t> own(layout.own_weights());
    const PairValues dense(4, 6, singles.data(), own.data(), shared.data());
    const SharedValues sparse(4, 6, shared.data());
    HomesBoard board = solved(24);
    int blank = 0;
    for (int i = 0; i < 50; ++i) {
        blank = walk(board, blank, 7, layout.steps(), random);
        check(dense.value(board.data()) == sparse.value(board.data()));
    }
}

void a_step_on_a_difference_is_two_plain_steps() {
    const PairLayout layout(4, 5);
    PairWeights weights(layout);
    SplitMix random(7);
    disturb(weights, random);
    HomesBoard first = solved(20);
    const int blank = walk(first, 0, 300, layout.steps(), random);
    HomesBoard second = first;
    walk(second, blank, 9, layout.steps(), random);
    PairWeights plain = weights;
    const float error = plain.value(first.data()) - plain.value(second.data()) - 9;
    plain.add(first.data(), -0.01F * error, -0.005F * error);
    plain.add(second.data(), 0.01F * error, 0.005F * error);
    check(std::abs(weights.descend(first.data(), second.data(), 9, 0.01F, 0.005F) - error) < 1e-3F);
    for (std::size_t i = 0; i < plain.own.size(); ++i) check(std::abs(plain.own[i] - weights.own[i]) < 1e-5F);
    for (std::size_t i = 0; i < plain.shared.size(); ++i) check(std::abs(plain.shared[i] - weights.shared[i]) < 1e-5F);
}

void transposed_boards_get_equal_values() {
    const PairLayout layout(5, 5);
    PairWeights weights(layout);
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
    plan.samples = 200;
    PairTraining one(3, 4, plan, 5);
    PairTraining two(3, 4, plan, 5);
    for (int i = 0; i < 5; ++i) {
        one.round(i > 2, 1, 1);
        two.round(i > 2, 1, 2);
    }
    check(one.weights().own == two.weights().own && one.weights().shared == two.weights().shared);
    check(one.weights().own != PairTraining(3, 4, plan, 5).weights().own);
}

}  // namespace

int main() {
    values_do_not_depend_on_the_path();
    shared_weights_alone_are_a_model_without_own_ones();
    a_step_on_a_difference_is_two_plain_steps();
    transposed_boards_get_equal_values();
    a_path_is_the_same_for_any_number_of_threads();
    training_does_not_depend_on_the_number_of_threads();
    std::puts("learned values: all checks passed");
}
