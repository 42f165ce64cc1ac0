"""The browser of the page's tests. As a program: makes sure that there is one.

As root on Debian the package is installed; elsewhere a browser that is there is used; with
none the program ends with one line and exit code 1.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

SHELL = "chromium-headless-shell"
"""The browser without its windows, half as much work for the machine."""
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "msedge")
PLACES = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
)
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--no-first-run",
)
NONE_FOUND = (
    "the tests of the page need a browser: install Chromium "
    "(apt-get install chromium), or name one in TILEWISE_BROWSER"
)


def find() -> str | None:
    """The path of a browser, the one that TILEWISE_BROWSER names first."""
    named = os.environ.get("TILEWISE_BROWSER")
    if named:
        return shutil.which(named)
    found = (shutil.which(name) for name in NAMES)
    placed = (place for place in PLACES if Path(place).exists())
    return next((path for path in (*found, *placed) if path), None)


def install() -> None:
    """Install Debian's package, if that can be done."""
    apt = shutil.which("apt-get")
    if apt is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    options = ["--yes", "-qq", "--no-install-recommends"]
    shell, whole = ([apt, "install", *options, name] for name in (SHELL, "chromium"))
    update = [apt, "update", "-qq"]
    for command in (shell, update, shell, whole):
        done = subprocess.run(command, env=environment, capture_output=True, check=False)
        if command is not update and done.returncode == 0:
            return


def main() -> int:
    """Find a browser, after installing one where there is none."""
    if find() is None:
        install()
    if find() is None:
        print(NONE_FOUND, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
