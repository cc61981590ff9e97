"""Messages are data: they are filled, stored and passed on, and become a sentence only when they are shown."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from desktop_app.core.errors import AppError, FileFailure, NotFound, VectorNotFinite, file_failure_hint
from desktop_app.core.messages import NOTHING, Message, join_messages, system_text, verbatim

NESTED = Message(
    "{pages} could not be read by OCR: {why}",
    code="ocr_failed",
    pages=Message("Pages {numbers}", numbers="3-5, 9"),
    why=Message("Tesseract is not installed", code="ocr_missing"),
)
MANY = [
    NOTHING,
    verbatim("{as it is}"),
    verbatim("plain", code="odd"),
    Message("{count:,} of {share:.1f} in {path!r}", count=20001, share=1.84, path="/a/{b}"),
    NESTED,
    join_messages(NESTED, verbatim("and so on")),
]


def test_the_text_is_english() -> None:
    assert str(NESTED) == "Pages 3-5, 9 could not be read by OCR: Tesseract is not installed"
    assert str(MANY[3]) == "20,001 of 1.8 in '/a/{b}'"
    assert str(join_messages(NESTED, NOTHING, verbatim("and so on"))) == f"{NESTED}; and so on"
    assert not NOTHING


def test_a_value_that_is_neither_number_nor_message_is_its_text() -> None:
    message = Message("{a} {b} {c} {d}", a=np.int64(3), b=np.float32(0.5), c=None, d=ValueError("odd"), unused=1)
    assert message.values == {"a": 3, "b": 0.5, "c": "None", "d": "odd"}


def test_a_template_that_does_not_fit_its_values_is_still_shown() -> None:
    assert str(Message("It has {count:,} rows of {path}", count="many")) == "It has many rows of {path}"
    assert str(Message("A stray { brace")) == "A stray { brace"


@pytest.mark.parametrize("message", MANY, ids=str)
def test_a_stored_message_is_read_back_unchanged(message: Message) -> None:
    assert Message.from_json(message.to_json()) == message
    assert Message.from_text(message.to_text()) == message
    assert pickle.loads(pickle.dumps(message)) == message


def test_a_text_of_an_earlier_version_stays_unchanged() -> None:
    for text in ("The file has no pages", "{", "{}", '{"template": 3}', ""):
        assert str(Message.from_text(text)) == text
    assert str(Message.from_json("cpu: set by you")) == "cpu: set by you"


def test_several_messages_are_joined_into_one_with_parts() -> None:
    one, other = verbatim("one"), verbatim("other")
    assert join_messages(one) is one
    assert join_messages(join_messages(one, other), NOTHING, NESTED).parts() == (one, other, NESTED)
    assert join_messages().parts() == ()


def test_known_texts_of_the_system_have_translations() -> None:
    assert system_text("database is locked").template == "database is locked"
    assert system_text(OSError("No such {thing}")).template == "{text}"


@pytest.mark.parametrize(
    "error",
    [
        NotFound("There is no model {name}", "Look at {name} again.", name="{x}"),
        FileFailure("too_large", "The file has {size:,} bytes", size=20001),
        VectorNotFinite("The model {model} gives no vector", "Mend it.", 3, model="m").of("A text", 7),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_crosses_to_another_process_as_data(error: AppError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert (again.message, again.hint, vars(again)) == (error.message, error.hint, vars(error))
    assert str(again) == str(error) == str(error.message)


def test_an_error_has_a_code_and_a_more_precise_one_where_there_is_one() -> None:
    assert NotFound("It is gone").message.code == "not_found"
    assert FileFailure("damaged", "It is broken").message.code == "damaged"
    assert AppError("It is broken", code="odd").message.code == "odd"
    assert NotFound(NESTED).message is NESTED


def test_both_messages_of_an_error_are_filled_with_its_values() -> None:
    error = NotFound("There is no model {name}", "Fetch {name} first.", name="m")
    assert (str(error.message), str(error.hint)) == ("There is no model m", "Fetch m first.")
    assert FileFailure("damaged", "It is broken").hint == file_failure_hint("damaged")
