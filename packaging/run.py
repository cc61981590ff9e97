"""Starts Kindred from a checkout: sets up `.venv` the first time, then opens the window or runs a command."""

from __future__ import annotations

import sys

import environment


def main() -> int:
    """Run the program with this script's arguments; returns its exit status."""
    try:
        environment.prepare()
    except environment.CannotGoOn as error:
        print(f"kindred: {error}", file=sys.stderr)
        return 3
    # -P: a file named like one of our libraries in the folder one stands in must not take its place.
    return environment.start(["-P", "-m", "desktop_app", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
