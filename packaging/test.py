"""Run all tests of a checkout without a display; set up `.venv` the first time.

Arguments go to pytest instead; `--mutate PATH…` tries small changes of the code instead (`mutate.py --help`).
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import environment

_MOST_WORKERS = 4
_WORKER_BYTES = 3 * 2**30  # a worker loads models and windows: up to 2.3 GB, and its child processes


def _count_workers() -> int:
    """Return how many processes run the tests: one more than cores, as far as the memory suffices.

    A fourth of the time tests wait: for a disk, for the children that they start, for what a person would see later.
    """
    try:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # Windows does not tell
        return min(os.cpu_count() or 1, _MOST_WORKERS)
    for limit in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):  # of a container
        with suppress(OSError, ValueError):  # there is no such group, or no limit
            memory = min(memory, int(Path(limit).read_text()))
    return max(1, min((os.cpu_count() or 1) + 1, _MOST_WORKERS, memory // _WORKER_BYTES))


def main() -> int:
    """Run the tests; return 0 if all passed."""
    mutates = sys.argv[1:2] == ["--mutate"]
    try:
        environment.prepare("mutation" if mutates else "test")
    except environment.CannotGoOn as error:
        print(f"tests: {error}", file=sys.stderr)
        return 3
    if mutates:
        mutate = str(environment.ROOT / "packaging" / "mutate.py")
        return subprocess.call([str(environment.PYTHON), mutate, *sys.argv[2:]], cwd=environment.ROOT)
    variables = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HF_HUB_OFFLINE": "1"}
    # Tests start the program hundreds of times: compile it once, even if the shell disables writing bytecode.
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    pytest = [str(environment.PYTHON), "-m", "pytest", "--rootdir", str(environment.ROOT)]
    runs_all = set(sys.argv[1:]) <= {"--slow"}
    if runs_all and (workers := _count_workers()) > 1:
        # Tests of a file, which share fixtures, stay together until a worker without tests takes some of another's.
        pytest += ["-n", str(workers), "--dist", "worksteal"]
        # The threads of several workers would wait for each other in busy loops: a fifth of all processor time.
        for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
            variables.setdefault(name, "1")
    return subprocess.call([*pytest, *sys.argv[1:]], env=variables, cwd=environment.ROOT)


if __name__ == "__main__":
    sys.exit(main())
