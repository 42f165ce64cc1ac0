// The random numbers of training and of hashes: splitmix64 (Steele, Lea, Flood 2014), the same on every machine.
#pragma once

#include <cstdint>

namespace tilewise {

class SplitMix {
public:
    explicit SplitMix(std::uint64_t seed) : state_(seed) {}

    std::uint64_t operator()() {
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }
    std::uint32_t below(std::uint32_t n) {
        return static_cast<std::uint32_t>((std::uint64_t{static_cast<std::uint32_t>((*this)())} * n) >> 32);
    }

private:
    std::uint64_t state_;
};

}  // namespace tilewise
