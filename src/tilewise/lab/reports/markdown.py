"""A report as Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from tilewise.lab.reports.report import Cell, Report, Section, Table


def markdown(report: Report, pictures: str | None = None) -> str:
    """The report as Markdown; plots are links to SVG files in the folder `pictures`."""
    return "\n".join(_markdown_lines(report, pictures)).rstrip() + "\n"


def _markdown_lines(report: Report, pictures: str | None) -> Iterator[str]:
    yield f"# {_stars(report.title)}"
    yield ""
    for sentence in report.summary:
        yield from (_stars(sentence), "")
    for section in report.sections:
        yield from section_lines(section, pictures)
    yield from ("## How it was made", "")
    yield from (f"- {name}: `{text}`" for name, text in report.facts.items())


def section_lines(section: Section, pictures: str | None, level: int = 2) -> Iterator[str]:
    """A section as lines of Markdown, its heading of a level, its plots in a folder."""
    yield from (f"{'#' * level} {_stars(section.title)}", "")
    for paragraph in section.text:
        yield from (_stars(paragraph), "")
    for table in section.tables:
        yield from (f"**{_stars(table.title)}**", "", *markdown_table(table), "")
        for note in table.notes:
            yield from (f"*{_stars(note)}*", "")
    for plot in section.plots:
        if plot.empty:
            yield from (f"*{_stars(plot.why_empty)}*", "")
        elif pictures is not None:
            yield from (f"![{plot.title}]({pictures}{plot.name}.svg)", "")


def markdown_table(table: Table) -> list[str]:
    """The lines of a table; the best cells are bold."""

    def line(texts: list[str]) -> str:
        return f"| {' | '.join(texts)} |"

    def shown(cell: Cell) -> str:
        text = _stars(cell.text()).replace("|", "\\|")
        return f"**{text}**" if cell.best and text else text

    rule = ["---:" if table.right(place) else "---" for place in range(len(table.columns))]
    return [
        line([_stars(title).replace("|", "\\|") for title in table.columns]),
        f"|{'|'.join(rule)}|",
        *(line([shown(cell) for cell in row]) for row in table.visible),
    ]


def _stars(text: str) -> str:
    """A text whose stars are stars: A* is a name and begins no italics. Code stays as it is."""
    parts = text.split("`")
    return "`".join(
        part if place % 2 else part.replace("*", "\\*") for place, part in enumerate(parts)
    )
