"""Names that people give for documents: an id, a path, or the name of a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_app.core.document_names import find_named_documents, parse_id
from desktop_app.core.errors import UsageError
from desktop_app.core.records import Document


def document(number: int, path: str | Path) -> Document:
    return Document(number, str(path), Path(path).name, "text", None, 1, "ready")


@pytest.fixture
def known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Document]:
    """Three documents; the folder that a person is in has the file of the first only."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sea.txt").write_text("The sea.", "utf-8")
    return [document(1, tmp_path / "sea.txt"), document(2, "/far/ice.txt"), document(3, "/far/2")]


def find(name: str, known: list[Document]) -> list[int]:
    found = find_named_documents(
        name,
        lambda number: [each for each in known if each.document_id == number],
        lambda path: [each for each in known if each.path == path or each.path.startswith(f"{path}/")],
        lambda file: [each for each in known if Path(each.path).name == file],
    )
    return [each.document_id for each in found]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        *((("1"), [1]), ("#2", [2]), ("9", []), ("#9", []), ("", []), ("#x", [])),
        *(("sea.txt", [1]), ("./sea.txt", [1]), (".", [1]), ("ice.txt", [2]), ("/far", [2, 3]), ("snow.txt", [])),
    ],
)
def test_a_document_is_found_by_its_id_path_folder_or_file_name(
    name: str, found: list[int], known: list[Document]
) -> None:
    assert find(name, known) == found


def test_an_id_that_is_another_documents_name_is_ambiguous(known: list[Document]) -> None:
    with pytest.raises(UsageError, match="2 is the id of a document, and also the name"):
        find("2", known)
    assert find("#2", known) == [2]
    assert find("/far/2", known) == [3]


def test_an_id_that_is_a_file_here_is_ambiguous(known: list[Document]) -> None:
    Path("1").write_text("One.", "utf-8")
    with pytest.raises(UsageError, match="1 is the id of a document, and also the name"):
        find("1", known)


def test_an_id_that_names_the_same_document_is_not_ambiguous(known: list[Document]) -> None:
    assert find("4", [*known, document(4, "/far/4")]) == [4]


def test_a_file_here_is_not_taken_for_one_of_the_same_name_elsewhere(known: list[Document]) -> None:
    Path("ice.txt").write_text("Ice.", "utf-8")
    with pytest.raises(UsageError, match=r"ice.txt is here, but not in the library.*#2"):
        find("ice.txt", known)
    assert find("/far/ice.txt", known) == [2]


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("12", 12), ("9" * 18, int("9" * 18)), ("9" * 19, None), ("-1", None), ("٣", None), ("", None)],
)
def test_what_is_an_id(text: str, number: int | None) -> None:
    assert parse_id(text) == number
