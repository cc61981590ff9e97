"""Archives: members are documents; bombs and names that lead out are refused and affect nothing else."""

from __future__ import annotations

import copy
import multiprocessing.util
import os
import stat
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from desktop_app.core.errors import StorageFull
from desktop_app.core.reader_events import ArchiveRead, ReaderLimits
from desktop_app.text import archives
from desktop_app.text.page_tasks import look_at_file, open_pages
from desktop_app.text.reader_process import ProcessReader
from tests.text.helpers import PDFS, finish, read_here
from tests.text.makers import docx, paragraph, zipped

WORDS = "The sea rises twice a day. It falls as often."


@pytest.fixture(autouse=True)
def _archives_are_closed() -> Iterator[None]:
    yield
    archives.close_cached_archive()


@pytest.fixture
def own_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The temporary folder of unpacked files."""
    folder = tmp_path / "unpacked"
    folder.mkdir()
    multiprocessing.util.get_temp_dir()  # this run's own folder is made once, and may not be among them
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def pack(tmp_path: Path, members: dict[str, str | bytes], name: str = "a.zip") -> Path:
    path = tmp_path / name
    path.write_bytes(zipped(members))
    return path


def listed(path: Path) -> ArchiveRead:
    (event,) = read_here(path).events
    assert isinstance(event, ArchiveRead)
    return event


def names(archive: ArchiveRead, path: Path) -> list[str]:
    return [os.path.relpath(member.path, path) for member in archive.members]


def test_paths_of_members_continue_the_path_of_the_archive(tmp_path: Path) -> None:
    path = pack(tmp_path, {"a.txt": WORDS, "in/b.md": WORDS, "in/c.exe": b"MZ", "__MACOSX/._a.txt": "x", ".h.txt": "x"})
    archive = listed(path)
    assert names(archive, path) == ["a.txt", os.path.join("in", "b.md")]
    assert archive.members[0].size_bytes == len(WORDS)
    assert {os.path.basename(each) for each in archive.ignored} == {"c.exe", "._a.txt", ".h.txt"}
    assert archive.refused == ()


def test_a_member_is_read_like_a_file(tmp_path: Path, own_files: Path) -> None:
    pdf = (PDFS / "four_pages_english.pdf").read_bytes()
    path = pack(tmp_path, {"a.txt": WORDS, "in/b.pdf": pdf})
    assert read_here(path / "a.txt").texts == ["The sea rises twice a day.", "It falls as often."]
    assert read_here(path / "in" / "b.pdf").texts == read_here(PDFS / "four_pages_english.pdf").texts
    archives.close_cached_archive()
    assert list(own_files.iterdir()) == []


def test_contents_of_equal_time_and_length_are_distinguished(tmp_path: Path) -> None:
    first, second = (listed(pack(tmp_path, {"a.txt": text})).members[0] for text in ("One word", "Two words"[:8]))
    assert first.size_bytes == second.size_bytes
    assert first.mtime_ns != second.mtime_ns


def test_archives_in_archives_are_opened_three_deep(tmp_path: Path, own_files: Path) -> None:
    data: bytes = zipped({"core.txt": WORDS})
    inside = ["core.txt"]
    for depth in range(4):
        data = zipped({f"{depth}.zip": data})
        inside.insert(0, f"{depth}.zip")
    path = tmp_path / "a.zip"
    path.write_bytes(data)
    assert names(listed(path), path) == ["3.zip"]
    assert names(listed(path / "3.zip" / "2.zip"), path) == [os.path.join("3.zip", "2.zip", "1.zip")]
    assert read_here(path / "3.zip" / "2.zip" / "1.zip").state == "too_large"
    assert read_here(path.joinpath(*inside)).texts[0] == "The sea rises twice a day."
    archives.close_cached_archive()
    assert list(own_files.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["../up.txt", "in/../../up.txt", "/etc/up.txt", "C:/up.txt", "..\\up.txt", "\\up.txt", "a\x07b.txt"]
)
def test_names_that_lead_out_of_the_archive_are_refused(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "below"
    folder.mkdir()
    path = pack(folder, {name: WORDS, "fine.txt": WORDS})
    archive = listed(path)
    assert names(archive, path) == ["fine.txt"]
    (refused,) = archive.refused
    assert refused.reason == "damaged"
    assert os.path.normpath(refused.path).startswith(str(path))
    assert sorted(file.name for file in tmp_path.rglob("*")) == ["a.zip", "below"]


def test_links_are_not_followed(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as package:
        link = zipfile.ZipInfo("link.txt")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        package.writestr(link, "/etc/passwd")
    assert listed(path).members == ()


def test_a_decompression_bomb_is_refused_and_other_members_are_not(tmp_path: Path) -> None:
    path = pack(tmp_path, {"bomb.txt": b"0" * 60_000_000, "fine.txt": WORDS})
    archive = listed(path)
    assert names(archive, path) == ["fine.txt"]
    assert [each.reason for each in archive.refused] == ["too_large"]
    assert read_here(path / "bomb.txt").state == "too_large"


def test_an_archive_with_too_many_or_too_large_members_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "MAX_ARCHIVE_BYTES", 50)
    assert read_here(pack(tmp_path, {"a.txt": WORDS, "b.txt": WORDS})).state == "too_large"
    monkeypatch.setattr("desktop_app.text.readers.zip_package.MAX_MEMBERS", 1)
    assert read_here(pack(tmp_path, {"a.txt": "x", "b.txt": "y"})).state == "too_large"


def test_members_that_share_their_bytes_are_refused(tmp_path: Path) -> None:
    """A few kilobytes may list the same text thousands of times."""
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("a.txt", WORDS * 1000)
        for number in range(200):
            again = copy.copy(package.infolist()[0])
            again.filename = again.orig_filename = f"{number}.txt"
            package.filelist.append(again)
    assert path.stat().st_size < 20_000
    result = read_here(path)
    assert result.state == "damaged"
    assert "overlap" in str(result.failure)


def test_a_packed_text_that_repeats_itself_stays_small(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(docx(paragraph("The same line comes again.") * 8_000 + paragraph("The last line.")))
    assert path.stat().st_size < 30_000
    result = read_here(path)
    assert len(result.texts) == 1001
    assert [each.code for each in result.done.warnings] == ["repetitions_left_out"]


def test_a_member_yields_no_more_than_its_declared_length(tmp_path: Path) -> None:
    path = pack(tmp_path, {"a.txt": WORDS * 100})
    data = bytearray(path.read_bytes())
    at = data.rindex(b"PK\x01\x02") + 24
    data[at : at + 4] = (10).to_bytes(4, "little")
    path.write_bytes(data)
    assert read_here(path / "a.txt").state == "damaged"


def test_an_encrypted_member_asks_for_its_password(tmp_path: Path) -> None:
    path = pack(tmp_path, {"a.txt": WORDS})
    data = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset] |= 1
    path.write_bytes(data)
    assert read_here(path / "a.txt").state == "encrypted"
    assert read_here(path / "a.txt", password="wrong").state == "encrypted"


@pytest.mark.parametrize("gone", ["nothing.txt", "in"])
def test_a_missing_member_is_reported(tmp_path: Path, gone: str) -> None:
    assert read_here(pack(tmp_path, {"a.txt": WORDS, "in/b.txt": WORDS}) / gone).state == "unreadable"


@pytest.mark.parametrize("share", [0.1, 0.5, 0.95])
def test_a_cut_off_archive_is_damaged(tmp_path: Path, share: float) -> None:
    path = pack(tmp_path, {"a.txt": WORDS * 50})
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])
    assert read_here(path).state == "damaged"


def test_pages_of_a_member_can_be_shown(tmp_path: Path, own_files: Path) -> None:
    path = pack(tmp_path, {"in/b.pdf": (PDFS / "four_pages_english.pdf").read_bytes()})
    (pages,) = open_pages(str(path / "in" / "b.pdf"), ())
    assert len(pages.sizes) == 4
    assert list(own_files.iterdir()) == []
    assert list(look_at_file(str(path / "in" / "b.pdf"))) == [True]
    assert list(look_at_file(str(tmp_path / "gone.zip" / "b.pdf"))) == [False]


def test_a_full_disk_of_temporary_files_is_not_the_archives_fault(
    tmp_path: Path, own_files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**_options: object) -> tuple[int, str]:
        raise OSError(28, "No space left on device")

    path = pack(tmp_path, {"a.txt": WORDS})
    with monkeypatch.context() as patch:
        patch.setattr(tempfile, "mkstemp", refuse)
        with pytest.raises(StorageFull, match="Temporary files cannot be written: No space"):
            read_here(path / "a.txt")
    assert read_here(path / "a.txt").texts


def test_temporary_files_are_deleted_when_the_process_is_killed(tmp_path: Path, own_files: Path) -> None:
    path = pack(tmp_path, {"a.txt": WORDS})
    reader = ProcessReader(ReaderLimits())
    try:
        assert finish(reader.start(path / "a.txt")).texts
        (scratch,) = own_files.iterdir()
        (scratch / "left behind").write_text("by a task that was killed")
        assert reader.pid is not None
        psutil.Process(reader.pid).kill()
        assert finish(reader.start(path / "a.txt")).texts
        assert not scratch.exists()
    finally:
        reader.close()
    assert list(own_files.iterdir()) == []
