// What names of states are made of: bits mixed so that the highest are a good hash, and unmixed.
#pragma once

#include <cstdint>

namespace tilewise {

// The number whose product with an odd one ends in 1.
constexpr std::uint64_t inverse(std::uint64_t odd) {
    std::uint64_t found = odd;
    for (int i = 0; i < 6; ++i) found *= 2 - odd * found;
    return found;
}

template <int Bits>
struct Mixing {
    static_assert(Bits % 2 == 0);
    static constexpr std::uint64_t all = (std::uint64_t{1} << Bits) - 1;
    static constexpr std::uint64_t factor = 0x9e3779b97f4a7c15u;
    static constexpr std::uint64_t back = inverse(factor);
    static_assert(factor * back == 1);

    static std::uint64_t mixed(std::uint64_t bits) { return (bits ^ bits >> Bits / 2) * factor & all; }
    static std::uint64_t unmixed(std::uint64_t name) {
        const std::uint64_t bits = name * back & all;
        return bits ^ bits >> Bits / 2;
    }
};

// The one tile of sixteen cells that is missing, where the others are given four bits each.
inline std::uint64_t missing_tile(std::uint64_t tiles) {  // all together they are 0
    tiles ^= tiles >> 32;
    tiles ^= tiles >> 16;
    tiles ^= tiles >> 8;
    tiles ^= tiles >> 4;
    return tiles & 15;
}

}  // namespace tilewise
