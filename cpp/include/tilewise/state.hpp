// States: all that knows how tiles are laid out in memory. The blank is tile 0.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tilewise {

template <class State>
concept BoardState = std::regular<State> && requires(const State& state, const std::uint8_t* tiles, int cell) {
    State(tiles, cell);  // of the first `cell` tiles
    { State::max_cells } -> std::convertible_to<int>;
    { state.tile(cell) } -> std::same_as<int>;
    // the state after the tile on the second cell slid to the blank on the first
    { state.slid(cell, cell) } -> std::same_as<State>;
    // a number for the state, and a hash of it whose highest bits are the best mixed
    { state.identity() } -> std::same_as<std::uint64_t>;
    { State::hash(state.identity()) } -> std::same_as<std::uint64_t>;
    { State::identity_is_exact } -> std::convertible_to<bool>;  // whether no two states share a number
};

// Up to 16 cells: four bits a cell, the first cell lowest.
class PackedState {
public:
    static constexpr int max_cells = 16;

    PackedState() = default;
    PackedState(const std::uint8_t* tiles, int cells) : bits_(0) {
        for (int cell = 0; cell < cells; ++cell) bits_ |= std::uint64_t{tiles[cell]} << (4 * cell);
    }

    static PackedState of_bits(std::uint64_t bits) {
        PackedState state;
        state.bits_ = bits;
        return state;
    }

    int tile(int cell) const { return static_cast<int>(bits_ >> (4 * cell) & 15); }

    PackedState slid(int blank, int target) const {
        const std::uint64_t tile = bits_ >> (4 * target) & 15;
        PackedState next;
        next.bits_ = bits_ ^ (tile << (4 * target)) ^ (tile << (4 * blank));
        return next;
    }

    std::uint64_t bits() const { return bits_; }

    static constexpr bool identity_is_exact = true;
    std::uint64_t identity() const { return bits_; }
    static std::uint64_t hash(std::uint64_t identity) { return (identity ^ (identity >> 31)) * 0x9e3779b97f4a7c15u; }

    friend bool operator==(PackedState, PackedState) = default;

private:
    std::uint64_t bits_ = 0;
};
static_assert(BoardState<PackedState>);

// More than 16 cells: a byte a cell; the cells beyond the board stay 0.
template <int Cells>
class ByteState {
public:
    static constexpr int max_cells = Cells;

    ByteState() = default;
    ByteState(const std::uint8_t* tiles, int cells) { std::memcpy(tiles_.data(), tiles, static_cast<std::size_t>(cells)); }

    int tile(int cell) const { return tiles_[static_cast<std::size_t>(cell)]; }

    ByteState slid(int blank, int target) const {
        ByteState next = *this;
        next.tiles_[static_cast<std::size_t>(blank)] = tiles_[static_cast<std::size_t>(target)];
        next.tiles_[static_cast<std::size_t>(target)] = 0;
        return next;
    }

    static constexpr bool identity_is_exact = false;
    std::uint64_t identity() const {
        std::uint64_t mixed = 0;
        for (std::size_t at = 0; at < padded; at += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, tiles_.data() + at, 8);
            mixed = (mixed ^ word) * 0x9e3779b97f4a7c15u;
            mixed ^= mixed >> 29;
        }
        return mixed * 0x9e3779b97f4a7c15u;
    }
    static std::uint64_t hash(std::uint64_t identity) { return identity; }

    friend bool operator==(const ByteState& a, const ByteState& b) {
        return std::memcmp(a.tiles_.data(), b.tiles_.data(), padded) == 0;
    }

private:
    static constexpr std::size_t padded = (static_cast<std::size_t>(Cells) + 7) / 8 * 8;
    std::array<std::uint8_t, padded> tiles_{};
};
static_assert(BoardState<ByteState<25>> && BoardState<ByteState<256>>);

}  // namespace tilewise
