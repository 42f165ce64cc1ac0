// Beam search at full speed: sorted by value alone, on all cores, in bounded memory. The same path for any number of threads.
//
// A layer lies sorted by the blank's cell, so that the tables of its slides stay in the cache. First all its children get their
// values, in chunks. A histogram of the values says which children may be kept; only these are made, and sorted into parts by
// their hashes. A table of earlier states is asked for them, part by part. Of the way to a node, its last piece is kept with it, and
// the pieces before are shared: one for each node of every 16th layer.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "tilewise/learned/homes_board.hpp"
#include "tilewise/learned/random.hpp"
#include "tilewise/memory.hpp"
#include "tilewise/outcome.hpp"
#include "tilewise/search/beam_layer.hpp"
#include "tilewise/search/beam_request.hpp"
#include "tilewise/search/beam_widths.hpp"
#include "tilewise/search/blank_slides.hpp"
#include "tilewise/search/board_values.hpp"
#include "tilewise/search/child_values.hpp"
#include "tilewise/search/forgetful_table.hpp"
#include "tilewise/search/ways_in_pieces.hpp"
#include "tilewise/team.hpp"

namespace tilewise {

template <BoardValues Values, int Cells>
class WideBeam {
public:
    // Called by the calling thread now and then; true cancels the search.
    using Poll = std::function<bool(const BeamOutcome&)>;

    explicit WideBeam(const Values& values)
        : values_(values), cells_(static_cast<std::size_t>(values.cells())), slides_(values.steps()) {
        SplitMix random(0x7469'6c65'7769'7365u);
        std::vector<std::uint64_t> keys(cells_ * cells_);
        for (std::uint64_t& key : keys) key = random();
        keys_ = keys;
        slide_keys_.resize(cells_ * 4 * cells_);
        for (std::size_t from = 0; from < cells_; ++from) {
            for (int way = 0; way < 4; ++way) {
                const int to = values.steps().to(static_cast<int>(from), way);
                if (to == BlankSteps::none) continue;
                const std::uint64_t* there = &keys[static_cast<std::size_t>(to) * cells_];
                const std::uint64_t* here = &keys[from * cells_];
                for (std::size_t tile = 0; tile < cells_; ++tile)
                    slide_keys_[(from * 4 + static_cast<std::size_t>(way)) * cells_ + tile] =
                        there[tile] ^ there[0] ^ here[tile] ^ here[0];
            }
        }
    }

    // What a search needs at most, with the ways to the nodes of a number of layers.
    static std::uint64_t bytes_for(int cells, const BeamRequest& request, std::uint64_t layers) {
        const std::uint64_t node = Layer::bytes_for_node(static_cast<std::uint64_t>(cells));
        return request.width * (2 * node + 6 * sizeof(Child)) + WaysInPieces::bytes_for(request.width, layers) +
               ForgetfulTable::bytes_for(entries_for(request.width), parts_for(request.width));
    }

    BeamOutcome run(const HomesBoard& start, const HomesBoard& goal, const BeamRequest& request, const Poll& poll) {
        if (start == goal || bytes_for(values_.cells(), request, 1) > request.memory) {
            out_ = BeamOutcome{};
            out_.status = start == goal ? Status::solved : Status::limit;
            return out_;
        }
        begin(start, goal, request);
        Team team(request.threads);
        while (true) {
            if (!stopped_ && may_go_on(poll)) expand(team, poll);
            if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
            if (!stopped_ && found_.load() != no_child) {
                solve_by(static_cast<std::uint32_t>(found_.load()));
                return out_;
            }
            if (!stopped_) choose(team, poll);
            if (!stopped_) place(team, poll);
            if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
            if (stopped_ || size_ == 0 || comes_no_nearer()) {
                if (request.partly && nearest_.layer > 0) trace_back(nearest_.layer, nearest_.piece);
                return out_;
            }
        }
    }

private:
    static constexpr std::uint32_t small_chunk = 512;  // nodes whose children a thread makes or values at once, at least,
    static constexpr std::uint32_t most_made = 2048;   // and at most
    static constexpr std::uint32_t most_valued = ChildValues<Values, Cells>::most_nodes;
    static constexpr std::uint32_t entries_ahead = 24;
    static constexpr std::size_t parents_ahead = 16;
    static constexpr std::uint32_t most_parts = 16;
    static constexpr std::uint32_t buckets = 2048;
    static constexpr bool carries = CarriedValues<Values>;
    static constexpr int bucket_size = carries ? Values::scale : (Values::scale >= 16 ? Values::scale / 16 : 1);
    static constexpr std::int32_t bias = carries ? 0 : 1 << 22;
    static constexpr std::uint64_t no_child = UINT64_MAX;
    using Clock = BeamWidths::Clock;
    using Layer = BeamLayer<Values>;

    struct Child {
        std::uint64_t hash;
        std::uint32_t value_blank;  // the value, made positive, and the blank's cell in the low 8 bits
        std::uint32_t origin;       // the parent, and the way in the low 2 bits

        std::uint32_t blank() const { return value_blank & 255; }
        std::int32_t value() const { return static_cast<std::int32_t>(value_blank >> 8) - bias; }
    };

    struct Part {
        std::vector<Child> kept;  // new states
        std::uint64_t duplicates = 0;
        std::array<std::uint32_t, buckets> histogram;
        std::array<std::uint32_t, 256> by_blank;
        std::vector<std::uint32_t> ties;  // which of them are in the bucket that is not taken whole
    };

    // States of the last 64 layers are known again, in a very wide beam those of the last 4 at least: hardly any comes again
    // later, and a larger table takes longer to be cleared and to be asked.
    static std::uint64_t entries_for(std::uint64_t width) {
        constexpr std::uint64_t many = 1 << 24;
        return std::clamp(many, 4 * width, 64 * width);
    }
    static std::uint32_t parts_for(std::uint32_t width) { return width < 4096 ? 1 : most_parts; }
    std::uint32_t part_of(std::uint64_t hash) const { return parts_ == 1 ? 0 : static_cast<std::uint32_t>(hash >> 60); }
    std::uint32_t bucket_of(std::int32_t value) const {
        const auto above = static_cast<std::uint32_t>(std::max(value - lowest_, 0)) / static_cast<std::uint32_t>(bucket_size);
        return std::min(above, buckets - 1);
    }

    void begin(const HomesBoard& start, const HomesBoard& goal, const BeamRequest& request) {
        out_ = BeamOutcome{};
        request_ = request;
        began_ = polled_ = Clock::now();
        widths_ = BeamWidths(request, began_);
        stopped_ = false;
        found_.store(no_child);
        ways_.clear();
        survival_ = 0.7;
        parts_ = parts_for(request.width);
        if (!table_ || width_ != request.width) {
            table_ = std::make_unique<ForgetfulTable>(entries_for(request.width), parts_);
            const std::size_t children = std::size_t{3} * (request.width + most_made);
            now_ = Layer(request.width, cells_);
            next_ = Layer(request.width, cells_);
            children_ = ZeroedArray<Child>(children);
            child_values_ = ZeroedArray<std::int32_t>(children);
            part_.resize(parts_);
            const std::uint32_t chunk = std::bit_floor(request.width / 16);  // enough of them to be shared out
            made_at_once_ = std::clamp(chunk, small_chunk, most_made);
            valued_at_once_ = std::clamp(chunk, small_chunk, most_valued);
            segments_.resize((request.width / made_at_once_ + 1) * (parts_ + 1));
            histograms_.resize(std::min<std::size_t>(request.width / valued_at_once_ + 1, 16));
            width_ = request.width;
        } else {
            table_->clear();
        }
        goal_hash_ = hash_of(goal);
        goal_value_ = values_.value(goal.data());
        std::copy(start.begin(), start.end(), &now_.boards[0]);
        now_.hashes[0] = hash_of(start);
        now_.values[0] = values_.value(start.data());
        now_.blanks[0] = static_cast<std::uint8_t>(blank_of(start));
        now_.ways[0] = BlankSlides::no_way;
        now_.pieces[0] = {};
        if constexpr (carries) now_.carried[0] = values_.carry(start.data());
        start_blank_ = now_.blanks[0];
        nearest_ = {};
        size_ = 1;
        lowest_value_ = now_.values[0];
        table_->add(part_of(now_.hashes[0]), now_.hashes[0]);
    }

    std::uint64_t hash_of(const HomesBoard& board) const {
        std::uint64_t hash = 0;
        for (std::size_t cell = 0; cell < cells_; ++cell) hash ^= keys_[cell * cells_ + board[cell]];
        return hash;
    }

    // Whether another layer may begin: its children stay within every limit.
    bool may_go_on(const Poll& poll) {
        const std::uint64_t bytes = bytes_for(static_cast<int>(cells_), request_, out_.depth + 1);
        const std::uint64_t most_children = std::uint64_t{size_} * (out_.depth == 0 ? 4 : 3);
        const bool within = out_.depth < request_.most_moves && bytes <= request_.memory &&
                            most_children <= request_.most_generated - out_.generated;
        if (within) {
            out_.bytes = bytes;
        } else {
            out_.status = Status::limit;
            stopped_ = true;
        }
        return within && !interrupted(poll);
    }

    // Share out pieces of work; between two of its own the calling thread looks whether the search must end.
    template <class Work>
    void share_out(Team& team, const Poll& poll, std::uint32_t pieces, Work work) {
        const auto calling = std::this_thread::get_id();
        team.share(pieces, [&](std::uint32_t number) {
            if (stopped_) return;
            work(number);
            if (std::this_thread::get_id() == calling) interrupted(poll);
        });
    }

    // Only the calling thread may call it.
    bool interrupted(const Poll& poll) {
        const auto now = Clock::now();
        if (request_.seconds > 0 && now - began_ >= std::chrono::duration<double>(request_.seconds)) {
            out_.status = Status::limit;
            stopped_ = true;
        } else if (poll && now - polled_ >= std::chrono::milliseconds(request_.between_polls)) {
            polled_ = now;
            try {
                stopped_ = poll(out_);
            } catch (...) {  // thrown again when all threads have come to rest
                failure_ = std::current_exception();
                stopped_ = true;
            }
            if (stopped_) out_.status = Status::cancelled;
        }
        return stopped_;
    }

    void expand(Team& team, const Poll& poll) {
        ++out_.depth;
        lowest_ = (carries ? lowest_value_ / bucket_size * bucket_size : lowest_value_) - 8 * Values::scale;
        const std::uint32_t chunks = (size_ + valued_at_once_ - 1) / valued_at_once_;
        const auto groups = std::min<std::uint32_t>(chunks, static_cast<std::uint32_t>(histograms_.size()));
        const auto calling = std::this_thread::get_id();
        team.share(groups, [&](std::uint32_t group) {
            histograms_[group].fill(0);
            for (std::uint32_t number = group; number < chunks; number += groups) {
                if (stopped_) return;
                value_chunk(number, histograms_[group]);
                if (std::this_thread::get_id() == calling) interrupted(poll);
            }
        });
        if (stopped_) return;
        out_.expanded += size_;
        histogram_.fill(0);
        for (std::uint32_t group = 0; group < groups; ++group) {
            for (std::uint32_t bucket = 0; bucket < buckets; ++bucket) histogram_[bucket] += histograms_[group][bucket];
        }
        for (const std::uint32_t count : histogram_) out_.generated += count;
    }

    // The values of the children of a chunk, in the order of their nodes.
    void value_chunk(std::uint32_t number, std::array<std::uint32_t, buckets>& histogram) {
        const std::uint32_t first = number * valued_at_once_;
        const std::uint32_t last = std::min(first + valued_at_once_, size_);
        const auto note = [&](std::uint32_t node, std::size_t slide, int way, HomeCell tile, std::int32_t value) {
            child_values_[std::size_t{node} * 3 + slide] = value;
            ++histogram[bucket_of(value)];
            if (value == goal_value_ && hash_after(node, way, tile) == goal_hash_) note_found(origin_of(node, way));
        };
        ChildValues<Values, Cells>(values_, slides_, now_).each(first, last, note);
    }

    std::uint64_t hash_after(std::uint32_t node, int way, HomeCell tile) const {
        return now_.hashes[node] ^
               slide_keys_[(std::size_t{now_.blanks[node]} * 4 + static_cast<std::size_t>(way)) * cells_ + tile];
    }
    static std::uint32_t origin_of(std::uint32_t node, int way) { return (node << 2) | static_cast<std::uint32_t>(way); }

    // The children of a chunk whose values are in these buckets, sorted into parts.
    void make_chunk(std::uint32_t number, std::uint32_t from, std::uint32_t to) {
        const std::uint32_t first = number * made_at_once_;
        const std::uint32_t last = std::min(first + made_at_once_, size_);
        std::array<Child, std::size_t{3} * most_made + 1> made;
        std::array<std::uint32_t, std::size_t{3} * most_made + 1> chosen;  // nodes and slides
        std::array<std::uint32_t, most_parts + 1> begins{};
        std::uint32_t count = 0;
        for (std::uint32_t node = first; node < last; ++node) {
            const std::uint32_t slides = now_.slides(slides_, node).count;
            for (std::uint32_t slide = 0; slide < slides; ++slide) {  // about every other one: a branch would often be mistaken
                const std::uint32_t bucket = bucket_of(child_values_[std::size_t{node} * 3 + slide]);
                chosen[count] = (node << 2) | slide;
                count += static_cast<std::uint32_t>(bucket >= from) & static_cast<std::uint32_t>(bucket < to);
            }
        }
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t node = chosen[i] >> 2;
            const std::uint32_t slide = chosen[i] & 3;
            const BlankSlides::List& slides = now_.slides(slides_, node);
            const std::uint32_t blank = slides.to[slide];
            const std::uint64_t hash = hash_after(node, slides.way[slide], now_.boards[node * cells_ + blank]);
            const auto value = static_cast<std::uint32_t>(child_values_[std::size_t{node} * 3 + slide] + bias);
            made[i] = {hash, (value << 8) | blank, origin_of(node, slides.way[slide])};
            ++begins[part_of(hash) + 1];
        }
        for (std::uint32_t part = 0; part < parts_; ++part) begins[part + 1] += begins[part];
        std::copy(begins.begin(), begins.begin() + parts_ + 1, segments_.begin() + number * (parts_ + 1));
        Child* out = &children_[std::size_t{number} * 3 * made_at_once_];
        if (parts_ == 1) {
            std::copy(made.begin(), made.begin() + count, out);
        } else {
            for (std::uint32_t i = 0; i < count; ++i) out[begins[part_of(made[i].hash)]++] = made[i];
        }
    }

    // The first of the children that are the goal, whichever thread finds it.
    void note_found(std::uint64_t origin) {
        std::uint64_t known = found_.load();
        while (origin < known && !found_.compare_exchange_weak(known, origin)) {
        }
    }

    // Fill the parts with new states, the best buckets first, until there are enough.
    void choose(Team& team, const Poll& poll) {
        const std::uint32_t chunks = (size_ + made_at_once_ - 1) / made_at_once_;
        for (Part& part : part_) {
            part.kept.clear();
            part.duplicates = 0;
            part.histogram.fill(0);
        }
        std::uint64_t looked_at = 0;
        std::uint32_t from = 0;
        const std::uint64_t width = kept_ = widths_.next(out_.depth, size_, double{1} * lowest_value_ / Values::scale);
        while (from < buckets && fresh() < width && !stopped_) {
            const auto wanted = static_cast<std::uint64_t>(static_cast<double>(width - fresh()) / survival_ * 1.03) + 8;
            std::uint32_t to = from;
            std::uint64_t batch = 0;
            while (to < buckets && batch < wanted) batch += histogram_[to++];
            while (to < buckets && histogram_[to] == 0) ++to;
            looked_at += batch;
            share_out(team, poll, chunks, [&](std::uint32_t number) { make_chunk(number, from, to); });
            share_out(team, poll, parts_, [&](std::uint32_t part) { take_new(part, chunks); });
            from = to;
        }
        if (looked_at > 0) survival_ = std::max(0.05, static_cast<double>(fresh()) / static_cast<double>(looked_at));
        for (const Part& part : part_) out_.duplicates += part.duplicates;
    }

    std::uint64_t fresh() const {
        std::uint64_t sum = 0;
        for (const Part& part : part_) sum += part.kept.size();
        return sum;
    }

    // The new states of a part among the children that were made.
    void take_new(std::uint32_t number, std::uint32_t chunks) {
        Part& part = part_[number];
        const auto take = [&](const Child& child) {
            if (!table_->add(number, child.hash)) {
                ++part.duplicates;
                return;
            }
            part.kept.push_back(child);
            ++part.histogram[bucket_of(child.value())];
        };
        for (std::uint32_t each = 0; each < chunks; ++each) {
            const std::uint32_t* at = &segments_[each * (parts_ + 1) + number];
            const Child* children = &children_[std::size_t{each} * 3 * made_at_once_];
            for (std::uint32_t i = at[0]; i < std::min(at[0] + entries_ahead, at[1]); ++i)
                table_->prefetch(number, children[i].hash);
            for (std::uint32_t i = at[0]; i < at[1]; ++i) {
                if (i + entries_ahead < at[1]) table_->prefetch(number, children[i + entries_ahead].hash);
                take(children[i]);
            }
        }
    }

    // Make the next layer of the best new states, sorted by the blank's cell.
    void place(Team& team, const Poll& poll) {
        std::uint32_t last = 0;  // the bucket that is not taken whole
        std::uint64_t room = kept_;
        for (; last < buckets; ++last) {
            std::uint64_t in_bucket = 0;
            for (const Part& part : part_) in_bucket += part.histogram[last];
            if (in_bucket > room) break;
            room -= in_bucket;
        }
        share_out(team, poll, parts_, [&](std::uint32_t number) {
            Part& part = part_[number];
            part.by_blank.fill(0);
            part.ties.clear();
            for (std::uint32_t i = 0; i < part.kept.size(); ++i) {
                const Child& child = part.kept[i];
                const std::uint32_t bucket = bucket_of(child.value());
                if (bucket < last) ++part.by_blank[child.blank()];
                if (bucket == last) part.ties.push_back(i);
            }
        });
        if (stopped_) return;
        const std::uint64_t tie = tie_break(room);
        for (Part& part : part_) {
            for (const std::uint32_t i : part.ties) {
                const Child& child = part.kept[i];
                if (mixed(child.hash) < tie) ++part.by_blank[child.blank()];
            }
        }
        std::uint32_t begin = 0;
        for (std::size_t blank = 0; blank < cells_; ++blank) {
            for (Part& part : part_) {
                const std::uint32_t count = part.by_blank[blank];
                part.by_blank[blank] = begin;
                begin += count;
            }
        }
        ways_.begin_layer(out_.depth, begin);
        share_out(team, poll, parts_, [&](std::uint32_t number) {
            Part& part = part_[number];
            for (std::size_t i = 0; i < part.kept.size(); ++i) {
                ask_for_parent(part.kept[std::min(i + parents_ahead, part.kept.size() - 1)]);
                const Child& child = part.kept[i];
                const std::uint32_t bucket = bucket_of(child.value());
                if (bucket < last || (bucket == last && mixed(child.hash) < tie)) put(part.by_blank[child.blank()]++, child);
            }
        });
        if (stopped_) return;
        std::swap(now_, next_);
        size_ = begin;
        out_.stored += begin;
        const auto lowest = std::min_element(now_.values.begin(), now_.values.begin() + size_);
        lowest_value_ = size_ == 0 ? 0 : *lowest;
        out_.best_value = lowest_value_;
        if (size_ > 0) note_nearest(static_cast<std::uint32_t>(lowest - now_.values.begin()));
    }

    // Of the bucket that is not taken whole, states with smaller mixed hashes than this are kept: ties by any order of the
    // layer would favour some cells of the blank.
    std::uint64_t tie_break(std::uint64_t room) {
        if (room == 0) return 0;
        ties_.clear();
        for (const Part& part : part_) {
            for (const std::uint32_t i : part.ties) ties_.push_back(mixed(part.kept[i].hash));
        }
        if (ties_.empty()) return 0;  // all states are kept
        const auto at = ties_.begin() + static_cast<std::ptrdiff_t>(room);
        std::nth_element(ties_.begin(), at, ties_.end());
        return *at;
    }
    static std::uint64_t mixed(std::uint64_t hash) { return hash * 0x9E3779B97F4A7C15u; }

    // The children of a part have their parents all over the layer.
    void ask_for_parent(const Child& child) const {
        const std::uint32_t parent = child.origin >> 2;
        prefetched(&now_.boards[parent * cells_]);
        prefetched(&now_.boards[parent * cells_ + cells_ - 1]);
        prefetched(&now_.pieces[parent]);
        if constexpr (carries) {
            const auto* carried = reinterpret_cast<const std::uint8_t*>(&now_.carried[parent]);
            for (std::size_t at = 0; at < sizeof(now_.carried[parent]); at += 64) prefetched(carried + at);
        }
    }

    void put(std::uint32_t slot, const Child& child) {
        const std::uint32_t parent = child.origin >> 2;
        const HomeCell* from = &now_.boards[parent * cells_];
        HomeCell* board = &next_.boards[slot * cells_];
        std::memcpy(board, from, Cells > 0 ? Cells : cells_);
        const std::size_t blank = child.blank();
        const int way = static_cast<int>(child.origin & 3);
        const int before = values_.steps().to(static_cast<int>(blank), way ^ 1);
        board[before] = from[blank];
        board[blank] = 0;
        if constexpr (carries) values_.carry(now_.carried[parent], before, way, from[blank], child.value(), next_.carried[slot]);
        next_.hashes[slot] = child.hash;
        next_.values[slot] = child.value();
        next_.blanks[slot] = static_cast<std::uint8_t>(blank);
        next_.ways[slot] = static_cast<std::uint8_t>(way);
        next_.pieces[slot] = ways_.next(now_.pieces[parent], way, slot);
    }

    void solve_by(std::uint32_t origin) {
        trace_back(out_.depth - 1, now_.pieces[origin >> 2]);
        const int blank = values_.steps().to(now_.blanks[origin >> 2], static_cast<int>(origin & 3));
        out_.path.push_back(static_cast<HomeCell>(blank));
        out_.status = Status::solved;
    }

    // The path to a node of a layer by its last piece, from the blank's cell at the start on.
    void trace_back(std::size_t layer, WayPiece piece) {
        const std::vector<int> ways = ways_.back_from(layer, piece);
        int blank = start_blank_;
        for (std::size_t i = ways.size(); i > 0; --i) {
            blank = values_.steps().to(blank, ways[i - 1]);
            out_.path.push_back(static_cast<HomeCell>(blank));
        }
    }

    // The state that is worth its depth: each eight moves have brought it nearer to the goal by at least one.
    struct Nearest {
        std::size_t layer = 0;
        WayPiece piece{};
        std::int64_t total = INT64_MAX;
    };
    void note_nearest(std::uint32_t slot) {
        const std::int64_t total = std::int64_t{out_.depth} * Values::scale / 8 + lowest_value_;
        if (total < nearest_.total) nearest_ = {out_.depth, now_.pieces[slot], total};
    }
    // A search for the nearest state ends when it comes no nearer.
    bool comes_no_nearer() const { return request_.partly && out_.depth > nearest_.layer + 2 * cells_; }

    const Values& values_;
    std::size_t cells_;
    std::vector<std::uint64_t> keys_;
    std::vector<std::uint64_t> slide_keys_;
    BlankSlides slides_;

    BeamRequest request_;
    BeamOutcome out_;
    std::uint32_t width_ = 0;
    std::uint32_t parts_ = 1;
    std::uint32_t made_at_once_ = small_chunk;
    std::uint32_t valued_at_once_ = small_chunk;
    std::uint64_t goal_hash_ = 0;
    std::int32_t goal_value_ = 0;
    Clock::time_point began_;
    Clock::time_point polled_;
    BeamWidths widths_;
    std::uint64_t kept_ = 0;  // states of the layer that is being made, at most
    std::atomic<bool> stopped_{false};
    std::exception_ptr failure_;
    std::atomic<std::uint64_t> found_{no_child};

    Layer now_;
    Layer next_;
    int start_blank_ = 0;
    Nearest nearest_;
    std::uint32_t size_ = 0;
    std::int32_t lowest_value_ = 0;
    std::int32_t lowest_ = 0;
    double survival_ = 0.7;
    ZeroedArray<Child> children_;
    ZeroedArray<std::int32_t> child_values_;  // of each node's slides
    std::vector<std::uint32_t> segments_;
    std::vector<Part> part_;
    std::vector<std::array<std::uint32_t, buckets>> histograms_;
    std::array<std::uint32_t, buckets> histogram_{};
    std::vector<std::uint64_t> ties_;
    std::unique_ptr<ForgetfulTable> table_;
    WaysInPieces ways_;
};

}  // namespace tilewise
