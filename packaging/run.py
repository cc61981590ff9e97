"""Start Kindred from a checkout: set up `.venv` the first time, then open the window or run a command.

`--cuda` as the first argument sets up a torch with CUDA, also where no NVIDIA card was found.
"""

from __future__ import annotations

import sys

import environment


def main() -> int:
    """Run the program with this script's arguments; return its exit status."""
    arguments = sys.argv[1:]
    if cuda := arguments[:1] == ["--cuda"]:
        arguments = arguments[1:]
    try:
        environment.prepare(cuda=cuda)
    except environment.CannotGoOn as error:
        print(f"kindred: {error}", file=sys.stderr)
        return 3
    # -P: a file in the current folder that is named like a library must not replace it.
    return environment.start(["-P", "-m", "desktop_app", *arguments])


if __name__ == "__main__":
    sys.exit(main())
