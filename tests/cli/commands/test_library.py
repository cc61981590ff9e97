"""A shared library on the command line: created, opened up, filled, searched and checked like a local one."""

from __future__ import annotations

import io
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend

from tests.cli.conftest import Kindred
from tests.encoder.conftest import write_tiny_model
from tests.postgres_server import SharedLibraries
from tests.store.helpers import MODEL, take_in


class MemoryKeyring(KeyringBackend):
    """A keyring that forgets everything at the end."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password


@pytest.fixture(autouse=True)
def own_keyring(monkeypatch: pytest.MonkeyPatch) -> MemoryKeyring:
    monkeypatch.delenv("KINDRED_PASSWORD", raising=False)
    before, own = keyring.get_keyring(), MemoryKeyring()
    keyring.set_keyring(own)
    monkeypatch.setattr(keyring.core, "_keyring_backend", own)
    assert before is not own
    return own


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "sea.txt").write_text("The sea level is rising faster than expected. Ice melts in spring.", "utf-8")
    (folder / "bread.txt").write_text("Bread dough needs an hour to rise. Salt slows the yeast down.", "utf-8")
    return folder


def test_a_library_is_created_filled_and_searched(
    kindred: Kindred,
    papers: Path,
    shared_libraries: SharedLibraries,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("KINDRED_PASSWORD", shared_libraries.server.password)
    administrator = shared_libraries.server.address(shared_libraries.database, "newsroom")
    anna = shared_libraries.user("cli")
    library = str(shared_libraries.server.address(shared_libraries.database, "newsroom", anna))
    try:
        assert kindred("library", "--library", str(administrator), "create").status == 0
        assert "already" in kindred("library", "create", "--library", str(administrator)).err
        refused = kindred("search", "the ocean", "--library", library)
        assert (refused.status, "not allowed" in refused.err) == (3, True)
        kindred("library", "grant", anna, "reader", "--library", str(administrator))
        reading = kindred("import", papers, "--library", library)
        assert (reading.status, "read-only" in reading.err) == (3, True)
        kindred("library", "grant", anna, "writer", "--library", str(administrator))
        imported = kindred("import", papers, "--library", library, "--json").json
        assert (len(imported["imported"]), imported["sentences"]) == (2, 4)
        assert len(kindred("import", papers, "--library", library, "--json").json["unchanged"]) == 2
        found = kindred("search", "the ocean gets higher", "--library", library, "--json").json
        assert found["hits"][0]["text"] == "The sea level is rising faster than expected."
        words = kindred("search", "yeast", "--mode", "words", "--library", library, "--json").json
        assert [hit["text"] for hit in words["hits"]] == ["Salt slows the yeast down."]
        assert kindred("tags", "add", "food", "bread.txt", "--library", library).status in (0, 2)
        assert kindred("doctor", "--library", library).status == 0
        status = kindred("library", "--library", library, "--json").json
        assert (status["documents"], status["sentences"], status["right"]) == (2, 4, "writer")
        assert kindred("info", "--library", library, "--json").json["library"] == library
        kept = kindred("backup", str(papers / "b.zip"), "--library", library)
        assert (kept.status, "pg_dump" in kept.err) == (2, True)
        assert kindred("remove", "bread.txt", "--library", library).status == 0
        assert kindred("info", "--library", library, "--json").json["sentences"] == 2
        upgraded = kindred("library", "upgrade", "--library", str(administrator), "--json").json
        assert upgraded == {"upgraded": False}
        assert "who created" in kindred("library", "upgrade", "--library", library).err
    finally:
        shared_libraries.delete(administrator.library)


def test_a_computer_without_the_model_gets_it_from_the_library(
    kindred: Kindred,
    papers: Path,
    tmp_path: Path,
    shared_libraries: SharedLibraries,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("KINDRED_PASSWORD", shared_libraries.server.password)
    library, base = str(shared_libraries.address()), tmp_path / "other computer"
    reader = shared_libraries.user("reads")
    shared_libraries.grant("contract", reader, "reader")
    (tmp_path / "tiny").mkdir()
    model = write_tiny_model(tmp_path / "tiny")
    try:
        assert kindred("models", "fetch", "--library", library).status == 3
        assert kindred("import", papers, "--model", model, "--library", library).status == 0
        found = kindred("search", "yeast", "--model", model, "--library", library, "--json").json["hits"]
        model.rename(tmp_path / "gone")
        read_only = str(shared_libraries.address("contract", reader))
        missing = kindred("search", "yeast", "--library", read_only, base=base)
        assert (missing.status, "models fetch" in missing.err) == (3, True)
        assert kindred("library", "--library", read_only, "--json").json["model_bytes"] > 1_000_000
        fetched = kindred("models", "fetch", "--library", read_only, base=base)
        assert (fetched.status, "MB" in fetched.err) == (0, True)
        assert kindred("search", "yeast", "--library", read_only, "--json", base=base).json["hits"] == found
        assert kindred("models", "fetch", "--library", read_only, base=base).status == 0
    finally:
        shared_libraries.reset()


def test_several_processes_import_together(
    kindred: Kindred,
    papers: Path,
    shared_libraries: SharedLibraries,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("KINDRED_PASSWORD", shared_libraries.server.password)
    library = str(shared_libraries.address())
    for number in range(6):
        (papers / f"{number}.txt").write_text(f"Chapter {number} begins here. It ends there.", "utf-8")
    try:
        assert kindred("import", papers, "--workers", "2", "--library", library).status == 0
        found = kindred("info", "--library", library, "--json").json
        assert (found["documents"], found["states"]) == (8, {"ready": 8})
        assert kindred("work", "--until-done", "--library", library).status == 0
    finally:
        shared_libraries.reset()
    assert "shared library" in kindred("import", papers, "--workers", "2").err
    assert "needs a shared library" in kindred("work").err


def test_a_password_is_tried_and_stored_in_the_keyring(
    kindred: Kindred,
    shared_libraries: SharedLibraries,
    own_keyring: MemoryKeyring,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    library = str(shared_libraries.address())
    assert "needs the password" in kindred("info", "--library", library).err
    monkeypatch.setattr("sys.stdin", io.StringIO("wrong\n"))
    assert "refuses" in kindred("library", "password", "--library", library).err
    assert own_keyring.kept == {}
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{shared_libraries.server.password}\n"))
    assert kindred("library", "password", "--library", library).status == 0
    assert kindred("info", "--library", library).status == 0
    shared_libraries.reset()


def test_what_is_wrong_with_an_address_is_said(kindred: Kindred) -> None:
    refused = kindred("info", "--library", "postgresql://anna:secret@archive/kindred?library=news")
    assert (refused.status, "contains a password" in refused.err, "secret" in refused.err) == (2, True, False)
    assert "not the address" in kindred("info", "--library", "postgresql://archive/kindred").err
    assert "needs the address" in kindred("library", "status").err
    assert "needs a user" in kindred("library", "grant", "anna", "--library", "postgresql://h/d?library=n").err
    assert "cannot be reached" in kindred("info", "--library", "postgresql://localhost:1/d?library=n").err


def test_roots_belong_to_this_computer(
    kindred: Kindred, papers: Path, shared_libraries: SharedLibraries, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KINDRED_PASSWORD", shared_libraries.server.password)
    library = str(shared_libraries.address())
    try:
        assert kindred("import", papers, "--library", library).status == 0
        done = kindred("library", "roots", "set", "archive", papers, "--library", library, "--json").json
        assert (done["root"], done["documents"]) == ("archive", 2)
        assert kindred("library", "roots", "--library", library, "--json").json == {"roots": {"archive": str(papers)}}
        assert len(kindred("import", papers, "--library", library, "--json").json["unchanged"]) == 2
        assert kindred("library", "roots", "remove", "archive", "--library", library).status == 0
        assert kindred("library", "roots", "--library", library, "--json").json == {"roots": {"archive": None}}
        documents = kindred("documents", "--library", library, "--json").json["documents"]
        assert sorted(each["path"] for each in documents) == ["archive:/bread.txt", "archive:/sea.txt"]
        for words in (("set", "Z", papers), ("set", "archive", papers / "none"), ("forget", "archive")):
            assert kindred("library", "roots", *words, "--library", library).status in (2, 3)
        assert kindred("library", "roots").status == 2
    finally:
        shared_libraries.reset()


def test_a_library_is_copied_to_a_server_and_back(
    kindred: Kindred, papers: Path, tmp_path: Path, shared_libraries: SharedLibraries, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KINDRED_PASSWORD", shared_libraries.server.password)
    library, back = str(shared_libraries.address()), tmp_path / "back"
    try:
        assert kindred("import", papers).status == 0
        assert kindred("library", "copy", "--to", library, "--json").json["different"] == []
        copied = kindred("library", "copy", "--to", back, "--library", library)
        assert (copied.status, "2 documents copied" in copied.out) == (0, True)
        again = kindred("library", "copy", "--to", back, "--library", library, "--json").json
        assert (again["copied"], again["present"], again["checked"]) == (0, 2, 2)
        found = kindred("search", "the ocean gets higher", "--library", back, "--json").json
        assert found["hits"][0]["text"] == "The sea level is rising faster than expected."
        assert kindred("library", "copy", "--to", library, "--library", library).status == 2
        assert kindred("library", "copy").status == 2
    finally:
        shared_libraries.reset()


def test_the_model_of_a_library_goes_with_it_to_a_server_and_back(
    kindred: Kindred, papers: Path, tmp_path: Path, shared_libraries: SharedLibraries, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A computer that has neither the library's folder nor its model gets both from the server."""
    monkeypatch.setenv("KINDRED_PASSWORD", shared_libraries.server.password)
    library, back, other = str(shared_libraries.address()), tmp_path / "back", tmp_path / "other computer"
    (tmp_path / "own").mkdir()
    model = write_tiny_model(tmp_path / "own")

    def find(*more: object) -> dict[str, float]:
        answer = kindred("search", "yeast", "--json", *more[:2], base=more[2] if more[2:] else tmp_path / "base").json
        return {hit["text"]: hit["score"] for hit in answer["hits"]}

    try:
        assert kindred("import", papers, "--model", model).status == 0
        found = find("--model", model)
        assert kindred("library", "copy", "--to", library, "--model", model, "--json").json["different"] == []
        assert kindred("library", "--library", library, "--json").json["model_bytes"] > 1_000_000
        model.rename(tmp_path / "gone")
        assert "models fetch" in kindred("search", "yeast", "--library", library, base=other).err
        assert kindred("models", "fetch", "--library", library, base=other).status == 0
        assert find("--library", library, other) == pytest.approx(found, abs=1e-3)
        copied = kindred("library", "copy", "--to", back, "--library", library, "--json", base=other).json
        assert (copied["copied"], copied["different"]) == (2, [])
        assert find("--library", back, other) == pytest.approx(found, abs=1e-3)
    finally:
        shared_libraries.reset()


def test_a_terminal_is_asked_for_the_password(
    kindred: Kindred, shared_libraries: SharedLibraries, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    asked: list[str] = []

    def answer(prompt: str) -> str:
        asked.append(prompt)
        return shared_libraries.server.password

    monkeypatch.setattr("getpass.getpass", answer)
    monkeypatch.setenv("KINDRED_PASSWORD", "")  # restored after the test
    monkeypatch.delenv("KINDRED_PASSWORD")
    address = shared_libraries.address()
    assert kindred("info", "--library", str(address)).status == 0
    assert asked == [f"Password of {address.user} on {address.server}: "]


def test_the_model_of_a_shared_library_must_be_on_this_computer(
    kindred: Kindred, shared_libraries: SharedLibraries, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KINDRED_PASSWORD", shared_libraries.server.password)
    try:
        with shared_libraries.open() as library:
            library.models.bind(MODEL)
            take_in(library, "tea.txt", ["Tea is hot."])
        refused = kindred("search", "tea", "--library", str(shared_libraries.address()))
        assert (refused.status, f"uses the model {MODEL.name}, which is not on this computer" in refused.err) == (
            3,
            True,
        )
    finally:
        shared_libraries.reset()
