"""Files of highlights and notes, compared as a whole."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from desktop_app.core.annotation_files import format_markdown, write_annotations
from desktop_app.core.annotations import COLOURS, Annotation
from desktop_app.core.bibliography import Reference
from desktop_app.core.errors import UsageError
from desktop_app.core.records import Place

MARK = Annotation(
    *(11, 5, "the *sea*", "Why?\n> Since when?", COLOURS["green"], "zotero", "underline"),
    places=(Place(7, 20, 34, "text"),),
    author="Ida",
    created_at=86_400.0,
    changed_at=172_800.0,
    page_label="vii",
    title="On the sea",
    path="/papers/sea.pdf",
    type="pdf",
)
NOTE = Annotation(12, 5, "", "Read\nagain.", "", places=(Place(9, 0, 0, "text"),), title="On the sea", type="pdf")
OTHER = Annotation(0, 6, "ice", places=(Place(None, 4, 7, "char", 2, 2),), path="/papers/ice.txt", type="text")
MARKS = (MARK, NOTE, OTHER)
REFERENCES = {5: Reference("book", "On tides", ("Airy, George", "Thomson, W."), "1845-03-01")}


def written(tmp_path: Path, suffix: str) -> str:
    file = tmp_path / f"marks{suffix}"
    write_annotations(str(file), MARKS, REFERENCES)
    return file.read_text("utf-8-sig")


def test_lines_of_json_have_every_value(tmp_path: Path) -> None:
    first, second, third = map(json.loads, written(tmp_path, ".jsonl").splitlines())
    assert first["created"].startswith("1970-01-0")
    assert first["created"] < first["changed"]
    del first["created"], first["changed"]
    assert first == {
        **{"annotation_id": 11, "document_id": 5, "title": "On the sea", "path": "/papers/sea.pdf"},
        **{"page": 7, "page_label": "vii", "location": "p. vii", "kind": "underline", "origin": "zotero"},
        **{"colour": COLOURS["green"], "colour_name": "green", "text": "the *sea*"},
        **{"comment": "Why?\n> Since when?", "author": "Ida"},
    }
    assert (second["colour"], second["colour_name"], second["created"], second["changed"]) == (None,) * 4
    assert (third["annotation_id"], third["page"], third["location"]) == (None, None, "line 2")


def test_columns_of_csv_have_their_own_values(tmp_path: Path) -> None:
    names, first, _, third = csv.reader(written(tmp_path, ".csv").splitlines(keepends=True))
    assert ",".join(names) == (
        "document_id,title,path,page,location,kind,origin,colour,text,comment,author,created,changed"
    )
    values = dict(zip(names, first, strict=True))
    assert values.pop("created") < values.pop("changed")
    assert list(values.values()) == [
        *("5", "On the sea", "/papers/sea.pdf", "7", "p. vii", "underline", "zotero", "green", "the *sea*"),
        *("Why?\n> Since when?", "Ida"),
    ]
    assert dict(zip(names, third, strict=True))["created"] == ""


def test_markdown_has_a_heading_for_each_document(tmp_path: Path) -> None:
    assert written(tmp_path, ".md") == (
        "## On tides\n\nGeorge Airy, W. Thomson, 1845\n\n"
        "> the \\*sea\\* (p. vii)\n\nWhy?\n\\> Since when?\n\n"
        "Read\nagain. (PDF p. 9)\n\n"
        "## ice.txt\n\n> ice (line 2)\n"
    )


def test_markdown_with_a_style_cites_and_lists_its_references() -> None:
    text = format_markdown(MARKS[:1], REFERENCES, "apa")
    assert "> the \\*sea\\* (Airy & Thomson, 1845, p. vii)\n\nWhy?" in text
    assert "\n## References\n\n- Airy, G., & Thomson, W. (1845). On tides." in text
    assert "\n## Literatur\n" in format_markdown(MARKS[:1], REFERENCES, "apa", "de")
    assert format_markdown([], {}, "apa") == ""


def test_other_suffixes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="marks"):
        write_annotations(str(tmp_path / "marks.doc"), MARKS, {})
