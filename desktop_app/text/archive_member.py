"""A member of an archive, as its list describes it."""

from __future__ import annotations

from dataclasses import dataclass

_NS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class ArchiveMember:
    """A member of an archive.

    Attributes:
        name: as in the archive.
        size_bytes: its length.
        packed_bytes: its length in the archive; None if it is not packed by itself.
        modified_s: when it was changed, in seconds since 1970.
        checksum: of its content (CRC-32); 0 if it is unknown.
        is_folder: whether it is a folder.
        is_file: whether it is an ordinary file, rather than a link or a device.
    """

    name: str
    size_bytes: int
    packed_bytes: int | None = None
    modified_s: float = 0.0
    checksum: int = 0
    is_folder: bool = False
    is_file: bool = True

    @property
    def mtime_ns(self) -> int:
        """When it was changed; below seconds its checksum, which tells contents of the same second apart."""
        return int(self.modified_s) * _NS + self.checksum % _NS


def split_member_name(name: str) -> list[str]:
    """Return the parts of a name that are not empty."""
    return [part for part in name.replace("\\", "/").split("/") if part not in ("", ".")]


class MemberNames:
    """Finds the members of an archive by paths.

    Args:
        names: as in the archive.
    """

    def __init__(self, names: list[str]) -> None:
        self._names = {"/".join(split_member_name(name)): name for name in names}

    def split(self, inside: str) -> tuple[str, str] | None:
        """Return the member that a path in the archive leads to, and the rest of the path: empty for the member itself.

        None if there is none.
        """
        parts = inside.split("/")
        for at in range(len(parts), 0, -1):
            if (name := self._names.get("/".join(parts[:at]))) is not None:
                return name, "/".join(parts[at:])
        return None
