"""`models`: what there is, adding, switching, removing, as a script sees it."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_app.encoder import SiameseEncoder, save
from desktop_app.store.local_library import LocalLibrary
from tests.cli.conftest import Kindred


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled model with another pooling: another model."""
    folder = tmp_path_factory.mktemp("models") / "largest"
    save(SiameseEncoder(device="cpu", precision="fp32", pooling="max"), folder)
    return folder


def test_the_bundled_model_before_there_is_a_library(kindred: Kindred) -> None:
    (row,) = kindred("models", "--json").json["models"]
    assert {key: row[key] for key in ("name", "dim", "max_length", "pooling", "active", "vectors")} == {
        "name": "all-MiniLM-L6-v2",
        "dim": 384,
        "max_length": 256,
        "pooling": "mean",
        "active": False,
        "vectors": 0,
    }
    assert len(row["fingerprint"]) == 64


def test_a_library_is_switched_and_back(kindred: Kindred, papers: Path, other: Path) -> None:
    kindred("import", papers)
    assert kindred("models", "add", other, "--json").json["added"]["name"] == "largest"
    before = kindred("search", "a loaf of bread", "--json").json["hits"]
    switched = kindred("models", "use", "largest", "--json")
    assert (switched.status, switched.json["model"], switched.json["stopped"]) == (0, "largest", False)
    rows = {row["name"]: row for row in kindred("models", "--json").json["models"]}
    sentences = kindred("info", "--json").json["sentences"]
    assert (rows["largest"]["active"], rows["largest"]["vectors"]) == (True, sentences)
    assert (rows["all-MiniLM-L6-v2"]["active"], rows["all-MiniLM-L6-v2"]["vectors"]) == (False, 0)
    assert switched.json["embedded"] == sentences
    after = kindred("search", "a loaf of bread", "--json").json["hits"]
    assert [hit["score"] for hit in after] != [hit["score"] for hit in before]
    assert "largest" in kindred("models").out
    # It is found by its name where another one is asked for, and refused where it is in use.
    assert kindred("search", "bread", "--model", "largest", "--json").status == 0
    refused = kindred("search", "bread", "--model", "all-MiniLM-L6-v2")
    assert refused.status == 3
    assert "models use all-MiniLM-L6-v2" in refused.err
    refused = kindred("models", "remove", "largest")
    assert refused.status == 2
    assert "models use" in refused.err
    kindred("models", "use", "all-MiniLM-L6-v2")
    assert kindred("models", "remove", "largest", "--json").json == {"removed": "largest"}
    assert other.is_dir()
    assert kindred("search", "a loaf of bread", "--json").json["hits"] == before
    assert kindred("doctor").status == 0


def test_what_cannot_be_had(kindred: Kindred, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for arguments, status, words in (
        (("models", "add"), 2, "needs a model"),
        (("models", "add", tmp_path / "empty"), 3, "no config.json"),
        (("models", "add", tmp_path / "nothing"), 3, "There is no folder"),
        (("models", "add", "owner/model"), 3, "HF_HUB_OFFLINE"),
        (("models", "use", "nothing"), 3, "models add"),
        (("models", "remove", "nothing"), 3, "There is no model"),
        (("models", "forget", "nothing"), 2, "invalid choice"),
    ):
        answer = kindred(*arguments)
        assert (answer.status, words in answer.err) == (status, True), answer
    assert kindred("models", "add", tmp_path / "empty", "--json").json["error"]["kind"] == "model_missing"


def test_a_library_that_is_written_elsewhere_is_not_switched(kindred: Kindred, papers: Path, tmp_path: Path) -> None:
    kindred("import", papers)
    with LocalLibrary.open(tmp_path / "base" / "data" / "library"):
        assert kindred("models", "use", "all-MiniLM-L6-v2").status == 3
        assert kindred("models").status == 0


def test_what_another_model_would_find_is_shown_before_the_library_is_switched(kindred, papers, other_model) -> None:
    kindred("import", papers)
    found = kindred("search", "how fast does ice melt", "--against", other_model, "--top-k", 3, "--json").json
    assert found["after"] == "first-token"
    (query,) = found["queries"]
    assert len(query["before"]) == len(query["after"]) == 3
    assert all("moved" in hit for hit in query["after"])
    told = kindred("search", "how fast does ice melt", "--against", other_model, "--top-k", 3).out
    assert "of the hits stay" in told
    assert kindred("info", "--json").json["model"] != "first-token"
    none = kindred("search", "--against", other_model)
    assert (none.status, "No search is saved" in none.err) == (2, True)
