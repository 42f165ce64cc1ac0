"""What contains students' programs in the tests. As a program: makes sure that it is there.

As root on Debian the package is installed. Where it cannot be had, the tests show that programs
are refused, and this program says so in one line; it is not an error.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys


def install() -> None:
    """Install Debian's package, if that can be done."""
    apt = shutil.which("apt-get")
    if apt is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    package = [apt, "install", "--yes", "-qq", "--no-install-recommends", "bubblewrap"]
    for command in (package, [apt, "update", "-qq"], package):
        done = subprocess.run(command, env=environment, capture_output=True, check=False)
        if command is package and done.returncode == 0:
            return


def main() -> int:
    """Find bubblewrap, after installing it where it is missing; say where it does not work."""
    from tilewise.grading import containment

    if shutil.which(containment.PROGRAM) is None:
        install()
    reason = containment.why_not()
    if reason is not None:
        print(f"hostile programs are not run in the tests, only refused: {reason}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
