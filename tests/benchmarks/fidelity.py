"""The words of documents that other extractors find and Kindred does not, for any folder of files.

Each file of `--data` is read by Kindred's reader and by each peer that is installed: poppler's `pdftotext` and pypdf
for PDF, pandoc for the formats that it reads. `--libraries FOLDER` keeps the peers' texts for the next run; `--rows N`
takes N files; `--output FILE` writes the figures of every file, with samples of the missing words.

A word is a run of letters and digits, or one Chinese or Japanese character, in any case. It is found if Kindred's
sentences have it as often as the peer. These count as found, too: a line of the peer whose letters Kindred has in the
same order (only blanks and hyphens differ), and a word that is part of one of Kindred's or is cut in Kindred's text.
What a reader leaves out on purpose is counted separately. Files that neither Kindred nor the peer can read have no
words.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
import unicodedata
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from threading import local

from desktop_app.core.errors import FileFailure
from desktop_app.core.formats import FORMATS
from desktop_app.core.reader_events import ArchiveRead, FileUnchanged, ReadingDone, SentencesRead
from desktop_app.text.reader_process import ProcessReader
from tests.benchmarks.harness import Bench

PEER_TIMEOUT_S = 30.0
_POLL_S = 0.002
_MIN_PART = 3
"""Letters from which a word may be found as a part of a longer one."""
_SAMPLES = 40
_SHOWN = 30

_SINGLE = "\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_SINGLE}]|[^\W_{_SINGLE}]+")
_MADE_BY_PANDOC = re.compile(r"^\s*\(?\w{1,5}[.)]\s+|\[\d+\]", re.MULTILINE)
"""Marks of list items and notes: pandoc counts them itself, they do not stand in the file."""
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u0300-\u036f]")

_PYPDF = """
import logging, sys, warnings
import pypdf
logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")
sys.stdout.reconfigure(encoding="utf-8", errors="ignore")
reader = pypdf.PdfReader(sys.argv[1])
if reader.is_encrypted:
    reader.decrypt("")
for page in reader.pages:
    try:
        print(page.extract_text())
    except Exception:
        pass
"""
_PANDOC_FORMATS = {
    "docx": "docx",
    "odt": "odt",
    "rtf": "rtf",
    "epub": "epub",
    "html": "html-native_divs-native_spans",
    "markdown": "commonmark_x",
}
_FORMAT_OF_SUFFIX = {suffix: name for name, row in FORMATS.items() for suffix in row.suffixes}


@dataclass
class OwnText:
    """What Kindred's reader found in a file: its sentences, and why it failed."""

    lines: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    failure: str = ""
    seconds: float = 0.0


@dataclass
class FileFigures:
    """The words of one file that a peer has.

    Attributes:
        words: that the peer found.
        missing: of these, those that Kindred did not find.
        left_out: of these, those that Kindred left out on purpose; they are not missing.
        state: `ready`, or why Kindred could not read the file.
        sample: missing words, the most frequent first.
    """

    file: str
    format: str
    peer: str
    words: int
    missing: int
    left_out: int
    state: str
    remarks: list[str]
    sample: list[str]


def run(bench: Bench) -> None:
    """Print and store the share of words that peers find and Kindred does not."""
    if bench.data is None:
        raise SystemExit("fidelity needs --data FOLDER: the documents to compare")
    files = find_documents(bench.data)[: bench.rows or None]
    kept = bench.libraries / "peer-texts"
    kept.mkdir(parents=True, exist_ok=True)
    versions = peer_versions()
    bench.say("fidelity: peers", [["peer", "version"], *versions.items()])
    readers = _Readers()
    try:
        with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
            compared = list(pool.map(lambda file: _compare_file(bench.data, file, kept, versions, readers), files))
    finally:
        readers.close()
    rows = [row for group in compared for row in group]
    _say(bench, rows)
    bench.results["fidelity"] = {"peers": versions, "files": [asdict(row) for row in rows]}


def find_documents(folder: Path) -> list[Path]:
    """Return the files of a folder that have a peer, in order; each content once."""
    found: dict[bytes, Path] = {}
    for path in sorted(folder.rglob("*")):
        kind = _FORMAT_OF_SUFFIX.get(path.suffix.lower())
        if (kind == "pdf" or kind in _PANDOC_FORMATS) and path.is_file() and path.stat().st_size:
            found.setdefault(hashlib.sha256(path.read_bytes()).digest(), path)
    return list(found.values())


def peer_versions() -> dict[str, str]:
    """Return the version of each peer that is installed."""
    import pypdf

    versions = {"pypdf": pypdf.__version__}
    for program, option in (("pdftotext", "-v"), ("pandoc", "--version")):
        if shutil.which(program):
            shown = subprocess.run([program, option], capture_output=True, text=True, check=False)
            versions[program] = re.findall(r"\d+(?:\.\d+)+", shown.stdout + shown.stderr)[0]
    return versions


def count_missing(peer: str, own: OwnText) -> tuple[int, int, Counter[str]]:
    """Return the peer's words: how many, how many Kindred left out on purpose, and those that it did not find."""
    own_words = Counter(word for line in own.lines for word in _words(line))
    letters = "".join(map(_letters, own.lines))
    spare = own_words.copy()
    used: Counter[str] = Counter()
    total = 0
    missing: Counter[str] = Counter()
    for line in peer.splitlines():
        words = _words(line)
        total += len(words)
        absent = []
        for word in words:
            if spare[word] > 0:
                spare[word] -= 1
            else:
                absent.append(word)
        joined = "".join(words)
        if absent and len(joined) >= _MIN_PART and letters.count(joined) > used[joined]:
            used[joined] += 1
            continue
        missing.update(word for word in absent if word in own_words or len(word) < _MIN_PART or word not in letters)
    on_purpose = Counter(word for line in own.left_out for word in _words(line)) & missing
    return total, on_purpose.total(), missing - on_purpose


class _Readers:
    """One reader process for each thread."""

    def __init__(self) -> None:
        self._of_thread = local()
        self._all: list[ProcessReader] = []

    def read(self, path: Path) -> OwnText:
        reader: ProcessReader | None = getattr(self._of_thread, "reader", None)
        if reader is None:
            reader = self._of_thread.reader = ProcessReader()
            self._all.append(reader)
        return read_own_text(reader, path)

    def close(self) -> None:
        for reader in self._all:
            reader.close()


def read_own_text(reader: ProcessReader, path: Path) -> OwnText:
    """Read a file as an import does."""
    own = OwnText()
    started = time.monotonic()
    reading = reader.start(path)
    with suppress(FileFailure):
        while True:
            try:
                event = reading.poll()
            except FileFailure as failure:
                own.failure = f"{failure.reason}: {failure}"
                raise
            match event:
                case None:
                    time.sleep(_POLL_S)
                case SentencesRead(spans=spans):
                    own.lines += [span.text for span in spans]
                case ReadingDone():
                    own.left_out = [omitted.text for omitted in event.omitted]
                    own.remarks = [str(warning) for warning in event.warnings]
                    break
                case FileUnchanged() | ArchiveRead():
                    own.failure = "not a document"
                    break
                case _:
                    pass
    own.seconds = time.monotonic() - started
    return own


def peer_text(peer: str, path: Path, kind: str, kept: Path, version: str) -> str:
    """Return what a peer extracts from a file; nothing if it fails or takes too long."""
    key = hashlib.sha256(path.read_bytes()).hexdigest()[:32]
    file = kept / f"{key}-{peer}-{version}.txt"
    if not file.exists():
        command = {
            "pdftotext": ["pdftotext", "-q", "-nopgbrk", "-enc", "UTF-8", str(path), "-"],
            "pypdf": [sys.executable, "-c", _PYPDF, str(path)],
            "pandoc": ["pandoc", "-f", _PANDOC_FORMATS.get(kind, kind), "-t", "plain", "--wrap=none", str(path)],
        }[peer]
        text = b""
        with suppress(subprocess.TimeoutExpired):
            text = subprocess.run(command, capture_output=True, timeout=PEER_TIMEOUT_S, check=False).stdout
        file.write_bytes(text)
    text_found = file.read_text("utf-8", "ignore")
    return _MADE_BY_PANDOC.sub(" ", text_found) if peer == "pandoc" else text_found


def _compare_file(
    folder: Path, path: Path, kept: Path, versions: dict[str, str], readers: _Readers
) -> list[FileFigures]:
    kind = _FORMAT_OF_SUFFIX[path.suffix.lower()]
    texts = {
        peer: peer_text(peer, path, kind, kept, versions[peer])
        for peer in (("pdftotext", "pypdf") if kind == "pdf" else ("pandoc",))
        if peer in versions
    }
    own = readers.read(path)
    rows = []
    for peer, text in texts.items():
        total, left_out, missing = count_missing(text, own)
        rows.append(
            FileFigures(
                path.relative_to(folder).as_posix(),
                kind,
                peer,
                total,
                missing.total(),
                left_out,
                own.failure or "ready",
                own.remarks,
                [f"{word} x {times}" if times > 1 else word for word, times in missing.most_common(_SAMPLES)],
            )
        )
    return rows


def _say(bench: Bench, rows: Sequence[FileFigures]) -> None:
    table: list[list[object]] = [["format, peer", "files", "words", "left out, %", "missing, %", "in ready files, %"]]
    for kind, peer in sorted({(row.format, row.peer) for row in rows}):
        of_peer = [row for row in rows if (row.format, row.peer) == (kind, peer) and row.words]
        ready = [row for row in of_peer if row.state == "ready"]
        words = sum(row.words for row in of_peer)
        table.append(
            [
                f"{kind}, {peer}",
                len(of_peer),
                words,
                _percent(sum(row.left_out for row in of_peer), words),
                _percent(sum(row.missing for row in of_peer), words),
                _percent(sum(row.missing for row in ready), sum(row.words for row in ready)),
            ]
        )
    bench.say("fidelity: words that peers find", table)
    worst = sorted((row for row in rows if row.missing), key=lambda row: -row.missing)[:_SHOWN]
    bench.say(
        "fidelity: files with the most missing words",
        [
            ["file", "peer", "words", "missing", "left out", "state", "sample"],
            *(
                [row.file, row.peer, row.words, row.missing, row.left_out, row.state[:30], " ".join(row.sample[:8])]
                for row in worst
            ),
        ],
    )


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0.0


def _words(line: str) -> list[str]:
    return _WORD.findall(_fold(line))


def _letters(line: str) -> str:
    return "".join(_words(line))


def _fold(text: str) -> str:
    return _INVISIBLE.sub("", unicodedata.normalize("NFKD", text).casefold())
