// Changes of values of 32 boards at once, with AVX-512: a look-up of 16-bit numbers among 64 of them takes one instruction.

#include <immintrin.h>
#include <stdint.h>

#include "tilewise/learned/slide_batch.hpp"

namespace tilewise {

void batched_changes_avx512(SlideBatch& batch);

namespace {

constexpr int most_words = 16;  // of four cells each

__m512i loaded(const void* from) { return _mm512_loadu_si512(from); }

// The number that each of 32 indices has among 64. Of the indices, only the low six bits count.
__m512i looked_up(const void* numbers, __m512i indices) {
    return _mm512_permutex2var_epi16(loaded(numbers), indices, loaded(static_cast<const char*>(numbers) + 64));
}

// Of 16 boards the first 64 cells: word[i] has four neighbouring cells of each board.
void transpose(const uint8_t* const* boards, __m512i* word) {
    __m512i row[16];
    __m512i pair[16];
    for (int i = 0; i < 16; ++i) row[i] = loaded(boards[i]);
    for (int i = 0; i < 16; i += 2) {
        pair[i] = _mm512_unpacklo_epi32(row[i], row[i + 1]);
        pair[i + 1] = _mm512_unpackhi_epi32(row[i], row[i + 1]);
    }
    for (int i = 0; i < 16; i += 4) {
        row[i] = _mm512_unpacklo_epi64(pair[i], pair[i + 2]);
        row[i + 1] = _mm512_unpackhi_epi64(pair[i], pair[i + 2]);
        row[i + 2] = _mm512_unpacklo_epi64(pair[i + 1], pair[i + 3]);
        row[i + 3] = _mm512_unpackhi_epi64(pair[i + 1], pair[i + 3]);
    }
    for (int i = 0; i < 4; ++i) {  // row[i], row[i + 4] ...: quarters of boards 0-3, 4-7 ...
        const __m512i low_first = _mm512_shuffle_i32x4(row[i], row[i + 4], 0x44);
        const __m512i high_first = _mm512_shuffle_i32x4(row[i], row[i + 4], 0xEE);
        const __m512i low_second = _mm512_shuffle_i32x4(row[i + 8], row[i + 12], 0x44);
        const __m512i high_second = _mm512_shuffle_i32x4(row[i + 8], row[i + 12], 0xEE);
        word[i] = _mm512_shuffle_i32x4(low_first, low_second, 0x88);
        word[i + 4] = _mm512_shuffle_i32x4(low_first, low_second, 0xDD);
        word[i + 8] = _mm512_shuffle_i32x4(high_first, high_second, 0x88);
        word[i + 12] = _mm512_shuffle_i32x4(high_first, high_second, 0xDD);
    }
}

// Of 32 boards what some cells of a square count in a half of its number.
__m512i half_of(const SlideBatch& batch, const BatchSquare& square, int from, int to, const __m512i* tiles) {
    __m512i half = _mm512_setzero_si512();
    for (int i = from; i < to; ++i) {
        const size_t cell = square.cells[i];
        const uint16_t* classes = batch.classes + (2 * cell + square.times_26[i]) * 64;
        half = _mm512_add_epi16(half, looked_up(classes, tiles[cell]));
    }
    return half;
}

// What a square adds to the changes of 32 boards: a gather of numbers is slower than reading them one by one.
void add_change(const SlideBatch& batch, const BatchSquare& square, const __m512i* tiles, int32_t* changes) {
    const __m512i high = half_of(batch, square, 0, square.high, tiles);
    const __m512i low = half_of(batch, square, square.high, square.others, tiles);
    const __m512i factors = _mm512_set1_epi32((1 << 16) | 676);
    alignas(64) uint32_t numbers[32];
    _mm512_store_si512(numbers, _mm512_madd_epi16(_mm512_unpacklo_epi16(high, low), factors));
    _mm512_store_si512(numbers + 16, _mm512_madd_epi16(_mm512_unpackhi_epi16(high, low), factors));
    const int16_t* before = batch.weights + square.before;
    const int16_t* after = batch.weights + square.after;
    for (int i = 0; i < 32; ++i) changes[i] += after[numbers[i]] - before[numbers[i]];
}

}  // namespace

void batched_changes_avx512(SlideBatch& batch) {
    __m512i first[most_words];
    __m512i second[most_words];
    transpose(batch.boards, first);
    transpose(batch.boards + 16, second);
    // for each cell the tiles of 32 boards, in turn of the first and of the second half
    __m512i tiles[4 * most_words];
    const int words = static_cast<int>((batch.cells + 3) / 4);
    for (int i = 0; i < words; ++i) {
        const __mmask32 odd = 0xAAAAAAAA;
        const __m512i low = _mm512_mask_blend_epi16(odd, first[i], _mm512_slli_epi32(second[i], 16));
        const __m512i high = _mm512_mask_blend_epi16(odd, _mm512_srli_epi32(first[i], 16), second[i]);
        tiles[4 * i] = low;
        tiles[4 * i + 1] = _mm512_srli_epi16(low, 8);
        tiles[4 * i + 2] = high;
        tiles[4 * i + 3] = _mm512_srli_epi16(high, 8);
    }
    __m512i pairs = _mm512_setzero_si512();
    for (size_t cell = 0; cell < batch.cells; ++cell)
        pairs = _mm512_add_epi16(pairs, looked_up(batch.row + cell * batch.cells, tiles[cell]));
    if (batch.back) pairs = _mm512_sub_epi16(_mm512_setzero_si512(), pairs);
    const __m512i none = _mm512_setzero_si512();
    const __m512i fixed = _mm512_set1_epi32(batch.fixed);
    __m512i low = _mm512_add_epi32(fixed, _mm512_srai_epi32(_mm512_unpacklo_epi16(none, pairs), 16));
    __m512i high = _mm512_add_epi32(fixed, _mm512_srai_epi32(_mm512_unpackhi_epi16(none, pairs), 16));
    alignas(64) int32_t of_squares[32] = {};  // in the order of low and high
    for (size_t i = 0; i < batch.squares; ++i) add_change(batch, batch.square[i], tiles, of_squares);
    low = _mm512_add_epi32(low, loaded(of_squares));
    high = _mm512_add_epi32(high, loaded(of_squares + 16));
    // the words 2i and 2i + 1 belong to the boards i and 16 + i; low has the words 0-3, 8-11 ..., high the others
    const __m512i of_first = _mm512_setr_epi32(0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30);
    const __m512i of_second = _mm512_add_epi32(of_first, _mm512_set1_epi32(1));
    _mm512_storeu_si512(batch.changes, _mm512_permutex2var_epi32(low, of_first, high));
    _mm512_storeu_si512(batch.changes + 16, _mm512_permutex2var_epi32(low, of_second, high));
}

}  // namespace tilewise
