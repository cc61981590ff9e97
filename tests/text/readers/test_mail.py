"""Mail: subject, people and text; a mailbox is a document whose pages are messages."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import pytest

from desktop_app.core.reader_events import ArchiveRead
from tests.text.helpers import Result, read_here
from tests.text.makers import BOX, MAIL, zipped


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
    assert result.done.warnings == ()
    assert [Path(each.path).name for each in result.done.attached] == ["menu.pdf"]
    assert result.of_kind("table")[0].endswith(" · Attached: menu.pdf")


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


def parts(*bodies: str, kind: str = "alternative") -> str:
    """A message of several parts, each with its headers."""
    inside = "".join(f"--x\n{body}\n" for body in bodies)
    return f'Subject: S\nContent-Type: multipart/{kind}; boundary="x"\n\n{inside}--x--\n'


PLAIN, HTML = "Content-Type: text/plain\n\n", "Content-Type: text/html\n\n"
CALENDAR = (
    "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260302T100000Z\nSUMMARY;LANGUAGE=en:Launch of the boat\n"
    'LOCATION;ALTREP="http://x:1":Pier 3\\, Husum\nDESCRIPTION:We meet at ten.\\nBring a \n coat.\n'
    "BEGIN:VALARM\nDESCRIPTION:Reminder\nEND:VALARM\nEND:VEVENT\nEND:VCALENDAR\n"
)
ENRICHED = (
    "<bold>The tide</bold> comes\nin <<early>.\n\n<color><param>red</param>It goes late.</color>\n<fontfamily><param>a"
)


@pytest.mark.parametrize("blank", ["", "\n \n", "\u00a0\n"])
def test_a_blank_text_does_not_hide_the_page_beside_it(tmp_path: Path, blank: str) -> None:
    mail = parts(f"Content-Type: text/plain; charset=utf-8\n\n{blank}", f"{HTML}<p>The page speaks.</p>")
    assert read(tmp_path, mail).of_kind("body") == ["The page speaks."]


def test_a_page_within_related_parts_is_read(tmp_path: Path) -> None:
    related = f'Content-Type: multipart/related; boundary="y"\n\n--y\n{HTML}<p>The page speaks.</p>\n--y--'
    assert read(tmp_path, parts(f"{PLAIN} ", related)).of_kind("body") == ["The page speaks."]


def test_a_message_that_is_only_a_forwarded_one_is_read(tmp_path: Path) -> None:
    mail = "Message-ID: <1@x>\nContent-Type: message/rfc822\n\nSubject: Inner\n\nThe inner words.\n"
    assert read(tmp_path, mail).of_kind("body") == ["The inner words."]


def test_enriched_text_is_read_without_its_marks(tmp_path: Path) -> None:
    mail = f"Message-ID: <1@x>\nContent-Type: text/enriched\n\n{ENRICHED}"
    assert read(tmp_path, mail).of_kind("body") == ["The tide comes in <early>.", "It goes late."]


def test_calendar_entries_are_read_without_alarms(tmp_path: Path) -> None:
    mail = parts(f"{PLAIN}You are invited.", f"Content-Type: text/calendar\n\n{CALENDAR}", kind="mixed")
    texts = read(tmp_path, mail).texts[2:]
    assert texts == ["Launch of the boat", "Pier 3, Husum", "We meet at ten.", "Bring a coat."]


FILE = "Content-Type: application/octet-stream\nContent-Disposition: attachment; filename="


def test_attached_files_are_documents_of_their_own_and_others_are_named(tmp_path: Path) -> None:
    mail = parts(
        f"{PLAIN}See below.",
        "Content-Type: text/plain\nContent-Disposition: attachment; filename=Notes.txt\n\nThe notes speak.",
        f"{FILE}notes.txt\n\nThe other notes speak.",
        f'{FILE}"../a/b.md"\n\nA path leads nowhere.',
        f"{FILE}a.exe\n\nx",
        'Content-Type: image/png; name="logo.png"\nContent-Disposition: inline\n\nx',
        kind="mixed",
    )
    result = read(tmp_path, mail)
    assert result.of_kind("body") == ["See below."]
    assert [str(each) for each in result.done.warnings] == ["2 attachments were not read: a.exe, logo.png"]
    inside = [Path(each.path).relative_to(tmp_path / "a.eml").as_posix() for each in result.done.attached]
    assert inside == ["Notes.txt", "notes (2).txt", "_a_b.md"]
    assert [read_here(Path(each.path)).texts for each in result.done.attached] == [
        ["The notes speak."],
        ["The other notes speak."],
        ["A path leads nowhere."],
    ]
    assert read_here(tmp_path / "a.eml" / "gone.txt").state == "unreadable"


def test_attached_files_of_a_mailbox_stand_below_their_messages(tmp_path: Path) -> None:
    def message(text: str) -> str:
        return f"From x@y Mon Mar  2 11:00:00 2026\n{parts(PLAIN + 'Hello.', FILE + text, kind='mixed')}\n"

    box = message("a.txt\n\nThe first file.") + message("a.txt\n\nThe second file.")
    result = read(tmp_path, box, "a.mbox")
    assert [Path(each.path).relative_to(tmp_path).as_posix() for each in result.done.attached] == [
        "a.mbox/1/a.txt",
        "a.mbox/2/a.txt",
    ]
    for number, text in ((2, "The second file."), (1, "The first file."), (2, "The second file.")):
        assert read_here(tmp_path / "a.mbox" / str(number) / "a.txt").texts == [text]
    for gone in ("3/a.txt", "x/a.txt", "1/b.txt", "1"):
        assert read_here(tmp_path / "a.mbox" / gone).state == "unreadable"


def test_an_archive_that_is_attached_is_opened_and_a_message_in_an_archive_too(tmp_path: Path) -> None:
    packed = b64encode(zipped({"deep.txt": "Deep in a message."})).decode()
    mail = parts(PLAIN + "Hello.", f"{FILE}c.zip\nContent-Transfer-Encoding: base64\n\n{packed}", kind="mixed")
    (tmp_path / "b.zip").write_bytes(zipped({"a.eml": mail}))
    (event,) = read_here(tmp_path / "b.zip" / "a.eml" / "c.zip").events
    assert isinstance(event, ArchiveRead)
    assert read_here(Path(event.members[0].path)).texts == ["Deep in a message."]


def test_a_part_with_a_damaged_header_is_read_and_so_is_the_rest(tmp_path: Path) -> None:
    mail = parts(f"{PLAIN}Before it.", f"Content-Type: {'(' * 3000}\n\nx", f"{PLAIN}After it.", kind="mixed")
    result = read(tmp_path, mail)
    assert result.of_kind("body") == ["Before it.", "x", "After it."]


def test_one_bad_message_does_not_spoil_the_mailbox(tmp_path: Path) -> None:
    bad = f"From x@y Mon Mar  2 11:00:00 2026\nSubject: {'.' * 20_000}\nTo: {'(' * 20_000}\n\nThe third one.\n"
    result = read(tmp_path, BOX + bad, "a.mbox")
    assert result.pages_read == [1, 2, 3]
    assert result.of_kind("body")[-2:] == ["The second one answers.", "The third one."]


def test_parts_without_a_boundary_are_read_as_text(tmp_path: Path) -> None:
    assert read(tmp_path, "Message-ID: <1@x>\nContent-Type: multipart/mixed\n\nOnly text.").texts == ["Only text."]


def test_pages_in_mail_are_parsed_as_web_pages_are(tmp_path: Path) -> None:
    page = (
        '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><script/>'
        "<p>The h\xe4rbour is deep.</p><p hidden=''>It was shallow.</p></body></html>"
    )
    head = "Message-ID: <a>\nContent-Type: text/html; charset=iso-8859-1\n\n"
    result = read(tmp_path, (head + page).encode("latin-1"))
    assert result.texts == ["The härbour is deep."]
    assert [each.text for each in result.done.omitted] == ["It was shallow."]
