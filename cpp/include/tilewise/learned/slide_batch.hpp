// How one slide changes the values of up to 32 boards at once, on processors that look up a number for each of 32 boards in one
// step. It has no types of the library: it is compiled with flags that the rest is not compiled with.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tilewise {

// A square of four cells that a slide changes. Its weight has the number high * 676 + low, where each half is 26 times the class
// of one place and the class of the next one.
struct BatchSquare {
    std::uint8_t others;       // its cells beside the blank and the tile
    std::uint8_t high;         // as many of them, the first ones, count in the high half
    std::uint8_t cells[3];     // which they are,
    std::uint8_t times_26[3];  // and whether they count 26 times
    std::uint32_t before;      // what blank and tile add to the number
    std::uint32_t after;
};

struct SlideBatch {
    static constexpr std::size_t most = 32;    // boards
    static constexpr std::size_t padded = 64;  // what is read at once: tables and boards end with room for as much
    static constexpr std::size_t most_squares = 6;

    std::size_t cells = 0;                  // at most 64
    const std::uint8_t* boards[most] = {};  // all of them are there; those beyond the last one are copies
    const std::int16_t* row = nullptr;      // pairs: row[cell * cells + home]
    bool back = false;                      // the pairs count with the other sign
    std::int32_t fixed = 0;                 // what all boards change by, in any case

    std::size_t squares = 0;
    BatchSquare square[most_squares];
    const std::uint16_t* classes = nullptr;  // for each cell the classes of 64 homes, then 26 times the same
    const std::int16_t* weights = nullptr;   // of squares

    std::int32_t changes[most] = {};
};

// Null where the processor has no such instructions.
using ChangeValues = void (*)(SlideBatch& batch);
ChangeValues batched_changes();

}  // namespace tilewise
