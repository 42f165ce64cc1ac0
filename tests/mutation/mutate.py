"""Plants defects in the native engine and shows that the comparison of engines finds each one.

Each is a slip that one could make there; it compiles and leaves most answers right.

    python tests/mutation/mutate.py [WORD]

With a word, only the defects whose description has it. A copy of the project is built in a
temporary folder, first as it is: the tests must pass. Then with one defect after another: the
tests must fail. A defect that survives, or that no longer fits its header, gives exit code 1.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("CMakeLists.txt", "pyproject.toml", "cpp", "src", "tests")
HEADERS = Path("cpp/include/tilewise")
ENGINES, OPTIONS = "tests/native/test_engines.py", "tests/native/test_native_options.py"
SELECTION = "not all_of_3x3 and not every_small_state"
PASSED, FAILED = 0, 1
"""Exit codes of pytest; others mean that the tests could not be run."""

HANG_GUARD = 600
_FOUND_BY = re.compile(r"^FAILED .*?::(?P<test>\w+)(\[(?P<case>.*?)\](?= -|$))?", re.MULTILINE)


@dataclass(frozen=True)
class Defect:
    """A text of a header, which must be there exactly once, what takes its place, who finds it."""

    breaks: str
    header: str
    old: str
    new: str
    tests: str = ENGINES


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
)


class Tree:
    """A copy of the project with a build of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("*.so"))
            else:
                shutil.copy(source, folder)
        self._run(
            *("cmake", "-S", ".", "-B", "build", "-DCMAKE_BUILD_TYPE=None"),
            *("-DCMAKE_CXX_FLAGS=-O0", f"-DPython_EXECUTABLE={sys.executable}"),
            f"-Dnanobind_DIR={self._run(sys.executable, '-m', 'nanobind', '--cmake_dir').strip()}",
        )

    def build(self) -> None:
        """Build the module and put it into the package of the copy."""
        self._run("cmake", "--build", "build", "--parallel", "2")
        for module in (self.folder / "build").glob("_native.*"):
            shutil.copy(module, self.folder / "src/tilewise/native")

    def test(self, *tests: str) -> tuple[int, str]:
        """Run the tests until the first that fails: pytest's exit code and its output."""
        # -S and PYTHONPATH: an editable installation would come before the copy
        command = [sys.executable, "-S", "-m", "pytest", *tests, "-x", "--tb=no"]
        libraries = sysconfig.get_path("purelib")
        done = subprocess.run(
            [*command, "-rf", "-p", "no:cacheprovider", "-k", SELECTION],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": f"{self.folder / 'src'}{os.pathsep}{libraries}"},
            capture_output=True,
            text=True,
            timeout=HANG_GUARD,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr

    def _run(self, *command: str) -> str:
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
        return done.stdout


def misfits() -> list[str]:
    """The defects whose text is not exactly once in its header.

    >>> misfits()
    []
    """
    texts = {each.header: (ROOT / HEADERS / each.header).read_text("utf-8") for each in DEFECTS}
    return [each.breaks for each in DEFECTS if texts[each.header].count(each.old) != 1]


def plant(tree: Tree, defect: Defect) -> tuple[bool, str]:
    """Whether the tests find a defect, and what to say about it."""
    header = tree.folder / HEADERS / defect.header
    text = header.read_text(encoding="utf-8")
    header.write_text(text.replace(defect.old, defect.new), encoding="utf-8")
    try:
        tree.build()
        code, output = tree.test(defect.tests)
    except subprocess.TimeoutExpired:
        return False, "the tests did not end"
    finally:
        header.write_text(text, encoding="utf-8")
    if code == PASSED:
        return False, "SURVIVED"
    found = _FOUND_BY.search(output)
    if code != FAILED or found is None:
        return False, f"the tests could not be run: {output}"
    return True, f"{found['test'].removeprefix('test_')} {found['case'] or ''}".strip()


def main() -> int:
    """Plant the defects and print a table."""
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    chosen = [defect for defect in DEFECTS if word in defect.breaks]
    if misfits():
        sys.exit(f"not exactly once in the headers: {'; '.join(misfits())}")
    with tempfile.TemporaryDirectory(prefix="tilewise-mutation-") as folder:
        tree = Tree(Path(folder))
        tree.build()
        code, output = tree.test(ENGINES, OPTIONS)
        if code != PASSED:
            sys.exit(f"the tests fail without a defect:\n{output}")
        print(f"{'defect':<66}found by\n{'-' * 66}{'-' * 34}", flush=True)
        found = 0
        for defect in chosen:
            is_found, remark = plant(tree, defect)
            found += is_found
            print(f"{defect.breaks:<66}{remark}", flush=True)
    print(f"{len(chosen)} planted, {found} found")
    return int(found < len(chosen) or not chosen)


if __name__ == "__main__":
    sys.exit(main())
