// How wide the layers of a beam may be: all as wide, or narrower near the goal, or as wide as comes to the end in a time.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "tilewise/search/beam_request.hpp"

namespace tilewise {

class BeamWidths {
public:
    using Clock = std::chrono::steady_clock;

    BeamWidths() = default;
    BeamWidths(const BeamRequest& request, Clock::time_point now) : request_(request), began_(now), layer_began_(now) {}

    // How many states the layer that comes next may have. The one before has this depth and size, and this number of moves is
    // estimated to be left from its best state.
    std::uint64_t next(std::uint32_t depth, std::uint32_t size, double moves_left) {
        double width = request_.width;
        if (request_.ends_in > 0) width = std::min(width, in_time(depth, size));
        return std::max(std::uint64_t{1}, static_cast<std::uint64_t>(width * share_kept(moves_left)));
    }

private:
    // All of the width until about 60 moves are left, then less and less, if the beam narrows.
    double share_kept(double moves_left) const {
        if (!request_.narrows) return 1;
        constexpr double full = 60;
        constexpr double narrowest = 25;
        constexpr double least = 0.05;
        return least + (1 - least) * std::clamp((moves_left - narrowest) / (full - narrowest), 0.0, 1.0);
    }

    // How wide the layers down to the last depth can be in the time that is left, as fast as the last ones were.
    double in_time(std::uint32_t depth, std::uint32_t size) {
        const auto now = Clock::now();
        constexpr double kept = 0.8;  // of what is known about speed, with each layer
        states_ = kept * states_ + size;
        seconds_ = kept * seconds_ + std::chrono::duration<double>(now - layer_began_).count();
        layer_began_ = now;
        double layers = 0;
        for (std::uint32_t left = request_.most_moves - depth; left > 0; --left) layers += share_kept(left);
        const double seconds_left = request_.ends_in - std::chrono::duration<double>(now - began_).count();
        constexpr double least = 100;  // one so narrow takes no time, and would lose its way
        return std::max(least, seconds_left * states_ / seconds_ / std::max(1.0, layers));
    }

    BeamRequest request_;
    Clock::time_point began_;
    Clock::time_point layer_began_;
    double states_ = 0;  // of the last layers, and how long they took
    double seconds_ = 0;
};

}  // namespace tilewise
