// The passes of an unobserved IDA*, one after the other, by one thread or by several that share
// the subtrees of the root.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "tilewise/meter.hpp"
#include "tilewise/search/automaton.hpp"
#include "tilewise/search/kernel.hpp"
#include "tilewise/threads.hpp"

namespace tilewise {

// What the threads of a pass have made together.
struct SharedWork {
    std::atomic<std::uint64_t> generated = 0;
    std::atomic<std::size_t> next = 0;
    std::atomic<int> least_above = INT32_MAX;
    std::atomic<int> working = 0;
    std::atomic<bool> stop = false;
};

// The meter of one of several threads; the calling one asks the meter of the whole search.
class ThreadMeter final : public Meter {
public:
    ThreadMeter(SharedWork& work, Meter* whole, const Stats& before)
        : Meter({}, nullptr), work_(work), whole_(whole), before_(before) {}

    bool stop(const Stats& stats) override {
        work_.generated += stats.generated - told_;
        told_ = stats.generated;
        pause_at(stats.generated + nodes_between_checks);
        if (whole_ != nullptr && ask_whole()) work_.stop = true;
        return work_.stop;
    }

    // For the calling thread: whether the whole search must end.
    bool ask_whole() {
        Stats sum = before_;
        sum.generated += work_.generated;
        return whole_->stop(sum);
    }

private:
    SharedWork& work_;
    Meter* whole_;
    const Stats& before_;
    std::uint64_t told_ = 0;
};

template <PuzzleDomain Domain>
class Passes {
public:
    Passes(const Domain& domain, int threads, const MoveAutomaton* automaton, Meter& meter)
        : domain_(domain), threads_(threads), automaton_(automaton), meter_(meter) {}

    // `pass(bound)` calls one() with the kernel that is best by now; `root_h` is of the start.
    template <class Pass>
    Outcome run(int root_h, Pass pass) {
        for (int bound = root_h;; bound = least_above_) {
            ++stats_.iterations;
            stats_.bound = static_cast<std::uint64_t>(bound);
            const std::uint64_t expanded_before = stats_.expanded;
            const std::uint64_t generated_before = stats_.generated;
            if (domain_.start() == domain_.goal()) return end(Status::solved, expanded_before);
            least_above_ = INT32_MAX;
            if (pass(bound)) return end(found_ ? Status::solved : meter_.status(), expanded_before);
            if (least_above_ == INT32_MAX) return end(Status::unsolvable, expanded_before);
            last_pass_ = stats_.generated - generated_before;
        }
    }

    // One pass by a kernel; true when the search is over.
    template <KernelMaker Make>
    bool one(int bound, Make make) {
        if (threads_ > 1 && last_pass_ >= worth_splitting) return split(bound, make);
        auto kernel = make(meter_);
        kernel.place({});
        const bool over = kernel.pass(bound, stats_);
        least_above_ = kernel.least_above();
        found_ = kernel.found();
        moves_ = kernel.moves();
        return over;
    }

    std::uint64_t generated() const { return stats_.generated; }

private:
    using Path = std::vector<Move>;
    static constexpr std::uint64_t worth_splitting = 100'000;
    static constexpr std::uint64_t most_subtrees = 20'000;
    static constexpr std::uint64_t nodes_a_subtree = 1'000;  // of the pass before, which is a part of this one

    template <KernelMaker Make>
    bool split(int bound, Make make) {
        SharedWork work;
        const Stats before = stats_;
        ThreadMeter calling(work, &meter_, before);
        auto first = make(calling);
        const std::vector<Path> subtrees = subtrees_below(bound, first);
        if (found_) return true;
        work.least_above = least_above_;
        work.working = threads_;
        std::mutex adding;
        in_threads(threads_, [&](int number) {
            ThreadMeter own(work, nullptr, before);
            auto kernel = make(number == 0 ? calling : own);
            try {
                {
                    const Leaving leaving{work};
                    search_subtrees(kernel, subtrees, bound, work, adding);
                }
                while (number == 0 && work.working > 0) {  // Ctrl-C and limits are looked after to the end
                    if (calling.ask_whole()) work.stop = true;
                    std::this_thread::sleep_for(std::chrono::milliseconds(5));
                }
            } catch (...) {
                work.stop = true;
                throw;
            }
        });
        least_above_ = work.least_above;
        return work.stop;
    }

    struct Leaving {
        SharedWork& work;
        ~Leaving() { --work.working; }
    };

    template <Kernel K>
    void search_subtrees(K& kernel, const std::vector<Path>& subtrees, int bound, SharedWork& work, std::mutex& adding) {
        Stats stats;
        for (std::size_t i = work.next++; i < subtrees.size() && !work.stop; i = work.next++) {
            kernel.place(subtrees[i]);
            const bool over = kernel.pass(bound, stats);
            int least = work.least_above;
            while (kernel.least_above() < least && !work.least_above.compare_exchange_weak(least, kernel.least_above())) {
            }
            if (!over) continue;
            work.stop = true;
            if (!kernel.found()) break;
            const std::lock_guard lock(adding);
            found_ = true;
            moves_ = kernel.moves();
        }
        const std::lock_guard lock(adding);
        stats_.generated += stats.generated;
        stats_.expanded += stats.expanded;
        stats_.max_depth = std::max(stats_.max_depth, stats.max_depth);
    }

    // The nodes below a bound at the least depth that has enough of them.
    template <Kernel K>
    std::vector<Path> subtrees_below(int bound, K& kernel) {
        const std::uint64_t wanted = std::min(most_subtrees, last_pass_ / nodes_a_subtree);
        std::vector<Path> level{{}};
        while (level.size() < wanted && !level.empty()) {
            std::vector<Path> next;
            for (const Path& path : level) {
                ++stats_.expanded;
                for (const Path& child : children(path)) {
                    ++stats_.generated;
                    kernel.place(child);
                    const int f = static_cast<int>(child.size()) + kernel.h();
                    if (f > bound) {
                        least_above_ = std::min(least_above_, f);
                    } else if (kernel.at_goal()) {
                        found_ = true;
                        moves_ = child;
                        return {};
                    } else {
                        next.push_back(child);
                    }
                }
            }
            level = std::move(next);
        }
        return level;
    }

    std::vector<Path> children(const Path& path) const {
        int blank = domain_.start_blank();
        MoveAutomaton::State word = MoveAutomaton::begin;
        for (const Move move : path) {
            for (const Slide slide : domain_.slides(blank)) {
                if (slide.move == move) {
                    blank = slide.target;
                    break;
                }
            }
            if (automaton_ != nullptr) word = automaton_->after(word, move);
        }
        std::vector<Path> made;
        for (const Slide slide : domain_.slides(blank)) {
            if (!path.empty() && slide.move == opposite(path.back())) continue;
            if (automaton_ != nullptr && automaton_->after(word, slide.move) == MoveAutomaton::forbidden) continue;
            made.push_back(path);
            made.back().push_back(slide.move);
        }
        return made;
    }

    Outcome end(Status status, std::uint64_t expanded_before) {
        Outcome outcome;
        outcome.status = status;
        if (status == Status::solved) {
            outcome.moves = moves_;
            stats_.expanded_below_cost = expanded_before;
        }
        stats_.peak_stored = stats_.max_depth + 1;
        stats_.peak_memory = static_cast<std::uint64_t>(threads_) * (stats_.max_depth + 1) * sizeof(Move);
        outcome.stats = stats_;
        return outcome;
    }

    const Domain& domain_;
    int threads_;
    const MoveAutomaton* automaton_;
    Meter& meter_;
    Stats stats_;
    std::uint64_t last_pass_ = 0;
    int least_above_ = INT32_MAX;
    bool found_ = false;
    Path moves_;
};

}  // namespace tilewise
