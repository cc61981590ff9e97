"""Files that grow, shrink, become others or vanish while they are read."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from desktop_app.text import readers
from tests.text.helpers import Result, read_here
from tests.text.samples import SAMPLES


def _grow(file: Path) -> None:
    with file.open("ab") as out:
        out.write(b"\nAnother line came in.\n" * 40)


def _shrink(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def _empty(file: Path) -> None:
    os.truncate(file, 0)


def _rewrite(file: Path) -> None:
    """Another file takes its place, as editors save."""
    other = file.with_name("other")
    other.write_bytes(bytes(reversed(file.read_bytes())))
    os.replace(other, file)


def _vanish(file: Path) -> None:
    file.unlink()


def _become_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


CHANGES = (_grow, _shrink, _empty, _rewrite, _vanish, _become_folder)
WHOLE = [name for name in SAMPLES if not name.endswith(".zip")]


def _read_while(
    monkeypatch: pytest.MonkeyPatch, file: Path, change: Callable[[Path], None], after_events: int
) -> Result:
    """Read a file that changes after it was hashed and the reader gave some events."""
    original = readers._read_with_format_reader

    def read(*values: object) -> Iterator[object]:
        if not after_events:
            change(file)
        for number, step in enumerate(original(*values), start=1):  # type: ignore[arg-type]
            yield step
            if number == after_events:
                change(file)

    monkeypatch.setattr(readers, "_read_with_format_reader", read)
    return read_here(file)


@pytest.mark.parametrize("after_events", [0, 1])
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", WHOLE)
def test_a_file_that_changes_while_it_is_read_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, change: Callable[[Path], None], after_events: int
) -> None:
    if os.name == "nt" and change in (_rewrite, _vanish, _become_folder):
        pytest.skip("an open file cannot be replaced on Windows")
    file = tmp_path / name
    file.write_bytes(SAMPLES[name].data)
    result = _read_while(monkeypatch, file, change, after_events)
    if result.failure is not None:
        assert result.failure.reason == "unreadable"
        assert "changed while" in str(result.failure.message) or change in (_vanish, _become_folder)
    elif change is _vanish:
        assert "changed" not in [remark.code for remark in result.done.warnings], "it is gone, and was read whole"
    else:
        assert [remark.code for remark in result.done.warnings][-1] == "changed"
    monkeypatch.undo()
    if file.is_dir():
        shutil.rmtree(file)
    file.write_bytes(SAMPLES[name].data)
    again = read_here(file)
    assert SAMPLES[name].text in again.texts
    assert "changed" not in [remark.code for remark in again.done.warnings]
