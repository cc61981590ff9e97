"""The sums of documents' vectors (`total`), and those made for a switch of models (`next_total`).

A switch leaves the sums where they are: to copy 10,000 takes longer than a search may wait. From then on a sum in
`total` that is of another model counts as replaced by the one in `next_total`, until `move_sums` has moved that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import and_, delete, func, select, update

from desktop_app.store.schema import ModelRow, NextTotalRow, TotalRow

if TYPE_CHECKING:
    from desktop_app.core.jobs import Steps
    from desktop_app.store.database import AnySelect, Database

_MOVED_AT_ONCE = 500

_OWN = select(ModelRow.id).where(ModelRow.current).scalar_subquery()
# Both of the same change: then the sum in `next_total` was made for the switch that has made its model the library's.
_REPLACES = and_(
    NextTotalRow.version_id == TotalRow.version_id,
    NextTotalRow.changed == TotalRow.changed,
    NextTotalRow.model_id == _OWN,
    TotalRow.model_id != _OWN,
)


def select_sums() -> AnySelect:
    """Return a query for the sums of the library's model: version_id, changed, vector."""
    vector = func.coalesce(NextTotalRow.vector, TotalRow.vector).label("vector")
    return select(TotalRow.version_id, TotalRow.changed, vector).outerjoin(NextTotalRow, _REPLACES)


def move_sums(database: Database) -> Steps[None]:
    """Move the sums of a switch that was completed, and erase those of one that was given up; every step commits."""
    while _move_some(database):
        yield None
        yield from database.move_log()  # a later commit would do so, in a long step


def _move_some(database: Database) -> bool:
    """Move or erase some sums; returns False when there are none."""
    target = select(ModelRow.id).where(ModelRow.switching != "")
    due = select(NextTotalRow.version_id).where(NextTotalRow.model_id.not_in(target)).limit(_MOVED_AT_ONCE)
    with database.read_transaction() as connection:
        if connection.execute(due.limit(1)).first() is None:
            return False
    with database.write_transaction(is_aside=True) as connection:
        version_ids = connection.execute(due).scalars().all()
        moved = select(NextTotalRow.vector).where(_REPLACES).scalar_subquery()
        replaced = TotalRow.version_id.in_(version_ids), select(NextTotalRow.version_id).where(_REPLACES).exists()
        connection.execute(update(TotalRow).where(*replaced).values(model_id=_OWN, vector=moved))
        connection.execute(delete(NextTotalRow).where(NextTotalRow.version_id.in_(version_ids)))
    return True
