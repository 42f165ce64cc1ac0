"""Experiments by name, and from TOML files. Settings outside of a part hold for all parts."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from tilewise.errors import SpecError, TilewiseError, did_you_mean, shortened, visible
from tilewise.files import read_text
from tilewise.lab.builtin import BUILT_IN
from tilewise.lab.experiment import Experiment

LARGEST_FILE = 10 * 2**20


def load(name: str) -> Experiment:
    """Take a built-in experiment, or one that a TOML file defines.

    Args:
        name: The name of the experiment or of the file.

    Raises:
        SpecError: There is no such experiment or file.

    Example:
        >>> load("ties").name
        'ties'
    """
    if name in BUILT_IN:
        return built_in(name)
    path = Path(name)
    if path.suffix == ".toml" or (path.exists() and not path.is_dir()):
        return from_file(path)
    hint = did_you_mean(name, BUILT_IN) or f" (known: {', '.join(BUILT_IN)})"
    raise SpecError(f"expected an experiment or a TOML file, got {shortened(name)}{hint}")


def built_in(name: str) -> Experiment:
    """One of the experiments that come with tilewise."""
    module, _, attribute = BUILT_IN[name].partition(":")
    made = getattr(import_module(module), attribute)
    experiment: Experiment = made() if callable(made) else made
    return experiment


def from_file(path: Path) -> Experiment:
    """Read an experiment from a TOML file; paths in it are seen from its folder.

    Args:
        path: The file.

    Raises:
        SpecError: The file cannot be read, or a setting is wrong.

    Example:
        >>> from_file(Path("nothing.toml"))
        Traceback (most recent call last):
            ...
        tilewise.errors.SpecError: expected a readable TOML file: ...
    """
    try:
        text = read_text(path, LARGEST_FILE, "a TOML file")
    except TilewiseError as error:
        raise SpecError(str(error)) from None
    return from_toml(text, name=path.stem, folder=path.parent, where=visible(str(path)))


def from_toml(
    text: str, *, name: str = "", folder: Path | None = None, where: str = ""
) -> Experiment:
    """Read an experiment from a TOML text.

    Args:
        text: The definition.
        name: The name of the experiment, for texts that give none.
        folder: From where paths in it are seen.
        where: The name of the file, for errors.

    Raises:
        SpecError: A setting is wrong.
        MissingExtraError: pydantic is missing.

    Example:
        >>> one = from_toml('name = "one"\\nboards = ["1b2 345 678"]')
        >>> one.planned_runs()[0].run.heuristic
        'linear_conflict'
    """
    # late: pydantic takes about 90 ms, and an installation without the extra has none
    from tilewise.lab.definition_checks import check_names
    from tilewise.lab.definition_tables import ExperimentTable, with_single_source
    from tilewise.toml_models import TomlText, read_model

    given = TomlText(text, where)
    table = with_single_source(given.tables)
    definition = read_model(ExperimentTable, given, table)
    check_names(given, definition, folder)
    return definition.experiment(name, folder or Path())
