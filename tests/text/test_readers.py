"""The table of formats, and the detection of formats."""

from __future__ import annotations

import bz2
import importlib
import shutil
from pathlib import Path

import pytest

from desktop_app.core.formats import ARCHIVES, FORMATS, SUFFIXES, TYPES, is_supported, type_by_name
from desktop_app.core.paths import resources_folder
from tests.text.helpers import PDFS, read_here
from tests.text.makers import compound
from tests.text.samples import SAMPLES


@pytest.mark.parametrize("name", ["a.pdf", "a.PDF", "b.txt", "c.md", "d.Markdown", "e.text", "f.rst"])
def test_usual_names_are_taken_from_folders(name: str) -> None:
    assert is_supported(Path("folder") / name)


@pytest.mark.parametrize("name", ["a.wpd", "a", "a.py", "~$a.pdf", ".hidden.txt", "pdf", "a.pdf.part"])
def test_other_names_are_not(name: str) -> None:
    assert not is_supported(Path("folder") / name)


def test_every_type_has_a_complete_row_and_a_sample() -> None:
    assert tuple(FORMATS) == TYPES
    assert {sample.kind for sample in SAMPLES.values()} == set(TYPES) - {"image"}  # read by OCR: `test_picture.py`
    read = [each for each in (*FORMATS.values(), ARCHIVES) if not each.is_named]
    assert len(SUFFIXES) == sum(len(each.suffixes) for each in read)
    for kind, each in FORMATS.items():
        assert type_by_name(Path(f"a{each.suffixes[0]}")) == kind
        assert each.media_types
        assert each.name
        assert each.search_action
        assert each.search_tip
        assert (resources_folder() / "icons" / f"{each.icon}.svg").is_file()


def test_every_row_names_a_module_that_reads() -> None:
    """Pictures too, which a machine without OCR never reads."""
    for each in FORMATS.values():
        assert callable(importlib.import_module(f"desktop_app.text.readers.{each.reader}").read)


@pytest.mark.parametrize("name", [name for name in SAMPLES if not name.endswith(".zip")])
def test_a_file_of_every_format_is_recognised_and_read(tmp_path: Path, name: str) -> None:
    sample, file = SAMPLES[name], tmp_path / name
    file.write_bytes(sample.data)
    result = read_here(file)
    assert result.head.type == sample.kind
    assert sample.text in result.texts


def test_suffixes_are_lower_case() -> None:
    assert all(suffix == suffix.lower() and suffix.startswith(".") for suffix in SUFFIXES)


@pytest.mark.parametrize("name", ["paper.txt", "paper.md", "paper"])
def test_a_pdf_under_any_name_is_a_pdf(tmp_path: Path, name: str) -> None:
    shutil.copyfile(PDFS / "pdfa_one_page.pdf", tmp_path / name)
    result = read_here(tmp_path / name)
    assert result.head.type == "pdf"
    assert "They push the human race forward." in result.texts


@pytest.mark.parametrize(
    ("name", "data", "state"),
    [
        ("page.pdf", b"<!DOCTYPE html><html><body>No.</body></html>", "unsupported"),
        ("page.pdf", b"  <html><body>No.</body></html>", "unsupported"),
        ("picture.pdf", b"\x89PNG\r\n\x1a\n" + bytes(50), "no_text"),
        ("minutes.docx", compound("EncryptedPackage"), "locked"),
        ("letter.pdf", b"PK\x03\x04" + bytes(50), "damaged"),
        ("letter.txt", b"PK\x03\x04" + bytes(50), "damaged"),
        ("letter.md", b"{\\rtf1 Hello}", "ready"),
        ("program.txt", b"\x7fELF" + bytes(range(256)) * 8, "unsupported"),
        ("binary.txt", bytes(range(256)) * 40, "unsupported"),
        ("words.pdf", b"Only some words that were never a PDF file.", "damaged"),
        ("noise.pdf", bytes((n * 97 + 13) % 251 for n in range(5000)), "damaged"),
        ("cut.pdf", b"%PDF-1.4\n1 0 obj", "damaged"),
        ("no_suffix", b"Plain words in a file without a suffix.", "ready"),
        ("page.txt", b"<html> is a tag. This file is about it.", "ready"),
        ("empty.md", b"", "no_text"),
        ("blank.md", b"\n\n", "no_text"),
    ],
)
def test_content_decides_before_the_name(tmp_path: Path, name: str, data: bytes, state: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    result = read_here(path)
    assert result.state == state
    if result.failure is not None:
        assert str(result.failure.message)
        assert str(result.failure.hint)
        assert str(tmp_path) not in str(result.failure.message)


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("notes.txt", "RIFF is what the container of WAVE and AVI files is called."),
        ("notes.txt", "RIFF1234 is a name."),
        ("notes.md", "GIF89a is a format of pictures."),
        ("notes", "GIF87a came before it."),
        ("notes.txt", "BZh9 begins a compressed file."),
        ("notes.txt", "BZh, said the fly."),
        ("notes.txt", "%PDF-1.4 is how a PDF begins."),
        ("notes.md", "A PDF begins with %PDF-1.4 and has objects (1 0 obj)."),
        ("notes.rst", "The header ``%PDF-1.7`` is followed by bytes above 127."),
        ("notes", "%PDF- and a number begin a PDF."),
    ],
)
def test_a_text_may_begin_as_other_formats_do(tmp_path: Path, name: str, start: str) -> None:
    path = tmp_path / name
    path.write_text(f"{start} The harbour is deep.", "utf-8")
    assert read_here(path).texts[-1] == "The harbour is deep."


@pytest.mark.parametrize(
    "data",
    [
        b"RIFF\x24\x08\x00\x00WAVEfmt " + bytes(40),
        b"RIFFABCDAVI LIST" + bytes(40),
        b"GIF89a\x80\x02\xe0\x01\xf7\x00\x00" + bytes(40),
        b"GIF87a  \x20\x20\x80  " + bytes(40),
        bz2.compress(b"The harbour is deep."),
        bz2.compress(b""),
    ],
)
def test_pictures_sounds_and_compressed_files_are_refused_under_any_name(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(data)
    assert read_here(path).state == "unsupported"


def test_the_hash_is_that_of_the_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"abc")
    head = read_here(path).head
    assert head.content_hash == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_an_empty_file_says_so_and_one_character_is_text(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.touch()
    empty = read_here(path)
    assert (empty.state, str(empty.failure)) == ("no_text", "The file is empty")
    path.write_bytes(b"a")
    assert read_here(path).texts == ["a"]
