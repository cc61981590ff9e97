"""The program is killed during a training: the resumed training ends like an undisturbed one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from desktop_app.core.training_checkpoints import CHECKPOINT_FILE, checkpoint_folder
from tests.encoder.conftest import make_model  # noqa: F401 - a fixture
from tests.patience import PATIENCE_S

EPOCHS = 12  # of a few hundredths of a second: far from the end when the first is done
_NOTHING = threading.Event()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL of a group")
def test_a_training_survives_a_kill(tmp_path: Path, make_model) -> None:  # noqa: F811
    rows = [f"the cat {n}\ta {'cat' if n % 2 else 'ship'} near {n}\t{n % 2}" for n in range(60)]
    (tmp_path / "pairs.tsv").write_text("sentence1\tsentence2\tlabel\n" + "\n".join(rows), "utf-8")
    model = make_model()

    def command(name: str, *more: str) -> list[str]:
        start = [sys.executable, "-m", "desktop_app", "--basedir", str(tmp_path / "base"), "train"]
        what = [str(tmp_path / "pairs.tsv"), "--output", str(tmp_path / name), "--model", str(model), "--quiet"]
        return [*start, *what, "--epochs", str(EPOCHS), "--batch-size", "4", "--averaging", "0.5", *more]

    running = subprocess.Popen(
        command("killed"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    checkpoint, end = checkpoint_folder(tmp_path / "killed") / CHECKPOINT_FILE, time.monotonic() + PATIENCE_S
    try:
        while not checkpoint.exists():
            assert running.poll() is None, "it ended before it left a checkpoint"
            assert time.monotonic() < end, "it never got this far"
            _NOTHING.wait(0.005)
    finally:
        os.killpg(running.pid, signal.SIGKILL)  # the process that trains too
        running.wait()
    assert not (tmp_path / "killed").exists()
    assert checkpoint.exists()
    for name, more in (("killed", ["--resume"]), ("whole", [])):
        done = subprocess.run(command(name, *more), capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        assert done.returncode == 0, done.stderr
    killed, whole = (
        {str(file.relative_to(tmp_path / name)): file.read_bytes() for file in (tmp_path / name).rglob("*.safetensors")}
        for name in ("killed", "whole")
    )
    assert len(whole) > 1  # the head too
    assert killed == whole
