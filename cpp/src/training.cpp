// Training of learned values: rounds of solving and learning.

#include "tilewise/learned/training.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include "tilewise/learned/learned_values.hpp"
#include "tilewise/threads.hpp"

namespace tilewise {

namespace {

constexpr std::uint32_t samples_between_polls = 512;
constexpr std::size_t rankings_between_polls = 64;

}  // namespace

PairTraining::PairTraining(int rows, int columns, const TrainingPlan& plan, std::uint64_t seed)
    : layout_(rows, columns), weights_(layout_), plan_(plan), seed_(seed), random_(seed * 2 + 1), walk_(plan.first_walk) {
    if (layout_.cells() > PairLayout::most_cells) throw std::invalid_argument("a shape of at most 64 cells can be trained");
}

// A random walk leads home by its own way too; it is taken where the beam found a longer one, or none.
void PairTraining::Path::take_walk_if_shorter() {
    if (!drawn_at_random && walk.size() < (solved ? moves.size() : 4 * start.size())) {
        moves = walk;
        solved = true;
    }
    walk = {};
}

RoundReport PairTraining::round(Lesson lesson, float rate, int threads, const std::function<void()>& poll) {
    RoundReport report;
    const LearnedValues values(weights_, poll);
    PairWeights before = weights_;
    const SplitMix random_before = random_;
    BeamRequest request;
    request.width = lesson == Lesson::ranks ? plan_.path_width : lesson == Lesson::differences ? plan_.wide : plan_.width;
    request.most_moves = static_cast<std::uint32_t>(layout_.cells()) * 20;
    request.between_polls = 5;  // its boards are small, and after Ctrl-C there are weights to be kept
    const HomesBoard goal = solved();
    std::vector<Path> made(plan_.boards);
    std::atomic<std::uint32_t> next{0};
    std::atomic<std::uint64_t> generated{0};
    std::atomic<bool> ended = false;
    const auto solve = [&](bool calling) {
        const auto stop = [&](const BeamOutcome&) {
            if (calling && poll) poll();
            return ended.load();
        };
        for (std::uint32_t i = next.fetch_add(1); i < plan_.boards && !ended; i = next.fetch_add(1)) {
            if (calling && poll) poll();
            made[i] = drawn(i);
            BeamOutcome outcome = values.beam(made[i].start, goal, request, stop);
            made[i].solved = outcome.status == Status::solved;
            made[i].moves = std::move(outcome.path);
            made[i].take_walk_if_shorter();
            generated += outcome.generated;
            if (lesson == Lesson::ranks && made[i].solved) {
                const auto stop_layers = [&] { return stop(outcome); };
                made[i].rankings = values.with_slides([&](const auto& slides) {
                    const LayersAlongPath layers(slides, plan_.rank_width);
                    return layers.rankings(made[i].start, made[i].moves, plan_.others, random_of_board(i), stop_layers);
                });
            }
        }
    };
    try {
        in_threads(threads, [&](int number) {
            try {
                if (number == 0) learn(lesson, rate, report, poll);
                solve(number == 0);
            } catch (...) {
                ended = true;
                throw;
            }
        });
    } catch (...) {
        weights_.take_numbers_of(before);
        random_ = random_before;
        throw;
    }
    report.generated = generated;
    report.width = request.width;
    keep(made, report);
    walk_ = std::min(walk_ * plan_.growth, plan_.longest_walk);
    report.rounds = ++rounds_;
    report.walk = walk_;
    return report;
}

SplitMix PairTraining::random_of_board(std::uint32_t number) const {
    SplitMix random((seed_ << 40) ^ (rounds_ << 16) ^ number);
    random();
    return random;
}

PairTraining::Path PairTraining::drawn(std::uint32_t number) const {
    SplitMix random = random_of_board(number);
    Path path;
    path.drawn_at_random = walks_are_long() && (number & 1) != 0;
    path.start = path.drawn_at_random ? shuffled(random) : walked(random, path.walk);
    return path;
}

HomesBoard PairTraining::solved() const {
    HomesBoard board(static_cast<std::size_t>(layout_.cells()));
    for (std::size_t cell = 0; cell < board.size(); ++cell) board[cell] = static_cast<HomeCell>(cell);
    return board;
}

HomesBoard PairTraining::walked(SplitMix& random, std::vector<HomeCell>& home) const {
    HomesBoard board = solved();
    int blank = 0;
    int back = -1;
    const auto moves = static_cast<int>(walk_ * (0.3 + 0.7 * random.below(1000) / 1000.0));
    for (int i = 0; i < moves; ++i) {
        int way = 0;
        do way = static_cast<int>(random.below(4));
        while (way == back || layout_.steps().to(blank, way) == BlankSteps::none);
        home.push_back(static_cast<HomeCell>(blank));
        slide(board, blank, layout_.steps().to(blank, way));
        back = way ^ 1;
    }
    std::reverse(home.begin(), home.end());
    return board;
}

// Any board that can be solved: shuffled, and two tiles exchanged if the parity is wrong.
HomesBoard PairTraining::shuffled(SplitMix& random) const {
    HomesBoard board = solved();
    for (std::size_t i = board.size() - 1; i > 0; --i)
        std::swap(board[i], board[random.below(static_cast<std::uint32_t>(i + 1))]);
    HomesBoard sorting = board;
    int exchanges = 0;
    for (std::size_t cell = 0; cell < sorting.size(); ++cell) {
        while (sorting[cell] != cell) {
            std::swap(sorting[cell], sorting[sorting[cell]]);
            ++exchanges;
        }
    }
    const int blank = blank_of(board);
    if (((exchanges + blank / layout_.columns() + blank % layout_.columns()) & 1) != 0) {
        const std::size_t first = board[0] == 0 ? 1 : 0;
        const std::size_t second = board[first + 1] == 0 ? first + 2 : first + 1;
        std::swap(board[first], board[second]);
    }
    return board;
}

void PairTraining::keep(std::vector<Path>& made, RoundReport& report) {
    rankings_.clear();
    for (Path& path : made) {
        ++(path.solved ? report.solved : report.failed);
        if (!path.solved) continue;
        std::move(path.rankings.begin(), path.rankings.end(), std::back_inserter(rankings_));
        path.rankings = {};
        if (path.drawn_at_random) {
            ++report.random_boards;
            report.mean_length += static_cast<double>(path.moves.size());
        }
        if (!path.moves.empty()) paths_.push_back(std::move(path));
        if (paths_.size() > plan_.most_paths) paths_.pop_front();
    }
    if (report.random_boards > 0) report.mean_length /= report.random_boards;
}

void PairTraining::learn(Lesson lesson, float rate, RoundReport& report, const std::function<void()>& poll) {
    if (paths_.empty()) return;
    report.error = lesson == Lesson::ranks ? learn_ranks(rate, poll) : learn_paths(lesson, rate, poll);
    if (layout_.rows() == layout_.columns()) weights_.symmetrise(poll);
}

double PairTraining::learn_paths(Lesson lesson, float rate, const std::function<void()>& poll) {
    const bool differences = lesson == Lesson::differences;
    const float step = rate * (differences ? plan_.difference_rate : plan_.rate);
    double squares = 0;
    for (std::uint32_t i = 0; i < plan_.samples; ++i) {
        if (poll && i % samples_between_polls == 0) poll();
        const Path& path = any_path();
        const float error = differences ? learn_difference(path, step) : learn_rest(path, step);
        squares += static_cast<double>(error) * static_cast<double>(error);
    }
    return std::sqrt(squares / plan_.samples);
}

// In any order, each beside two differences, which keep the values near the numbers of moves.
double PairTraining::learn_ranks(float rate, const std::function<void()>& poll) {
    double squares = 0;
    for (std::size_t left = rankings_.size(); left > 0; --left) {
        if (poll && left % rankings_between_polls == 0) poll();
        std::swap(rankings_[left - 1], rankings_[random_.below(static_cast<std::uint32_t>(left))]);
        learn_ranking(rankings_[left - 1], rate * plan_.rank_rate);
        for (int i = 0; i < 2; ++i) {
            const float error = learn_difference(any_path(), rate * plan_.rank_difference_rate);
            squares += static_cast<double>(error) * static_cast<double>(error);
        }
    }
    return rankings_.empty() ? 0 : std::sqrt(squares / (2 * static_cast<double>(rankings_.size())));
}

// The board of a path should have a smaller value than the others: a step down the logistic loss (after Xu and Fern 2007, who
// learn linear functions that keep a beam on its path).
void PairTraining::learn_ranking(Ranking& ranking, float step) {
    if (ranking.others.empty()) return;
    const bool image = layout_.rows() == layout_.columns() && (random_() & 1) == 0;
    if (image) transpose(ranking.board);
    const float value = weights_.value(ranking.board.data());
    float sum = 0;
    for (HomesBoard& other : ranking.others) {
        if (image) transpose(other);
        // the chance to be taken for nearer than the path's board
        const float wrong = 1 / (1 + std::exp((weights_.value(other.data()) - value) / plan_.rank_spread));
        const float by = step * wrong / static_cast<float>(ranking.others.size());
        add(other, by);
        sum += by;
    }
    add(ranking.board, -sum);
}

// A step is shared out among all weights that a board uses.
void PairTraining::add(const HomesBoard& board, float step) {
    weights_.add(board.data(), plan_.shared_only ? 0 : per_pair(step), per_pair(step) * plan_.shared_share, per_square(step));
}

const PairTraining::Path& PairTraining::any_path() { return paths_[random_.below(static_cast<std::uint32_t>(paths_.size()))]; }

// The value of a board on a path should be the number of moves that are left.
float PairTraining::learn_rest(const Path& path, float step) {
    const auto length = static_cast<std::uint32_t>(path.moves.size());
    const std::uint32_t at = random_.below(length + 1);
    go(path, at, first_);
    mirror_half(first_, nullptr);
    const float error = weights_.value(first_.data()) - static_cast<float>(length - at);
    add(first_, -step * error);
    return error;
}

// Values should fall by one with each move along a path.
float PairTraining::learn_difference(const Path& path, float step) {
    const auto length = static_cast<std::uint32_t>(path.moves.size());
    const std::uint32_t gap = std::min(4 + random_.below(47), length);
    const std::uint32_t at = random_.below(length - gap + 1);
    int blank = go(path, at, first_);
    second_ = first_;
    for (std::uint32_t i = at; i < at + gap; ++i) slide(second_, blank, path.moves[i]);
    mirror_half(first_, &second_);
    return weights_.descend(first_.data(), second_.data(), static_cast<float>(gap), plan_.shared_only ? 0 : per_pair(step),
                            per_pair(step) * plan_.shared_share, per_square(step));
}

int PairTraining::go(const Path& path, std::uint32_t moves, HomesBoard& board) const {
    board = path.start;
    int blank = blank_of(board);
    for (std::uint32_t i = 0; i < moves; ++i) slide(board, blank, path.moves[i]);
    return blank;
}

// Square boards are as far from home as their transposed images: half of the samples are images.
void PairTraining::mirror_half(HomesBoard& first, HomesBoard* second) {
    if (layout_.rows() != layout_.columns() || (random_() & 1) != 0) return;
    transpose(first);
    if (second != nullptr) transpose(*second);
}

void PairTraining::transpose(HomesBoard& board) {
    image_ = board;
    const int side = layout_.columns();
    const auto turned = [side](int cell) { return cell % side * side + cell / side; };
    for (int cell = 0; cell < layout_.cells(); ++cell)
        board[static_cast<std::size_t>(turned(cell))] = static_cast<HomeCell>(turned(image_[static_cast<std::size_t>(cell)]));
}

}  // namespace tilewise
