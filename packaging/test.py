"""Run all tests of a checkout without a display; set up `.venv` the first time.

Arguments go to pytest instead; `--mutate PATH…` tries small changes of the code instead (`mutate.py --help`).
"""

from __future__ import annotations

import os
import subprocess
import sys

import environment

_WITHOUT_QT = ["cli", "encoder", "store", "engine", "text", "analysis", "core"]
_NO_TESTS = 5  # pytest's exit status when it collected nothing
_MOST_WORKERS = 4  # each loads the model, about 1 GB


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
    variables.setdefault("PYTHONPYCACHEPREFIX", str(environment.ROOT / ".venv" / "bytecode"))
    pytest = [str(environment.PYTHON), "-m", "pytest", "--rootdir", str(environment.ROOT)]
    if sys.argv[1:]:
        return subprocess.call([*pytest, *sys.argv[1:]], env=variables, cwd=environment.ROOT)
    if (workers := min(os.cpu_count() or 1, _MOST_WORKERS)) > 1:
        # Tests of a file, which share fixtures, stay together until a worker without tests takes some of another's.
        pytest += ["-n", str(workers), "--dist", "worksteal"]
        # The threads of several workers would wait for each other in busy loops: a fifth of all processor time.
        variables.setdefault("OPENBLAS_NUM_THREADS", "1")
    # The packages below the window run where PySide6 cannot be imported: they must not need it.
    print("== the core, without Qt", flush=True)
    core = subprocess.call(
        [*pytest, "-p", "no:pytest-qt", *(f"tests/{room}" for room in _WITHOUT_QT)],
        env={**variables, "KINDRED_TEST_WITHOUT_QT": "1"},
        cwd=environment.ROOT,
    )
    print("== conventions, the window, end to end", flush=True)
    rest = subprocess.call(
        [*pytest, "tests", *(f"--ignore=tests/{room}" for room in _WITHOUT_QT)], env=variables, cwd=environment.ROOT
    )
    return max(status if status != _NO_TESTS else 1 for status in (core, rest))


if __name__ == "__main__":
    sys.exit(main())
