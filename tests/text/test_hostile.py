"""Hostile files end in a state, and the next file is read normally."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_app.core.reader_events import ReaderLimits
from desktop_app.text.reader_process import ProcessReader
from tests.text.helpers import PDFS, finish
from tests.text.hostile_pdfs import QUICK, SLOW, cut_off, damaged, flipped, stream_bomb, write

STATES = {"ready", "damaged", "no_text", "too_large", "timeout", "unsupported", "encrypted", "locked"}


@pytest.fixture
def strict() -> Iterator[ProcessReader]:
    reader = ProcessReader(ReaderLimits(silence_s=20, memory_bytes=1_000_000_000))
    yield reader
    reader.close()


@pytest.mark.parametrize("name", QUICK)
def test_a_hostile_file_ends_and_the_next_one_is_read(name: str, strict: ProcessReader, tmp_path: Path) -> None:
    path = write(tmp_path, f"{name}.pdf", QUICK[name]())
    assert finish(strict.start(path)).state in STATES
    assert finish(strict.start(PDFS / "pdfa_one_page.pdf")).state == "ready"


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_a_slow_hostile_file_ends_too(name: str, strict: ProcessReader, tmp_path: Path) -> None:
    path = write(tmp_path, f"{name}.pdf", SLOW[name]())
    assert finish(strict.start(path)).state in STATES
    assert finish(strict.start(PDFS / "pdfa_one_page.pdf")).state == "ready"


def test_a_bomb_is_too_large(tmp_path: Path) -> None:
    reader = ProcessReader(ReaderLimits(memory_bytes=200_000_000))
    try:
        path = write(tmp_path, "bomb.pdf", stream_bomb(300 << 20))
        assert finish(reader.start(path)).state == "too_large"
        assert finish(reader.start(PDFS / "pdfa_one_page.pdf")).state == "ready"
    finally:
        reader.close()


def test_half_a_file_yields_its_readable_part(strict: ProcessReader, tmp_path: Path) -> None:
    states = {finish(strict.start(write(tmp_path, f"{percent}.pdf", cut_off(percent)))).state for percent in (10, 90)}
    assert states == {"damaged", "ready"}


def test_flipped_bytes_never_break_the_reader(strict: ProcessReader, tmp_path: Path) -> None:
    states = [finish(strict.start(write(tmp_path, f"{seed}.pdf", flipped(seed)))).state for seed in range(4)]
    assert set(states) <= STATES
    assert "ready" in states


@pytest.mark.slow
def test_every_damaged_copy_ends_in_a_state(strict: ProcessReader, tmp_path: Path) -> None:
    for name, data in damaged():
        assert finish(strict.start(write(tmp_path, name, data))).state in STATES
