"""What an extra of pyproject.toml needs, one requirement a line, without tilewise itself.

    python building/needed.py dev

Installed beside the building of the native engine, which takes all cores for longer than that.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
_OWN = re.compile(r"tilewise\[(?P<extras>[\w,]+)\]")


def needed(extra: str) -> list[str]:
    """The requirements of the package with an extra, those of extras that it names included."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    listed, wanted = project["optional-dependencies"], list(project["dependencies"])
    waiting = list(listed[extra])
    for requirement in waiting:
        own = _OWN.fullmatch(requirement)
        if own is None:
            wanted.append(requirement)
        else:
            waiting += [each for name in own["extras"].split(",") for each in listed[name]]
    return sorted(set(wanted))


if __name__ == "__main__":
    sys.stdout.write("\n".join(needed(sys.argv[1])) + "\n")
