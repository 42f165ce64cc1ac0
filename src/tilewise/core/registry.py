"""The registry: every algorithm and heuristic by name, with its facts. One decorator each."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from importlib import import_module
from typing import Any, TypeVar

from tilewise.core.algorithm_facts import Contract, Frontier, PseudoCode
from tilewise.core.entries import NO_FRONTIER, AlgorithmEntry, HeuristicEntry, Shares
from tilewise.core.problem import State
from tilewise.core.rules import Rules
from tilewise.core.spec import Spec
from tilewise.core.spec_options import check_defaults
from tilewise.errors import SpecError, did_you_mean, shortened

F = TypeVar("F", bound=Callable[..., Any])
HEURISTICS: dict[str, HeuristicEntry] = {}
ALGORITHMS: dict[str, AlgorithmEntry] = {}
WHEN_CHANGED: list[Callable[[], None]] = []
"""Called when something is registered: what was made from the registry is made anew."""
_PACKAGES = ("tilewise.heuristics", "tilewise.search", "tilewise.anytime")
"""What registers those of tilewise; they are imported when a name is not known without them."""


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
    native_with_options: str | None = None,
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
        native_with_options: The loop of the native engine that serves it with one of these on,
            where it has none without them.
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
            native_with_options=native_with_options,
            fractions=fractions,
        )
        check_defaults(name, entry.options)
        _check_frontier(entry)
        _add(ALGORITHMS, name, entry)
        return search

    return register


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
    for forget in WHEN_CHANGED:
        forget()


def spec_of(text: str | Spec, what: str) -> Spec:
    """The spec of a heuristic or an algorithm, which a user may have written."""
    if isinstance(text, str) and not text.strip():
        raise SpecError(f"expected the name of {_article(what)}, got an empty text")
    return text if isinstance(text, Spec) else Spec.parse(text)


def find(registry: dict[str, Any], name: str, what: str) -> Any:
    """The entry of this name or alias."""
    entry = _known(registry, name)
    if entry is None:
        for package in _PACKAGES:
            import_module(package)
        entry = _known(registry, name)
    if entry is not None:
        return entry
    hint = did_you_mean(name, registry) or f" (known: {', '.join(registry)})"
    raise SpecError(f"expected the name of {_article(what)}, got {shortened(name)}{hint}")


def _known(registry: dict[str, Any], name: str) -> Any:
    if name in registry:
        return registry[name]
    entries = registry.values()
    return next((each for each in entries if name in getattr(each, "aliases", ())), None)


def _article(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def no_estimate(state: State) -> int:
    """The estimate of a search that uses none."""
    return 0
