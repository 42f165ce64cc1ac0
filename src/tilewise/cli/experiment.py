"""`tilewise experiment`: run, resume, watch, report and export experiments."""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

import click

from tilewise.cli import commands, exit_codes, interrupts
from tilewise.cli import shared_options as shared
from tilewise.cli.experiment_progress import RunsLine, duration
from tilewise.cli.experiment_report import report
from tilewise.cli.numbers import Whole
from tilewise.cli.progress import shown_tables
from tilewise.errors import SpecError, shortened, visible
from tilewise.lab import Moment, Progress, Session, Store, Summary, export, load, run_experiment
from tilewise.lab.builtin import BUILT_IN
from tilewise.lab.database import StoreError
from tilewise.lab.definitions import built_in
from tilewise.lab.execute import ENGINES
from tilewise.lab.exporting import frame
from tilewise.plugins import load_file

MOST_REASONS = 5
MOST_COUNTED = 50_000
"""Planned runs up to which the rows are counted after Ctrl-C."""

folder = partial(
    click.argument, "folder", metavar="DIR", help="The folder of an experiment (its --out)."
)


@commands.group
def experiment() -> None:
    """Run experiments: many boards, many searches, one table.

    An experiment is one of those built in (tilewise experiment list) or a
    TOML file of a few lines. Its rows are kept in one folder; every command
    below takes that folder.

    Examples:

    tilewise experiment run efficiency --out results

    tilewise experiment status results

    tilewise experiment report results

    tilewise experiment export results rows.parquet
    """


@experiment.command("run")
@click.argument("name", metavar="NAME|FILE.toml", help="Built in, or defined in a file.")
@click.option("--out", "-o", required=True, metavar="DIR", help="Where the rows are kept.")
@click.option(
    "--workers",
    metavar="N",
    type=Whole(most=1024),
    help="Processes (default: one per core; 1: just this).",
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="A Dask scheduler, tcp://host:port, or local for a cluster on this machine.",
)
@click.option("--full", is_flag=True, help="Also run the parts that take long.")
@shared.engine(help=f"{' or '.join(ENGINES)}; see above.")
@click.option("--retry-failed", is_flag=True, help="Do failed runs once more.")
@shared.load("load_files", expose_value=True, callback=None)
@click.option("--load-files", "more_files", multiple=True, hidden=True)
@click.option(
    "--allow-code",
    is_flag=True,
    help="Run the Python files that the definition names with load.",
)
def run(
    name: str,
    out: str,
    workers: int | None,
    cluster: str | None,
    full: bool,
    engine: str,
    retry_failed: bool,
    load_files: tuple[str, ...],
    more_files: tuple[str, ...],
    allow_code: bool,
) -> int:
    """Run an experiment, or go on with one that was stopped.

    Only runs that DIR does not have yet are done. A row is written as soon as its run has
    ended. Whatever stops this command (Ctrl-C, a crash, a power cut), the same command goes on
    where it stopped. Several of them may work on one DIR at the same time.

    Searches under default rules run on the native engine where it has
    them; without that engine the command says so and stops. --engine
    python runs everything in Python. Every row names its engine.

    A definition may name Python files with `load`. They are programs: read
    them if they are not yours. They run only with --allow-code, or after
    you have said yes on the terminal.

    Exit code: 0 all runs are done, 2 bad input, 20 some runs failed (their
    rows say why), 130 interrupted.

    Examples:

    tilewise experiment run efficiency --out results

    tilewise experiment run mine.toml --out results --workers 4

    tilewise experiment run korf100 --out results --cluster tcp://head:8786
    """
    for file in (*load_files, *more_files):  # first: the definition may name what they register
        load_file(file)
    wanted = load(name)
    if wanted.load and not allow_code:
        _ask_to_run(wanted.load)
    wanted = replace(wanted, load=(*wanted.load, *load_files, *more_files))
    line = RunsLine()
    with interrupts.keeping(interrupts.ON_DISK):
        try:
            summary = run_experiment(
                wanted,
                out,
                workers=workers or 0,
                cluster=cluster,
                full=full,
                engine=engine,
                retry_failed=retry_failed,
                watch=line,
                context=shown_tables(),
                command=visible(f"tilewise {shlex.join(sys.argv[1:])}"),
            )
        except KeyboardInterrupt:
            line.clear()
            _tell_interrupted(out, line.moment)
            raise
        finally:
            line.clear()
    print(_summary_text(wanted.name, visible(out), summary))
    print(f"report: tilewise experiment report {shlex.quote(visible(out))}")
    return exit_codes.LIMIT if summary.failed else exit_codes.OK


@experiment.command("status")
@folder()
@shared.as_json()
def status(folder: str, as_json: bool) -> None:
    """Show how far an experiment is, while it runs or after.

    Examples:

    tilewise experiment status results
    """
    with Store.open(folder) as store:
        name, progress = store.facts.get("name", "?"), store.progress()
        command = store.facts.get("command", "")
    if as_json:
        print(json.dumps({"name": name, "complete": progress.complete, **asdict(progress)}))
        return
    share = 100 * progress.done // max(1, progress.planned)
    print(f"{visible(name)}: {progress.done:,} of {progress.planned:,} runs done ({share} %)")
    for word, number in sorted(progress.statuses.items()):
        print(f"  {number:>9,}  {visible(word)}")
    for reason, number in list(progress.reasons.items())[:MOST_REASONS]:
        print(f"             {number:,} failed: {visible(reason or '')}")
    if len(progress.reasons) > MOST_REASONS:
        more = len(progress.reasons) - MOST_REASONS
        print(f"             {more:,} more reasons: tilewise experiment export has them")
    for session in progress.sessions:
        print(f"  {_session_text(session, progress)}")
    if not progress.sessions and not progress.complete:
        print(f"No process works on it. To go on: {visible(command)}")


experiment.add_command(report)


@experiment.command("export")
@folder()
@click.argument("file", metavar="FILE", help="rows.csv, rows.parquet, or - for CSV here.")
def export_(folder: str, file: str) -> None:
    """Write all rows to a file: CSV or Parquet, a row for each run.

    Examples:

    tilewise experiment export results rows.csv

    tilewise experiment export results rows.parquet
    """
    with Store.open(folder) as store:
        rows = store.rows()
    if file == "-":
        sys.stdout.write(frame(rows).write_csv())
        return
    export(rows, file)
    print(f"{len(rows):,} rows in {visible(file)}")


@experiment.command("list")
@shared.as_json(help="One JSON object each.")
def list_experiments(as_json: bool) -> None:
    """List the experiments that are built in.

    Examples:

    tilewise experiment list
    """
    width = max(map(len, BUILT_IN))
    for name in BUILT_IN:
        title = built_in(name).title
        print(
            json.dumps({"name": name, "title": title}) if as_json else f"{name:<{width}}  {title}"
        )


def _ask_to_run(files: Sequence[str]) -> None:
    """Ask on a terminal whether the code that a definition names may run; else refuse it."""
    named = ", ".join(shortened(each) for each in files)
    if sys.stdin.isatty() and sys.stderr.isatty():
        print(f"tilewise: the definition runs Python code: {named}", file=sys.stderr)
        print("Run it? [y/N] ", end="", file=sys.stderr, flush=True)
        if sys.stdin.readline(10).strip().lower() in ("y", "yes"):
            return
    raise SpecError(f"expected --allow-code to run the Python code of the definition, got {named}")


def _summary_text(name: str, out: str, summary: Summary) -> str:
    runs = "1 run" if summary.planned == 1 else f"{summary.planned:,} runs"
    text = f"{name}: {runs} in {out}, {summary.done_now:,} of them done now"
    if summary.done_now:
        text += f" in {duration(summary.seconds)}"
    return text + (f", {summary.failed:,} failed" if summary.failed else "")


def _session_text(session: Session, progress: Progress) -> str:
    text = f"running on {visible(session.host)} (process {session.pid}, {visible(session.workers)})"
    seconds = session.beat - session.began
    if session.done and seconds > 0:
        rate = session.done / seconds
        left = duration((progress.planned - progress.done) / rate)
        text += f", {rate:,.1f} runs/s, {left} left"
    return f"{text}, since {time.strftime('%H:%M:%S', time.localtime(session.began))}"


def _tell_interrupted(out: str, moment: Moment | None) -> None:
    """Say what is saved; before the first row there is nothing to report.

    Counting the rows of a large store would take longer than a person waits after Ctrl-C.
    """
    if not (Path(out) / "store.sqlite").is_file():
        return
    if moment is not None and (moment.planning or moment.planned > MOST_COUNTED):
        done, planned = moment.done, moment.planned or moment.planning
    else:
        try:
            with Store.open(out) as store:
                progress = store.progress()
        except StoreError:  # it was being made when Ctrl-C came
            return
        done, planned = progress.done, progress.planned
    print(
        f"tilewise: interrupted: {done:,} of {planned:,} runs are in {visible(out)}; "
        "the same command goes on",
        file=sys.stderr,
    )
