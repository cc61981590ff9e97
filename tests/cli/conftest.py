"""The command line in this process: arguments in, exit status and output out."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from desktop_app.__main__ import main
from desktop_app.encoder import bundled_model_folder
from tests.kept_model import keep_loaded_model


@dataclass(frozen=True)
class Answer:
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Kindred = Callable[..., Answer]


def _has_reason(out: str) -> bool:
    """Return whether a JSON document says why a command has not done everything."""
    return out.startswith("{") and any(json.loads(out).get(name) for name in ("error", "failed", "stopped"))


@pytest.fixture
def kindred(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Kindred:
    """Run a command under a base folder of the test's own."""

    def run(*arguments: str | Path, base: Path = tmp_path / "base") -> Answer:
        capsys.readouterr()
        try:
            status = main(["--basedir", str(base), *map(str, arguments)])
        except SystemExit as end:
            status = int(end.code or 0)
        captured = capsys.readouterr()
        # The findings of `doctor` are its output.
        explained = "doctor" in arguments or bool(captured.err) or _has_reason(captured.out)
        assert status == 0 or explained, f"{status}, without a reason: {captured.out}"
        return Answer(status, captured.out, captured.err)

    return run


@pytest.fixture(autouse=True)
def _loaded_model() -> Iterator[None]:
    with keep_loaded_model():
        yield


@pytest.fixture(scope="session")
def _papers_place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The place of `papers`, the same for all tests of a process: a library names its documents by their paths."""
    return tmp_path_factory.mktemp("study") / "papers"


@pytest.fixture
def papers(_papers_place: Path) -> Iterator[Path]:
    """A folder of two small documents."""
    _papers_place.mkdir()
    (_papers_place / "sea.txt").write_text(
        "The sea level has risen by twenty centimetres since 1900. Warm water takes more room than cold water.\n\n"
        "Coastal towns will have to adapt their drains and roads. Nobody knows how fast the ice will melt.\n",
        "utf-8",
    )
    (_papers_place / "bread.md").write_text(
        "# On bread\n\nA sourdough needs time and a warm place. The crust turns brown in a very hot oven.\n\n"
        "Nobody knows how fast the ice will melt.\n",
        "utf-8",
    )
    for file in _papers_place.iterdir():
        os.utime(file, (1_700_000_000, 1_700_000_000))  # of the same age as when they were imported
    yield _papers_place
    shutil.rmtree(_papers_place, ignore_errors=True)  # a test may have moved it


@pytest.fixture(scope="session")
def _imported_base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the base folder with the imported papers is kept."""
    return tmp_path_factory.mktemp("imported") / "base"


@pytest.fixture
def imported(kindred: Kindred, papers: Path, _imported_base: Path, tmp_path: Path) -> Path:
    """The papers, imported into the library of the test: once by a command, then as a copy."""
    if not _imported_base.exists():
        assert kindred("import", papers, base=_imported_base).status == 0
    shutil.copytree(_imported_base, tmp_path / "base")
    return papers


@pytest.fixture(scope="session")
def other_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled weights under another pooling: another model, with other vectors."""
    folder = tmp_path_factory.mktemp("models") / "first-token"
    shutil.copytree(bundled_model_folder(), folder, copy_function=os.symlink)
    config = folder / "1_Pooling" / "config.json"
    modes = json.loads(config.read_text("utf-8"))
    config.unlink()
    modes |= {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}
    config.write_text(json.dumps(modes), "utf-8")
    return folder
