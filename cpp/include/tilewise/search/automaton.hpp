// Words of moves that a search need not make (Taylor and Korf 1993).
//
// A word is forbidden if another word leads to the same state, wherever both can be made, is
// shorter or as long and earlier in the alphabet, and needs no cell that the forbidden one does
// not need: then it can be made wherever the forbidden one can. Of all shortest solutions the
// first in the alphabet has no forbidden word, as that word could be replaced by the other. So
// the length of solutions is kept.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "tilewise/domain.hpp"
#include "tilewise/go_on.hpp"

namespace tilewise {

class MoveAutomaton {
public:
    using State = std::uint32_t;
    static constexpr State begin = 0;
    static constexpr State forbidden = UINT32_MAX;

    // All forbidden words of up to `length` moves, in an order of successors. Long words take
    // seconds; `go_on` may end it.
    MoveAutomaton(int length, const Order& order, const GoOn& go_on = nullptr) : alphabet_(order) {
        table_.push_back({unset, unset, unset, unset});
        find_words(length, go_on);
        complete();
    }

    State after(State state, Move move) const { return table_[state][move]; }
    const Order& order() const { return alphabet_; }
    std::size_t states() const { return table_.size(); }
    std::size_t words() const { return words_; }
    std::size_t bytes() const { return table_.capacity() * sizeof(table_[0]); }

private:
    // Two bits for each move, the first one lowest.
    struct Word {
        std::uint32_t moves = 0;
        int length = 0;
        Move operator[](int i) const { return static_cast<Move>(moves >> (2 * i) & 3); }
        Word with(Move move) const { return {moves | std::uint32_t{move} << (2 * length), length + 1}; }
    };
    static constexpr std::size_t words_between_checks = 1024;
    static constexpr State unset = UINT32_MAX - 1;  // while the words are collected

    // The smallest rectangle around the first cell of the blank that a word needs.
    struct Box {
        std::int8_t top = 0, bottom = 0, left = 0, right = 0;
        bool inside(const Box& other) const {
            return top >= other.top && bottom <= other.bottom && left >= other.left && right <= other.right;
        }
    };

    // Where a word leads on a board without edges: a number of 128 bits for which tile is where.
    struct Effect {
        std::array<std::uint64_t, 2> board;
        Box box;
    };
    // The effects of words so far. A place is free while the first number of its board is 0.
    class KnownEffects {
    public:
        // Whether another word does the same within the box; if not, the effect is kept.
        bool has_inside(const Effect& effect) {
            std::size_t place = effect.board[0] & (places_.size() - 1);
            for (; places_[place].board[0] != 0; place = (place + 1) & (places_.size() - 1)) {
                if (places_[place].board == effect.board && places_[place].box.inside(effect.box)) return true;
            }
            places_[place] = effect;
            if (2 * ++kept_ > places_.size()) grow();
            return false;
        }

    private:
        void grow() {
            std::vector<Effect> larger(2 * places_.size());
            for (const Effect& effect : places_) {
                if (effect.board[0] == 0) continue;
                std::size_t place = effect.board[0] & (larger.size() - 1);
                while (larger[place].board[0] != 0) place = (place + 1) & (larger.size() - 1);
                larger[place] = effect;
            }
            places_ = std::move(larger);
        }
        std::vector<Effect> places_ = std::vector<Effect>(1024);
        std::size_t kept_ = 0;
    };

    static std::uint64_t mixed(std::uint64_t x) {
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
        x = (x ^ x >> 27) * 0x94d049bb133111ebu;
        return x ^ x >> 31;
    }

    // A board of 64 by 64 cells with the blank in the middle; a cell holds how far its tile came.
    class Sandbox {
    public:
        Effect effect_of(const Word& word) {
            constexpr std::array<int, 4> step{-row, row, -1, 1};
            int blank = middle;
            Effect effect{};
            Box& box = effect.box;
            for (int i = 0; i < word.length; ++i) {
                const int target = blank + step[word[i]];
                came_[at(blank)] = static_cast<std::int16_t>(came_[at(target)] + target - blank);
                came_[at(target)] = 0;
                visited_[static_cast<std::size_t>(i)] = blank;
                blank = target;
                const auto down = static_cast<std::int8_t>(blank / row - middle / row);
                const auto across = static_cast<std::int8_t>(blank % row - middle % row);
                box.top = std::min(box.top, down);
                box.bottom = std::max(box.bottom, down);
                box.left = std::min(box.left, across);
                box.right = std::max(box.right, across);
            }
            std::uint64_t key = static_cast<std::uint64_t>(blank);
            effect.board = {mixed(key), mixed(~key)};
            for (int i = 0; i < word.length; ++i) {
                const int cell = visited_[static_cast<std::size_t>(i)];
                if (came_[at(cell)] == 0) continue;
                key = static_cast<std::uint64_t>(cell) << 16 | static_cast<std::uint16_t>(came_[at(cell)]);
                effect.board[0] += mixed(key << 32 | 1);
                effect.board[1] += mixed(key << 32 | 2);
                came_[at(cell)] = 0;  // counted once, and clean for the next word
            }
            effect.board[0] |= effect.board[0] == 0;
            return effect;
        }

    private:
        static constexpr int row = 64;
        static constexpr int middle = row * row / 2 + row / 2;
        static std::size_t at(int cell) { return static_cast<std::size_t>(cell); }
        std::array<std::int16_t, static_cast<std::size_t>(row) * row> came_{};
        std::array<int, 16> visited_{};
    };

    // By length, then by the alphabet: words made of allowed ones, compared with those before.
    void find_words(int length, const GoOn& go_on) {
        Sandbox sandbox;
        KnownEffects known;
        known.has_inside(sandbox.effect_of({}));
        std::vector<Word> words{{}};
        for (int made = 1; made <= length; ++made) {
            std::vector<Word> longer;
            for (std::size_t done = 0; done < words.size(); ++done) {
                if (done % words_between_checks == 0) check(go_on);
                const Word& word = words[done];
                for (const Move move : alphabet_) {
                    const Word next = word.with(move);
                    if (ends_forbidden(next)) continue;
                    if (known.has_inside(sandbox.effect_of(next))) {
                        add(next);
                    } else if (made < length) {
                        longer.push_back(next);
                    }
                }
            }
            words = std::move(longer);
        }
    }

    // Whether a forbidden word is the end of a word; the words are in a trie.
    bool ends_forbidden(const Word& word) const {
        for (int from = 0; from < word.length; ++from) {
            State state = begin;
            for (int i = from; i < word.length && state < unset; ++i) state = table_[state][word[i]];
            if (state == forbidden) return true;
        }
        return false;
    }

    void add(const Word& word) {
        State state = begin;
        for (int i = 0; i + 1 < word.length; ++i) {
            if (table_[state][word[i]] == unset) {
                table_[state][word[i]] = static_cast<State>(table_.size());
                table_.push_back({unset, unset, unset, unset});
            }
            state = table_[state][word[i]];
        }
        table_[state][word[word.length - 1]] = forbidden;
        ++words_;
    }

    // From the trie to an automaton: where no word goes on, the longest end of what was read
    // that begins a word is taken (Aho and Corasick 1975).
    void complete() {
        std::vector<State> shorter(table_.size(), begin);
        std::vector<State> queue{begin};
        for (std::size_t next = 0; next < queue.size(); ++next) {
            const State state = queue[next];
            for (const Move move : {up, down, left, right}) {
                State& target = table_[state][move];
                const State fall_back = state == begin ? begin : table_[shorter[state]][move];
                if (target == forbidden) continue;
                if (state != begin && fall_back == forbidden) {
                    target = forbidden;
                } else if (target == unset) {
                    target = fall_back;
                } else {
                    shorter[target] = fall_back;
                    queue.push_back(target);
                }
            }
        }
    }

    Order alphabet_;
    std::vector<std::array<State, 4>> table_;
    std::size_t words_ = 0;
};

}  // namespace tilewise
