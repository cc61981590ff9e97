"""How much text files may have: pictures and attachments do not count."""

from __future__ import annotations

import base64
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_app.core.jobs import run_to_completion
from desktop_app.core.reader_events import FileRef
from desktop_app.engine.text_amount import TextAmount, estimate_text_amount, estimate_text_amounts
from tests.text import makers
from tests.text.helpers import made_pdf, paragraph, pdf_bytes, stream

PICTURE = random.Random(1).randbytes(2_000_000)
PROSE = "A sentence stands here, and another one follows it. " * 20_000


def mail(text: str) -> bytes:
    """A message with an attached picture."""
    return (
        b"Message-ID: <a>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\n"
        + text.encode()
        + b"\n--x\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\n"
        + base64.encodebytes(PICTURE)
        + b"\n--x--\n"
    )


def pdf_with_pictures() -> bytes:
    return pdf_bytes([stream(PICTURE, b"/Subtype /Image") for _ in range(3)])


def pdf_of_pages() -> bytes:
    return made_pdf([paragraph(50, 700, PROSE[:2000])] * 500)


@pytest.mark.parametrize(
    ("name", "make", "least", "most"),
    [
        ("a.docx", lambda: makers.docx("", more={"word/media/a.png": PICTURE}), 0.0, 0.01),
        ("a.epub", lambda: makers.epub({"a.xhtml": "Words."}, more={"a.png": PICTURE.decode("latin-1")}), 0.0, 0.01),
        ("a.zip", lambda: makers.zipped({"a.png": PICTURE, "b.txt": "Words."}), 0.0, 0.01),
        ("a.eml", lambda: mail("Words."), 0.0, 0.05),
        ("a.html", lambda: b"<img src='data:," + base64.b64encode(PICTURE) + b"'>", 0.0, 0.05),
        ("a.pdf", pdf_with_pictures, 0.0, 0.3),
        ("b.pdf", pdf_of_pages, 0.9, 1.0),
        ("a.txt", PROSE.encode, 1.0, 1.0),
        ("b.eml", lambda: b"Message-ID: <a>\n\n" + PROSE.encode(), 0.99, 1.0),
    ],
)
def test_pictures_and_attachments_do_not_count(
    tmp_path: Path, name: str, make: Callable[[], bytes], least: float, most: float
) -> None:
    data = make()
    (tmp_path / name).write_bytes(data)
    amount = estimate_text_amount(tmp_path / name)
    assert amount is not None
    assert least <= (amount.pdf + amount.packed + amount.other) / len(data) <= most


def test_the_text_of_a_word_document_counts_as_it_is_packed(tmp_path: Path) -> None:
    data = makers.docx("".join(makers.paragraph(f"Sentence {n} of many.") for n in range(5000)))
    (tmp_path / "a.docx").write_bytes(data)
    amount = estimate_text_amount(tmp_path / "a.docx")
    assert amount is not None
    assert amount == TextAmount(packed=amount.packed)
    assert len(data) * 0.9 < amount.packed < len(data)


def test_the_names_of_many_files_are_looked_at_some_at_a_time() -> None:
    refs = [FileRef(f"/papers/{at}.txt", 10, 0) for at in range(2600)]
    assert len(list(estimate_text_amounts(refs))) == 5
    assert run_to_completion(estimate_text_amounts(refs)) == [TextAmount(other=10)] * 2600


def test_only_large_files_are_opened_and_a_damaged_one_counts_whole(tmp_path: Path) -> None:
    files = {"small.docx": b"PK", "large.docx": b"PK" * 600_000, "gone.pdf": b"x"}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "gone.pdf").unlink()
    refs = [
        FileRef(str(tmp_path / name), len(data) if name != "gone.pdf" else 5_000_000, 0) for name, data in files.items()
    ]
    assert run_to_completion(estimate_text_amounts(refs)) == [
        TextAmount(packed=2),
        TextAmount(packed=1_200_000),
        TextAmount(pdf=5_000_000),
    ]
