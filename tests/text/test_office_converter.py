"""Documents of old Office formats: recognised by content, converted by LibreOffice, within a time."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import psutil
import pytest

from desktop_app.core.reader_events import ReaderLimits
from desktop_app.text import office_converter
from desktop_app.text.office_converter import PROGRAM_VARIABLE, detect_legacy_kind
from desktop_app.text.reader_process import ProcessReader
from tests.patience import PATIENCE_S
from tests.text import makers
from tests.text.helpers import read_here, until

needs_libreoffice = pytest.mark.skipif(
    shutil.which("soffice") is None, reason="LibreOffice is not installed: `apt-get install libreoffice-core-nogui`"
)
only_posix = pytest.mark.skipif(os.name == "nt", reason="the stand-in for LibreOffice is a shell script")


def pretend_libreoffice(monkeypatch: pytest.MonkeyPatch, folder: Path, script: str) -> None:
    """Have documents converted by a shell script; its argument is the folder of results."""
    program = folder / "soffice"
    program.write_text(f'#!/bin/sh\nwhile [ "$1" != --outdir ]; do shift; done\nout=$2\n{script}\n')
    program.chmod(0o755)
    monkeypatch.setenv(PROGRAM_VARIABLE, str(program))


@pytest.mark.parametrize(
    ("stream", "kind"),
    [
        ("WordDocument", "docx"),
        ("Workbook", "spreadsheet"),
        ("Book", "spreadsheet"),
        ("PowerPoint Document", "presentation"),
        ("VisioDocument", None),
    ],
)
def test_the_streams_tell_the_formats_apart(stream: str, kind: str | None, tmp_path: Path) -> None:
    file = tmp_path / "a.bin"
    file.write_bytes(makers.compound("Root Entry", stream))
    assert detect_legacy_kind(file) == kind


def test_a_new_document_with_a_password_has_the_same_container(tmp_path: Path) -> None:
    file = tmp_path / "a.docx"
    file.write_bytes(makers.compound("Root Entry", "EncryptionInfo", "EncryptedPackage"))
    assert read_here(file).state == "locked"


def test_without_libreoffice_a_person_learns_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PROGRAM_VARIABLE, "")
    file = tmp_path / "a.doc"
    file.write_bytes(makers.compound("WordDocument"))
    result = read_here(file)
    assert result.state == "unsupported"
    assert "Install LibreOffice" in str(result.failure)


@only_posix
def test_what_libreoffice_makes_of_a_document_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = tmp_path / "made.docx"
    made.write_bytes(makers.docx(makers.paragraph("The ferry no longer stops here.")))
    pretend_libreoffice(monkeypatch, tmp_path, f'mkdir -p "$out"; cp "{made}" "$out/document.docx"')
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    file = tmp_path / "a.doc"
    file.write_bytes(makers.compound("WordDocument"))
    result = read_here(file)
    assert result.head.type == "docx"
    assert result.texts == ["The ferry no longer stops here."]
    assert list(scratch.iterdir()) == []


@only_posix
@pytest.mark.parametrize(("script", "state"), [("exit 1", "damaged"), ("exit 81", "damaged"), ("sleep 600", "timeout")])
def test_a_document_that_cannot_be_converted_fails(
    script: str, state: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend_libreoffice(monkeypatch, tmp_path, script)
    monkeypatch.setattr(office_converter, "CONVERSION_S", 0.3)
    file = tmp_path / "a.doc"
    file.write_bytes(makers.compound("WordDocument"))
    assert read_here(file).state == state


@only_posix
def test_the_program_ends_with_the_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend_libreoffice(monkeypatch, tmp_path, f'echo $$ > "{tmp_path}/pid.new"; mv "{tmp_path}/pid.new" '
                        f'"{tmp_path}/pid"; exec sleep 600')  # fmt: skip
    file = tmp_path / "a.doc"
    file.write_bytes(makers.compound("WordDocument"))
    reader = ProcessReader(ReaderLimits())
    reading = reader.start(file)
    until(lambda: reading.poll() is not None or (tmp_path / "pid").exists())
    program = psutil.Process(int((tmp_path / "pid").read_text()))
    reading.cancel()
    reader.close()
    psutil.wait_procs([program], timeout=PATIENCE_S)
    assert not program.is_running()


@pytest.mark.slow
@needs_libreoffice
@pytest.mark.parametrize(
    ("suffix", "source", "text"),
    [("doc", "a.txt", "The ferry no longer stops here."), ("xls", "a.csv", "port · It has three cranes")],
)
def test_documents_that_libreoffice_wrote_are_read(suffix: str, source: str, text: str, tmp_path: Path) -> None:
    (tmp_path / source).write_text(text.replace(" · ", ","))
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    command = ["soffice", profile, "--headless", "--convert-to", suffix, "--outdir", tmp_path, tmp_path / source]
    subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE_S)
    assert read_here(tmp_path / f"a.{suffix}").texts == [text]
