// The inner loops of building tables, compiled once for each level of the processor: portable,
// and on x86-64 with AVX2 and with AVX-512. All levels do the same.
//
// A set of orders is an array of words of 24 bits: a word has the orders that differ in their
// last four tiles only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilewise {

// Bits of a word that go to the left, or to the right where `left` is negative.
struct BitShift {
    std::uint32_t bits;
    int left;
};

struct Kernels {
    const char* name;
    // into[i] |= from[i]
    void (*unite)(std::uint32_t* into, const std::uint32_t* from, std::uint32_t words);
    // into[i] |= from[source[i]]
    void (*gather)(std::uint32_t* into, const std::uint32_t* from, const std::uint32_t* source, std::uint32_t words);
    // into[i] |= four quarters of six bits: the j-th is that of from[p / 32] rotated left by p % 32
    // for p = parts[j * words + i]
    void (*gather_quarters)(std::uint32_t* into, const std::uint32_t* from, const std::uint32_t* parts, std::uint32_t words);
    // into[i] |= some bits of from[i], shifted
    void (*shift)(std::uint32_t* into, const std::uint32_t* from, BitShift shift, std::uint32_t words);
    // for the quarters of `from` that have bits: into[p / 32] |= the j-th quarter of from[i]
    // rotated right by p % 32 for p = parts[j * words + i]
    void (*scatter_quarters)(std::uint32_t* into, const std::uint32_t* from, const std::uint32_t* parts, std::uint32_t words);
    // set[i] = made[i] without set[i]; returns the bits that are left
    std::uint32_t (*renew)(std::uint32_t* set, const std::uint32_t* made, std::uint32_t words);
    // fresh[i] = set[i] without taken[i], which are taken from now on; returns how many bits
    std::uint32_t (*claim)(std::uint32_t* fresh, const std::uint32_t* set, std::uint32_t* taken, std::uint32_t words);
    // values[24 i + bit] = value for each bit of a word
    void (*value)(std::uint8_t* values, const std::uint32_t* set, std::uint32_t words, std::uint8_t value);
};

// The levels this processor has, the best one first.
std::vector<const Kernels*> kernels();

// The best level, or the one of that name; throws std::invalid_argument if there is none.
const Kernels& kernels_named(const std::string& name);

}  // namespace tilewise
