"""All kinds of work on a library, killed at random moments: for the test and for the benchmark.

Each task is first done undisturbed on a copy of the library: what that holds before and after is all that a kill may
leave. Then the library's own run is killed, again and again, until it is left to finish. What happens between two
runs is what the program does when it starts: it deletes what processes that are gone have left, and opens the library.
"""

from __future__ import annotations

import os
import random
import shutil
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from desktop_app.core.unfinished_files import keep_records
from desktop_app.store.backup import read_backup_info
from desktop_app.store.library import LocalLibrary
from tests.end2end.killed_import import Runs, seal_early, serve
from tests.steps import go_through
from tests.store.helpers import run_checks

MOST_KILLS = 5  # of one task, before it is left to finish
FEWEST_DOCUMENTS = 4
MOST_DOCUMENTS = 12
TRAIN_SHARE = 0.2  # of its turns: it takes many times as long as the others
TAIL_ROWS = 20  # small, so that segments of the index are built and killed as well
FIXTURES = Path(__file__).parents[1] / "data" / "libraries"
DRAFTS = (".part", ".copying", ".restoring", ".new")
_SUBJECTS = ("The harbour", "A violin", "Sour dough", "The glacier", "An engine")


@dataclass(frozen=True)
class Content:
    """What a library holds, by paths, names and texts: ids differ from run to run.

    Attributes:
        documents: by path, the texts of each that is ready.
        unread: paths of those that are not.
        tags: tags and collections with the paths of their documents.
        topics: names that a person gave to clusters.
        model: fingerprint of the current model.
    """

    documents: dict[str, tuple[str, ...]]
    unread: frozenset[str]
    tags: dict[tuple[str, str], frozenset[str]]
    topics: tuple[str, ...]
    model: str


def read_content(folder: Path) -> Content:
    """Open a library as the program does, check it against itself, and return what it holds.

    Raises:
        AssertionError: texts, vectors and index do not agree, or something is there twice.
    """
    with LocalLibrary.open(folder, writable=True, create=False, tail_rows=TAIL_ROWS) as library:
        wrong = [f"{check.name}: {check.detail}" for check in run_checks(library) if not check.ok]
        assert wrong == []
        info = library.info()
        assert info.searchable == info.vectors
        documents = library.documents.fetch(limit=10_000)
        paths = {document.document_id: document.path for document in documents}
        assert len(set(paths.values())) == len(paths), "a document is there twice"
        texts: dict[str, list[str]] = {path: [] for path in paths.values()}
        for batch in library.sentences.occurrences():
            for row in batch:
                texts[row.path].append(row.text)
        topics = sorted(each.name for each in library.clusters.clusters() if each.own_name)
        assert len(set(topics)) == len(topics), "a topic is there twice"
        return Content(
            {each.path: tuple(texts[each.path]) for each in documents if each.state == "ready"},
            frozenset(each.path for each in documents if each.state != "ready"),
            {
                (each.kind, each.name): frozenset(paths[i] for i in each.document_ids)
                for each in library.collections.collections()
            },
            tuple(topics),
            info.model.fingerprint if info.model is not None else "",
        )


def assert_between(now: Content, before: Content, after: Content) -> None:
    """Raise unless every part of a library is as it was before a task, or as it is after it."""
    for path in {*before.documents, *after.documents, *now.documents}:
        allowed = {content.documents.get(path) for content in (before, after)}
        if path in now.unread and path not in before.documents:
            continue  # it waits to be read
        assert now.documents.get(path) in allowed, f"{path} is neither as before nor as after"
    assert now.unread <= before.unread | after.documents.keys()
    assert now.tags in (before.tags, after.tags)
    assert now.topics in (before.topics, after.topics)
    assert now.model in (before.model, after.model)


@dataclass
class Outcome:
    """What became of some kills.

    Attributes:
        kills: runs that were killed, by task.
        finished: tasks that came to their end after it.
        changed: tasks of which a kill left a part behind that was then completed.
    """

    kills: Counter[str] = field(default_factory=Counter)
    finished: Counter[str] = field(default_factory=Counter)
    changed: Counter[str] = field(default_factory=Counter)


class History:
    """A library on which one task follows another.

    Args:
        work: an empty folder for everything.
        runs: of the tasks below.
        rng: draws the tasks and the moments.
    """

    def __init__(self, work: Path, runs: Runs, rng: random.Random) -> None:
        self._work = work
        self._runs = runs
        self._rng = rng
        self._number = 0
        self._removed: list[str] = []
        self._corrected: set[str] = set()
        self.library = work / "library"
        self.outcome = Outcome()
        (work / "papers").mkdir()
        models = [work / f"model-{name}" for name in "ab"]
        self._runs.run("models", *models)
        (work / "pairs.tsv").write_text(
            "sentence1\tsentence2\tlabel\n"
            + "\n".join(f"the cat {n}\ta {'cat' if n % 2 else 'ship'} near {n}\t{n % 2}" for n in range(40)),
            "utf-8",
        )
        self._runs.run("import", self.library, self._write_papers(6), models[0])
        self._models = models
        self.content = read_content(self.library)

    def go_on(self, tasks: tuple[str, ...], most_kills: int) -> None:
        """Do a task, killed again and again, and check the library after every kill.

        Raises:
            AssertionError: something was lost, doubled, half visible or left behind.
        """
        name = self._choose(tasks)
        arguments, check = getattr(self, f"_plan_{name}")()
        twin = self._work / "twin"
        shutil.rmtree(twin, ignore_errors=True)
        target = Path(arguments[0])
        if target.exists():
            shutil.copytree(target, twin)
        started = time.monotonic()
        assert self._runs.run(name, twin, *arguments[1:])
        duration = time.monotonic() - started
        own = target == self.library
        before = self.content
        after = read_content(twin) if own else before
        check(twin, is_finished=True)
        shutil.rmtree(twin, ignore_errors=True)
        for attempt in range(min(MOST_KILLS, most_kills) + 1):
            is_last = attempt == min(MOST_KILLS, most_kills)
            moment = None if is_last else self._rng.uniform(0.0, duration)
            is_finished = self._runs.run(name, *arguments, kill_after_s=moment)
            self.outcome.kills[name] += not is_finished
            keep_records(self._work / "unfinished")
            now = read_content(self.library)
            if is_finished:
                assert now == after
            assert_between(now, before, after)
            self.outcome.changed[name] += now != before and not is_finished
            check(target, is_finished=is_finished)
            self._assert_nothing_left()
            if is_finished:
                break
        self.outcome.finished[name] += 1
        self.content = after

    def _choose(self, tasks: tuple[str, ...]) -> str:
        while True:
            name = self._rng.choice(tasks)
            few = len(self.content.documents) <= FEWEST_DOCUMENTS
            many = len(self.content.documents) > MOST_DOCUMENTS
            is_rare = name == "train" and self._rng.random() > TRAIN_SHARE
            if not is_rare and not (few and name == "remove") and not (many and name == "import"):
                return name

    def _assert_nothing_left(self) -> None:
        left = [
            str(file.relative_to(self._work))
            for file in self._work.rglob("*")
            if file.suffix in DRAFTS and ".training" not in str(file)
        ]
        assert left == [], "half-written files are left"
        # torch leaves an empty folder of its own.
        left = [file.name for file in (self._work / "tmp").rglob("*") if file.is_file() or "kindred" in file.name]
        assert left == [], "temporary files are left"
        assert list((self._work / "unfinished").glob("*")) == [], "records are left"

    def _write_papers(self, count: int) -> Path:
        """Write a folder of documents; each has a word of its own, and sentences that it shares with others."""
        folder = self._work / "papers" / f"{self._number:04}"
        folder.mkdir()
        for _ in range(count):
            self._number += 1
            lines = [f"{self._rng.choice(_SUBJECTS)} number {self._rng.randrange(12)} is never far." for _ in range(8)]
            lines.insert(3, f"The word of this document is zq{self._number}zq.")
            (folder / f"note {self._number:04}.txt").write_text("\n".join(lines) + "\n", "utf-8")
        return folder

    # The tasks: the arguments of a run, the folder that it works on first; and what to check after it

    def _plan_import(self) -> Plan:
        return [self.library, self._write_papers(self._rng.randint(1, 3))], _check_nothing

    def _plan_remove(self) -> Plan:
        path = self._rng.choice(sorted(self.content.documents))
        number = int(Path(path).stem.split()[1])
        self._removed.append(f"zq{number}zq")
        return [self.library, path], _check_nothing

    def _plan_purge(self) -> Plan:
        if len(self.content.documents) > FEWEST_DOCUMENTS:
            self._runs.run("remove", *self._plan_remove()[0])
            self.content = read_content(self.library)
        words = [word.encode() for word in self._removed]

        def check(folder: Path, *, is_finished: bool) -> None:
            if is_finished:
                contents = {file.name: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
                held = [(name, word) for name, content in contents.items() for word in words if word in content]
                assert held == [], "removed text is left"

        return [self.library], check

    def _plan_seal(self) -> Plan:
        return [self.library], _check_nothing

    def _plan_tag(self) -> Plan:
        paths = self._rng.sample(sorted(self.content.documents), 2)
        return [self.library, f"tag {self._rng.randrange(5)}", *paths], _check_nothing

    def _plan_topics(self) -> Plan:
        return [self.library, f"Topic {self._rng.randrange(10**6)}"], _check_nothing

    def _plan_correct(self) -> Plan:
        path = self._rng.choice(sorted(self.content.documents))
        self._corrected ^= {path}
        return [self.library, path, "merge" if path in self._corrected else "undo"], _check_nothing

    def _plan_switch(self) -> Plan:
        self._models.reverse()
        return [self.library, self._models[0]], _check_nothing

    def _plan_backup(self) -> Plan:
        file = self._work / "backup.zip"

        def check(folder: Path, *, is_finished: bool) -> None:
            if is_finished or file.exists():
                read_backup_info(file)
                with zipfile.ZipFile(file) as archive:
                    assert archive.testzip() is None

        return [self.library, file], check

    def _plan_restore(self) -> Plan:
        file, target = self._work / "kept.zip", self._work / "restored"
        shutil.rmtree(target, ignore_errors=True)
        self._runs.run("backup", self.library, file)
        content = self.content

        def check(folder: Path, *, is_finished: bool) -> None:
            if is_finished or (folder / "library.db").exists():
                with LocalLibrary.open(folder, create=False) as library:  # builds the index
                    for _ in go_through(library.maintenance.run()):
                        pass
                assert read_content(folder).documents == content.documents
                shutil.rmtree(folder)

        return [target, file], check

    def _plan_migrate(self) -> Plan:
        fixture = self._rng.choice(sorted(FIXTURES.glob("schema-*.zip")))
        target = self._work / "old"
        shutil.rmtree(target, ignore_errors=True)
        with zipfile.ZipFile(fixture) as archive:
            archive.extractall(target)

        def check(folder: Path, *, is_finished: bool) -> None:
            if is_finished:
                with LocalLibrary.open(folder, create=False) as library:
                    (document,) = library.documents.fetch()
                    assert (document.state, document.sentences) == ("ready", 6)
                    assert [each.name for each in run_checks(library) if not each.ok] in ([], ["index"])

        return [target], check

    def _plan_train(self) -> Plan:
        output = self._work / "trained"
        shutil.rmtree(output, ignore_errors=True)

        def check(folder: Path, *, is_finished: bool) -> None:
            for file in ("config.json", "model.safetensors", "modules.json"):
                assert (output / file).is_file() == output.exists(), "half a model is visible"
            assert output.exists() or not is_finished
            if output.exists():
                assert not (self._work / "trained.training").exists()
                shutil.rmtree(output)

        return [self._work / "nothing", self._work / "pairs.tsv", output, self._models[0]], check


Check = Callable[..., None]
Plan = tuple[list[Any], Check]


def _check_nothing(folder: Path, *, is_finished: bool) -> None:
    """Check nothing beyond what the library holds."""


# In the processes that work


def _work(name: str, *arguments: str) -> None:
    """Do one task as the program does it."""
    keep_records(Path(os.environ["KILLED_WORK"]) / "unfinished")
    if name == "models":
        _write_models(*arguments)
        return
    from desktop_app.compose import open_workspace
    from desktop_app.core.settings import LaunchOptions, Settings

    seal_early(TAIL_ROWS)
    folder, *rest = arguments
    model = rest[-1] if name == "import" and len(rest) == 2 else ""
    options = LaunchOptions(Settings(precision="fp32", threads=1), Path(folder), model, writable=True, create=True)
    workspace = open_workspace(options)
    try:
        _TASKS[name](workspace, *([folder, *rest] if name == "restore" else rest))
    finally:
        workspace.close()


def _write_models(*folders: str) -> None:
    from tests.encoder.conftest import write_tiny_model

    for number, folder in enumerate(map(Path, folders)):
        folder.mkdir()
        write_tiny_model(folder, pooling={"pooling_mode_cls_token": True} if number else None)


def _import(workspace: Any, papers: str, model: str = "") -> None:
    from desktop_app.engine.requests import ImportRequest

    workspace.open().wait()
    workspace.imports.resume().wait()
    report = workspace.imports.start(ImportRequest((papers,))).wait()
    assert not report.failed, report.failed


def _ids(workspace: Any, *paths: str) -> list[int]:
    return workspace.read(
        lambda library: [each.document_id for path in paths for each in library.documents.find(path)]
    ).wait()


def _remove(workspace: Any, path: str) -> None:
    ids = _ids(workspace, path)
    workspace.change(lambda library: library.documents.remove(ids)).wait()


def _tag(workspace: Any, tag: str, *paths: str) -> None:
    ids = _ids(workspace, *paths)
    workspace.change(lambda library: library.collections.tag(ids, [tag])).wait()


def _name_topic(workspace: Any, name: str) -> None:
    from desktop_app.core.clusters import ClustersRequest

    found = workspace.clusters.find(ClustersRequest(min_size=2)).wait()
    if found.clusters:
        workspace.clusters.rename(found.clusters[0].cluster_id, name).wait()


def _correct(workspace: Any, path: str, what: str) -> None:
    (document_id,) = _ids(workspace, path)
    is_corrected = bool(workspace.read(lambda library: library.corrections.find(document_id)).wait())
    if what == "undo" and is_corrected:
        workspace.corrections.undo(document_id).wait()
    elif what == "merge" and not is_corrected:
        first = workspace.read(lambda library: library.sentences.context(document_id, 0, 0, 0)).wait()[0]
        workspace.corrections.merge(document_id, 0, first.sentence_id).wait()


def _switch(workspace: Any, model: str) -> None:
    workspace.open().wait()
    workspace.models.resume().wait()
    if workspace.status().wait().library.model.folder != model:
        workspace.models.switch(model).wait()


def _train(workspace: Any, data: str, output: str, model: str) -> None:
    from desktop_app.core.labelled_data import DataFile
    from desktop_app.core.training import TrainingRequest
    from desktop_app.core.training_settings import TrainingSettings

    settings = TrainingSettings("binary", epochs=6, batch_size=4)
    request = TrainingRequest((DataFile(data),), output, settings, model, resume=True)
    workspace.training.train(request).wait()


_TASKS: dict[str, Callable[..., Any]] = {
    "import": _import,
    "remove": _remove,
    "purge": lambda workspace: workspace.maintenance.purge().wait(),
    "seal": lambda workspace: workspace.maintenance.maintain().wait(),
    "tag": _tag,
    "topics": _name_topic,
    "correct": _correct,
    "switch": _switch,
    "backup": lambda workspace, file: workspace.maintenance.back_up(Path(file), replace=True).wait(),
    "restore": lambda workspace, folder, file: workspace.maintenance.restore(Path(file), Path(folder)).wait(),
    "migrate": lambda workspace: workspace.open().wait(),
    "train": _train,
}
TASKS = tuple(_TASKS)


def kill_work(work: Path, kills: int, seed: int, tasks: tuple[str, ...] = TASKS) -> Outcome:
    """Do tasks one after another, each killed at moments drawn from a seed, until `kills` are done.

    Raises:
        AssertionError: something was lost, doubled, half visible or left behind.
    """
    work.mkdir(exist_ok=True)
    (work / "tmp").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KINDRED_UNFINISHED", "")
        with Runs("tests.end2end.killed_work", KILLED_WORK=str(work), TMPDIR=str(work / "tmp")) as runs:
            history = History(work, runs, random.Random(seed))
            while (left := kills - history.outcome.kills.total()) > 0:
                history.go_on(tasks, left)
    return history.outcome


if __name__ == "__main__":
    import desktop_app.compose
    import desktop_app.encoder.siamese
    import desktop_app.engine.clusters
    import desktop_app.engine.import_run
    import desktop_app.store.backup
    import desktop_app.store.library
    import desktop_app.text.reader_process  # noqa: F401 - imported once for all runs

    serve(_work)
