// The loops of one level: compiled several times, with TILEWISE_LEVEL and the flags of that level.
// No inline function of a library is used here, so that none is compiled for a level that the
// processor may not have.

#include <stdint.h>

#if defined(__AVX512BW__) && defined(__AVX512VL__)
#include <immintrin.h>
#elif defined(_MSC_VER)
#include <intrin.h>
#endif

#include "tilewise/patterns/kernels.hpp"

namespace tilewise {
namespace {

#if defined(_MSC_VER)
uint32_t first_bit(uint32_t word) {
    unsigned long at = 0;
    _BitScanForward(&at, word);
    return at;
}
uint32_t bits(uint32_t word) { return __popcnt(word); }
#else
uint32_t first_bit(uint32_t word) { return static_cast<uint32_t>(__builtin_ctz(word)); }
uint32_t bits(uint32_t word) { return static_cast<uint32_t>(__builtin_popcount(word)); }
#endif

void unite(uint32_t* __restrict into, const uint32_t* __restrict from, uint32_t words) {
    for (uint32_t i = 0; i < words; ++i) into[i] |= from[i];
}

void gather(uint32_t* __restrict into, const uint32_t* __restrict from, const uint32_t* __restrict source, uint32_t words) {
    for (uint32_t i = 0; i < words; ++i) into[i] |= from[source[i]];
}

uint32_t rotated(uint32_t word, uint32_t left) { return word << left | word >> (-left & 31); }

void gather_quarters(uint32_t* __restrict into, const uint32_t* __restrict from, const uint32_t* __restrict parts,
                     uint32_t words) {
    const uint32_t* __restrict first = parts;
    const uint32_t* __restrict second = first + words;
    const uint32_t* __restrict third = second + words;
    const uint32_t* __restrict fourth = third + words;
    for (uint32_t i = 0; i < words; ++i) {
        into[i] |= (rotated(from[first[i] / 32], first[i] % 32) & 0x00003f) |
                   (rotated(from[second[i] / 32], second[i] % 32) & 0x000fc0) |
                   (rotated(from[third[i] / 32], third[i] % 32) & 0x03f000) |
                   (rotated(from[fourth[i] / 32], fourth[i] % 32) & 0xfc0000);
    }
}

void shift(uint32_t* __restrict into, const uint32_t* __restrict from, BitShift shift, uint32_t words) {
    if (shift.left >= 0) {
        for (uint32_t i = 0; i < words; ++i) into[i] |= (from[i] & shift.bits) << shift.left;
    } else {
        for (uint32_t i = 0; i < words; ++i) into[i] |= (from[i] & shift.bits) >> -shift.left;
    }
}

void scatter_quarters(uint32_t* __restrict into, const uint32_t* __restrict from, const uint32_t* __restrict parts,
                      uint32_t words) {
    for (uint32_t i = 0; i < words; ++i) {
        if (from[i] == 0) continue;
        for (uint32_t j = 0; j < 4; ++j) {
            const uint32_t quarter = from[i] & (uint32_t{63} << (6 * j));
            const uint32_t part = parts[j * words + i];
            if (quarter != 0) into[part / 32] |= rotated(quarter, -part & 31);
        }
    }
}

uint32_t renew(uint32_t* __restrict set, const uint32_t* __restrict made, uint32_t words) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < words; ++i) {
        set[i] = made[i] & ~set[i];
        count += bits(set[i]);
    }
    return count;
}

uint32_t claim(uint32_t* __restrict fresh, const uint32_t* __restrict set, uint32_t* __restrict taken, uint32_t words) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < words; ++i) {
        fresh[i] = set[i] & ~taken[i];
        taken[i] |= set[i];
        count += bits(fresh[i]);
    }
    return count;
}

void value(uint8_t* __restrict values, const uint32_t* __restrict set, uint32_t words, uint8_t value) {
    for (uint32_t i = 0; i < words; ++i, values += 24) {
#if defined(__AVX512BW__) && defined(__AVX512VL__)
        if (set[i] != 0) _mm256_mask_storeu_epi8(values, set[i], _mm256_set1_epi8(static_cast<char>(value)));
#else
        for (uint32_t word = set[i]; word != 0; word &= word - 1) values[first_bit(word)] = value;
#endif
    }
}

}  // namespace

#define TILEWISE_TEXT(name) #name
#define TILEWISE_NAME(name) TILEWISE_TEXT(name)
extern const Kernels TILEWISE_LEVEL;
const Kernels TILEWISE_LEVEL{
    TILEWISE_NAME(TILEWISE_LEVEL), unite, gather, gather_quarters, shift, scatter_quarters, renew, claim, value};

}  // namespace tilewise
