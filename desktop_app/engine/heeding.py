"""Encoders that stand still while a person waits for an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, ParamSpec

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.ports import Encoder
    from desktop_app.core.right_of_way import RightOfWay

P = ParamSpec("P")


def heedful(load: Callable[P, Encoder], right_of_way: RightOfWay) -> Callable[P, Encoder]:
    """Return what loads encoders that stand still while a person waits for an answer."""

    def loaded(*arguments: P.args, **named: P.kwargs) -> Encoder:
        encoder = load(*arguments, **named)
        encoder.heed(right_of_way)
        return encoder

    return loaded
