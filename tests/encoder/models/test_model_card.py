"""The languages in a model's card."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_app.encoder import bundled_model_folder
from desktop_app.encoder.checkpoint import read_model_info
from desktop_app.encoder.models.model_card import read_card_languages


@pytest.mark.parametrize(
    ("card", "languages"),
    [
        ("---\nlanguage: en\n---\n# A model", ("en",)),
        ("---\nlicense: mit\nlanguage:\n- en\n- de\ntags:\n- fr\n---\n", ("en", "de")),
        ("---\nlanguage: [en, pt-br]\n---\n", ("en", "pt")),
        ("---\nlanguage: multilingual\n---\n", ()),
        ("---\nlanguage:\n- multilingual\n- en\n---\n", ()),
        ("# language: en\n", ()),
        ("", ()),
    ],
)
def test_languages_are_in_the_head_of_the_card(tmp_path: Path, card: str, languages: tuple[str, ...]) -> None:
    (tmp_path / "README.md").write_text(card, "utf-8")
    assert read_card_languages(tmp_path) == languages


def test_a_model_without_a_card_has_no_languages(tmp_path: Path) -> None:
    assert read_card_languages(tmp_path) == ()


def test_the_bundled_model_knows_english() -> None:
    assert read_model_info(bundled_model_folder()).languages == ("en",)
