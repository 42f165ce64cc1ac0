"""Plants defects in the native engine and shows that the tests find each one.

Each is a slip that one could make there; it compiles and leaves most answers right.

    python tests/mutation/mutate.py [WORDS...] [--jobs N]

With words, only the defects whose description has one of them. Copies of the project are built in
a temporary folder, with one defect after another; its tests run until the first one fails. At the
end the tests that found something run once more without any defect: they must pass. A defect that
survives, or that no longer fits its file, gives exit code 1. With ccache on the machine, what a
defect leaves as it is need not be compiled again; CXX chooses the compiler, and clang needs two
thirds of the time of g++.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parents[2]
BUILT_FROM, TESTED = ("CMakeLists.txt", "cpp"), ("pyproject.toml", "src", "tests")
CPP, HEADERS = Path("cpp"), Path("cpp/include/tilewise")
ENGINES, OPTIONS = "tests/native/test_engines.py", "tests/native/test_native_options.py"
MAXIMA, WIDE_BEAM = "tests/native/test_maxima.py", "tests/native/test_wide_beam.py"
STORED = "tests/native/test_astar_idastar.py"
PROOFS, WINDOWS = "tests/proofs/test_proofs.py", "tests/anytime/test_improving.py"
CORE, LEARNED, TABLES = "core_tests", "learned_tests", "table_tests"
HANDED_BACK = "test_nodes_that_a_thread_was_allowed_and_did_not_make_are_made_by_the_others"
SELECTION = "not all_of_3x3 and not every_small_state"
PASSED, FAILED = 0, 1
"""Exit codes of pytest; others mean that the tests could not be run."""

HANG_GUARD = 600
WIDTH = 74
_FOUND_BY = re.compile(
    r"^FAILED (?P<name>\S*?::(?P<test>\w+)(\[(?P<case>.*?)\](?= -|$))?)", re.MULTILINE
)


@dataclass(frozen=True)
class Defect:
    """A text of a file, which must be there exactly once, what takes its place, who finds it.

    The file is a header, or below src/. Who finds it is a file of tests, one test of it, or a
    program of cpp/tests.
    """

    breaks: str
    file: str
    old: str
    new: str
    tests: str = ENGINES

    @property
    def path(self) -> Path:
        """The file, from the root of the project."""
        return (CPP if self.file.startswith("src/") else HEADERS) / self.file


@dataclass(frozen=True)
class Finding:
    """What came of one defect: the test that found it, or why none did."""

    defect: Defect
    test: str | None
    remark: str


DEFECTS = (
    Defect(
        "ties: the oldest of equal nodes, not the newest",
        "search/frontiers.hpp",
        "const Value value = stack.top_->values[--stack.used_];",
        "Value* all = stack.top_->values;\n"
        "        const Value value = all[0];\n"
        "        std::move(all + 1, all + stack.used_--, all);",
    ),
    Defect(
        "ties: h does not count among equal priorities",
        "search/frontiers.hpp",
        "const auto rank = static_cast<std::size_t>(h);",
        "const auto rank = static_cast<std::size_t>(h * 0);",
    ),
    Defect(
        "successor order: right before left",
        "domain.hpp",
        "if (move == left) add(column > 0, left, cell - 1);\n"
        "            if (move == right) add(column + 1",
        "if (move == right) add(column > 0, left, cell - 1);\n"
        "            if (move == left) add(column + 1",
    ),
    Defect(
        "successor order: the fast kernel takes the last one first",
        "search/manhattan_kernel.hpp",
        "constexpr Move Next = order[Place];\n"
        "            if constexpr (allowed(Blank, Last, Next)) {\n"
        "                constexpr int target = neighbour(Blank, Next);\n"
        "                if (closer",
        "constexpr Move Next = order[order.size() - 1 - Place];\n"
        "            if constexpr (allowed(Blank, Last, Next)) {\n"
        "                constexpr int target = neighbour(Blank, Next);\n"
        "                if (closer",
    ),
    Defect(
        "successor order: depth-first takes the last one first",
        "search/frontiers.hpp",
        "static constexpr bool pushes_reversed = true;",
        "static constexpr bool pushes_reversed = false;",
    ),
    Defect(
        "stale entries: they are expanded",
        "search/best_first.hpp",
        "if (nodes_[current_].superseded) {",
        "if (nodes_[current_].superseded && nodes_[current_].closed) {",
    ),
    Defect(
        "stale entries: A* in packed tables expands them",
        "search/packed_astar.hpp",
        "if (Table::mark_in(table_[table_.find(name)]) != level) continue;",
        "if (table_[table_.find(name)] == 0) continue;",
    ),
    Defect(
        "way back: A* in packed tables keeps the first move to a state",
        "search/packed_astar.hpp",
        "table_.change(slot, Table::entry_of(name, level), move);",
        "table_.change(slot, Table::entry_of(name, level), table_.move_to(slot));",
    ),
    Defect(
        "counters: the slide straight back is no duplicate",
        "search/packed_breadth_first.hpp",
        "stats_.duplicates += depth > 0;",
        "",
    ),
    Defect(
        "incremental h: a slide leaves one of two columns as it was",
        "heuristics/linear_conflict.hpp",
        "row_change(blank / 4) + column_change(blank % 4) + column_change(target % 4);",
        "row_change(blank / 4) + column_change(blank % 4);",
    ),
    Defect(
        "packing: names that share a slot are one",
        "search/packed_table.hpp",
        "while (slots_[at] != 0 && name_in(slots_[at]) != name) ++at;",
        "while (slots_[at] != 0 && name_in(slots_[at]) >> 28 != name >> 28) ++at;",
    ),
    Defect(
        "packing: a mark stays when a smaller one takes its place",
        "search/quad_table.hpp",
        "marks = static_cast<Marks>((marks & ~(15 << (4 * place))) | mark << (4 * place));",
        "marks = static_cast<Marks>(marks | mark << (4 * place));",
        OPTIONS,
    ),
    Defect(
        "ties: a batch takes successors of a larger f at once",
        "search/batched.hpp",
        "if (level == level_) return Reached::now;",
        "if (level <= level_ + 1) return Reached::now;",
        OPTIONS,
    ),
    Defect(
        "counters: the goal counts as expanded",
        "search/best_first.hpp",
        "if (nodes_[current_].state == domain_.goal()) return end(Status::solved);",
        "if (nodes_[current_].state == domain_.goal()) {\n"
        "                ++stats_.expanded;\n"
        "                return end(Status::solved);\n"
        "            }",
    ),
    Defect(
        "counters: the beam does not count duplicates as generated",
        "search/beam.hpp",
        "if (number == no_node) continue;",
        "if (number == no_node) {\n"
        "                        --stats_.generated;\n"
        "                        continue;\n"
        "                    }",
    ),
    Defect(
        "counters: duplicates of open nodes are not counted",
        "search/best_first.hpp",
        "++stats_.duplicates;",
        "stats_.duplicates += nodes_[known].closed;",
    ),
    Defect(
        "counters: max_frontier is taken before the successors are in",
        "search/best_first.hpp",
        "if (!expand()) return end(meter_.status());\n"
        "            if (frontier_.size() > stats_.max_frontier) "
        "stats_.max_frontier = frontier_.size();",
        "if (frontier_.size() > stats_.max_frontier) stats_.max_frontier = frontier_.size();\n"
        "            if (!expand()) return end(meter_.status());",
    ),
    Defect(
        "counters: expanded_below_cost has the last layer too",
        "search/best_first.hpp",
        "f < nodes_[current_].g; ++f)",
        "f <= nodes_[current_].g; ++f)",
    ),
    Defect(
        "counters: the fast kernel counts the siblings after the goal",
        "search/manhattan_kernel.hpp",
        "if (found_) take_back(made_.size());",
        "",
    ),
    Defect(
        "incremental h: a tile that leaves its column to the right comes closer",
        "search/manhattan_kernel.hpp",
        "return to > from ? column > from % Columns :",
        "return to > from ? column >= from % Columns :",
    ),
    Defect(
        "bound: the next one is one more, not the least f above",
        "search/deepening.hpp",
        "if (f < least_above) least_above = f;",
        "least_above = bound + 1;",
    ),
    Defect(
        "bound: the fast kernel skips every second one",
        "search/manhattan_kernel.hpp",
        "for (int bound = root_.h;; bound += 2) {",
        "for (int bound = root_.h;; bound += bound == root_.h ? 2 : 4) {",
    ),
    Defect(
        "way back: the fast kernel may go up after down",
        "search/manhattan_kernel.hpp",
        "next != opposite(last));",
        "next == up || next != opposite(last));",
    ),
    Defect(
        "way back: iterative deepening forgets it at the root's children",
        "search/deepening.hpp",
        "is_back(slides[top.next_slide].move, top.move)",
        "path_.size() > 2 && is_back(slides[top.next_slide].move, top.move)",
    ),
    Defect(
        "way back: the moves from the goal, not to it",
        "search/nodes.hpp",
        "std::reverse(moves.begin(), moves.end());",
        "",
    ),
    Defect(
        "limit off by one: one node more",
        "meter.hpp",
        ": limits_(limits), poll_",
        ": limits_{limits.generated + 1, limits.seconds, limits.memory}, poll_",
    ),
    Defect(
        "packing: the highest bit of a tile is lost when it is read",
        "state.hpp",
        "int tile(int cell) const { return static_cast<int>(bits_ >> (4 * cell) & 15); }",
        "int tile(int cell) const { return static_cast<int>(bits_ >> (4 * cell) & 7); }",
    ),
    Defect(
        "packing: a slide from the first byte does not empty it",
        "state.hpp",
        "next.tiles_[static_cast<std::size_t>(target)] = 0;",
        "next.tiles_[static_cast<std::size_t>(target)] = static_cast<std::uint8_t>(target == 0);",
    ),
    Defect(
        "re-open: an expanded state stays closed",
        "search/best_first.hpp",
        "if (!priority_.reopen || slot.g <= g) {",
        "if (!priority_.reopen || slot.g <= g || nodes_[known].closed) {",
    ),
    Defect(
        "digest: half of the tie is left out",
        "observers.hpp",
        "add(static_cast<std::uint64_t>(event.key.tie), 8);",
        "add(static_cast<std::uint64_t>(event.key.tie), 4);",
    ),
    Defect(
        "beam: equal h in the reverse order",
        "search/beam.hpp",
        "return nodes_[a].h < nodes_[b].h; });",
        "return nodes_[a].h != nodes_[b].h ? nodes_[a].h < nodes_[b].h : a > b; });",
    ),
    Defect(
        "several sums: the last one counts, not the largest",
        "search/maximum_kernel.hpp",
        "child.f = std::max(child.f, g + sum_of(child, sums, group));",
        "child.f = g + sum_of(child, sums, group);",
        f"{MAXIMA}::test_both_engines_make_the_same_passes",
    ),
    Defect(
        "several sums: what the first one cuts off gives no next bound",
        "search/maximum_kernel.hpp",
        "const bool next_is_known = least_above_ == bound_ + 2;",
        "const bool next_is_known = bound_ >= 0;",
        f"{MAXIMA}::test_both_engines_make_the_same_passes",
    ),
    Defect(
        "several sums: a look-up is not taken back behind a subtree",
        "search/maximum_kernel.hpp",
        "value_[lookup] = values[group];",
        "",
        f"{MAXIMA}::test_both_engines_make_the_same_passes",
    ),
    Defect(
        "incumbent: a pass is made that cannot find a shorter solution",
        "search/passes.hpp",
        "if (below_ > 0 && bound >= below_) return",
        "if (below_ > 0 && bound > below_) return",
        f"{MAXIMA}::test_a_proof_makes_the_passes_below_the_incumbent_and_no_other",
    ),
    Defect(
        "A*+IDA*: a cheaper way to a state keeps the old cost",
        "search/stored_frontier.hpp",
        "cheaper.g = g;",
        "",
        TABLES,
    ),
    Defect(
        "A*+IDA*: a state keeps the words of the way that was replaced",
        "search/stored_frontier.hpp",
        "cheaper.word = words[i];",
        "",
        TABLES,
    ),
    Defect(
        "A*+IDA*: of two ways as cheap the one that came first is kept",
        "search/stored_frontier.hpp",
        "return rank_[move] < rank_[others];",
        "return false;",
        TABLES,
    ),
    Defect(
        "A*+IDA*: the words of moves begin anew at the stored nodes",
        "search/pattern_walk.hpp",
        "word_ = node.word;",
        "word_ = MoveAutomaton::begin;",
        f"{STORED}::test_the_hundred_of_korf_are_solved_in_the_published_number_of_moves",
    ),
    Defect(
        "A*+IDA*: a root is left out although a pass has more to find below it",
        "search/astar_idastar.hpp",
        "root.took(kernel.least_above(),",
        "root.took(kernel.least_above() + 2,",
        f"{STORED}::test_no_number_of_stored_states_and_no_words_lose_the_optimum_on_3x3",
    ),
    Defect(
        "A*+IDA*: the roots stay in the order of the first pass",
        "search/astar_idastar.hpp",
        "return a.promise() < b.promise();",
        "return a.promise() < 0 * b.promise();",
        f"{STORED}::test_the_hundred_of_korf_are_solved_in_the_published_number_of_moves",
    ),
    Defect(
        "A*+IDA*, subtrees in turn: a root is left out although a pass has more to find below it",
        "search/subtrees_in_turn.hpp",
        "root[i]->took(subtree.least_above,",
        "root[i]->took(subtree.least_above + 2,",
        f"{STORED}::test_subtrees_in_turn_find_shortest_solutions_the_same_each_time",
    ),
    Defect(
        "subtrees: the words of moves begin anew at their roots",
        "search/pattern_walk.hpp",
        "if constexpr (Pruned) word_ = word_after(word_, move);",
        "",
        f"{PROOFS}::test_the_passes_are_those_of_idastar",
    ),
    Defect(
        "subtrees: one is counted with those before it",
        "search/subtree_search.hpp",
        "{i, stats.expanded - before.expanded, stats.generated",
        "{i, stats.expanded, stats.generated",
        f"{PROOFS}::test_the_passes_are_those_of_idastar",
    ),
    Defect(
        "limits with threads: nodes of earlier passes are given again",
        "search/passes.hpp",
        "SharedWork work(meter_.most_generated() - stats_.generated, threads_);",
        "SharedWork work(meter_.most_generated(), threads_);",
        f"{OPTIONS}::test_threads_stop_exactly_at_the_limit_of_nodes",
    ),
    Defect(
        "limits with threads: what a thread did not make is lost to the others",
        "search/passes.hpp",
        "left_ += unused;",
        "static_cast<void>(unused);",
        f"{OPTIONS}::{HANDED_BACK}",
    ),
    Defect(
        "limits with threads: a thread that is done gives nothing back",
        "search/passes.hpp",
        "~Leaving() { work.leave(meter.unused(stats)); }",
        "~Leaving() { work.leave(0); }",
        f"{OPTIONS}::{HANDED_BACK}",
    ),
    Defect(
        "wide beam: nodes of earlier layers do not count towards the limit",
        "search/wide_beam.hpp",
        "most_children <= request_.most_generated - out_.generated;",
        "most_children <= request_.most_generated;",
        f"{WIDE_BEAM}::test_a_limit_of_nodes_is_never_exceeded",
    ),
    Defect(
        "wide beam: it does not go straight on",
        "search/blank_slides.hpp",
        "const int back = came == no_way ? no_way : came ^ 1;",
        "const int back = came;",
        f"{WIDE_BEAM}::test_a_beam_as_wide_as_the_space_finds_shortest_solutions",
    ),
    Defect(
        "wide beam: of the last bucket none is kept",
        "search/wide_beam.hpp",
        "if (bucket == last) part.ties.push_back(i);",
        "if (bucket == last && false) part.ties.push_back(i);",
        f"{WIDE_BEAM}::test_a_full_layer_has_as_many_states_as_the_width",
    ),
    Defect(
        "wide beam: a node after a piece of a way goes on with the one before",
        "search/ways_in_pieces.hpp",
        "return {node, 0};",
        "return {parent.from, 0};",
        CORE,
    ),
    Defect(
        "wide beam: one that narrows keeps its width",
        "search/beam_widths.hpp",
        "if (!request_.narrows) return 1;",
        "if (request_.narrows) return 1;",
        f"{WIDE_BEAM}::test_a_beam_that_narrows_keeps_fewer_boards_near_the_goal",
    ),
    Defect(
        "wide beam: one that has to end in a time is as wide as ever",
        "search/beam_widths.hpp",
        "if (request_.ends_in > 0) width",
        "if (request_.ends_in < 0) width",
        f"{WIDE_BEAM}::test_a_beam_that_has_to_end_in_a_time_comes_to_its_last_depth",
    ),
    Defect(
        "learned values: of boards together, a slide back changes them as the slide there",
        "src/slide_batch_avx512.cpp",
        "if (batch.back) pairs",
        "if (batch.cells == 0) pairs",
        LEARNED,
    ),
    Defect(
        "learned values: rows that do not fit 16 bits are added up in them",
        "learned/slide_values.hpp",
        "if (!sum_fits(row)) fits_ = false;",
        "if (row_size_ == 0) fits_ = false;",
        LEARNED,
    ),
    Defect(
        "learned values: a slide back changes them as the slide there",
        "learned/slide_values.hpp",
        "cells + static_cast<std::size_t>(tile)] = -fixed;",
        "cells + static_cast<std::size_t>(tile)] = fixed;",
        LEARNED,
    ),
    Defect(
        "learned values: the solved board is not 0",
        "learned/pair_values.hpp",
        "return sum(board) - solved_;",
        "return sum(board);",
        LEARNED,
    ),
    Defect(
        "learned values: a square keeps the tile that has left it",
        "learned/square_values.hpp",
        "square.at_blank * class_after + square.at_tile * blank_class;",
        "square.at_blank * class_after + square.at_tile * class_before;",
        LEARNED,
    ),
    Defect(
        "learned values: the image of a square has its cells in the old order",
        "learned/square_layout.hpp",
        "turned(c) * factors[1] + turned(b) * factors[2]",
        "turned(b) * factors[1] + turned(c) * factors[2]",
        LEARNED,
    ),
    Defect(
        "windows: a way that is shorter by two moves is not taken",
        "src/windows.cpp",
        "static_cast<int>(end - at) - 2);",
        "static_cast<int>(end - at) - 4);",
        f"{WINDOWS}::test_on_small_boards_windows_find_the_optimum",
    ),
    Defect(
        "windows: the tile of a column is taken for one of the next",
        "src/windows.cpp",
        "default: return cell % walker_->columns() > column_[tile] ? -1 : 1;",
        "default: return cell % walker_->columns() >= column_[tile] ? -1 : 1;",
        f"{WINDOWS}::test_on_small_boards_windows_find_the_optimum",
    ),
)


class Tree:
    """A copy of the project with a build of its own, in which one defect is planted at a time."""

    def __init__(self, folder: Path, chosen: list[Defect]) -> None:
        # The package is not beside the C++ files, so it does not ask whether its module was built
        # from just these: the hash of them would change with every defect, and be compiled again.
        self.folder, self.package = folder, folder / "package"
        self.package.mkdir()
        for to, names in ((folder, BUILT_FROM), (self.package, TESTED)):
            for name in names:
                source = ROOT / name
                if source.is_dir():
                    shutil.copytree(source, to / name, ignore=shutil.ignore_patterns("*.so"))
                else:
                    shutil.copy(source, to)
        cached = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        self._run(
            *("cmake", "-S", ".", "-B", "build", "-DCMAKE_BUILD_TYPE=None", "-DTILEWISE_TESTS=ON"),
            *("-DCMAKE_CXX_FLAGS=-O0", f"-DPython_EXECUTABLE={sys.executable}", *cached),
            f"-Dnanobind_DIR={self._run(sys.executable, '-m', 'nanobind', '--cmake_dir').strip()}",
            "-DTILEWISE_SOURCES_HASH=any",
        )
        if any(not each.tests.endswith("_tests") for each in chosen):
            self._build("_native")

    def plant(self, defect: Defect) -> Finding:
        """Run the tests of a defect with the defect in place."""
        file = self.folder / defect.path
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace(defect.old, defect.new), encoding="utf-8")
        in_bindings = False
        try:
            code, output = self.test(defect.tests)
            if code == PASSED:  # it may be in what only the bindings have of a header
                in_bindings = True
                self._build(bindings=True)
                code, output = self.test(defect.tests)
        except subprocess.TimeoutExpired:
            return Finding(defect, None, "the tests did not end")
        finally:
            file.write_text(text, encoding="utf-8")
            if in_bindings:
                self._build(bindings=True)
        if code == PASSED:
            return Finding(defect, None, "SURVIVED")
        if not defect.tests.endswith("_tests"):
            found = _FOUND_BY.search(output)
            if code != FAILED or found is None:
                return Finding(defect, None, f"the tests could not be run: {output}")
            remark = f"{found['test'].removeprefix('test_')} {found['case'] or ''}".strip()
            return Finding(defect, found["name"], remark)
        return Finding(defect, defect.tests, output.strip().rpartition("\n")[2])

    def test(self, *tests: str) -> tuple[int, str]:
        """Build what tests need and run them until the first that fails: exit code and output."""
        if tests[0].endswith("_tests"):
            self._build(tests[0])
            return self._tried([str(self.folder / "build" / tests[0])])
        self._build("_native")
        for module in (self.folder / "build").glob("_native.*"):
            shutil.copy(module, self.package / "src/tilewise/native")
        # -S and PYTHONPATH: an editable installation would come before the copy
        command = [sys.executable, "-S", "-m", "pytest", *tests, "-x", "--tb=no", "-rf"]
        return self._tried([*command, "-p", "no:cacheprovider", "-k", SELECTION])

    def _build(self, target: str = "_native", *, bindings: bool = False) -> None:
        # The bindings only translate: at first, what they have of a header stays as it was.
        for built in (self.folder / "build/CMakeFiles/_native.dir/cpp/bind").glob("*.o"):
            if not bindings:
                built.touch()
        self._run("cmake", "--build", "build", "--target", target)

    def _tried(self, command: list[str]) -> tuple[int, str]:
        libraries = sysconfig.get_path("purelib")
        done = subprocess.run(
            command,
            cwd=self.package,
            env={**os.environ, "PYTHONPATH": f"{self.package / 'src'}{os.pathsep}{libraries}"},
            capture_output=True,
            text=True,
            timeout=HANG_GUARD,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr

    def _run(self, *command: str) -> str:
        done = subprocess.run(
            command,
            cwd=self.folder,
            env={**os.environ, "CCACHE_BASEDIR": str(self.folder)},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
        return done.stdout


def misfits() -> list[str]:
    """The defects whose text is not exactly once in its file.

    >>> misfits()
    []
    """
    return [
        each.breaks
        for each in DEFECTS
        if (ROOT / each.path).read_text("utf-8").count(each.old) != 1 or each.old == each.new
    ]


def planted(chosen: list[Defect], free: SimpleQueue[Tree], jobs: int) -> Iterator[Finding]:
    """The findings, in the order of the list."""

    def plant(defect: Defect) -> Finding:
        tree = free.get()
        try:
            return tree.plant(defect)
        finally:
            free.put(tree)

    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(plant, chosen)


def check_tests(tests: set[str], tree: Tree) -> None:
    """End the program unless the tests that found defects pass without any."""
    programs = {test for test in tests if test.endswith("_tests")}
    for each in [*((program,) for program in sorted(programs)), tuple(sorted(tests - programs))]:
        if each:
            code, output = tree.test(*each)
            if code != PASSED:
                sys.exit(f"tests that found a defect fail without any:\n{output}")


def main() -> int:
    """Plant the defects and print a table."""
    parser = argparse.ArgumentParser(description="Plant defects in the native engine.")
    parser.add_argument("words", nargs="*", default=[""], help="words of the descriptions wanted")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="copies at work")
    wanted = parser.parse_args()
    chosen = [each for each in DEFECTS if any(word in each.breaks for word in wanted.words)]
    if misfits():
        sys.exit(f"not exactly once in their files: {'; '.join(misfits())}")
    print(f"{'defect':<{WIDTH}}found by\n{'-' * (WIDTH + 40)}", flush=True)
    jobs, tests = max(1, wanted.jobs), set()
    with tempfile.TemporaryDirectory(prefix="tilewise-mutation-") as folder:
        free: SimpleQueue[Tree] = SimpleQueue()
        for name in map(str, range(jobs)):
            (Path(folder) / name).mkdir()
            free.put(Tree(Path(folder) / name, chosen))
        found = 0
        for finding in planted(chosen, free, jobs):
            print(f"{finding.defect.breaks:<{WIDTH}}{finding.remark}", flush=True)
            if finding.test is not None:
                found += 1
                tests.add(finding.test)
        check_tests(tests, free.get())
    print(f"{len(chosen)} planted, {found} found")
    return int(found < len(chosen) or not chosen)


if __name__ == "__main__":
    sys.exit(main())
