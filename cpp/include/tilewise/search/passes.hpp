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
#include "tilewise/search/subtrees.hpp"
#include "tilewise/threads.hpp"

namespace tilewise {

// What the threads of a pass have made together, and what they may still make. Nodes are taken in
// portions before they are made, so the limit of nodes is kept exactly: a thread that finds none
// left waits for those that others give back, and the limit is reached when all of them wait.
class SharedWork {
public:
    SharedWork(std::uint64_t nodes, int threads) : left_(nodes), working_(threads) {}

    std::atomic<std::uint64_t> generated = 0;
    std::atomic<std::size_t> next = 0;
    std::atomic<int> least_above = INT32_MAX;
    std::atomic<bool> stop = false;

    // Up to `wanted` nodes.
    std::uint64_t take(std::uint64_t wanted) {
        const std::lock_guard lock(counting_);
        const std::uint64_t taken = std::min(wanted, left_);
        left_ -= taken;
        return taken;
    }
    // A thread that has no node left starts to wait, or ends waiting.
    void wait(int change) {
        const std::lock_guard lock(counting_);
        waiting_ += change;
    }
    // A thread is done and gives back the nodes that it did not make.
    void leave(std::uint64_t unused) {
        const std::lock_guard lock(counting_);
        left_ += unused;
        --working_;
    }
    bool limit_reached() {
        const std::lock_guard lock(counting_);
        return left_ == 0 && waiting_ == working_;
    }
    bool all_done() {
        const std::lock_guard lock(counting_);
        return working_ == 0;
    }

private:
    std::mutex counting_;
    std::uint64_t left_;
    int working_;
    int waiting_ = 0;
};

// The meter of one of several threads; the calling one asks the meter of the whole search.
class ThreadMeter final : public Meter {
public:
    ThreadMeter(SharedWork& work, Meter* whole, const Stats& before)
        : Meter({}, nullptr), work_(work), whole_(whole), before_(before) {}

    bool stop(const Stats& stats) override {
        work_.generated += stats.generated - reported_;
        reported_ = stats.generated;
        look_after_all();
        const std::uint64_t held = unused(stats);
        std::uint64_t taken = work_.stop || held >= portion ? 0 : work_.take(portion - held);
        if (held + taken == 0 && !work_.stop) taken = wait_for_nodes();
        taken_ += taken;
        pause_at(std::min(taken_, stats.generated + portion));
        return work_.stop;
    }

    // The nodes that this thread has taken and not made.
    std::uint64_t unused(const Stats& stats) const { return taken_ - stats.generated; }

    // The calling thread sees to Ctrl-C and to limits. The one of nodes is kept by the portions.
    void look_after_all() {
        if (whole_ == nullptr) return;
        Stats sum = before_;
        sum.generated = std::min(sum.generated + work_.generated, whole_->most_generated() - 1);
        if (whole_->stop(sum)) work_.stop = true;
    }

private:
    static constexpr std::uint64_t portion = 4 * nodes_between_checks;

    std::uint64_t wait_for_nodes() {
        std::uint64_t taken = 0;
        work_.wait(1);
        while (!work_.stop && (taken = work_.take(portion)) == 0) {
            if (work_.limit_reached()) {
                work_.stop = true;
            } else {
                std::this_thread::sleep_for(std::chrono::microseconds(200));
                look_after_all();
            }
        }
        work_.wait(-1);
        return taken;
    }

    SharedWork& work_;
    Meter* whole_;
    const Stats& before_;
    std::uint64_t reported_ = 0;
    std::uint64_t taken_ = 0;
};

template <PuzzleDomain Domain>
class Passes {
public:
    // `below` is the cost of a known solution: passes that could not find a shorter one are not made.
    Passes(const Domain& domain, int threads, const MoveAutomaton* automaton, Meter& meter, int below = 0)
        : domain_(domain), threads_(threads), automaton_(automaton), meter_(meter), below_(below) {}

    // `pass(bound)` calls one() with the kernel that is best by now; `root_h` is of the start.
    template <class Pass>
    Outcome run(int root_h, Pass pass) {
        for (int bound = root_h;; bound = least_above_) {
            stats_.bound = static_cast<std::uint64_t>(bound);
            if (below_ > 0 && bound >= below_) return end(Status::met, stats_.expanded);
            ++stats_.iterations;
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
    static constexpr std::uint64_t worth_splitting = 100'000;
    static constexpr std::uint64_t most_subtrees = 20'000;
    static constexpr std::uint64_t nodes_a_subtree = 1'000;  // of the pass before, which is a part of this one

    template <KernelMaker Make>
    bool split(int bound, Make make) {
        auto first = make(meter_);
        if (meter_.stop(stats_)) return true;  // its pause is from before the last pass
        const std::uint64_t wanted = std::min(most_subtrees, last_pass_ / nodes_a_subtree);
        const Subtrees top = subtrees_below(domain_, automaton_, bound, wanted, first, meter_, stats_);
        least_above_ = std::min(least_above_, top.least_above);
        found_ = top.found;
        if (found_) moves_ = top.moves;
        if (found_ || top.stopped) return true;
        const std::vector<Path>& subtrees = top.roots;
        SharedWork work(meter_.most_generated() - stats_.generated, threads_);
        work.least_above = least_above_;
        const Stats before = stats_;
        std::mutex adding;
        in_threads(threads_, [&](int number) {
            ThreadMeter meter(work, number == 0 ? &meter_ : nullptr, before);
            auto kernel = make(meter);
            try {
                search_subtrees(kernel, meter, subtrees, bound, work, adding);
                while (number == 0 && !work.all_done()) {
                    meter.look_after_all();
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

    template <Kernel K>
    void search_subtrees(K& kernel, const ThreadMeter& meter, const std::vector<Path>& subtrees, int bound, SharedWork& work,
                         std::mutex& adding) {
        Stats stats;
        const Leaving leaving{work, meter, stats};
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

    // Also where a thread ends by an exception, so that no other waits for it.
    struct Leaving {
        SharedWork& work;
        const ThreadMeter& meter;
        const Stats& stats;
        ~Leaving() { work.leave(meter.unused(stats)); }
    };

    Outcome end(Status status, std::uint64_t expanded_before) {
        Outcome outcome;
        outcome.status = status;
        if (status == Status::solved) outcome.moves = moves_;
        if (status == Status::solved || status == Status::met) stats_.expanded_below_cost = expanded_before;
        stats_.peak_stored = stats_.max_depth + 1;
        stats_.peak_memory = static_cast<std::uint64_t>(threads_) * (stats_.max_depth + 1) * sizeof(Move);
        outcome.stats = stats_;
        return outcome;
    }

    const Domain& domain_;
    int threads_;
    const MoveAutomaton* automaton_;
    Meter& meter_;
    int below_;
    Stats stats_;
    std::uint64_t last_pass_ = 0;
    int least_above_ = INT32_MAX;
    bool found_ = false;
    Path moves_;
};

}  // namespace tilewise
