"""Texts without a finite vector: the message names file and line, or the sentence of the document."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import pytest

from desktop_app.core.errors import VectorNotFinite
from desktop_app.encoder import SiameseEncoder
from tests.cli.conftest import Kindred

BAD = "This is no number."
SAID = f"The model all-MiniLM-L6-v2 cannot embed {{place}}: it gives no finite vector for “{BAD}”"


@pytest.fixture(autouse=True)
def damaged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the bundled model, whole but for that, refuse one text."""
    whole = SiameseEncoder.encode_batches

    def refusing(self: SiameseEncoder, texts: Sequence[str], **more: Any) -> Generator[Any, None, None]:
        if BAD in texts:
            raise VectorNotFinite("refused", "Its weights may be damaged.", texts.index(BAD), model=self.model.name)
        yield from whole(self, texts, **more)

    monkeypatch.setattr(SiameseEncoder, "encode_batches", refusing)


def _refused(kindred: Kindred, *arguments: object) -> str:
    answer = kindred(*arguments, "--json")
    assert answer.status == 3
    assert answer.json["error"]["kind"] == "vector_not_finite"
    assert answer.json["error"]["hint"] == "Its weights may be damaged."
    return str(answer.json["error"]["message"])


def test_the_message_names_the_line_of_a_file(kindred: Kindred, tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    file.write_text(f"One.\nOne.\n\n{BAD}\nTwo.\n{BAD}\n", "utf-8")
    place = f"line 4 of {file}"
    assert _refused(kindred, "embed", file, "--output", tmp_path / "v.npy") == SAID.format(place=place)
    assert _refused(kindred, "pairs", "--file", file) == SAID.format(place=place)
    assert not (tmp_path / "v.npy").exists()


@pytest.mark.parametrize("row", ["One.\t{BAD}\t1", "{BAD}\tOne.\t1"])
def test_the_message_names_the_line_of_a_pair(kindred: Kindred, tmp_path: Path, row: str) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_text(
        "sentence1\tsentence2\tlabel\nOne.\tTwo.\t0\n\n" + row.format(BAD=BAD) + "\nThree.\tTwo.\t0\n", "utf-8"
    )
    assert _refused(kindred, "compare", "--pairs", file) == SAID.format(place=f"line 4 of {file}")


def test_the_message_names_the_sentence_of_a_draft(kindred: Kindred, tmp_path: Path) -> None:
    (tmp_path / "old.txt").write_text("The sea rises.\n\nBread is mostly waiting.", "utf-8")
    (tmp_path / "draft.txt").write_text(f"The sea has risen.\n\nThe sea has risen.\n\n{BAD}", "utf-8")
    kindred("import", tmp_path / "old.txt")
    message = SAID.format(place="sentence 3 of draft.txt")
    assert _refused(kindred, "trace", tmp_path / "draft.txt") == message


def test_a_failed_graphics_processor_is_reported_once(
    kindred: Kindred, imported: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    begun = SiameseEncoder.__init__

    def failing(self: SiameseEncoder, *arguments: Any, **more: Any) -> None:
        begun(self, *arguments, **more)
        self.backend.fall_back(RuntimeError("CUDA error: unspecified launch failure\nmore"))

    monkeypatch.setattr(SiameseEncoder, "__init__", failing)
    answer = kindred("search", "the ice melts")
    assert answer.status == 0
    lines = [line for line in answer.err.splitlines() if "unspecified launch failure" in line]
    assert lines == ["cpu failed (CUDA error: unspecified launch failure): switched to the CPU, which is slower."]
    caplog.clear()
