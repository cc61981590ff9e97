"""Tar and 7z archives: members are documents, within the limits that ZIP archives have."""

from __future__ import annotations

import bz2
import gzip
import lzma
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from desktop_app.core.reader_events import ArchiveRead
from desktop_app.text import archives, tar_archive
from tests.text.helpers import read_here
from tests.text.makers import tar

WORDS = "The sea rises twice a day. It falls as often."
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "a.tar": bytes,
    "a.tar.gz": gzip.compress,
    "a.tgz": gzip.compress,
    "a.tar.bz2": bz2.compress,
    "a.tar.xz": lzma.compress,
}


@pytest.fixture(autouse=True)
def own_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The temporary folder of unpacked files, empty at the end."""
    folder = tmp_path / "unpacked"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    archives.close_cached_archive()
    assert list(folder.iterdir()) == []


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def listed(path: Path) -> ArchiveRead:
    (event,) = read_here(path).events
    assert isinstance(event, ArchiveRead)
    return event


def names(found: ArchiveRead, path: Path) -> list[str]:
    return [Path(member.path).relative_to(path).as_posix() for member in found.members]


@pytest.mark.parametrize("name", PACKERS)
def test_members_are_documents_however_the_archive_is_packed(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(PACKERS[name](tar(("./in/a.txt", WORDS), ("b.md", "# Bread\n\nIt rests."), ("c.exe", "x"))))
    found = listed(path)
    assert names(found, path) == ["in/a.txt", "b.md"]
    assert [Path(each).name for each in found.ignored] == ["c.exe"]
    assert read_here(path / "b.md").texts == ["Bread", "It rests."]
    assert read_here(path / "in" / "a.txt").texts == ["The sea rises twice a day.", "It falls as often."]
    assert read_here(path / "gone.txt").state == "unreadable"


def test_contents_of_equal_time_and_length_are_distinguished(tmp_path: Path) -> None:
    times = []
    for text in ("One word.", "Two words"):
        (tmp_path / "a.tar").write_bytes(tar(("a.txt", text)))
        times.append(listed(tmp_path / "a.tar").members[0].mtime_ns)
    assert times[0] != times[1]
    assert {each // 1_000_000_000 for each in times} == {1_700_000_000}


def test_links_and_devices_are_left_out_and_names_that_lead_out_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.tar"
    path.write_bytes(
        tar(
            special("link.txt", tarfile.SYMTYPE, "/etc/passwd"),
            special("hard.txt", tarfile.LNKTYPE, "../../etc/passwd"),
            special("device.txt", tarfile.CHRTYPE),
            special("pipe.txt", tarfile.FIFOTYPE),
            ("../up.txt", WORDS),
            ("/etc/up.txt", WORDS),
            (".hidden.txt", WORDS),
            ("fine.txt", WORDS),
        )
    )
    found = listed(path)
    assert names(found, path) == ["fine.txt"]
    assert len(found.refused) == 2
    assert len(found.ignored) == 5
    assert read_here(path / "link.txt").state == "unsupported"


def test_archives_in_archives_are_opened(tmp_path: Path) -> None:
    path = tmp_path / "a.tar.xz"
    path.write_bytes(lzma.compress(tar(("in/b.tar.gz", gzip.compress(tar(("c.txt", WORDS)))))))
    assert names(listed(path), path) == ["in/b.tar.gz"]
    inner = path / "in" / "b.tar.gz"
    assert names(listed(inner), inner) == ["c.txt"]
    assert read_here(inner / "c.txt").texts[0] == "The sea rises twice a day."


def test_a_bomb_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.tar.gz"
    path.write_bytes(gzip.compress(tar(("a.txt", bytes(150_000_000))), 1))
    assert read_here(path).state == "too_large"


def test_a_sparse_file_that_claims_to_be_long_is_refused(tmp_path: Path) -> None:
    sparse = tmp_path / "a.txt"
    with sparse.open("wb") as file:
        file.truncate(3_000_000_000)
    path = tmp_path / "a.tar"
    if subprocess.run(["tar", "-cSf", path, "-C", tmp_path, "a.txt"], capture_output=True).returncode:
        pytest.skip("this tar does not know sparse files")
    sparse.unlink()
    assert path.stat().st_size < 100_000
    assert [each.reason for each in listed(path).refused] == ["too_large"]


@pytest.mark.parametrize("share", [0.3, 0.7])
@pytest.mark.parametrize("name", PACKERS)
def test_a_cut_off_archive_fails_and_its_whole_members_are_read(name: str, share: float, tmp_path: Path) -> None:
    data = PACKERS[name](tar(*((f"{at}.txt", f"{WORDS} {at}." * 60) for at in range(9))))
    path = tmp_path / name
    path.write_bytes(data[: int(len(data) * share)])
    result = read_here(path)
    assert result.state in ("damaged", "archive")


def test_a_packed_file_that_is_no_archive_is_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(gzip.compress(WORDS.encode()))
    assert read_here(path).state == "unsupported"


def test_an_archive_of_too_many_members_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tar_archive, "MAX_MEMBERS", 2)
    path = tmp_path / "a.tar"
    path.write_bytes(tar(*((f"{at}.txt", WORDS) for at in range(3))))
    assert read_here(path).state == "too_large"


def test_a_7z_archive_is_opened_by_bsdtar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if (program := shutil.which("bsdtar")) is None:
        pytest.skip("bsdtar is not installed")
    (tmp_path / "a.txt").write_text(WORDS)
    path = tmp_path / "a.7z"
    subprocess.run([program, "-cf", path, "--format=7zip", "-C", tmp_path, "a.txt"], check=True)
    assert names(listed(path), path) == ["a.txt"]
    assert read_here(path / "a.txt").texts[0] == "The sea rises twice a day."
    path.write_bytes(path.read_bytes()[:60])
    assert read_here(path).state == "damaged"
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    result = read_here(path)
    assert result.state == "unsupported"
    assert "bsdtar" in str(result.failure)
