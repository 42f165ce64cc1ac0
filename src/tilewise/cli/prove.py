"""`tilewise prove`: how many moves a board needs; `tilewise proofs`: what is being proved."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from pathlib import Path
from threading import Event as CancelFlag
from typing import Any, TypedDict

import click

from tilewise import Limits
from tilewise.cli import commands, exit_codes, interrupts, progress, render, survey_text
from tilewise.cli import shared_options as shared
from tilewise.cli.numbers import Seconds, Whole
from tilewise.cli.output import Show
from tilewise.core.build_context import BuildContext, TableProgress
from tilewise.errors import TilewiseError, visible
from tilewise.proofs import checkpoint as checkpoints
from tilewise.proofs.executors import SubtreeExecutor, ThreadsHere
from tilewise.proofs.proving import prove as prove_board
from tilewise.proofs.state import ProofState
from tilewise.proofs.survey import survey
from tilewise.puzzle import formats
from tilewise.puzzle.position import Position, read_position

ENDING = ".proof"


class Wanted(TypedDict):
    """What a proof and a survey of it have in common."""

    incumbent: str | None
    heuristic: str | None
    checkpoint: str | None
    executor: SubtreeExecutor
    limits: Limits
    watch: ProofLine
    cancel: CancelFlag
    context: BuildContext


class ProofLine(progress.ProgressLine):
    """Bound, gap, nodes and rate of a proof, and about how long it will take."""

    begun = False

    def __call__(self, state: ProofState, unfinished: int) -> None:
        """Show how far the proof is."""
        self.begun = True
        interrupts.keep()
        if self.due():
            done = state.current
            part = f", {len(done.done):,} of {done.roots:,} subtrees" if done is not None else ""
            nodes = state.generated + unfinished
            self.write(f"bound {state.bound} of {state.cost}{part}, {nodes:,} nodes{_left(state)}")


@commands.command()
@shared.board()
@shared.goal()
@click.option("--incumbent", metavar="MOVES", help="A solution that you have.")
@shared.moves()
@shared.heuristic()
@click.option(
    "--checkpoint", metavar="FILE", help="Write the state of the proof here, and go on from it."
)
@click.option(
    "--every",
    metavar="S",
    type=Seconds(),
    default="30",
    help="Write a checkpoint every S seconds.",
)
@click.option(
    "--threads", metavar="N", type=Whole(most=1024), help="Threads (default: one for each core)."
)
@click.option(
    "--cluster", metavar="ADDRESS", help="A Dask scheduler whose workers search, or `local`."
)
@shared.seconds(help="Stop after S seconds; the checkpoint keeps what is done.")
@shared.memory()
@click.option("--certificate", metavar="FILE", help="Write what was proved (tilewise verify FILE).")
@click.option(
    "--survey",
    "only_survey",
    is_flag=True,
    help="Estimate how long the proof takes, by a sample, in a minute or --seconds.",
)
@shared.as_json(help="One JSON object.")
def prove(
    board: str,
    goal: str,
    incumbent: str | None,
    moves: str,
    heuristic: str | None,
    checkpoint: str | None,
    every: float,
    threads: int | None,
    cluster: str | None,
    seconds: float | None,
    memory: int | None,
    certificate: str | None,
    only_survey: bool,
    as_json: bool,
) -> int:
    """Prove how many moves a board needs, with checkpoints.

    It runs passes of IDA* below the length of a known solution. Without --incumbent, a solution
    is looked for first. Large tables are built where they are missing. A process that was
    stopped, by Ctrl-C, kill -9 or a full disk, goes on from its checkpoint, with the same
    counters, on this machine or another. With --survey, about how many nodes and how much time it
    takes is found out first. Exit code: 0 a solution (see its gap), 2 bad input, 10 unsolvable,
    20 limit, 130 interrupted.

    Examples:

    tilewise prove "8b6 547 231" -H manhattan

    tilewise prove "8b6 547 231" -H "pdb(4-4)" --checkpoint eight.proof

    tilewise prove "8b6 547 231" --survey --seconds 5
    """
    position = read_position(board, goal)
    line = ProofLine()
    if certificate is not None and checkpoint is None:
        raise TilewiseError("expected --checkpoint FILE with --certificate, which is made from it")
    if only_survey and certificate is not None:
        raise TilewiseError("expected --survey or --certificate, got both: a survey proves nothing")
    with closing(_executor(cluster, threads, memory)) as executor:
        if cluster is None:  # connecting to one is not waited for
            interrupts.keep()
        wanted: Wanted = {
            "incumbent": None if incumbent is None else formats.read_moves(incumbent, moves),
            "heuristic": heuristic,
            "checkpoint": checkpoint,
            "executor": executor,
            "limits": Limits(seconds=seconds, memory=memory),
            "watch": line,
            "cancel": interrupts.CameFlag(),
            "context": BuildContext(progress=_tables(line, saved=checkpoint is not None)),
        }
        if only_survey and position.goal.reachable_from(position.board):
            return _survey(position, wanted, line, as_json=as_json)
        try:
            result = prove_board(position, interval=every, **wanted)
        finally:
            line.clear()
        if certificate is not None and checkpoint is not None:
            from tilewise.cli import certificates

            # there is none for an unsolvable board, nor where the time was over before a pass
            file = Path(checkpoint)
            state = checkpoints.read(file) if file.exists() else None
            certificates.write(certificate, result, state)
        Show(as_json, False, False, moves, None).alone(board, result, None)
        sys.stdout.flush()
        interrupts.keep_nothing()  # a cluster takes a moment to end
    return exit_codes.OF_STATUS[result.status]


def _survey(position: Position, wanted: Wanted, line: ProofLine, *, as_json: bool) -> int:
    try:
        found = survey(position, **wanted)
    finally:
        line.clear()
    if as_json:
        print(json.dumps(survey_text.facts(found)))
    else:
        print("\n".join(survey_text.lines(found)))
    sys.stdout.flush()
    cancelled = wanted["cancel"].is_set()
    interrupts.keep_nothing()
    if cancelled:
        return exit_codes.INTERRUPTED
    return exit_codes.OK if found.proved or found.passes else exit_codes.LIMIT


def _tables(proof: ProofLine, *, saved: bool) -> TableProgress:
    """Show tables as they grow: nothing is proved yet then, or all of it is in the checkpoint."""
    line = progress.TableLine()

    def show(name: str, done: int, total: int) -> None:
        if saved or not proof.begun:
            interrupts.keep(interrupts.ON_DISK)
        line(name, done, total)

    return show


def _executor(cluster: str | None, threads: int | None, memory: int | None) -> SubtreeExecutor:
    here = ThreadsHere()
    if cluster is not None:
        from tilewise.lab.executors.subtrees import SubtreesOnCluster

        return SubtreesOnCluster(cluster, threads or here.threads)
    return ThreadsHere(threads or here.threads, memory or here.memory)


@commands.command()
@click.argument("folder", metavar="FOLDER", help="Where the checkpoints are (files FILE.proof).")
@shared.as_json(help="One JSON object a proof.")
def proofs(folder: str, as_json: bool) -> int:
    """Show how far the proofs in a folder are.

    A line each: bound, gap, nodes, rate, and about how long it will take. The time left is an
    estimate by the growth of the passes: treat it as no more than that. A file that is damaged
    is named, the others are shown all the same.

    Examples:

    tilewise proofs campaign
    """
    found = sorted(Path(folder).glob(f"*{ENDING}"))
    if not Path(folder).is_dir():
        raise TilewiseError(f"expected a folder, got {visible(folder)}")
    code = exit_codes.OK
    for path in found:
        try:
            facts = _facts(path.name, checkpoints.read(path))
        except TilewiseError as error:
            print(f"tilewise: error: {visible(str(error))}", file=sys.stderr)
            code = exit_codes.BAD_INPUT
            continue
        print(json.dumps(facts) if as_json else _line(facts))
    if not found and not as_json:
        print(f"no proofs (files *{ENDING}) in {visible(folder)}")
    return code


def _facts(name: str, state: ProofState) -> dict[str, Any]:
    gap = None if state.cost is None else state.cost - state.bound
    return {
        "file": name,
        "board": state.board,
        "goal": state.goal,
        "heuristic": state.heuristic,
        "side": state.side,
        "cost": state.cost,
        "bound": state.bound,
        "gap": gap,
        "proved": state.proved,
        "passes": len(state.passes),
        "generated": state.generated,
        "seconds": round(state.seconds, 3),
        "nodes_per_second": round(state.generated / state.seconds) if state.seconds else None,
        "estimated_seconds_left": None if state.proved else state.seconds_left,
    }


def _line(facts: dict[str, Any]) -> str:
    name = f"{visible(facts['file'])}: "
    if facts["proved"]:
        return f"{name}{facts['cost']} moves, proved with {facts['generated']:,} nodes"
    known = "no solution yet" if facts["cost"] is None else f"{facts['cost']} moves"
    gap = "" if facts["gap"] is None else f" (gap {facts['gap']})"
    rate = facts["nodes_per_second"]
    speed = "" if rate is None else f", {rate:,} a second"
    left = facts["estimated_seconds_left"]
    about = (
        "" if left is None else f", about {render.rough_time(left)} left by the growth of passes"
    )
    return (
        f"{name}{known}, at least {facts['bound']}{gap}, {facts['generated']:,} nodes{speed}{about}"
    )


def _left(state: ProofState) -> str:
    left = state.seconds_left
    return "" if left is None else f", about {render.rough_time(left)} left"
