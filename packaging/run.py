"""Start Kindred from a checkout: set up `.venv` the first time, then open the window or run a command."""

from __future__ import annotations

import sys

import environment


def main() -> int:
    """Run the program with this script's arguments; return its exit status."""
    try:
        environment.prepare()
    except environment.CannotGoOn as error:
        print(f"kindred: {error}", file=sys.stderr)
        return 3
    # -P: a file in the current folder that is named like a library must not replace it.
    return environment.start(["-P", "-m", "desktop_app", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
