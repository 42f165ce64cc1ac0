// Subtrees of a pass of IDA*, searched by threads. Each is counted when it is done and not before, so
// that a search which was stopped goes on with those that are left.
#pragma once

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "tilewise/search/passes.hpp"
#include "tilewise/search/subtrees.hpp"

namespace tilewise {

struct SubtreeDone {
    std::size_t number;  // among the roots
    std::uint64_t expanded;
    std::uint64_t generated;
    std::uint64_t max_depth;
    int least_above;  // INT32_MAX: nothing was cut off
};

// What threads have done and the caller has not taken yet.
class DoneSubtrees {
public:
    void add(const SubtreeDone& subtree) {
        const std::lock_guard lock(adding_);
        done_.push_back(subtree);
    }
    std::vector<SubtreeDone> take() {
        const std::lock_guard lock(adding_);
        return std::exchange(done_, {});
    }

private:
    std::mutex adding_;
    std::vector<SubtreeDone> done_;
};

// How it ended: all subtrees are done, or a solution is found, or the meter stopped it.
struct SubtreesOutcome {
    bool found = false;
    bool stopped = false;
    Path moves;
};

template <KernelMaker Make>
SubtreesOutcome search_subtrees(const std::vector<Path>& roots, int bound, int threads, Meter& whole, DoneSubtrees& done,
                                Make make) {
    SubtreesOutcome outcome;
    SharedWork work(whole.most_generated(), threads);
    const Stats nothing;
    std::mutex finding;
    struct Leaving {
        SharedWork& work;
        const ThreadMeter& meter;
        const Stats& stats;
        ~Leaving() { work.leave(meter.unused(stats)); }
    };
    const auto search_some = [&](auto& kernel, const ThreadMeter& meter) {
        Stats stats;
        const Leaving leaving{work, meter, stats};
        for (std::size_t i = work.next++; i < roots.size() && !work.stop; i = work.next++) {
            const Stats before = stats;
            stats.max_depth = 0;
            kernel.place(roots[i]);
            if (kernel.pass(bound, stats)) {
                work.stop = true;
                if (!kernel.found()) return;
                const std::lock_guard lock(finding);
                outcome.found = true;
                outcome.moves = kernel.moves();
                return;
            }
            done.add(
                {i, stats.expanded - before.expanded, stats.generated - before.generated, stats.max_depth, kernel.least_above()});
        }
    };
    in_threads(threads, [&](int number) {
        ThreadMeter meter(work, number == 0 ? &whole : nullptr, nothing);
        auto kernel = make(meter);
        try {
            search_some(kernel, meter);
            while (number == 0 && !work.all_done()) {
                meter.look_after_all();
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
            }
        } catch (...) {
            work.stop = true;
            throw;
        }
    });
    outcome.stopped = work.stop && !outcome.found;
    return outcome;
}

}  // namespace tilewise
