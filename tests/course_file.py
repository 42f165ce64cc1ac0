"""A course from a file that no course of the package is like: own goal, names with spaces."""

from __future__ import annotations

FILE = "evening.toml"
EVENING = """
name = "evening"
title = "A course from a file, with a goal of its own"
goal = "1 2 3/4 0 5/6 7 8"
rules = "order=LRUD,ties=oldest"
[[methods]]
name = "A* h2"
algorithm = "astar"
heuristic = "manhattan"
[[methods]]
name = "A* tree"
algorithm = "astar"
heuristic = "manhattan"
rules = "ties=oldest,duplicates=ancestors(1)"
[[methods]]
name = "bfs"
algorithm = "ids"
[output]
solved = "{method} solved it in {length} steps\\nmade {generated}, expanded {expanded}\\n{boards}"
blank = "."
"""
