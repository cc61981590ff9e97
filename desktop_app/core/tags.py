"""Tags: short words that a person puts on documents."""

from __future__ import annotations

from desktop_app.core.errors import UsageError

MAX_TAG_CHARACTERS = 40
"""Characters; anything longer is a note, and no chip has room for it."""

_BETWEEN = str.maketrans(";\n\t", ",,,")


def clean_tag(text: str) -> str:
    """Return a tag in its stored form: on one line, without a leading `#`.

    Raises:
        UsageError: it is not a tag.
    """
    tag = " ".join(text.replace('"', " ").split()).lstrip("# ").rstrip()
    if not tag:
        raise UsageError("A tag is a word", "Type one.")
    if "," in tag or ";" in tag:
        raise UsageError("{tag} are several tags", "A tag cannot contain a comma.", tag=tag)
    if len(tag) > MAX_TAG_CHARACTERS:
        raise UsageError(
            "{tag} is too long for a tag",
            "Choose a word of at most {max_tag_characters} letters.",
            tag=tag,
            max_tag_characters=MAX_TAG_CHARACTERS,
        )
    return tag


def parse_tags(text: str) -> list[str]:
    """Return the tags in a typed line, separated by commas, each once; long ones are cut."""
    parts = [" ".join(part.replace('"', " ").split()).lstrip("# ") for part in text.translate(_BETWEEN).split(",")]
    return list(dict.fromkeys(part[:MAX_TAG_CHARACTERS].rstrip() for part in parts if part))
