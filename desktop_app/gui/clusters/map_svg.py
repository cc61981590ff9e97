"""The map as an SVG file."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from desktop_app.gui.clusters.map_colours import legend_dot_centre, scale_colour_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray
    from PySide6.QtCore import QRectF, QSize
    from PySide6.QtGui import QColor

    from desktop_app.gui.base.theme import Theme
    from desktop_app.gui.clusters.map_labels import PlacedLabel
    from desktop_app.gui.clusters.map_points import MapPicture

_TEXT = 'font-family="Inter, sans-serif" font-size="13"'
_SCALE_PX, _SCALE_HEIGHT_PX, _MARGIN_PX = 210, 46, 12
_STOPS = 5


def render_map_svg(
    picture: MapPicture,
    placed: Sequence[PlacedLabel],
    size: QSize,
    theme: Theme,
    scale: tuple[str, str] | None = None,
    legend: tuple[QRectF, list[tuple[QRectF, QColor, str]]] | None = None,
) -> str:
    """Return the visible part of the map as an SVG: a dot for each sentence, names as text.

    Args:
        picture: the points; highlighted ones lie above the others.
        placed: the names that fit.
        size: of the drawing.
        theme: the colours.
        scale: the oldest and the newest date, if colours mean dates.
        legend: its frame, and its lines from `place_legend_lines`, if colours mean documents.
    """
    seen = picture.to_screen(picture.places, size)
    x, y = seen[:, 0], seen[:, 1]
    inside = (x >= 0) & (x <= size.width()) & (y >= 0) & (y <= size.height())
    radius = 2 * picture.radius() + 2
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size.width()}" height="{size.height()}" '
        f'viewBox="0 0 {size.width()} {size.height()}">',
        f'<rect width="100%" height="100%" fill="{theme.ground}"/>',
        '<g fill="none" stroke-linecap="round" stroke-opacity="0.8">',
    ]
    if picture.highlighted.any():
        lines.append(_svg_dots(seen[inside & ~picture.highlighted], theme.line, radius))
        lines.append(_svg_dots(seen[inside & picture.highlighted], theme.accent, radius + 2))
    else:
        for colour, rows in picture.points_by_colour(inside):
            lines.append(_svg_dots(seen[rows], colour.name(), radius))
    lines.append("</g>")
    for each in placed:
        middle = each.area.center()
        lines.append(
            f'<text x="{middle.x():.1f}" y="{middle.y():.1f}" text-anchor="middle" dominant-baseline="central" '
            f'{_TEXT} font-weight="600" fill="{theme.text}" '
            f'stroke="{theme.ground}" stroke-width="3" paint-order="stroke">{escape(each.label.text)}</text>'
        )
    if scale is not None:
        lines += _svg_date_scale(scale, size, theme)
    if legend is not None:
        lines += _svg_legend(*legend, theme)
    return "\n".join([*lines, "</svg>\n"])


def _svg_dots(seen: NDArray[np.float32], colour: str, radius: int) -> str:
    dots = "".join(f"M{x:.1f} {y:.1f}h0" for x, y in seen.tolist())
    return f'<path stroke="{colour}" stroke-width="{radius}" d="{dots}"/>'


def _svg_date_scale(names: tuple[str, str], size: QSize, theme: Theme) -> list[str]:
    """Return the scale of dates, at the lower left."""
    left, top = _MARGIN_PX, size.height() - _MARGIN_PX - _SCALE_HEIGHT_PX
    stops = [
        f'<stop offset="{share:g}" stop-color="{scale_colour_at(share, theme.dark).name()}"/>'
        for share in (step / (_STOPS - 1) for step in range(_STOPS))
    ]
    words = [
        f'<text x="{x}" y="{top + 36}" text-anchor="{anchor}" {_TEXT} fill="{theme.text}">{escape(name)}</text>'
        for x, anchor, name in ((left + 10, "start", names[0]), (left + _SCALE_PX - 10, "end", names[1]))
    ]
    return [
        f'<defs><linearGradient id="dates">{"".join(stops)}</linearGradient></defs>',
        f'<rect x="{left}" y="{top}" width="{_SCALE_PX}" height="{_SCALE_HEIGHT_PX}" rx="8" '
        f'fill="{theme.panel}" stroke="{theme.line}"/>',
        f'<rect x="{left + 10}" y="{top + 10}" width="{_SCALE_PX - 20}" height="7" rx="3" fill="url(#dates)"/>',
        *words,
    ]


def _svg_legend(box: QRectF, lines: list[tuple[QRectF, QColor, str]], theme: Theme) -> list[str]:
    """Return the legend of documents, at the lower left."""
    drawn = [
        f'<rect x="{box.left():.1f}" y="{box.top():.1f}" width="{box.width():.1f}" height="{box.height():.1f}" rx="8" '
        f'fill="{theme.panel}" stroke="{theme.line}"/>'
    ]
    for area, colour, text in lines:
        dot = legend_dot_centre(area)
        drawn += [
            f'<circle cx="{dot.x():.1f}" cy="{dot.y():.1f}" r="4.5" fill="{colour.name()}"/>',
            f'<text x="{area.left():.1f}" y="{area.center().y():.1f}" dominant-baseline="central" {_TEXT} '
            f'fill="{theme.text}">{escape(text)}</text>',
        ]
    return drawn
