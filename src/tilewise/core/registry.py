"""The registry: every algorithm and heuristic by name, with its facts. One decorator each."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from tilewise.core.algorithm_facts import Contract, Frontier, PseudoCode
from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.entries import (
    CONTEXT_OPTION,
    NO_FRONTIER,
    AlgorithmEntry,
    Estimate,
    HeuristicEntry,
    Shares,
    Tabled,
)
from tilewise.core.memo import Memo
from tilewise.core.problem import State
from tilewise.core.rules import KNOBS, Rules
from tilewise.core.spec import Spec
from tilewise.core.spec_options import check_defaults, completed, option_text
from tilewise.errors import (
    BoardError,
    SpecError,
    TilewiseError,
    did_you_mean,
    in_one_line,
    shortened,
)
from tilewise.puzzle.board import Board, Goal

F = TypeVar("F", bound=Callable[..., Any])
LARGEST_ESTIMATE = 1_000_000
MOST_KEPT = 64
"""Heuristics that are kept after they were built, the last used ones."""


@dataclass(frozen=True)
class Heuristic:
    """An estimate of the moves to one goal. Call it with a `Board`; `make_heuristic` makes one.

    Example:
        >>> import tilewise as tw
        >>> h = tw.make_heuristic("manhattan", tw.Goal.blank_first(3, 3))
        >>> h(tw.Board.parse("8b6 547 231")), h.admissible, h.consistent
        (21, True, True)
    """

    spec: str
    """Its spec in the normal form."""
    goal: Goal
    """The goal that it was made for."""
    estimate: Estimate
    """The same on plain tuples of tiles, as searches call it."""
    admissible: bool
    """Whether it is declared never to exceed the distance."""
    consistent: bool
    """Whether it is declared to change by at most 1 with a move."""
    built_in: bool = False
    """Whether it comes with tilewise."""
    parts: tuple[Heuristic, ...] = ()
    """The heuristics that it combines."""
    changes_by_one: bool = False
    """Whether it is declared to change by exactly 1 with every move."""
    table_bytes: int = 0
    """The memory of its tables, without those that are mapped from files."""
    fractions: bool = False
    """Whether its values may be fractions."""
    version: Hashable = None
    """Which file it was made of, where that can change."""

    def __call__(self, board: Board) -> int:
        if not isinstance(board, Board):
            raise BoardError(f"expected a Board, got {shortened(board)}")
        if (board.rows, board.columns) != (self.goal.board.rows, self.goal.board.columns):
            raise BoardError(f"expected a {self.goal.board.shape} board, got {board.shape}")
        return self.estimate(board.tiles)


HEURISTICS: dict[str, HeuristicEntry] = {}
ALGORITHMS: dict[str, AlgorithmEntry] = {}


def heuristic(
    name: str,
    *,
    admissible: bool = False,
    consistent: bool = False,
    changes_by_one: bool = False,
    combines: bool = False,
    on_boards: bool = True,
    aliases: tuple[str, ...] = (),
    builds_tables: bool = False,
    fractions: bool = False,
    title: str | None = None,
    shares: Shares | None = None,
    version: Callable[..., Hashable] | None = None,
) -> Callable[[F], F]:
    """Register a heuristic: a function of the goal that returns `h(board) -> int`.

    Further parameters of the function, which need defaults, become the options of its spec.

    Args:
        name: The name in specs.
        admissible: It never exceeds the distance.
        consistent: It changes by at most 1 with a move.
        changes_by_one: It is 0 at the goal, and every move changes it by exactly one, so it is
            consistent and has the parity of the distance. Faster forms of A* need that.
        combines: The function is given the parts of its spec as well, as estimates on tuples. The
            result has the properties only if all parts have them.
        on_boards: With False, the function returns a function of the plain tuple of tiles, which
            is faster.
        aliases: Other names.
        builds_tables: The function gets the caller's `BuildContext` by the keyword `context`.
        fractions: Its values may be fractions; some searches then refuse it.
        title: Its name in words.
        shares: What each tile or group of tiles adds, where the value is such a sum.
        version: A function of the same arguments. Where it returns something new, as after a file
            was replaced, the heuristic is made anew.

    Raises:
        SpecError: The name is taken or is not a name.
    """

    _check_name(name, "heuristic")

    def register(factory: F) -> F:
        entry = HeuristicEntry(
            name,
            factory,
            admissible,
            consistent,
            combines,
            on_boards,
            aliases,
            builds_tables,
            changes_by_one,
            fractions,
            title or name.replace("_", " "),
            shares,
            version,
        )
        check_defaults(name, entry.options)
        _add(HEURISTICS, entry.name, entry)
        return factory

    return register


def algorithm(
    name: str,
    *,
    needs_heuristic: bool = False,
    optimal: bool = False,
    complete: bool = False,
    contract: Contract | str | None = None,
    knobs: tuple[str, ...] = ("order",),
    default_heuristic: str | None = None,
    sound: Callable[[Rules], bool] = lambda rules: True,
    tree: bool = False,
    title: str | None = None,
    frontier: Frontier = NO_FRONTIER,
    choice: str | None = None,
    pseudo_code: str = "",
    native: str | None = None,
    native_options: dict[str, range] | None = None,
    combines: bool = False,
    bounded: str | None = None,
    anytime: bool = False,
    backward: bool = False,
    takes_incumbent: bool = False,
    fractions: bool = False,
) -> Callable[[F], F]:
    """Register an algorithm: a function of problem, heuristic, meter, rules and observer.

    Its keyword-only parameters become the options of its spec. It returns an `Outcome`.

    Args:
        name: The name in specs.
        needs_heuristic: Whether it uses a heuristic.
        optimal: It finds shortest solutions, with an admissible heuristic, whenever `sound(rules)`.
        complete: It finds a solution if there is one and no limit comes before.
        contract: What a second implementation must equal (see the page of algorithms). With a
            native loop `EXACT`, else `OPTIMAL` for an optimal search, `BOUNDED` for one with a
            bound and `VALID` for others, unless it is given.
        knobs: The rules that it obeys.
        default_heuristic: The heuristic when none is named.
        sound: Whether it stays optimal under some rules.
        tree: It does not store all states that it makes, so paths are walked again.
        title: Its name in words.
        frontier: The nodes that wait and what they are sorted by.
        choice: Which node it takes next, in words, where the frontier does not say it.
        pseudo_code: A few lines; a line that makes events ends in their kinds, as `<- expand`.
        native: The loop of the native engine that does the same.
        native_options: Whole numbers that only the native engine takes, by name, and the values
            they may have; the first one is the default and means off. With one of them on, the
            contract is `OPTIMAL`.
        combines: It runs other searches, on the engine that it is given by the keyword `engine`.
        bounded: The option that bounds its solutions: with an admissible heuristic they are at
            most that many times longer than the shortest.
        anytime: It goes on after a first solution, and returns the best one at a limit.
        backward: It gets an estimate of the moves from the start, by the keyword `backward`.
        takes_incumbent: It can start with a solution that is known, `meter.incumbent`, and ends
            when it has found a shorter one or proved that there is none.
        fractions: It takes heuristics whose values are fractions.

    Raises:
        SpecError: The name is taken or is not a name.

    Example:
        >>> import tilewise as tw
        >>> @tw.algorithm("give_up")
        ... def give_up(problem, h, meter, rules, observer):
        ...     return tw.Outcome(tw.Status.STUCK, None, tw.Stats())
        >>> tw.solve("1b2 345 678", algorithm="give_up").status
        <Status.STUCK: 'stuck'>
        >>> del ALGORITHMS["give_up"]
    """

    _check_name(name, "algorithm")

    def register(search: F) -> F:
        weaker = Contract.BOUNDED if bounded else Contract.VALID
        usual = Contract.OPTIMAL if optimal else weaker
        entry = AlgorithmEntry(
            name=name,
            search=search,
            needs_heuristic=needs_heuristic,
            optimal=optimal,
            complete=complete,
            contract=Contract(contract or (Contract.EXACT if native else usual)),
            knobs=knobs,
            default_heuristic=default_heuristic or ("linear_conflict" if needs_heuristic else None),
            sound=sound,
            tree=tree,
            native_options=native_options or {},
            title=title or name,
            frontier=frontier,
            choice=choice,
            pseudo_code=PseudoCode.parse(pseudo_code),
            native=native,
            combines=combines,
            bounded=bounded,
            anytime=anytime,
            backward=backward,
            takes_incumbent=takes_incumbent,
            fractions=fractions,
        )
        check_defaults(name, entry.options)
        _check_frontier(entry)
        _add(ALGORITHMS, name, entry)
        return search

    return register


ALL_KNOBS = KNOBS


_heuristics_made: Memo[tuple[Spec, Goal, Hashable], Heuristic] = Memo(
    MOST_KEPT, lambda made: made.table_bytes
)


def build_heuristic(
    text: str | Spec, goal: Goal, context: BuildContext = DEFAULT_CONTEXT
) -> Heuristic:
    """The heuristic that a spec names, made for a goal; its tables are built in the context.

    A finished heuristic is kept for all callers, whatever their contexts; one whose building
    failed or was cancelled is not, and contexts are never kept.
    """
    spec = _spec(text, "heuristic")
    key = (spec, goal, _version(spec, goal))
    return _heuristics_made.get(
        key, lambda: replace(_built(spec, goal, context), version=key[2]), context.cancelled
    )


def _version(spec: Spec, goal: Goal) -> Hashable:
    """What a heuristic would be made of now, where that can change."""
    entry: HeuristicEntry = _find(HEURISTICS, spec.name, "heuristic")
    if entry.combines:
        return tuple(_version(part, goal) for part in spec.parts)
    if entry.version is None:
        return None
    return entry.version(goal, **completed(entry.name, entry.options, spec))


def estimate_from_start(heuristic: Heuristic, start: Goal, otherwise: str) -> Estimate:
    """An estimate of the moves between the start and a state, for a search from the goal.

    The same heuristic, made for the start as its goal. One that needs tables for each goal, or is
    not registered, is replaced by the one that is named.
    """
    whole = [heuristic, *heuristic.parts]
    entries = [HEURISTICS.get(Spec.parse(each.spec).name) for each in whole]
    made_easily = all(entry and not entry.builds_tables for entry in entries)
    spec = heuristic.spec if made_easily and heuristic.admissible else otherwise
    return _built(Spec.parse(spec), start, DEFAULT_CONTEXT).estimate  # not kept: starts differ


def _built(spec: Spec, goal: Goal, context: BuildContext) -> Heuristic:
    entry: HeuristicEntry = _find(HEURISTICS, spec.name, "heuristic")
    if not entry.combines:
        options = completed(entry.name, entry.options, spec)
        for_tables = {CONTEXT_OPTION: context} if entry.builds_tables else {}
        by_place = _by_place(entry, options)
        by_name = {name: value for name, value in options.items() if name not in by_place}
        places = [each for value in by_place.values() for each in value]
        estimate, table_bytes = _made(entry, goal, *places, **by_name, **for_tables)
        return Heuristic(
            _heuristic_spec(entry, options),
            goal,
            estimate,
            entry.admissible,
            entry.consistent,
            entry.built_in,
            changes_by_one=entry.changes_by_one,
            table_bytes=table_bytes,
            fractions=entry.fractions,
        )
    if spec.options:
        raise SpecError(f"expected no options for heuristic {entry.name}, got {spec}")
    if not spec.parts:
        raise SpecError(
            f"expected heuristics to combine, such as {entry.name}(manhattan, gaschnig)"
        )
    parts = [build_heuristic(part, goal, context) for part in spec.parts]
    return Heuristic(
        f"{entry.name}({', '.join(part.spec for part in parts)})",
        goal,
        _made(
            replace(entry, fractions=any(part.fractions for part in parts)),
            goal,
            *(part.estimate for part in parts),
        ).estimate,
        entry.admissible and all(part.admissible for part in parts),
        entry.consistent and all(part.consistent for part in parts),
        entry.built_in and all(part.built_in for part in parts),
        tuple(parts),
        entry.changes_by_one and all(part.changes_by_one for part in parts),
        sum(part.table_bytes for part in parts),
        any(part.fractions for part in parts),
    )


def heuristic_name(text: str) -> str:
    """The spec of a heuristic in its normal form, as `Heuristic.spec` has it."""
    spec = _spec(text, "heuristic")
    entry: HeuristicEntry = _find(HEURISTICS, spec.name, "heuristic")
    if not entry.combines:
        return _heuristic_spec(entry, completed(entry.name, entry.options, spec))
    parts = tuple(Spec.parse(heuristic_name(str(part))) for part in spec.parts)
    return str(Spec(entry.name, parts))


def _heuristic_spec(entry: HeuristicEntry, options: dict[str, Any]) -> str:
    """The normal form: options at their defaults are not shown, the first one has no name."""
    by_place = _by_place(entry, options)
    given = {
        name: option_text(value)
        for name, value in options.items()
        if name not in by_place and value != entry.options[name].default
    }
    first = next(iter(options), "")
    parts: tuple[Spec, ...] = (Spec(given.pop(first)),) if first in given else ()
    if entry.rest is not None and options[entry.rest]:
        parts = tuple(Spec(text) for texts in by_place.values() for text in texts)
    return str(Spec(entry.name, parts, tuple(given.items())))


def _by_place(entry: HeuristicEntry, options: dict[str, Any]) -> dict[str, tuple[Any, ...]]:
    """The options that stand before further parts of a spec, and those parts."""
    if entry.rest is None or not options[entry.rest]:
        return {} if entry.rest is None else {entry.rest: ()}
    before = list(entry.options)[: list(entry.options).index(entry.rest)]
    return {name: (options[name],) for name in before} | {entry.rest: options[entry.rest]}


@dataclass(frozen=True)
class ConfiguredAlgorithm:
    """An algorithm with all its options set; `spec` is the normal form of the text."""

    spec: str
    entry: AlgorithmEntry
    options: dict[str, Any]

    @cached_property
    def native_options(self) -> dict[str, int]:
        """The options that are on and that only the native engine takes."""
        limits = self.entry.native_options
        return {
            name: value
            for name, value in self.options.items()
            if name in limits and value != limits[name].start
        }

    @cached_property
    def python_options(self) -> dict[str, Any]:
        """The options that the Python search takes."""
        return {
            name: value
            for name, value in self.options.items()
            if name not in self.entry.native_options
        }

    @property
    def contract(self) -> Contract:
        """What a second implementation must equal, with these options."""
        if not self.native_options:
            return self.entry.contract
        return Contract.OPTIMAL if self.entry.optimal else Contract.VALID

    @cached_property
    def frontier(self) -> Frontier:
        """The frontier, with these options."""
        return self.entry.frontier.configured(self.options)


@lru_cache(maxsize=256)
def build_algorithm(text: str | Spec) -> ConfiguredAlgorithm:
    """The algorithm that a spec names, with its options converted and completed."""
    spec = _spec(text, "algorithm")
    entry = _find(ALGORITHMS, spec.name, "algorithm")
    options = completed(entry.name, entry.options, spec)
    for name, values in entry.native_options.items():
        if options[name] not in values:
            raise SpecError(
                f"expected {values.start} to {values[-1]} for {name} of {entry.name}, "
                f"got {options[name]}"
            )
    shown = tuple(
        (name, option_text(value))
        for name, value in options.items()
        if name not in entry.native_options or value != entry.native_options[name].start
    )
    return ConfiguredAlgorithm(str(Spec(entry.name, (), shown)), entry, options)


def _made(entry: HeuristicEntry, goal: Goal, *parts: Any, **options: Any) -> Tabled:
    """What the factory of a heuristic makes; a user's own may fail."""
    made: Any
    try:
        made = entry.factory(goal, *parts, **options)
    except TilewiseError:
        raise
    except (Exception, SystemExit) as error:
        if entry.built_in:
            raise
        raise SpecError(f"heuristic {entry.name} failed: {in_one_line(error)}") from error
    tabled = made if isinstance(made, Tabled) else Tabled(made, 0)
    if not callable(tabled.estimate):
        raise SpecError(
            f"expected heuristic {entry.name} to make a function of a board, got {shortened(made)}"
        )
    if entry.built_in and not entry.on_boards:
        return tabled
    return tabled._replace(estimate=_checked(entry, tabled.estimate, goal))


def _checked(entry: HeuristicEntry, function: Callable[[Any], int], goal: Goal) -> Estimate:
    """A user's own estimate on raw states; what is wrong with it is an error that names it."""
    rows, columns, name = goal.board.rows, goal.board.columns, entry.name
    on_boards = entry.on_boards and not entry.combines

    def estimate(state: State) -> int:
        try:
            value = function(Board.trusted(rows, columns, state) if on_boards else state)
        except (Exception, SystemExit) as error:
            if isinstance(error, TilewiseError) and entry.combines:
                raise  # of a part, whose name it has
            board = Board.trusted(rows, columns, state)
            raise SpecError(f"heuristic {name} failed on {board}: {in_one_line(error)}") from error
        number = type(value) is int or (entry.fractions and type(value) is float)
        if not number or not 0 <= value <= LARGEST_ESTIMATE:
            large = number and value > 0
            bound = f"at most {LARGEST_ESTIMATE:,}" if large else "at least 0"
            wanted = "number" if entry.fractions else "whole number"
            raise SpecError(
                f"expected a {wanted} of {bound} from heuristic {name}, got {shortened(value)}"
            )
        return value

    return estimate


def _check_frontier(entry: AlgorithmEntry) -> None:
    """Refuse a frontier that names an option which the algorithm does not have."""
    for name in entry.frontier.options:
        if name not in entry.options:
            raise SpecError(
                f"expected an option of {entry.name} in its frontier, got {shortened(name)}"
            )


def _check_name(name: object, what: str) -> None:
    if callable(name):
        raise SpecError(f'expected @{what}("name", ...), got @{what} without its name')


def _add(registry: dict[str, Any], name: str, entry: Any) -> None:
    for each in (name, *getattr(entry, "aliases", ())):
        if not isinstance(each, str) or Spec.parse(each) != Spec(each):
            raise SpecError(f"expected a plain name, got {shortened(each)}")
        for known in registry.values():
            if known.built_in and each in (known.name, *getattr(known, "aliases", ())):
                raise SpecError(f"expected a new name, but {each!r} is part of tilewise")
    registry[name] = entry
    _heuristics_made.clear()
    build_algorithm.cache_clear()


def _spec(text: str | Spec, what: str) -> Spec:
    if isinstance(text, str) and not text.strip():
        raise SpecError(f"expected the name of {_article(what)}, got an empty text")
    return text if isinstance(text, Spec) else Spec.parse(text)


def _find(registry: dict[str, Any], name: str, what: str) -> Any:
    for entry in registry.values():
        if name == entry.name or name in getattr(entry, "aliases", ()):
            return entry
    hint = did_you_mean(name, registry) or f" (known: {', '.join(registry)})"
    raise SpecError(f"expected the name of {_article(what)}, got {shortened(name)}{hint}")


def _article(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def no_estimate(state: State) -> int:
    """The estimate of a search that uses none."""
    return 0
