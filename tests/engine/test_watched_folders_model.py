"""Random histories of watched folders, compared with what a person who looks at the folders would expect."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_app.core.records import WatchedFolder
from tests.engine.watched_home import Disks, Home, close_folders
from tests.patience import PATIENCE_S

STEPS = 12
SEEDS = (1, 4, 9, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(100, 130)))


class History:
    """Folders that change at random, and what they contain.

    Attributes:
        closed: folders that cannot be listed.
        kept_on: the disk of each document's file when it was last seen.
    """

    def __init__(self, home: Home, disks: Disks, other: Path, seed: int) -> None:
        self.home, self.disks, self.other = home, disks, other
        self.outside = other.with_name("outside")
        self.stick = home.folder / "stick"
        self.random = random.Random(seed)
        self.closed: set[str] = set()
        self.kept_on: dict[str, str] = {}
        self.log: list[str] = []
        self.count = 0
        self.outside.mkdir()

    # What changes

    def change(self) -> None:
        changes: list[tuple[Callable[[], None], int]] = [
            (self.add, 6),
            (self.edit, 3),
            (self.delete, 3),
            (self.touch, 1),
            (self.copy, 1),
            (self.rename, 5),
            (self.rename_over, 1),
            (self.move_and_link, 2),
            (self.link, 2),
            (self.link_outside, 1),
            (self.delete_folder, 1),
            (self.rename_folder, 2),
            (self.move_folder_and_link, 1),
            (self.swap_disk, 3),
            (self.close_or_open, 2),
        ]
        (change,) = self.random.choices([each for each, _ in changes], [weight for _, weight in changes])
        self.log.append(change.__name__)
        change()

    def files(self) -> list[Path]:
        roots = (self.home.folder, self.other)
        found = [Path(folder, name) for root in roots for folder, _, names in os.walk(root) for name in names]
        return sorted(path for path in found if not path.is_symlink())

    def folders(self) -> list[Path]:
        roots = (self.home.folder, self.other)
        found = [Path(folder, name) for root in roots for folder, names, _ in os.walk(root) for name in names]
        return [*roots, *sorted(path for path in found if not path.is_symlink() and path.suffix == "")]

    def inner_folders(self) -> list[Path]:
        own = (self.home.folder, self.other, self.stick)
        return [path for path in self.folders() if path not in own]

    def new_path(self) -> Path:
        self.count += 1
        folder = self.random.choice(self.folders())
        if self.random.random() < 0.3:
            folder = folder / f"folder{self.count}"
            folder.mkdir()
        return folder / f"file{self.count}.{self.random.choice(['txt', 'txt', 'md'])}"

    def text(self) -> str:
        self.count += 1
        return f"Sentence {self.count:04} stands here."  # all have one length

    def some_file(self) -> Path | None:
        files = self.files()
        return self.random.choice(files) if files else None

    def add(self) -> None:
        self.new_path().write_text(self.text())

    def edit(self) -> None:
        if (path := self.some_file()) is not None:
            path.write_text(self.text())

    def delete(self) -> None:
        if (path := self.some_file()) is not None:
            path.unlink()

    def touch(self) -> None:
        if (path := self.some_file()) is not None:
            os.utime(path, (1e9 + self.count, 1e9 + self.count))

    def copy(self) -> None:
        if (path := self.some_file()) is not None:
            shutil.copy2(path, self.new_path())

    def rename(self) -> None:
        if (path := self.some_file()) is not None:
            shutil.move(path, self.new_path())

    def rename_over(self) -> None:
        if (path := self.some_file()) is not None and (other := self.some_file()) is not None:
            shutil.move(path, other)

    def move_and_link(self) -> None:
        if (path := self.some_file()) is not None:
            new = self.new_path().with_suffix(path.suffix)
            shutil.move(path, new)
            path.symlink_to(new)

    def link(self) -> None:
        if (path := self.some_file()) is not None and (other := self.some_file()) is not None and path != other:
            path.unlink()
            path.symlink_to(other)

    def link_outside(self) -> None:
        if (path := self.some_file()) is not None:
            self.count += 1
            target = self.outside / f"outside{self.count}{path.suffix}"
            target.write_text(self.text())
            path.unlink()
            path.symlink_to(target)

    def delete_folder(self) -> None:
        if folders := self.inner_folders():
            shutil.rmtree(self.random.choice(folders))

    def _renamed_folder(self) -> tuple[Path, Path] | None:
        if not (folders := self.inner_folders()):
            return None
        self.count += 1
        folder = self.random.choice(folders)
        homes = [each for each in self.folders() if not each.is_relative_to(folder)]
        new = self.random.choice(homes) / f"folder{self.count}"
        shutil.move(folder, new)
        return folder, new

    def rename_folder(self) -> None:
        self._renamed_folder()

    def move_folder_and_link(self) -> None:
        if (moved := self._renamed_folder()) is not None:
            moved[0].symlink_to(moved[1], target_is_directory=True)

    def swap_disk(self) -> None:
        if str(self.stick) in self.disks.names:
            self.disks.unmount(self.stick)
        else:
            shutil.rmtree(self.stick)
            self.disks.mount(self.random.choice(["stick A", "stick A", "stick B"]), self.stick)

    def close_or_open(self) -> None:
        if self.closed:
            self.closed.clear()
        elif folders := self.inner_folders():
            self.closed.add(str(self.random.choice(folders)))

    # What is expected

    def is_closed(self, path: str) -> bool:
        return any(path.startswith(folder + os.sep) and os.path.isdir(folder) for folder in self.closed)

    def disk_of(self, path: str) -> str:
        is_on_stick = path.startswith(str(self.stick) + os.sep)
        return self.disks.names.get(str(self.stick), "system") if is_on_stick else "system"

    def visible(self) -> dict[str, str]:
        """The texts of the files that can be seen, by path: a link shows the file that it leads to."""
        found: dict[str, str] = {}
        for root in (self.home.folder, self.other):
            for folder, _, names in os.walk(root):
                for name in names if not self.is_closed(folder + os.sep) else ():
                    path = os.path.realpath(os.path.join(folder, name))
                    if os.path.isfile(path):
                        found[path] = Path(path).read_text()
        return found

    def may_be_unseen(self, path: str) -> bool:
        """Whether a document may stay though its file cannot be seen: nobody knows what became of it."""
        for at in (path, os.path.realpath(path)):
            is_inside = at.startswith((str(self.home.folder) + os.sep, str(self.other) + os.sep))
            if not is_inside or self.is_closed(at) or self.kept_on.get(path) != self.disk_of(at):
                return True
        return False

    def check(self) -> None:
        """Synchronize, and compare the library with the folders."""
        before = {document.path: document for document in self.home.documents().values()}
        known = {path: document.content_hash for path, document in before.items()}
        hashes = list(known.values())
        report = self.home.sync(remove_many=self.random.random() < 0.7)
        visible = self.visible()
        after = {document.path: document for document in self.home.documents().values()}
        texts = {
            os.path.normpath(os.path.join(self.home.folder, name)): text for name, text in self.home.texts().items()
        }
        assert [file for file in report.failed if file.reason != "unreadable"] == []
        assert {path: texts.get(path) for path in visible} == visible
        waiting = {file.path for file in report.unconfirmed}
        for path in after.keys() - visible.keys() - waiting:
            assert self.may_be_unseen(path), f"{path} is listed though its file was deleted"
        for path in before.keys() - after.keys():
            # It has moved to where its content is now, or its file was seen to be deleted.
            is_moved = before[path].document_id in {document.document_id for document in after.values()}
            assert is_moved or not self.is_unseen(path), f"{path} is lost though its folder was not seen"
        new_ids = {
            document.content_hash: document.document_id for path, document in after.items() if path not in before
        }
        new_hashes = [document.content_hash for path, document in after.items() if path in visible]
        for path, document in before.items():
            is_unique = hashes.count(known[path]) == 1 == new_hashes.count(known[path])
            if is_unique and known[path] in new_ids and path not in visible and not self.may_be_unseen(path):
                assert new_ids[known[path]] == document.document_id, f"{path} moved without its document"
        for path in visible:
            self.kept_on[path] = self.disk_of(path)
        for path in self.kept_on.keys() - after.keys():
            del self.kept_on[path]

    def is_unseen(self, path: str) -> bool:
        """Whether a document's file certainly could not be seen."""
        is_elsewhere = self.kept_on.get(path, "system") != self.disk_of(path)
        is_hidden = self.is_closed(path) and not any(path.startswith(folder + os.sep) for folder in self.linked())
        return not os.path.lexists(path) and (is_hidden or is_elsewhere)

    def linked(self) -> set[str]:
        """The folders that links lead to: they can be listed though one above them cannot."""
        roots = (self.home.folder, self.other)
        paths = [Path(folder, name) for root in roots for folder, names, _ in os.walk(root) for name in names]
        return {os.path.realpath(path) for path in paths if path.is_symlink()}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_library_shows_what_is_in_the_folders_and_loses_nothing_that_cannot_be_seen(
    home: Home, disks: Disks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    history = History(home, disks, other, seed)
    disks.mount("stick A", history.stick)
    close_folders(monkeypatch, history.closed)
    home.watch()
    home.workspace.watched_folders.watch_folder(WatchedFolder(str(other))).wait(PATIENCE_S)
    for _ in range(4):
        history.add()
    for _ in range(STEPS):
        try:
            for _ in range(history.random.randint(1, 3)):
                history.change()
            history.log.append("--")
            history.check()
        except AssertionError as error:
            raise AssertionError(f"after {' '.join(history.log)}: {error}") from error
