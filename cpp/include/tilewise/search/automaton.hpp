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
#include <string>
#include <unordered_map>
#include <vector>

#include "tilewise/domain.hpp"

namespace tilewise {

class MoveAutomaton {
public:
    using State = std::uint32_t;
    static constexpr State begin = 0;
    static constexpr State forbidden = UINT32_MAX;

    // All forbidden words of up to `length` moves, in an order of successors.
    MoveAutomaton(int length, const Order& order) : alphabet_(order) {
        table_.push_back({forbidden_unset, forbidden_unset, forbidden_unset, forbidden_unset});
        find_words(length);
        complete();
    }

    State after(State state, Move move) const { return table_[state][move]; }
    std::size_t states() const { return table_.size(); }
    std::size_t words() const { return words_; }

private:
    using Word = std::vector<Move>;
    static constexpr State forbidden_unset = UINT32_MAX - 1;  // while the words are collected

    // Where a word leads on a board without edges: which tile is where around the first cell of
    // the blank, and the smallest rectangle that it needs.
    struct Effect {
        std::string board;
        int top = 0, bottom = 0, left = 0, right = 0;
        bool inside(const Effect& other) const { return top >= other.top && bottom <= other.bottom && left >= other.left && right <= other.right; }
    };

    static Effect effect_of(const Word& word) {
        std::unordered_map<int, int> tiles;  // cells that hold the tile of another cell
        constexpr int row = 64;
        constexpr std::array<int, 4> step{-row, row, -1, 1};
        int blank = 0;
        Effect effect;
        int y = 0;
        int x = 0;
        for (const Move move : word) {
            const int target = blank + step[move];
            const auto there = tiles.find(target);
            tiles[blank] = there == tiles.end() ? target : there->second;
            blank = target;
            y += (move == down) - (move == up);
            x += (move == right) - (move == left);
            effect.top = std::min(effect.top, y);
            effect.bottom = std::max(effect.bottom, y);
            effect.left = std::min(effect.left, x);
            effect.right = std::max(effect.right, x);
        }
        std::vector<std::pair<int, int>> moved;
        for (const auto& [cell, tile] : tiles) {
            if (cell != blank && cell != tile) moved.emplace_back(cell, tile);
        }
        std::sort(moved.begin(), moved.end());
        effect.board = std::to_string(blank);
        for (const auto& [cell, tile] : moved) effect.board += ' ' + std::to_string(cell) + ' ' + std::to_string(tile);
        return effect;
    }

    // By length, then by the alphabet: words made of allowed ones, compared with those before.
    void find_words(int length) {
        std::unordered_map<std::string, std::vector<Effect>> known;
        const Effect nothing = effect_of({});
        known[nothing.board].push_back(nothing);
        std::vector<Word> words{{}};
        for (int made = 1; made <= length; ++made) {
            std::vector<Word> longer;
            for (const Word& word : words) {
                for (const Move move : alphabet_) {
                    Word next = word;
                    next.push_back(move);
                    if (ends_forbidden(next)) continue;
                    const Effect effect = effect_of(next);
                    auto& same = known[effect.board];
                    if (std::any_of(same.begin(), same.end(), [&](const Effect& other) { return other.inside(effect); })) {
                        add(next);
                        continue;
                    }
                    same.push_back(effect);
                    longer.push_back(std::move(next));
                }
            }
            words = std::move(longer);
        }
    }

    // Whether a forbidden word is the end of a word; the words are in a trie.
    bool ends_forbidden(const Word& word) const {
        for (std::size_t from = 0; from < word.size(); ++from) {
            State state = begin;
            for (std::size_t i = from; i < word.size() && state < forbidden_unset; ++i) state = table_[state][word[i]];
            if (state == forbidden) return true;
        }
        return false;
    }

    void add(const Word& word) {
        State state = begin;
        for (std::size_t i = 0; i + 1 < word.size(); ++i) {
            if (table_[state][word[i]] == forbidden_unset) {
                table_[state][word[i]] = static_cast<State>(table_.size());
                table_.push_back({forbidden_unset, forbidden_unset, forbidden_unset, forbidden_unset});
            }
            state = table_[state][word[i]];
        }
        table_[state][word.back()] = forbidden;
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
                } else if (target == forbidden_unset) {
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
