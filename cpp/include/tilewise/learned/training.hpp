// Training of learned values by bootstrapping: solve boards with the values so far, learn from the paths, repeat.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "tilewise/learned/homes_board.hpp"
#include "tilewise/learned/layers_along_path.hpp"
#include "tilewise/learned/pair_weights.hpp"
#include "tilewise/learned/random.hpp"

namespace tilewise {

// What a round learns from the paths of the rounds before.
enum class Lesson {
    rest,         // how many moves are left
    differences,  // how many moves lie between two boards of a path
    ranks,        // which board of a layer leads to the goal, and differences beside it
};

struct TrainingPlan {
    std::uint32_t width = 100;         // of the beam that solves the boards
    std::uint32_t wide = 250;          // the same, while differences are learned
    std::uint32_t boards = 60;         // solved in each round
    std::uint32_t samples = 40000;     // learned from in each round
    std::uint32_t most_paths = 20000;  // that are kept, the newest ones
    float rate = 0.04F;                // of a step, shared out among the pairs, and again among the squares
    float difference_rate = 0.04F;
    float shared_share = 0.5F;        // of a step for shared weights
    float square_share = 1;           // of a step for the weights of squares, if there are any
    bool shared_only = false;         // the weights of pairs and tiles stay as they are
    std::uint32_t path_width = 3000;  // of the beam that solves the boards while ranks are learned
    std::uint32_t rank_width = 300;   // of the narrower beam that should keep to these paths
    std::uint32_t others = 8;         // boards of a layer beside that of the path
    float rank_spread = 3;            // moves between two values that are worth a lesson
    float rank_rate = 0.3F;
    float rank_difference_rate = 0.02F;
    double first_walk = 30;      // moves of the random walks in the first round
    double growth = 1.12;        // from round to round
    double longest_walk = 3000;  // then half of the boards are drawn at random
};

struct RoundReport {
    std::uint64_t rounds = 0;
    double walk = 0;
    std::uint32_t solved = 0;
    std::uint32_t failed = 0;
    std::uint32_t random_boards = 0;
    double mean_length = 0;  // of the solutions of boards drawn at random
    double error = 0;        // root of the mean squared error of the samples, in moves
    std::uint64_t generated = 0;
    std::uint32_t width = 0;  // of the beam that solved the boards
};

class PairTraining {
public:
    PairTraining(int rows, int columns, const TrainingPlan& plan, std::uint64_t seed);
    PairTraining(const PairTraining&) = delete;
    PairTraining& operator=(const PairTraining&) = delete;

    PairWeights& weights() { return weights_; }
    TrainingPlan& plan() { return plan_; }
    bool walks_are_long() const { return walk_ >= plan_.longest_walk; }
    // For a training that goes on: the weights are good enough for boards drawn at random.
    void begin_with_long_walks() { walk_ = plan_.longest_walk; }

    // One round: boards are solved with the values of before while the calling thread learns from earlier paths. `rate` is
    // the share of the full step. The weights do not depend on the number of threads. `poll` is called by the calling thread
    // every few milliseconds; what it throws ends the round, and the weights are those of before.
    RoundReport round(Lesson lesson, float rate, int threads, const std::function<void()>& poll = {});

private:
    struct Path {
        HomesBoard start;
        std::vector<HomeCell> moves;
        std::vector<HomeCell> walk;  // the way back of a random walk
        bool drawn_at_random = false;
        bool solved = false;
        std::vector<Ranking> rankings;

        void take_walk_if_shorter();
    };

    SplitMix random_of_board(std::uint32_t number) const;
    Path drawn(std::uint32_t number) const;
    const Path& any_path();
    HomesBoard solved() const;
    HomesBoard walked(SplitMix& random, std::vector<HomeCell>& home) const;
    HomesBoard shuffled(SplitMix& random) const;
    void keep(std::vector<Path>& made, RoundReport& report);
    void learn(Lesson lesson, float rate, RoundReport& report, const std::function<void()>& poll);
    double learn_paths(Lesson lesson, float rate, const std::function<void()>& poll);
    double learn_ranks(float rate, const std::function<void()>& poll);
    void learn_ranking(Ranking& ranking, float step);
    void add(const HomesBoard& board, float step);
    float per_pair(float step) const { return step / static_cast<float>(layout_.pairs()); }
    float per_square(float step) const { return plan_.square_share * step / static_cast<float>(weights_.number_of_squares()); }
    float learn_rest(const Path& path, float step);
    float learn_difference(const Path& path, float step);
    int go(const Path& path, std::uint32_t moves, HomesBoard& board) const;
    void mirror_half(HomesBoard& first, HomesBoard* second);
    void transpose(HomesBoard& board);

    PairLayout layout_;
    PairWeights weights_;
    TrainingPlan plan_;
    std::uint64_t seed_;
    SplitMix random_;
    double walk_;
    std::uint64_t rounds_ = 0;
    std::deque<Path> paths_;
    std::vector<Ranking> rankings_;  // of the last round
    HomesBoard first_;
    HomesBoard second_;
    HomesBoard image_;
};

}  // namespace tilewise
