"""Files of every format, spoiled at random from known seeds: each ends in a document or in a reason.

Short here; `--slow` spoils each of them some hundred times.
"""

from __future__ import annotations

import gzip
import io
import json
import logging
import random
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path

import pytest

from desktop_app.core.reader_events import ArchiveRead, ReaderLimits, ReadingDone
from desktop_app.text.reader_process import ProcessReader
from tests.text import makers
from tests.text.helpers import PDFS, Result, finish

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
TEXT = (SAMPLES / "What sleep is for.txt").read_text("utf-8")
MARKDOWN = (SAMPLES / "A loaf every Sunday.md").read_text("utf-8")
PARAGRAPHS = [" ".join(paragraph.split()) for paragraph in TEXT.split("\n\n")]
ENDS = {"ready", "archive", "encrypted", "locked", "no_text", "damaged", "unsupported", "too_large"}


def _srt() -> str:
    cues = (
        f"{n}\n00:{n // 60:02}:{n % 60:02},000 --> 00:{n // 60:02}:{n % 60:02},900\n{text[:80]}\n"
        for n, text in enumerate(PARAGRAPHS, 1)
    )
    return "\n".join(cues)


def _html(paragraphs: list[str]) -> str:
    body = "".join(f"<h2>Part {n}</h2><p>{escape(text)}</p>" for n, text in enumerate(paragraphs))
    return (
        f"<!DOCTYPE html><html><head><title>Sleep</title></head><body>{body}<table><tr><td>a<td>b</table></body></html>"
    )


def _eml() -> str:
    return makers.MAIL.replace("Come and see it.", "\n".join(text[:70] for text in PARAGRAPHS if text.isascii()))


def _tex() -> str:
    sections = "".join(f"\\section{{Part {n}}}\n\\emph{{{text}}} $x_{n}$\n\n" for n, text in _numbered())
    head = "\\documentclass{article}\n\\newcommand{\\a}[1]{#1 \\a}\n"
    return f"{head}\\begin{{document}}\n{sections}\\end{{document}}\n"


def _numbered() -> list[tuple[int, str]]:
    return list(enumerate(PARAGRAPHS, 1))


def _seven_zip() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "a.txt").write_text(TEXT, "utf-8")
        command = ["bsdtar", "-cf", "-", "--format=7zip", "-C", folder, "a.txt"]
        return subprocess.run(command, check=True, capture_output=True).stdout


MADE: dict[str, Callable[[], bytes]] = {
    "a.txt": lambda: TEXT.encode(),
    "b.txt": lambda: TEXT.encode("utf-16"),
    "a.md": lambda: MARKDOWN.encode(),
    "a.html": lambda: _html(PARAGRAPHS).encode(),
    "a.csv": lambda: ("who,what\n" + "".join(f'me,"{text}"\n' for text in PARAGRAPHS)).encode(),
    "a.tsv": lambda: ("who\twhat\n" + "".join(f"me\t{text}\n" for text in PARAGRAPHS)).encode(),
    "a.srt": lambda: _srt().encode(),
    "a.vtt": lambda: ("WEBVTT\n\n" + _srt().replace(",", ".")).encode(),
    "a.docx": lambda: makers.docx("".join(makers.paragraph(escape(text)) for text in PARAGRAPHS)),
    "a.odt": lambda: makers.odt("".join(f"<text:p>{escape(text)}</text:p>" for text in PARAGRAPHS)),
    "a.epub": lambda: makers.epub({f"{n}.xhtml": f"<p>{escape(text)}</p>" for n, text in enumerate(PARAGRAPHS)}),
    "a.rtf": lambda: makers.RTF.encode(),
    "a.eml": lambda: _eml().encode(),
    "a.mbox": lambda: (makers.BOX + "From x@y Mon Mar  2 11:00:00 2026\n" + _eml()).encode(),
    "a.zip": lambda: makers.zipped({"a.txt": TEXT, "b/c.md": MARKDOWN}),
    "a.tar": lambda: makers.tar(("a.txt", TEXT), ("b/c.md", MARKDOWN)),
    "a.tar.gz": lambda: gzip.compress(makers.tar(("a.txt", TEXT), ("b/c.md", MARKDOWN)), mtime=0),
    "a.pptx": lambda: makers.pptx({f"slide{n}.xml": makers.shape(escape(text)) for n, text in _numbered()}),
    "a.odp": lambda: makers.odp(
        "".join(f"<draw:page>{makers.frame(escape(text))}</draw:page>" for _, text in _numbered())
    ),
    "a.xlsx": lambda: makers.xlsx({"One": "".join(makers.cells(n, escape(text)) for n, text in _numbered())}),
    "a.ods": lambda: makers.ods(
        f"<table:table>{''.join(makers.open_row(str(n), escape(text)) for n, text in _numbered())}</table:table>"
    ),
    "a.tex": lambda: _tex().encode(),
    "a.mhtml": lambda: makers.saved_page("".join(f"<p>{escape(text)}</p>" for text in PARAGRAPHS)).encode(),
    "a.tmx": lambda: makers.tmx(*((escape(text), f"{n}.") for n, text in _numbered())).encode(),
    "a.xlf": lambda: makers.xliff(*((escape(text), f"{n}.") for n, text in _numbered())).encode(),
    "b.eml": lambda: makers.mail_with({"a.txt": PARAGRAPHS[0], "b.html": _html(PARAGRAPHS[:2]), "c.csv": "a\nStorm\n"}),
    "a.pdf": lambda: (PDFS / "pdfa_one_page.pdf").read_bytes(),
    "b.pdf": lambda: (PDFS / "encrypted_openpassword.pdf").read_bytes(),
}
if shutil.which("bsdtar") is not None:
    MADE["a.7z"] = _seven_zip
_NUMBERS = (b"0", b"-1", b"99999999999999999999", b"2147483648", b"1e400", b"nan")
_MARKS = (
    b"<",
    b">",
    b"&",
    b'"',
    b"{",
    b"}",
    b"\\",
    b"\0",
    b"\xff\xfe",
    b"\n\n",
    b"=?utf-8?b?",
    b"\\u-1?",
    b"&#x110000;",
)


def spoil(data: bytes, source: random.Random) -> bytes:
    """Return a file with typical damage: flipped bits, cuts, repeats, and absurdly large numbers."""
    spoiled = bytearray(data)
    for _ in range(source.choice((1, 1, 2, 5, 30))):
        at = source.randrange(len(spoiled) + 1)
        length = min(source.choice((1, 1, 4, 40, 1000)), len(spoiled) - at)
        match source.randrange(6):
            case 0 if at < len(spoiled):
                spoiled[at] ^= 1 << source.randrange(8)
            case 1:
                del spoiled[at : at + length]
            case 2:
                spoiled[at:at] = spoiled[at : at + length] * source.choice((1, 2, 50))
            case 3:
                spoiled[at : at + length] = source.randbytes(length)
            case 4:
                spoiled[at:at] = source.choice(_MARKS)
            case _:
                spoiled[at : at + 2] = source.choice(_NUMBERS)
    return bytes(spoiled[: source.randrange(len(spoiled) + 1)] if source.random() < 0.1 else spoiled)


def spoil_members(data: bytes, source: random.Random) -> bytes:
    """Return a ZIP file that is whole and has a part that is not: checksums would hide it otherwise."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        members: dict[str, str | bytes] = {name: package.read(name) for name in package.namelist()}
    name = source.choice(sorted(members))
    whole = members[name]
    assert isinstance(whole, bytes)
    members[name] = spoil(whole, source)
    return makers.zipped(members, first="mimetype" if "mimetype" in members else "")


@pytest.fixture
def reader() -> Iterator[ProcessReader]:
    reader = ProcessReader(ReaderLimits(silence_s=20, memory_bytes=1_000_000_000))
    yield reader
    reader.close()


def assert_in_order(result: Result) -> None:
    """Check that the events are consistent with each other."""
    paragraphs = [span.paragraph for span in result.spans]
    assert paragraphs == sorted(paragraphs)
    for span in result.spans:
        assert span.text == span.text.strip()
        assert span.text
        span.text.encode()
        assert span.places
        assert all(0 <= place.start < place.stop for place in span.places)
    json.dumps([[entry.title, entry.page, entry.level] for entry in result.head.outline]).encode()
    f"{result.head.title}{result.head.author}".encode()


def fuzz(name: str, reader: ProcessReader, folder: Path, seeds: range, caplog: pytest.LogCaptureFixture) -> None:
    whole = MADE[name]()
    packed = zipfile.is_zipfile(io.BytesIO(whole))
    path = folder / name
    for seed in seeds:
        source = random.Random(f"{name} {seed}")
        path.write_bytes(spoil_members(whole, source) if packed and seed % 2 else spoil(whole, source))
        result = finish(reader.start(path))
        assert result.state in ENDS, f"seed {seed}: {result.failure}"
        assert [record.message for record in caplog.records if record.levelno >= logging.ERROR] == [], f"seed {seed}"
        if result.state == "ready":
            assert_in_order(result)
        for inner in _inside(result)[:2]:
            found = finish(reader.start(Path(inner)))
            assert found.state in ENDS | {"unreadable"}, f"seed {seed}, {inner}: {found.failure}"


def _inside(result: Result) -> list[str]:
    """The files in an archive or message that was read."""
    listed = (event.members for event in result.events if isinstance(event, ArchiveRead))
    attached = (event.attached for event in result.events if isinstance(event, ReadingDone))
    return [member.path for members in (*listed, *attached) for member in members]


def test_the_files_are_readable_before_they_are_damaged(reader: ProcessReader, tmp_path: Path) -> None:
    archives = dict.fromkeys(("a.zip", "a.tar", "a.tar.gz", "a.7z"), "archive")
    for name in MADE:
        path = tmp_path / name
        path.write_bytes(MADE[name]())
        result = finish(reader.start(path))
        assert result.state == (archives | {"b.pdf": "encrypted"}).get(name, "ready"), name
        for inner in _inside(result):
            whole = "damaged" if inner.endswith("menu.pdf") else "ready"
            assert finish(reader.start(Path(inner))).state == whole, inner


def test_a_damaged_file_ends_in_a_document_or_a_reason(
    reader: ProcessReader, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for name in MADE:
        fuzz(name, reader, tmp_path, range(8), caplog)


@pytest.mark.slow
@pytest.mark.parametrize("name", MADE)
def test_repeatedly_damaged_files_do_so_too(
    name: str, reader: ProcessReader, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    fuzz(name, reader, tmp_path, range(8, 400), caplog)
