"""Profiles: the dialects of four courses, as data; what data cannot say is a search file here."""

from __future__ import annotations

from dataclasses import dataclass

from tilewise.core.rules import Rules, named


@dataclass(frozen=True)
class Profile:
    """A course's dialect: its goal, the rules nearest to it, its heuristics, how it differs."""

    name: str
    about: str
    command: str
    goal: str
    heuristics: dict[str, str]
    differences: tuple[str, ...]

    @property
    def rules(self) -> Rules:
        """The knobs nearest to the profile; `tilewise solve --rules NAME` uses them."""
        return named(self.name)


PROFILES: dict[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile(
            name="eecs391",
            about="the command language: setState, randomizeState, move, solveAStar, solveBeam",
            command="tilewise classic",
            goal="first",
            heuristics={"h1": "misplaced, the blank counted", "h2": "manhattan"},
            differences=(
                "successors are shuffled at every look-up of the legal moves, by Random(42)",
                "a node is a pair (parent state, state), made at most once; the count is of pairs",
                "only the first expansion of a state makes children; the root is expanded untested",
                "ties go to the oldest node",
                "h1 counts the blank, so it is not admissible",
                "beam: one state may fill two places; its limit is tested between layers only",
            ),
        ),
        Profile(
            name="eecs391-table",
            about="the second version of the command language, with tables for pretty printing",
            command="tilewise classic --profile eecs391-table",
            goal="first",
            heuristics={"h1": "misplaced, the blank counted", "h2": "manhattan"},
            differences=(
                "as eecs391, but successors come in the order U D L R, not shuffled",
                "a random step is one choice among the legal moves",
                "beam stops when the goal is generated and does not count it",
                "its own wording",
            ),
        ),
        Profile(
            name="columbia",
            about="the course driver: bfs, dfs, ast, with an output file of statistics",
            command="tilewise driver",
            goal="first",
            heuristics={"ast": "manhattan"},
            differences=(
                "ties go to the oldest node",
                "a state that is in the frontier is skipped even when the new path is cheaper, "
                "so ast can miss the optimum",
                "max_search_depth is the depth of the deepest state ever put in the frontier",
            ),
        ),
        Profile(
            name="cs170",
            about="the menu program: uniform cost, misplaced and Manhattan, with traces",
            command="tilewise menu",
            goal="last",
            heuristics={"2": "misplaced", "3": "manhattan"},
            differences=(
                "no duplicate detection but the step straight back",
                "ties are decided by the heap of C++'s std::priority_queue, compared by f alone",
                "the size of the queue is looked at after each expansion",
            ),
        ),
    )
}
