"""What people call types of documents and languages, and paths within a sentence."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def document_type(kind: str) -> str:
    """Return what people call a type of documents."""
    return {
        "pdf": "PDF",
        "text": translate("words", "Text"),
        "markdown": "Markdown",
        "html": translate("words", "Web page"),
        "docx": translate("words", "Word document"),
        "odt": "OpenDocument",
        "rtf": "RTF",
        "epub": translate("words", "Book (EPUB)"),
        "email": translate("words", "Mail"),
        "csv": translate("words", "Table (CSV, TSV)"),
        "subtitles": translate("words", "Subtitles"),
    }.get(kind, kind)


def language(code: str) -> str:
    """Return what people call a language, by its two letters."""
    return {
        "ar": translate("words", "Arabic"),
        "cs": translate("words", "Czech"),
        "da": translate("words", "Danish"),
        "de": translate("words", "German"),
        "el": translate("words", "Greek"),
        "en": translate("words", "English"),
        "es": translate("words", "Spanish"),
        "fi": translate("words", "Finnish"),
        "fr": translate("words", "French"),
        "he": translate("words", "Hebrew"),
        "hi": translate("words", "Hindi"),
        "it": translate("words", "Italian"),
        "ja": translate("words", "Japanese"),
        "ko": translate("words", "Korean"),
        "nl": translate("words", "Dutch"),
        "pl": translate("words", "Polish"),
        "pt": translate("words", "Portuguese"),
        "ru": translate("words", "Russian"),
        "sv": translate("words", "Swedish"),
        "th": translate("words", "Thai"),
        "tr": translate("words", "Turkish"),
        "uk": translate("words", "Ukrainian"),
        "zh": translate("words", "Chinese"),
    }.get(code, code)


def path_in_text(path: str) -> str:
    """Return a path that a line may end within: behind each of its separators but one that it begins with."""
    root = path[:1] if path[:1] in ("/", "\\") else ""
    parts = path[len(root) :].replace("/", "/\N{ZERO WIDTH SPACE}").replace("\\", "\\\N{ZERO WIDTH SPACE}")
    return f"{root}\N{WORD JOINER}{parts}" if root else parts
