"""Tags: short words that a person puts on documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.errors import UsageError
from desktop_app.core.stored_text import drop_direction_controls

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop_app.core.records import CollectionKind

MAX_TAG_CHARACTERS = 40
"""Characters; anything longer is a note, and no chip has room for it."""

_BETWEEN = str.maketrans(";\n\t", ",,,")
_NO_SEPARATORS = str.maketrans(",;\n\t", "    ")


def clean_tag(text: str) -> str:
    """Return a tag in its stored form: on one line, without a leading `#`.

    Raises:
        UsageError: it is not a tag.
    """
    tag = " ".join(drop_direction_controls(text).replace('"', " ").split()).lstrip("# ").rstrip()
    if not tag:
        raise UsageError("The tag is empty", "Type a word.")
    if "," in tag or ";" in tag:
        raise UsageError("The tag {tag} contains a comma", "Add several tags one by one.", tag=tag)
    if len(tag) > MAX_TAG_CHARACTERS:
        raise UsageError(
            "The tag {tag} is too long",
            "Use at most {max_tag_characters} characters.",
            tag=tag,
            max_tag_characters=MAX_TAG_CHARACTERS,
        )
    return tag


def make_taken_name_error(kind: CollectionKind, name: str) -> UsageError:
    """Return the error for a name that another collection or tag has: its name, which may differ in case or accents."""
    if kind == "tag":
        return UsageError("There is already a tag {name}", "Choose another name.", name=name)
    return UsageError("There is already a collection {name}", "Choose another name.", name=name)


def make_tags(names: Iterable[str]) -> tuple[str, ...]:
    """Return the tags of another program in their stored form, each once: without commas, long ones cut at a word."""
    single = (" ".join(name.translate(_NO_SEPARATORS).split()) for name in names)
    return tuple(parse_tags(",".join(map(_shorten, single))))


def _shorten(tag: str) -> str:
    return tag if len(tag) <= MAX_TAG_CHARACTERS else tag[: MAX_TAG_CHARACTERS + 1].rpartition(" ")[0] or tag


def parse_tags(text: str) -> list[str]:
    """Return the tags in a typed line, separated by commas, each once; long ones are cut."""
    parts = [
        " ".join(part.replace('"', " ").split()).lstrip("# ")
        for part in drop_direction_controls(text).translate(_BETWEEN).split(",")
    ]
    return list(dict.fromkeys(part[:MAX_TAG_CHARACTERS].rstrip() for part in parts if part))
