// Observers of a search, as template arguments: one that sees nothing, one that keeps the first
// events and a digest of all (64-bit FNV-1a; the fields and their widths are in events.py).
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "tilewise/domain.hpp"

namespace tilewise {

enum class Kind : std::uint8_t { start, expand, generate, duplicate, reopen, stale, bound, goal, stop };

struct Key {
    std::int64_t priority;
    std::int64_t tie;
};

struct Event {
    Kind kind;
    std::int64_t node;
    std::int64_t parent;
    Move move;
    std::int32_t g;
    std::int32_t h;
    Key key;
};

// An observer is called with every event and the state that it is about. Where it is not watching,
// a search does not even make the events.
template <class Watcher>
concept SearchObserver = requires(Watcher& watcher, const Event& event, const PackedState& state) {
    { Watcher::watching } -> std::convertible_to<bool>;
    watcher(event, state);
};

struct Silent {
    static constexpr bool watching = false;
    template <class State>
    void operator()(const Event&, const State&) const {}
};
static_assert(SearchObserver<Silent>);

class Recorder {
public:
    static constexpr bool watching = true;

    Recorder(std::uint64_t keep, int cells) : keep_(keep), cells_(cells) {}

    template <class State>
    void operator()(const Event& event, const State& state) {
        add(count_, 8);
        add(static_cast<std::uint64_t>(event.kind), 1);
        add(static_cast<std::uint64_t>(event.node), 8);
        add(static_cast<std::uint64_t>(event.parent), 8);
        add(event.move, 1);
        add(static_cast<std::uint64_t>(event.g), 4);
        add(static_cast<std::uint64_t>(event.h), 4);
        add(static_cast<std::uint64_t>(event.key.priority), 8);
        add(static_cast<std::uint64_t>(event.key.tie), 8);
        for (int cell = 0; cell < cells_; ++cell) add(static_cast<std::uint64_t>(state.tile(cell)), 1);
        if (count_ < keep_) {
            events_.push_back(event);
            for (int cell = 0; cell < cells_; ++cell) boards_.push_back(static_cast<std::uint8_t>(state.tile(cell)));
        }
        ++count_;
    }

    std::uint64_t count() const { return count_; }
    std::uint64_t digest() const { return digest_; }
    const std::vector<Event>& events() const { return events_; }
    const std::vector<std::uint8_t>& boards() const { return boards_; }

private:
    void add(std::uint64_t value, int bytes) {
        for (int i = 0; i < bytes; ++i) {
            digest_ = (digest_ ^ (value >> (8 * i) & 255)) * 0x100000001b3u;
        }
    }

    std::uint64_t keep_;
    int cells_;
    std::uint64_t count_ = 0;
    std::uint64_t digest_ = 0xcbf29ce484222325u;
    std::vector<Event> events_;
    std::vector<std::uint8_t> boards_;
};
static_assert(SearchObserver<Recorder>);

}  // namespace tilewise
