"""The result of a comparison: a scale, each measure with its meaning, differences and the judgement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QToolButton, QWidget

from desktop_app.core.sentence_differences import BADGES
from desktop_app.gui.base import display_text
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.results.pair_text import badge_name, class_name, pair_kind_name
from desktop_app.gui.widgets.buttons import set_button_icon
from desktop_app.gui.widgets.cosine_scale import CosineScaleView, judged_pair_bands
from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import make_column, make_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.duplicates import PairVerdict
    from desktop_app.engine.requests import Comparison, Explanation
    from desktop_app.gui.base.theme import ThemeManager
    from desktop_app.gui.widgets.cosine_scale import SimilarityBand

_WORDS_PER_TOKEN = 0.7  # a little less than in English: rather one hint too many than one too few


class CompareResultCard(QFrame):
    """Shows one answer at a time, dimmed while it is stale.

    Attributes:
        figures: the labels of each measure: its value and its meaning.
        message: the state while there is no answer.
        note: caveats.
        details: shows the other measures, how they relate, and the bands of judged pairs.
    """

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self.setProperty("surface", "card")
        self.setAccessibleName(self.tr("Result"))
        self.scale = CosineScaleView(themes)
        self.source = make_label(self.scale.source, tone="muted", factor=0.86, wrap=True)
        self.message = make_label(tone="muted", wrap=True, name=self.tr("State"))
        self.note = make_label(tone="muted", wrap=True, name=self.tr("Limits of these scores"))
        self.agreement = make_label(tone="muted", wrap=True, name=self.tr("How the measures relate"))
        self.figures: dict[str, tuple[QLabel, QLabel]] = {}
        names = {
            "cosine": self.tr("Cosine similarity"),
            "percentile": self.tr("In this library"),
            "dot": self.tr("Dot product"),
            "euclidean": self.tr("Euclidean distance"),
        }
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(2, 1)
        self._details: list[QWidget] = [self.agreement]
        self._bands: Sequence[SimilarityBand] = ()
        self.details = QToolButton()
        self.details.setText(self.tr("&Details"))
        self.details.setAccessibleName(self.tr("Details"))
        self.details.setToolTip(self.tr("Dot product, Euclidean distance and human ratings"))
        self.details.setCheckable(True)
        set_button_icon(self.details, make_icon("chevron-right"))
        self.details.toggled.connect(self._show_details)
        for row, (key, name) in enumerate(names.items()):
            figure, meaning = make_label(weight=QFont.Weight.DemiBold), make_label(tone="muted", wrap=True)
            font = figure.font()
            font.setFeature(QFont.Tag("tnum"), 1)
            figure.setFont(font)
            figure.setAlignment(Qt.AlignmentFlag.AlignRight)
            figure.setMinimumWidth(figure.fontMetrics().horizontalAdvance("\N{MINUS SIGN}0.0000") + 4)
            figure.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            figure.setAccessibleName(name)
            meaning.setAccessibleName(self.tr("Explanation"))
            top = Qt.AlignmentFlag.AlignTop
            label = make_label(name)
            if key in ("dot", "euclidean"):
                self._details += [label, figure, meaning]
            grid.addWidget(label, row, 0, top)
            grid.addWidget(figure, row, 1, top)
            grid.addWidget(meaning, row, 2, top)
            self.figures[key] = figure, meaning
        make_column(
            self.scale,
            self.source,
            self.message,
            grid,
            self.note,
            make_row(self.details, "stretch"),
            self.agreement,
            parent=self,
            margins=(18, 12, 18, 14),
            spacing=8,
        )
        self._show_details(False)

    def _show_details(self, shown: bool) -> None:
        self.details.setIcon(make_icon("chevron-down" if shown else "chevron-right"))
        for each in self._details:
            each.setVisible(shown)
        self.scale.show_bands(self._bands if shown else ())
        self.source.setVisible(shown and bool(self._bands))

    def show_bands(self, model: str) -> None:
        """Show the bands that were measured with a model, by its name; none for an empty name."""
        self._bands = judged_pair_bands(model)
        self._show_details(self.details.isChecked())

    def say(self, text: str) -> None:
        """Show the state; an empty text hides it."""
        self.message.setText(text)
        self.message.setVisible(bool(text))

    def show_answer(self, answer: Comparison | None, *, is_stale: bool) -> None:
        """Show the three measures; None if there is no answer."""
        self.scale.show_value(answer.score.cosine if answer is not None else None, dim=is_stale)
        self.agreement.setText(describe_agreement(answer))
        values = format_measures(answer)
        for key, meant in explain_measures(answer).items():
            self._set_figure(key, values.get(key, "–"), meant, is_live=answer is not None and not is_stale)

    def show_percentile(self, found: Explanation | None, *, is_stale: bool, is_own: bool) -> None:
        """Show the percentile of the pair among random pairs, which is known for the library's own model only."""
        percentile = found.percentile if found is not None else None
        value = display_text.format_percentile(percentile) if percentile is not None else "–"
        meant = describe_percentile(percentile, is_known=found is not None)
        if not is_own:
            meant = self.tr("Rank among random pairs. Available only for the library's model.")
        self._set_figure("percentile", value, meant, is_live=percentile is not None and not is_stale)

    def _set_figure(self, key: str, value: str, meant: str, *, is_live: bool) -> None:
        figure, meaning = self.figures[key]
        figure.setText(value)
        figure.setEnabled(is_live)
        figure.setAccessibleDescription(value)
        meaning.setText(meant)
        meaning.setAccessibleDescription(meant)


def format_measures(answer: Comparison | None) -> dict[str, str]:
    """Return the three figures with four decimals."""
    if answer is None:
        return {}
    score = answer.score
    values = {"cosine": score.cosine, "dot": score.dot, "euclidean": score.euclidean}
    # Adding 0 after rounding turns -0.0 into 0.0.
    return {key: display_text.format_decimal(round(value, 4) + 0.0, 4) for key, value in values.items()}


def describe_percentile(percentile: float | None, *, is_known: bool) -> str:
    """Return the meaning of a percentile."""
    if percentile is None and is_known:
        return display_text.translate(
            "compare", "Rank among random pairs. Available once your library has 50 sentences."
        )
    if percentile is None:
        return display_text.translate("compare", "Rank among random pairs in your library.")
    if percentile >= 99:
        return display_text.translate("compare", "of random pairs are less similar: unlikely to be chance.")
    if percentile >= 90:
        return display_text.translate("compare", "of random pairs are less similar: may still be chance.")
    return display_text.translate("compare", "of random pairs are less similar: no more similar than by chance.")


def explain_measures(answer: Comparison | None) -> dict[str, str]:
    """Return the meaning of each measure."""
    cosine = display_text.translate("compare", "1 = same meaning, 0 = unrelated. Values below 0 are rare.")
    if answer is not None and answer.normalised:
        dot = display_text.translate("compare", "Equals the cosine here, because the vectors are normalized.")
        euclidean = display_text.translate(
            "compare",
            "0 = identical, 2 = opposite. Here: {formula}.",
        ).format(formula=f"√(2 − 2 × {format_measures(answer)['cosine']})".replace(" ", "\N{NO-BREAK SPACE}"))
    else:
        dot = display_text.translate("compare", "Cosine times both vector lengths. Longer vectors score higher.")
        euclidean = display_text.translate("compare", "0 = identical; the larger, the less similar.")
    return {"cosine": cosine, "dot": dot, "euclidean": euclidean}


def describe_agreement(shown: Comparison | None) -> str:
    """Return how the three measures relate; empty for no answer."""
    if shown is None:
        return ""
    if shown.normalised:
        return display_text.translate(
            "compare",
            "The three measures agree: this model normalizes every vector to length 1, so all three rank pairs "
            "in the same order.",
        )
    return display_text.translate(
        "compare",
        "This model doesn't normalize its vectors, so the three measures can rank pairs differently. "
        "Search uses the cosine.",
    )


def describe_caveats(shown: Comparison | None, found: Explanation | None, max_length: int | None) -> str:
    """Return what limits the measures; mostly empty.

    Args:
        shown: the comparison; None for an empty text.
        found: its explanation, if there is one yet.
        max_length: how many tokens of a text the model reads; None if unknown.
    """
    if shown is None:
        return ""
    notes = []
    if shown.verdict is not None:
        notes.append(_describe_verdict(shown.verdict))
    if found is not None and not all(found.known_texts):
        notes.append(
            display_text.translate(
                "compare", "The model doesn't recognize any word in one of the sentences, so these scores mean nothing."
            )
        )
    elif found is not None and found.unknown_languages:
        template = display_text.translate(
            "compare", "The model isn't trained for {languages}, so these scores say little."
        )
        notes.append(template.format(languages=display_text.name_languages(found.unknown_languages)))
    if max_length is not None:
        read = round(max_length * _WORDS_PER_TOKEN)
        if max(len(shown.a.split()), len(shown.b.split())) > read:
            template = display_text.translate(
                "compare", "The model reads only about the first {count} words of a long text."
            )
            notes.append(template.format(count=display_text.format_number(read)))
    return " ".join(notes)


def _describe_verdict(verdict: PairVerdict) -> str:
    if verdict.score is not None:
        return display_text.translate("compare", "The score that the model expects: {score} of 1.").format(
            score=display_text.format_decimal(verdict.score, 2)
        )
    if verdict.probability is not None:
        template = display_text.translate("compare", "The model's own answer: {label} (probability {probability}).")
        number = {"probability": display_text.format_decimal(verdict.probability, 2)}
    else:
        template = display_text.translate("compare", "The model's own answer: {label} ({margin} from its threshold).")
        number = {"margin": display_text.format_decimal(verdict.margin or 0.0, 2)}
    return template.format(label=class_name(verdict.label), **number)


class PairJudgementBar(QWidget):
    """One line: the kind, a badge for each difference, and two buttons that label the pair.

    Attributes:
        judged: the person says that both mean the same (True) or not (False), or takes that back (None).
    """

    judged = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("About this pair"))
        self.kind = make_label(tone="muted", name=self.tr("Type"))
        row = make_row(self.kind, parent=self, spacing=8)
        self.badges: dict[str, QLabel] = {}
        for badge in BADGES:
            self.badges[badge] = chip = make_label(badge_name(badge), factor=0.92)
            chip.setProperty("surface", "badge")
            chip.setAccessibleName(chip.text())
            row.addWidget(chip)
        row.addStretch(1)
        self.same = self._button(True, self.tr("Means the sa&me"), "equal", self.tr("Save as training data"))
        self.different = self._button(False, self.tr("&Not the same"), "equal-not", self.tr("Save as training data"))
        row.addWidget(self.same)
        row.addWidget(self.different)
        self.show_explanation(None)

    def _button(self, same: bool, text: str, picture: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setAccessibleName(text.replace("&", ""))
        set_button_icon(button, make_icon(picture))
        button.setToolTip(tip)
        button.setCheckable(True)
        button.clicked.connect(lambda checked: self._on_clicked(same, checked))
        return button

    def show_explanation(self, found: Explanation | None) -> None:
        """Show the kind, differences and judgement of two sentences; None for nothing yet."""
        name = pair_kind_name(found.kind) if found is not None else ""
        self.kind.setText(name[:1].upper() + name[1:])  # German nouns keep their capitals
        for badge, chip in self.badges.items():
            chip.setVisible(found is not None and badge in found.badges)
        self.show_judgement(found.label.same if found is not None and found.label is not None else None)
        for button in (self.same, self.different):
            button.setEnabled(found is not None)

    def show_judgement(self, same: bool | None) -> None:
        """Show the judgement of the pair."""
        self.same.setChecked(same is True)
        self.different.setChecked(same is False)

    def _on_clicked(self, same: bool, checked: bool) -> None:
        self.show_judgement(same if checked else None)
        self.judged.emit(same if checked else None)
