"""The ports, in memory: a library, an encoder that hashes words, and a reader that treats lines as sentences."""

from __future__ import annotations

import hashlib
import itertools
import threading
from collections import deque
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from desktop_app.core.annotations import Annotation, sort_by_place
from desktop_app.core.bibliography import Reference
from desktop_app.core.duplicates import PairLabel
from desktop_app.core.errors import FileFailure, LibraryUnreachable, NotFound, UsageError
from desktop_app.core.foreground_gate import ForegroundGate
from desktop_app.core.jobs import ChangeSet
from desktop_app.core.look_ahead import LookAhead, look_no_further
from desktop_app.core.messages import NOTHING, Message
from desktop_app.core.model_files import NoModelFiles
from desktop_app.core.passage_kinds import decide_kind
from desktop_app.core.query import NO_KEYWORDS, KeywordQuery, split_words
from desktop_app.core.reader_events import (
    DocumentHead,
    Omissions,
    OmittedText,
    PageNote,
    PageRead,
    ReadingDone,
    SentenceSpan,
    SentencesRead,
)
from desktop_app.core.records import (
    CheckResult,
    DeviceInfo,
    Document,
    DocumentCollection,
    FileCopy,
    Hit,
    LibraryInfo,
    ModelInfo,
    Occurrence,
    OtherImporter,
    Place,
    RemovedFiles,
    ScoredSentence,
    TokenVectors,
    WatchedFolder,
)
from desktop_app.core.scope import EVERYTHING, Scope
from tests.engine.fakes import NoCorrections, NoScans
from tests.gui.fake_user_data import FakeAnalysisReader, FakeUserData
from tests.patience import PATIENCE_S

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Iterator, Sequence
    from contextlib import AbstractContextManager

    from numpy.typing import NDArray

    from desktop_app.core.duplicates import PairVerdict
    from desktop_app.core.errors import FailureReason
    from desktop_app.core.pages import OutlineEntry
    from desktop_app.core.ports import Vectors
    from desktop_app.core.reader_events import FileRef, ReaderEvent
    from desktop_app.core.records import CollectionKind, DocumentState

MODEL = ModelInfo("all-MiniLM-L6-v2", "fake", 256, 256, "mean", True)
SUFFIXES = (".txt", ".md", ".pdf")


class FakeEncoder:
    """The similarity of two texts depends on their common words."""

    model = MODEL
    device = DeviceInfo("cpu", "fp32", 1)
    verdict: PairVerdict | None = None  # what it says of every pair

    def __init__(self, gate: Gate | None = None) -> None:
        self._gate = gate

    def encode(
        self, texts: Sequence[str], *, normalize: bool = True, kind: str = "document", exact: bool = False
    ) -> Vectors:
        rows = np.zeros((len(texts), MODEL.dim), np.float32)
        for row, text in enumerate(texts):
            if self._gate is not None and kind == "query":
                self._gate.pass_through(text)
            for word in text.lower().split():
                digest = hashlib.blake2b(word.strip(".,;:!?").encode("utf-8", "replace"), digest_size=4).digest()
                rows[row, int.from_bytes(digest, "big") % MODEL.dim] += 1
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)

    def encode_batches(
        self,
        texts: Sequence[str],
        *,
        normalize: bool = True,
        kind: str = "document",
        exact: bool = False,
        batch_tokens: int | None = None,
        timeout_s: float | None = None,
    ) -> Generator[tuple[NDArray[np.int64], Vectors], None, None]:
        for start in range(0, len(texts), 16):
            part = texts[start : start + 16]
            yield np.arange(start, start + len(part)), self.encode(part)

    def tune(self) -> Iterator[None]:
        return iter(())

    def knows_words(self, texts: Sequence[str]) -> NDArray[np.bool_]:
        return np.ones(len(texts), np.bool_)

    def token_vectors(self, texts: Sequence[str]) -> list[TokenVectors]:
        return [TokenVectors(tuple(text.split()), self.encode(text.split())) for text in texts]

    def count_truncated(self, texts: Sequence[str]) -> NDArray[np.int64]:
        return np.array([max(0, len(text.split()) - 254) for text in texts], np.int64)

    @property
    def judges_pairs(self) -> bool:
        return self.verdict is not None

    def read_pairs(self) -> None:
        return None

    def judge_pairs(self, u: Vectors, *_: object) -> Generator[int, None, list[PairVerdict]]:
        assert self.verdict is not None
        yield len(u)
        return [self.verdict] * len(u)

    def set_threads(self, threads: int) -> None:
        pass

    def set_foreground_gate(self, foreground_gate: ForegroundGate) -> None:
        pass

    def count_tokens(self, texts: Sequence[str]) -> NDArray[np.int64]:
        return np.array([len(text.split()) for text in texts], np.int64)


class Gate:
    """Blocks callers until it is opened, and remembers their names."""

    def __init__(self, *, is_open: bool = True) -> None:
        self.passed: list[object] = []
        self._open = threading.Event()
        if is_open:
            self._open.set()

    def open(self) -> None:
        self._open.set()

    def shut(self) -> None:
        self._open.clear()

    @property
    def is_open(self) -> bool:
        return self._open.is_set()

    def pass_through(self, who: object = None) -> None:
        self.passed.append(who)
        assert self._open.wait(PATIENCE_S), "the gate was never opened"


class FakeReader:
    """Reads a text file; every line is a sentence, every ten lines a page. Words in a name make it fail."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    def start(
        self, path: Path, *, password: str | None = None, known_hashes: Collection[str] = (), ocr: str = ""
    ) -> FakeReading:
        return FakeReading(path, password, self._gate)

    def close(self) -> None:
        pass


class FakeReading:
    def __init__(self, path: Path, password: str | None, gate: Gate) -> None:
        self._gate = gate
        self._failure: FileFailure | None = None
        self._events: deque[ReaderEvent] = deque()
        if "secret" in path.name and password != "sesame":
            self._failure = FileFailure("encrypted", "It is protected by a password")
        elif "broken" in path.name:
            self._failure = FileFailure("damaged", "It is no <b>PDF</b> inside")
        else:
            kind = {".pdf": "pdf", ".md": "markdown"}.get(path.suffix, "text")
            lines = [line for line in path.read_text("utf-8", "replace").splitlines() if line.strip()]
            pages = [lines[start : start + 10] for start in range(0, len(lines), 10)]
            paged = kind == "pdf"
            self._events.append(DocumentHead(kind, str(path), path.stem, page_count=len(pages) if paged else None))
            for number, page in enumerate(pages, start=1):
                place = Place(number if paged else None, 0, 1, "char")
                self._events.append(PageRead(number, len(pages)))
                self._events.append(
                    SentencesRead(
                        tuple(SentenceSpan(line, (place,), number, "body", *decide_kind("body", line)) for line in page)
                    )
                )
            self._events.append(ReadingDone())

    def poll(self) -> ReaderEvent | None:
        if not self._gate.is_open:
            self._gate.passed.append("held")
            return None
        if self._failure is not None:
            raise self._failure
        return self._events.popleft()

    def cancel(self) -> None:
        pass


class FakeWatchedFolders:
    """Watched folders, in memory."""

    def __init__(self, library: FakeLibrary) -> None:
        self._library = library
        self._folders: dict[str, WatchedFolder] = {}
        self._home = ""

    def folders(self) -> list[WatchedFolder]:
        return [self._folders[path] for path in sorted(self._folders)]

    def watch(self, folder: WatchedFolder) -> None:
        self._folders[folder.path] = folder

    def unwatch(self, path: str) -> None:
        self._folders.pop(path, None)

    def begin_listing(self, paths: Sequence[str], *, force: bool = False) -> None:
        pass

    def end_listing(self, paths: Sequence[str]) -> None:
        pass

    def interrupted_listings(self) -> dict[str, bool]:
        return {}

    def note_import_folders(self, folders: Sequence[WatchedFolder]) -> None:
        pass

    def forget_import_folders(self, paths: Sequence[str]) -> None:
        pass

    def import_folders(self) -> list[WatchedFolder]:
        return []

    def home(self) -> str:
        return self._home

    def set_home(self, folder: str) -> None:
        self._home = folder

    def move_files(self, files: dict[str, FileRef]) -> int:
        for path, file in files.items():
            self.move(path, file)
        return len(files)

    def move(self, path: str, file: FileRef) -> None:
        self._set(path, path=file.path, size_bytes=file.size_bytes, mtime_ns=file.mtime_ns, volume="")

    def set_stamps(self, stamps: dict[str, int]) -> None:
        for path, stamp in stamps.items():
            self._set(path, stamp=stamp)

    def set_volumes(self, volumes: dict[str, str]) -> None:
        for path, volume in volumes.items():
            self._set(path, volume=volume)

    def _set(self, path: str, /, **changes: Any) -> None:
        for document in list(self._library.rows.values()):
            if document.path == path:
                self._library._set(document.document_id, **changes)


class FakeFileCopies:
    """Copies of files, in memory: tests give documents their copies."""

    def __init__(self, library: FakeLibrary) -> None:
        self._library = library

    def find_hashes(self, path: str, size_bytes: int) -> frozenset[str]:
        return frozenset()

    def promote(self, path: str) -> None:
        for document in list(self._library.rows.values()):
            if path in document.paths[1:]:
                shown = document.seen_at(path)
                self._library.rows[document.document_id] = replace(shown, is_copy=False)

    def remove(self, paths: Sequence[str]) -> RemovedFiles:
        gone: list[int] = []
        copies: list[tuple[int, FileCopy]] = []
        for document in list(self._library.rows.values()):
            left = [path for path in document.paths if path not in paths]
            if document.document_id in self._library.removed or len(left) == len(document.paths):
                continue
            if not left:
                gone.append(document.document_id)
                continue
            shown = document.seen_at(left[0])
            copies += [(document.document_id, each) for each in shown.copies if each.path in paths]
            stays = tuple(each for each in shown.copies if each.path not in paths)
            self._library.rows[document.document_id] = replace(shown, copies=stays, is_copy=False)
        self._library.remove(gone)
        return RemovedFiles(tuple(gone), tuple(copies))

    def restore(self, removed: RemovedFiles) -> int:
        self._library.restore(removed.document_ids)
        for document_id, copy in removed.copies:
            self._library._set(document_id, copies=(*self._library.rows[document_id].copies, copy))
        return len({*removed.document_ids, *(document_id for document_id, _ in removed.copies)})


class FakeCollections:
    """Collections and tags, in memory."""

    def __init__(self) -> None:
        self._rows: dict[int, DocumentCollection] = {}
        self._made = 0

    def collections(self) -> list[DocumentCollection]:
        return sorted(self._rows.values(), key=lambda row: (row.kind == "tag", row.name))

    def create(self, name: str, kind: CollectionKind = "collection") -> int:
        if any((name, kind) == (other.name, other.kind) for other in self._rows.values()):
            raise UsageError(f"There is already a collection {name}", "Choose another name.")
        self._made += 1
        self._rows[self._made] = DocumentCollection(self._made, name, frozenset(), kind)
        return self._made

    def rename(self, collection_id: int, name: str) -> None:
        self._rows[collection_id] = replace(self._rows[collection_id], name=name)

    def delete(self, collection_id: int) -> None:
        del self._rows[collection_id]

    def tag(self, document_ids: Sequence[int], add: Sequence[str], take: Sequence[str] = ()) -> None:
        known = {row.name: row.collection_id for row in self._rows.values() if row.kind == "tag"}
        for name in add:
            self.add(known[name] if name in known else self.create(name, "tag"), document_ids)
        for name in take:
            self.remove(known[name], document_ids)

    def add(self, collection_id: int, document_ids: Sequence[int]) -> int:
        self._hold(collection_id, self._rows[collection_id].document_ids | set(document_ids))
        return len(document_ids)

    def remove(self, collection_id: int, document_ids: Sequence[int]) -> int:
        self._hold(collection_id, self._rows[collection_id].document_ids - set(document_ids))
        return len(document_ids)

    def _hold(self, collection_id: int, document_ids: frozenset[int]) -> None:
        row = self._rows[collection_id] = replace(self._rows[collection_id], document_ids=document_ids)
        if row.kind == "tag" and not document_ids:
            del self._rows[collection_id]


class FakeAnnotations:
    """Annotations in memory."""

    def __init__(self, library: FakeLibrary) -> None:
        self._library = library
        self.rows: dict[int, Annotation] = {}
        self.in_files: list[Annotation] = []

    def fetch(self, document_id: int | None = None, *, scope: Scope = EVERYTHING) -> list[Annotation]:
        found = sort_by_place(each for each in self.rows.values() if document_id in (None, each.document_id))
        return [self._with_source(each) for each in found]

    def file_notes(self, document_id: int | None = None, *, scope: Scope = EVERYTHING) -> list[Annotation]:
        return [self._with_source(each) for each in self.in_files if document_id in (None, each.document_id)]

    def _with_source(self, each: Annotation) -> Annotation:
        document = self._library.get(each.document_id)
        return replace(each, title=document.title, path=document.path, type=document.type)

    def add(self, annotations: Sequence[Annotation]) -> list[int]:
        ids = [each.annotation_id or len(self.rows) + 1 for each in annotations]
        self.rows |= {key: replace(each, annotation_id=key) for key, each in zip(ids, annotations, strict=True)}
        return ids

    def change(self, annotation_id: int, **changes: str | None) -> Annotation:
        before = self.rows[annotation_id]
        known = {name: value for name, value in changes.items() if value is not None}
        self.rows[annotation_id] = replace(before, **known)  # type: ignore[arg-type]
        return before

    def delete(self, annotation_ids: Sequence[int]) -> list[Annotation]:
        return [self.rows.pop(key) for key in annotation_ids if key in self.rows]

    def move(self, annotation: Annotation) -> None:
        self.rows[annotation.annotation_id] = annotation

    def replace(self, document_id: int, origin: str, annotations: Sequence[Annotation]) -> bool:
        theirs = [key for key, each in self.rows.items() if (each.document_id, each.origin) == (document_id, origin)]
        self.delete(theirs)
        self.add(annotations)
        return True


class FakePairLabels:
    """Labels of pairs, in memory."""

    def __init__(self) -> None:
        self.marks: dict[frozenset[str], PairLabel] = {}

    def find(self, pairs: Sequence[tuple[str, str]]) -> list[PairLabel | None]:
        return [self.marks.get(frozenset(pair)) for pair in pairs]

    def judge(self, a: str, b: str, same: bool | None) -> None:
        self.marks[frozenset((a, b))] = PairLabel(a, b, same=same)

    def labelled_pairs(self, *, with_reviewed: bool = False) -> list[PairLabel]:
        return [mark for mark in self.marks.values() if mark.same is not None or (with_reviewed and mark.reviewed)]


_IDENTITIES = itertools.count(1)


class FakeLibrary:
    """A library in memory; a sentence's id is its place in `texts`."""

    writable = True
    is_shared = False
    silence_s = 0.0

    def __init__(self) -> None:
        self.current: ModelInfo | None = None
        self.given: dict[int, Reference] = {}
        self.rows: dict[int, Document] = {}
        self.removed: set[int] = set()
        self.purged = 0
        self.texts: dict[str, int] = {}
        self.embedded: list[np.ndarray] = []
        self.stands: dict[int, list[tuple[int, int]]] = {}
        self.spans: dict[int, list[SentenceSpan]] = {}
        self.hits_read: list[int] = []  # how many, over all readings
        self.closed = False
        self.watched_folders = FakeWatchedFolders(self)
        self.copies = FakeFileCopies(self)
        self.collections = FakeCollections()
        self.identity = f"{next(_IDENTITIES):016x}"
        self.access: dict[str, Any] = {}  # of LibraryInfo: what a shared library says of the session
        self.changed_by_others = ChangeSet()
        self.importers: list[OtherImporter] = []
        self.lost: LibraryUnreachable | None = None  # while the server does not answer
        self.pair_labels = FakePairLabels()
        self.annotations = FakeAnnotations(self)
        self.model_files = NoModelFiles()
        self.ocr_pages = NoScans()
        self.user_data = FakeUserData(self)
        self.analysis_reader = FakeAnalysisReader(self)
        self.corrections = NoCorrections()
        # One object plays every other part.
        self.models = self.documents = self.ingest = self.sentences = self.search = self.keyword_search = self
        self.document_ranking = self.visibility = self.maintenance = self

    def bind(self, model: ModelInfo) -> None:
        self.current = model

    def count_searchable(self) -> int:
        return self.info().searchable

    def info(self) -> LibraryInfo:
        visible = [d for d in self.rows.values() if d.document_id not in self.removed]
        stored = [self.stands[i] for i in range(len(self.embedded)) if self.stands.get(i)]
        hidden = sum(all(d in self.removed for d, _ in places) for places in stored)  # until they are purged
        count = len(stored)
        return LibraryInfo(
            len(visible),
            *(count, count, count, count, self.current, "/library"),
            identity=self.identity,
            hidden=hidden,
            **self.access,
        )

    def list_importers(self) -> list[OtherImporter]:
        return list(self.importers)

    def poll_changes(self) -> ChangeSet:
        if self.lost is not None:
            raise self.lost
        changes, self.changed_by_others = self.changed_by_others, ChangeSet()
        return changes

    def add(self, files: Sequence[FileRef]) -> list[Document]:
        found = []
        for file in files:
            known = next((d for d in self.rows.values() if d.path == file.path), None)
            if known is None:
                new = len(self.rows) + 1
                known = Document(new, file.path, "", None, None, 0, "queued", size_bytes=file.size_bytes,
                                 mtime_ns=file.mtime_ns)  # fmt: skip
                self.rows[new] = known
            self.removed.discard(known.document_id)
            found.append(known)
        return found

    def get(self, document_id: int) -> Document:
        if document_id not in self.rows or document_id in self.removed:
            raise NotFound("no such document")
        return self.rows[document_id]

    def count_file_dates(self, scope: Scope) -> tuple[int, int]:
        return 0, 0

    def fetch(
        self, *, after_id: int = 0, limit: int = 500, state: DocumentState | None = None, scope: Scope = EVERYTHING
    ) -> list[Document]:
        rows = [
            d for i, d in sorted(self.rows.items())
            if i > after_id and i not in self.removed and state in (None, d.state)
            and self._in(scope, i)
        ]  # fmt: skip
        return rows[:limit]

    def _set(self, document_id: int, **changes: Any) -> None:
        self.rows[document_id] = replace(self.rows[document_id], **changes)

    def queue(self, document_id: int, file: FileRef) -> None:
        self._set(document_id, state="queued", reason=None, message="", mtime_ns=file.mtime_ns)

    def begin(self, document_id: int, head: DocumentHead) -> None:
        self._set(document_id, state="reading", type=head.type, title=head.title, pages=head.page_count, sentences=0)
        self._forget(document_id)

    def append(
        self,
        document_id: int,
        spans: Sequence[SentenceSpan],
        texts: Sequence[str],
        vectors: Vectors,
        truncated: Collection[str] = (),
        fingerprint: str = "",
    ) -> None:
        for text, vector in zip(texts, vectors, strict=True):
            self.texts[text] = len(self.embedded)
            self.embedded.append(vector)
        kept = self.spans.setdefault(document_id, [])
        for span in spans:
            self.stands.setdefault(self.texts[span.text], []).append((document_id, len(kept)))
            kept.append(span)
        self._set(document_id, state="embedding", sentences=len(kept))

    def finish(self, document_id: int, done: ReadingDone) -> None:
        self._set(document_id, state="ready", warnings=done.warnings)

    def kept_notes(self, document_id: int) -> tuple[list[SentenceSpan], int] | None:
        return [], 0

    def replace_notes(self, *_content: object) -> bool:
        return True

    def fail(self, document_id: int, reason: FailureReason, message: Message) -> None:
        self._set(document_id, state="failed", reason=reason, message=message)

    def keep_previous_version(self, document_id: int, file: FileRef) -> None:
        self._set(document_id, state="ready")

    def set_title(self, document_id: int, title: str) -> None:
        self._set(document_id, title=title or Path(self.rows[document_id].path).stem)

    def references(self, document_ids: Sequence[int]) -> dict[int, Reference]:
        there = [each for each in document_ids if each in self.rows]
        return {each: self.given.get(each) or Reference(title=self.rows[each].title) for each in there}

    def set_reference(self, document_id: int, reference: Reference | None) -> None:
        self.given.pop(document_id, None)
        if reference is not None:
            self.given[document_id] = reference
            self._set(document_id, title=reference.title, author=reference.author_line, dated=reference.date)

    def page_notes(self, document_id: int) -> list[PageNote]:
        pages = self.get(document_id).pages or 0
        return [PageNote(page, "none" if page == 3 else "text", "pdfium", 1.0) for page in range(1, pages + 1)]

    def omissions(self, document_id: int) -> Omissions:
        return Omissions(3, (OmittedText("running", "A running head", 1),))

    def context(self, document_id: int, ordinal: int, before: int, after: int) -> list[Occurrence]:
        spans = list(enumerate(self.spans.get(document_id, [])))[max(ordinal - before, 0) : ordinal + after + 1]
        path = self.get(document_id).path
        return [
            Occurrence(self.texts[s.text], s.text, document_id, path, at, s.paragraph, s.kind, s.places)
            for at, s in spans
        ]

    def check(self, *, repair: bool = False) -> Iterator[CheckResult]:
        yield CheckResult("database", True, NOTHING)

    def remove(self, document_ids: Sequence[int]) -> int:
        self.removed |= set(document_ids)
        return len(document_ids)

    def withdraw(self, document_ids: Sequence[int]) -> None:
        self.remove(document_ids)

    def restore(self, document_ids: Sequence[int]) -> int:
        self.removed -= set(document_ids)
        return len(document_ids)

    def _forget(self, document_id: int) -> None:
        self.spans.pop(document_id, None)
        for places in self.stands.values():
            places[:] = [place for place in places if place[0] != document_id]

    def tidy_up(self) -> Iterator[None]:
        yield from self.purge()

    def recover(self) -> int:
        return 0

    def claim(self, document_ids: Sequence[int]) -> list[int]:
        return list(document_ids)

    def release(self, document_id: int) -> None:
        pass

    def purge(self) -> Iterator[None]:
        for document_id in self.removed:
            self.erase(document_id)
        self.purged += 1
        yield None

    def erase(self, document_id: int) -> None:
        """Erase a removed document, as another session does."""
        self._forget(document_id)
        self.rows.pop(document_id, None)

    def without_vector(self, texts: Sequence[str]) -> list[str]:
        return [text for text in dict.fromkeys(texts) if text not in self.texts]

    def nearest(
        self,
        vector: NDArray[np.float32],
        top_k: int,
        *,
        scope: Scope = EVERYTHING,
        min_score: float = -1.0,
        keyword_query: KeywordQuery = NO_KEYWORDS,
    ) -> list[ScoredSentence]:
        if not self.embedded:
            return []
        scores = np.stack(self.embedded) @ vector
        order = np.argsort(-scores, kind="stable")
        visible = [i for i in order if any(self._in(scope, d) for d, _ in self.stands.get(int(i), ()))]
        return [ScoredSentence(int(i), float(scores[i])) for i in visible[:top_k] if scores[i] >= min_score]

    def scores(self, vector: NDArray[np.float32], sentence_ids: Sequence[int]) -> dict[int, float]:
        return {i: float(self.embedded[i] @ vector) for i in sentence_ids}

    def vectors(self, sentence_ids: Sequence[int]) -> dict[int, NDArray[np.float32]]:
        return {i: self.embedded[i] for i in sentence_ids}

    is_filled = True

    def read_transaction(self) -> AbstractContextManager[object]:
        return nullcontext()

    def look_ahead(self) -> AbstractContextManager[LookAhead]:
        return look_no_further()

    def fill(self) -> Iterator[None]:
        yield from ()

    def sample_vectors(self, count: int) -> NDArray[np.float32]:
        return np.stack(self.embedded[:count]) if self.embedded else np.empty((0, 1), np.float32)

    def find_sentences(
        self, keyword_query: KeywordQuery, top_k: int, *, scope: Scope = EVERYTHING
    ) -> list[ScoredSentence]:
        """Count the words; whole words are enough here."""
        wanted = {word.lower() for word in keyword_query.any}
        found = []
        for i, text in enumerate(self.texts):
            count = sum(word in wanted for word in split_words(text.lower()))
            if count and any(self._in(scope, d) for d, _ in self.stands.get(i, ())):
                found.append(ScoredSentence(i, float(count)))
        return sorted(found, key=lambda near: (-near.score, near.sentence_id))[:top_k]

    def is_common(self, keyword_query: KeywordQuery) -> bool:
        return False

    def score_among(self, keyword_query: KeywordQuery, sentence_ids: Sequence[int]) -> dict[int, float]:
        return {
            near.sentence_id: near.score
            for near in self.find_sentences(keyword_query, 1000)
            if near.sentence_id in sentence_ids
        }

    def count_words(self, words: Sequence[str]) -> dict[str, int]:
        return {}

    def word_shares(self, keyword_query: KeywordQuery, sentence_ids: Sequence[int]) -> dict[int, float]:
        found = self.score_among(keyword_query, sentence_ids)
        return {key: min(1.0, score / max(1, len(keyword_query.any))) for key, score in found.items()}

    def has_word(self, word: str, *, is_beginning: bool = False) -> bool:
        return True

    def document_rarities(self, words: Sequence[str]) -> dict[str, float]:
        return dict.fromkeys(words, 1.0)

    def weight(self, keyword_query: KeywordQuery) -> float:
        return float(len(keyword_query.any))

    def nearest_documents(
        self, vector: NDArray[np.float32], top_k: int, *, scope: Scope = EVERYTHING, best: int = 3
    ) -> list[tuple[int, float, list[ScoredSentence]]]:
        """Return documents by their best sentence."""
        own: dict[int, list[ScoredSentence]] = {}
        for near in self.nearest(vector, len(self.texts), scope=scope):
            for document_id in {d for d, _ in self.stands[near.sentence_id] if self._in(scope, d)}:
                own.setdefault(document_id, []).append(near)
        return [(document_id, found[0].score, found[:best]) for document_id, found in own.items()][:top_k]

    def score_documents(
        self, vector: NDArray[np.float32], document_ids: Sequence[int], *, scope: Scope = EVERYTHING, best: int = 3
    ) -> list[tuple[int, float, list[ScoredSentence]]]:
        own = replace(scope, document_ids=frozenset(document_ids))
        return self.nearest_documents(vector, 1000, scope=own, best=best)

    def mean_vectors(self, document_ids: Sequence[int]) -> np.ndarray:
        rows = [
            np.mean(
                [self.embedded[at] for at, stands in self.stands.items() if any(d == each for d, _ in stands)], axis=0
            )
            for each in document_ids
        ]
        return np.array([row / np.linalg.norm(row) for row in rows], np.float32)

    def rank_documents(
        self, keyword_query: KeywordQuery, top_k: int, *, scope: Scope = EVERYTHING
    ) -> list[tuple[int, float]]:
        found: dict[int, float] = {}
        for near in self.find_sentences(keyword_query, 1000, scope=scope):
            for document_id, _ in self.stands[near.sentence_id]:
                found.setdefault(document_id, near.score)
        return list(found.items())[:top_k]

    def filter_documents(self, keyword_query: KeywordQuery) -> None:
        return None

    def _in(self, scope: Scope, document_id: int) -> bool:
        document = self.rows[document_id]
        above = {document.path, *map(str, Path(document.path).parents)}
        return (
            document_id not in self.removed
            and (scope.document_ids is None or document_id in scope.document_ids)
            and (not scope.paths or not above.isdisjoint(scope.paths))
            and (not scope.types or document.type in scope.types)
            and all(any(Path(each).name == folder for each in above) for folder in scope.folders)
            and (scope.languages is None or self.analysis_reader.languages()[document_id] in scope.languages)
        )

    def find_visible(self, ids: NDArray[np.int64], scope: Scope) -> NDArray[np.bool_]:
        return np.ones(len(ids), np.bool_)

    def hits(self, found: Sequence[ScoredSentence], *, first_rank: int = 1, scope: Scope = EVERYTHING) -> list[Hit]:
        self.hits_read.append(len(found))
        by_id = {i: text for text, i in self.texts.items()}
        hits = []
        for rank, nearest in enumerate(found, start=first_rank):
            stands = [place for place in self.stands[nearest.sentence_id] if self._in(scope, place[0])]
            (document_id, at), document = stands[0], self.rows[stands[0][0]]
            spans = self.spans[document_id]
            hits.append(
                Hit(
                    rank, nearest.score, nearest.sentence_id, by_id[nearest.sentence_id],
                    spans[at - 1].text if at else "", spans[at + 1].text if at + 1 < len(spans) else "",
                    document_id, document.title, document.path, document.type, at, "body", spans[at].places,
                    also_in=len({d for d, _ in stands}) - 1, matched_by=nearest.matched_by,
                    part_scores=nearest.part_scores,
                )
            )  # fmt: skip
        return hits

    def hits_at(self, places: Sequence[tuple[int, int, float]]) -> list[Hit | None]:
        found: list[Hit | None] = []
        for document_id, ordinal, score in places:
            spans = self.spans.get(document_id, [])
            if ordinal >= len(spans):
                found.append(None)
                continue
            (hit,) = self.hits([ScoredSentence(self.texts[spans[ordinal].text], score)])
            document = self.rows[document_id]
            about = {"document_id": document_id, "title": document.title, "path": document.path}
            found.append(replace(hit, ordinal=ordinal, **about))
        return found

    def outline(self, document_id: int) -> list[OutlineEntry]:
        return []

    def occurrences(self, *, document_id: int, batch: int = 1000) -> Iterator[list[Occurrence]]:
        path = self.rows[document_id].path
        rows = [
            Occurrence(self.texts[span.text], span.text, document_id, path, at, span.paragraph, span.kind, span.places)
            for at, span in enumerate(self.spans.get(document_id, ()))
        ]
        if rows:
            yield rows

    def keep_index_loaded(self) -> None:
        pass

    def run(self) -> Iterator[None]:
        yield None

    def close(self) -> None:
        self.closed = True
