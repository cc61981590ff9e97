"""The tables of analysis results; `migrations.py` creates them."""

from __future__ import annotations

from sqlalchemy import REAL, LargeBinary, text
from sqlalchemy.orm import Mapped, mapped_column

from desktop_app.store.schema import Base


class NeighbourRow(Base):
    """The nearest neighbours of a sentence, best first; a cache that can be computed anew.

    `near` is k int64 sentence ids (0 where there are fewer), then k float32 cosines, both little-endian.
    """

    __tablename__ = "neighbour"

    sentence_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    model_id: Mapped[int]
    near: Mapped[bytes] = mapped_column(LargeBinary)


class ClusterRow(Base):
    """A theme of the library; see `core.themes.StoredCluster`.

    `members` is sentence ids, int64, `closeness` as many float32, both little-endian. Name and keywords tell of every
    sentence of the cluster: they are empty when one of them was erased, unless a person gave the name.
    """

    __tablename__ = "cluster"
    __table_args__ = ({"sqlite_autoincrement": True},)  # an id must never come to mean another theme

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    members: Mapped[bytes] = mapped_column(LargeBinary)
    own_name: Mapped[bool] = mapped_column(server_default=text("0"), default=False)
    pinned: Mapped[bool] = mapped_column(server_default=text("0"), default=False)
    dormant: Mapped[bool] = mapped_column(server_default=text("0"), default=False)
    keywords: Mapped[str] = mapped_column(server_default=text("'[]'"), default="[]")  # JSON: [word, ...]
    closeness: Mapped[bytes] = mapped_column(LargeBinary, server_default=text("x''"), default=b"")
    keys: Mapped[int] = mapped_column(server_default=text("0"), default=0)


class LookRow(Base):
    """The one row about the last time that the library was divided into themes; see `core.themes.Look`."""

    __tablename__ = "look"

    id: Mapped[int] = mapped_column(primary_key=True)
    model_id: Mapped[int]
    granularity: Mapped[float] = mapped_column(REAL)
    is_chosen: Mapped[bool]
    min_size: Mapped[int]
    seen: Mapped[int]
    new_after: Mapped[int]


class MapRow(Base):
    """The one row about where sentences lie on the map: ids int64, then x and y of each float32, little-endian."""

    __tablename__ = "map"

    id: Mapped[int] = mapped_column(primary_key=True)
    model_id: Mapped[int]
    members: Mapped[bytes] = mapped_column(LargeBinary)
    places: Mapped[bytes] = mapped_column(LargeBinary)
