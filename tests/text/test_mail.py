"""Mail: subject, people and text; a mailbox is a document whose pages are messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.text.helpers import Result, read_here
from tests.text.makers import BOX, MAIL


def read(tmp_path: Path, text: str | bytes, name: str = "a.eml") -> Result:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_here(path)


def test_a_message_is_read_with_its_people_and_without_quotation_marks(tmp_path: Path) -> None:
    result = read(tmp_path, MAIL)
    assert result.texts[0] == "Grüße vom Meer"
    assert result.of_kind("table")[0].startswith("From: Ann Müller <ann@example.org> · To: Ben")
    assert result.of_kind("body") == [
        "The café is open again.",
        "Come and see it.",
        "Is it open?",
        "I would like to know.",
    ]
    head = result.head
    assert (head.type, head.title, head.author) == ("email", "Grüße vom Meer", "Ann Müller <ann@example.org>")
    assert [str(each) for each in result.done.warnings] == ["1 attachment was not read: menu.pdf"]


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("name", ["a.eml", "a", "a.txt"])
def test_a_message_is_recognised_under_any_name(tmp_path: Path, name: str, ends: str) -> None:
    assert read(tmp_path, MAIL.replace("\n", ends), name).head.type == "email"


def test_a_note_with_people_and_a_date_is_no_mail(tmp_path: Path) -> None:
    assert read(tmp_path, "From: Ann\nTo: Ben\nDate: today\n\nBuy milk.", "note.txt").head.type == "text"


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_mailbox_is_a_document_of_messages(tmp_path: Path, ends: str) -> None:
    result = read(tmp_path, BOX.replace("\n", ends), "a.mbox")
    assert result.of_kind("heading") == ["First", "Second"]
    assert result.of_kind("body") == [
        "The first message speaks of tides.",
        "From here the sea is seen.",
        "The second one answers.",
    ]
    assert {place.page for span in result.spans for place in span.places} == {1, 2}
    assert [(entry.title, entry.page) for entry in result.head.outline] == [("First", 1), ("Second", 2)]
    assert (result.head.page_count, result.pages_read) == (2, [1, 2])
    paragraphs = [span.paragraph for span in result.spans]
    assert paragraphs == sorted(paragraphs)
    assert len(result.paragraph_texts()) == 7


def test_a_page_in_a_message_is_read_as_a_page(tmp_path: Path) -> None:
    mail = "Subject: S\nContent-Type: text/html; charset=no-such\n\n<p>Seen.</p><script>not()</script>"
    assert read(tmp_path, mail).of_kind("body") == ["Seen."]


def test_a_message_within_a_message_is_read(tmp_path: Path) -> None:
    mail = (
        'Subject: Outer\nContent-Type: multipart/mixed; boundary="x"\n\n--x\nContent-Type: text/plain\n\nSee below.\n'
        "--x\nContent-Type: message/rfc822\n\nSubject: Inner\nFrom: ann@example.org\n\nThe inner words.\n--x--\n"
    )
    assert read(tmp_path, mail).of_kind("heading") == ["Outer", "Inner"]
    assert read(tmp_path, mail).of_kind("body") == ["See below.", "The inner words."]


def test_a_wrong_encoding_is_detected_instead(tmp_path: Path) -> None:
    mail = "Subject: S\nContent-Type: text/plain; charset=ascii\nContent-Transfer-Encoding: 8bit\n\nGrüße vom Meer."
    assert read(tmp_path, mail).of_kind("body") == ["Grüße vom Meer."]


@pytest.mark.parametrize("mail", ["", "Subject:\n\n", "\n\n\n"])
def test_a_message_without_text_is_refused(tmp_path: Path, mail: str) -> None:
    assert read(tmp_path, mail).state == "no_text"
