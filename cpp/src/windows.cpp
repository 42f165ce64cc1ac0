#include "tilewise/path/windows.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "tilewise/threads.hpp"

namespace tilewise {

namespace {

constexpr int pieces_in_windows = 6;  // moves of a piece, in windows
constexpr std::uint64_t nodes_between_looks = 4096;

struct Shared {
    std::atomic<bool> stop = false;
    std::atomic<std::size_t> next = 0;
    std::atomic<std::uint64_t> generated = 0;
};

class Walker {
public:
    Walker(int rows, int columns, const std::vector<std::uint8_t>& tiles) : rows_(rows), columns_(columns), tiles_(tiles) {
        blank_ = static_cast<int>(std::find(tiles.begin(), tiles.end(), 0) - tiles.begin());
    }

    int rows() const { return rows_; }
    int columns() const { return columns_; }
    int blank() const { return blank_; }
    const std::vector<std::uint8_t>& tiles() const { return tiles_; }

    int beside(Move move) const {
        constexpr int none = -1;
        switch (move) {
            case up: return blank_ < columns_ ? none : blank_ - columns_;
            case down: return blank_ >= columns_ * (rows_ - 1) ? none : blank_ + columns_;
            case left: return blank_ % columns_ == 0 ? none : blank_ - 1;
            default: return blank_ % columns_ == columns_ - 1 ? none : blank_ + 1;
        }
    }

    // Slides the tile of a neighbouring cell into the blank.
    void slide(int from) {
        tiles_[static_cast<std::size_t>(blank_)] = tiles_[static_cast<std::size_t>(from)];
        tiles_[static_cast<std::size_t>(from)] = 0;
        blank_ = from;
    }

    void play(Move move) { slide(beside(move)); }

private:
    int rows_, columns_, blank_ = 0;
    std::vector<std::uint8_t> tiles_;
};

// Iterative deepening from one board to another.
class WindowSearch {
public:
    WindowSearch(Shared& shared, std::uint64_t most) : shared_(shared), most_(most) {}

    std::uint64_t generated() const { return generated_; }

    // A way of at most `longest` moves, the shortest one, or none within the nodes.
    bool run(Walker& from, const Walker& to, int longest) {
        walker_ = &from;
        const int columns = from.columns();
        row_.resize(from.tiles().size());
        column_.resize(from.tiles().size());
        for (std::size_t cell = 0; cell < to.tiles().size(); ++cell) {
            row_[to.tiles()[cell]] = static_cast<std::int16_t>(static_cast<int>(cell) / columns);
            column_[to.tiles()[cell]] = static_cast<std::int16_t>(static_cast<int>(cell) % columns);
        }
        int h = 0;
        for (std::size_t cell = 0; cell < from.tiles().size(); ++cell) {
            const std::uint8_t tile = from.tiles()[cell];
            if (tile != 0)
                h += std::abs(static_cast<int>(cell) / columns - row_[tile]) +
                     std::abs(static_cast<int>(cell) % columns - column_[tile]);
        }
        to_blank_ = to.blank();
        generated_ = 0;
        way_.clear();
        for (int bound = h; bound <= longest; bound += 2) {
            if (deepen(bound, h, no_move)) {
                std::reverse(way_.begin(), way_.end());
                return true;
            }
            if (generated_ >= most_ || shared_.stop) return false;
        }
        return false;
    }

    const std::vector<Move>& way() const { return way_; }

private:
    // The board is as before when this returns.
    bool deepen(int left, int h, Move last) {
        if (h == 0 && walker_->blank() == to_blank_) return true;
        for (const Move move : default_order) {
            if (last != no_move && move == opposite(last)) continue;
            const int target = walker_->beside(move);
            if (target < 0) continue;
            if (++generated_ >= most_ || stopped()) return false;
            const int after = h + change(walker_->tiles()[static_cast<std::size_t>(target)], target, move);
            if (after > left - 1) continue;
            const int blank = walker_->blank();
            walker_->slide(target);
            const bool found = deepen(left - 1, after, move);
            walker_->slide(blank);
            if (found) {
                way_.push_back(move);
                return true;
            }
            if (generated_ >= most_ || stopped_) return false;
        }
        return false;
    }

    // Looks only every few thousand nodes; once it has seen the end, the whole search returns.
    bool stopped() {
        if (generated_ % nodes_between_looks == 0 && shared_.stop) stopped_ = true;
        return stopped_;
    }

    // What h changes by when the blank moves to a cell and its tile the other way.
    int change(std::uint8_t tile, int cell, Move move) const {
        switch (move) {
            case up: return cell / walker_->columns() < row_[tile] ? -1 : 1;
            case down: return cell / walker_->columns() > row_[tile] ? -1 : 1;
            case left: return cell % walker_->columns() < column_[tile] ? -1 : 1;
            default: return cell % walker_->columns() > column_[tile] ? -1 : 1;
        }
    }

    Shared& shared_;
    std::uint64_t most_;
    std::uint64_t generated_ = 0;
    bool stopped_ = false;
    Walker* walker_ = nullptr;
    std::vector<std::int16_t> row_, column_;
    int to_blank_ = 0;
    std::vector<Move> way_;
};

struct Piece {
    std::vector<std::uint8_t> start;
    std::vector<Move> moves;
};

void shorten(Piece& piece, int rows, int columns, const WindowOptions& options, Shared& shared) {
    Walker here(rows, columns, piece.start);
    WindowSearch search(shared, options.nodes);
    auto& moves = piece.moves;
    const auto length = static_cast<std::size_t>(options.length);
    const std::size_t stride = std::max<std::size_t>(1, length / 4);
    std::size_t at = 0;
    while (at + 2 < moves.size() && !shared.stop) {
        const std::size_t end = std::min(moves.size(), at + length);
        Walker there = here;
        for (std::size_t i = at; i < end; ++i) there.play(moves[i]);
        const bool found = search.run(here, there, static_cast<int>(end - at) - 2);
        shared.generated += search.generated();
        std::size_t next = at + stride;
        if (found) {
            const auto first = moves.begin() + static_cast<std::ptrdiff_t>(at);
            moves.erase(first, moves.begin() + static_cast<std::ptrdiff_t>(end));
            moves.insert(moves.begin() + static_cast<std::ptrdiff_t>(at), search.way().begin(), search.way().end());
            next = at > length / 2 ? at - length / 2 : 0;
        }
        if (end == moves.size() && !found) break;
        for (; at < next && at < moves.size(); ++at) here.play(moves[at]);
        for (; at > next; --at) here.play(opposite(moves[at - 1]));
    }
}

std::vector<Piece> cut(int rows, int columns, const std::vector<std::uint8_t>& start, const std::vector<Move>& moves,
                       const WindowOptions& options) {
    const auto size = static_cast<std::size_t>(options.length) * pieces_in_windows;
    std::vector<Piece> pieces;
    Walker here(rows, columns, start);
    std::size_t left_of_piece = options.offset % size;
    for (const Move move : moves) {
        if (pieces.empty() || left_of_piece == 0) {
            pieces.push_back({here.tiles(), {}});
            if (left_of_piece == 0) left_of_piece = size;
        }
        pieces.back().moves.push_back(move);
        here.play(move);
        --left_of_piece;
    }
    return pieces;
}

}  // namespace

ShortenedPath shorten_by_windows(int rows, int columns, const std::vector<std::uint8_t>& start, const std::vector<Move>& moves,
                                 const WindowOptions& options, Meter& meter) {
    auto pieces = cut(rows, columns, start, moves, options);
    Shared shared;
    std::atomic<int> working = options.threads;
    const auto work = [&] {
        for (std::size_t i = shared.next++; i < pieces.size() && !shared.stop; i = shared.next++)
            shorten(pieces[i], rows, columns, options, shared);
    };
    const auto watch = [&] {  // the calling thread alone looks at the clock and lets signals in
        while (working > 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            Stats so_far;
            so_far.generated = shared.generated;
            if (!shared.stop && meter.stop(so_far)) shared.stop = true;
        }
    };
    in_threads(options.threads + 1, [&](int number) {
        try {
            number == 0 ? watch() : work();
        } catch (...) {
            shared.stop = true;
            if (number > 0) --working;
            throw;
        }
        if (number > 0) --working;
    });
    ShortenedPath shortened;
    for (const Piece& piece : pieces) shortened.moves.insert(shortened.moves.end(), piece.moves.begin(), piece.moves.end());
    shortened.generated = shared.generated;
    return shortened;
}

}  // namespace tilewise
