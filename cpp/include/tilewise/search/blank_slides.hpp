// The slides that a state can make, but the one straight back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tilewise/learned/homes_board.hpp"

namespace tilewise {

// A list for each cell of the blank and each way that it came: a loop over it does not branch for every way.
class BlankSlides {
public:
    static constexpr std::uint8_t no_way = 4;  // that it came, at the start

    struct List {
        std::array<std::uint8_t, 4> to;
        std::array<std::uint8_t, 4> way;
        std::uint8_t count;
    };

    explicit BlankSlides(const BlankSteps& steps) {
        for (int blank = 0; blank < steps.cells(); ++blank) {
            for (int came = 0; came <= no_way; ++came) {
                const int back = came == no_way ? no_way : came ^ 1;
                List list{};
                for (int way = 0; way < 4; ++way) {
                    const int to = steps.to(blank, way);
                    if (to == BlankSteps::none || way == back) continue;
                    list.to[list.count] = static_cast<std::uint8_t>(to);
                    list.way[list.count++] = static_cast<std::uint8_t>(way);
                }
                lists_.push_back(list);
            }
        }
    }

    const List& of(std::uint8_t blank, std::uint8_t came) const { return lists_[std::size_t{blank} * (no_way + 1) + came]; }

private:
    std::vector<List> lists_;
};

}  // namespace tilewise
