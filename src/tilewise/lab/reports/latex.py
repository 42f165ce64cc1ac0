"""The tables of a report as LaTeX, for `booktabs`."""

from __future__ import annotations

from tilewise.lab.reports.report import Cell, Report, Table

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}


def latex(report: Report) -> str:
    """Every table of a report, one after the other."""
    made = "\n".join(f"% {name}: {_one_line(text)}" for name, text in report.facts.items())
    tables = "\n\n".join("\n".join(latex_table(table)) for table in report.tables)
    return f"% {_one_line(report.title)}\n{made}\n% needs \\usepackage{{booktabs}}\n\n{tables}\n"


def latex_table(table: Table) -> list[str]:
    """The lines of a table; the best cells are bold, numbers stand to the right."""
    columns = "".join("r" if table.right(place) else "l" for place in range(len(table.columns)))
    notes = [rf"\par\smallskip\footnotesize {escaped(note)}" for note in table.notes]
    return [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escaped(table.title)}}}",
        rf"\label{{tab:{table.name}}}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _line([escaped(title) for title in table.columns]),
        r"\midrule",
        *(_line([_shown(cell) for cell in row]) for row in table.visible),
        r"\bottomrule",
        r"\end{tabular}",
        *notes,
        r"\end{table}",
    ]


def escaped(text: str) -> str:
    """A text in which nothing means something else to LaTeX."""
    return "".join(_SPECIAL.get(letter, letter) for letter in _one_line(text))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _shown(cell: Cell) -> str:
    text = escaped(cell.text())
    return rf"\textbf{{{text}}}" if cell.best and text else text


def _line(texts: list[str]) -> str:
    return f"{' & '.join(texts)} \\\\"
