"""Input files of commands: whole, or refused."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from desktop_app.core.errors import BadData
from desktop_app.core.input_files import decode_utf8, read_input_file


def test_a_file_is_read_whole(tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    file.write_bytes(b"one\ntwo\n" * 300_000)
    assert read_input_file(file) == file.read_bytes()


def test_a_file_beyond_the_limit_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    file.write_bytes(b"x" * 11)
    assert read_input_file(file, most=11) == b"x" * 11
    with pytest.raises(BadData, match="more than 10 bytes"):
        read_input_file(file, most=10)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device here")
def test_a_device_is_refused() -> None:
    with pytest.raises(BadData, match="is a device"):
        read_input_file("/dev/zero")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"one\n",))
    writer.start()
    assert read_input_file(pipe) == b"one\n"
    writer.join()


@pytest.mark.parametrize(
    ("raw", "line"), [(b"\xff", 1), (b"a\nb\n\xe4\n", 3), (b"a\rb\r\xe4", 3), (b"a\r\nb\xe4\r\n", 2)]
)
def test_what_is_not_utf8_is_named_by_its_line(raw: bytes, line: int) -> None:
    with pytest.raises(BadData, match=f"rows.csv, line {line} is not UTF-8"):
        decode_utf8(Path("rows.csv"), raw)
    assert decode_utf8(Path("rows.csv"), b"\xef\xbb\xbf\xc3\xa4") == "ä"
