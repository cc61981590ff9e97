"""The language of a document is that of its middle."""

from __future__ import annotations

import pytest

from desktop_app.text.readers.passage_collector import guess_middle_language

GERMAN = "Der Hafen liegt still, und die Boote warten auf das Wasser."
ENGLISH = "The harbour is quiet, and the boats are waiting for the water."


@pytest.mark.parametrize(
    ("texts", "language"),
    [
        ([GERMAN], "de"),
        ([ENGLISH], "en"),
        ([GERMAN] * 10 + [ENGLISH] * 20, "en"),
        ([ENGLISH] * 10 + [GERMAN] * 20, "de"),
        ([ENGLISH] * 2000 + [GERMAN] * 1000 + [ENGLISH] * 3000, "de"),
    ],
)
def test_the_language_is_that_of_the_text_after_the_first_third(texts: list[str], language: str) -> None:
    assert guess_middle_language(texts) == language
