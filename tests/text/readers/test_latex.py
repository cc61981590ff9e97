"""LaTeX: text without commands, with its lines; headings, notes, captions, tables, formulas and references."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.text.helpers import Result, letters, read_here


def read(tmp_path: Path, text: str, name: str = "a.tex") -> Result:
    file = tmp_path / name
    file.write_text(text, "utf-8")
    return read_here(file)


def body(tmp_path: Path, text: str) -> list[str]:
    result = read(tmp_path, f"\\documentclass{{article}}\n\\begin{{document}}\n{text}\n\\end{{document}}\n")
    return result.paragraph_texts()


def test_a_document_is_read_with_title_authors_headings_and_lines(tmp_path: Path) -> None:
    text = r"""% a comment
\documentclass[12pt]{article}
\newcommand{\port}[1]{\textbf{#1}}
\title{On \emph{Tides}\thanks{Paid by nobody.}}
\author{Ann M\"uller \and Jos\'e Garc\'{\i}a}
\date{2019-05-03}
\begin{document}
\maketitle
\section[Short]{The \textit{first} section}\label{sec:a}
Boats rest on
the mud. % not this
\subsection*{A second}
They float again.
\end{document}
Nothing after it."""
    result = read(tmp_path, text)
    head = result.head
    assert (head.type, head.title, head.author, head.dated) == (
        "latex",
        "On Tides",
        "Ann Müller and José García",
        "2019-05-03",
    )
    assert [(entry.title, entry.level) for entry in head.outline] == [("The first section", 1), ("A second", 2)]
    assert result.texts == ["The first section", "Boats rest on the mud.", "A second", "They float again."]
    places = [span.places[0] for span in result.spans]
    assert [(place.line, place.last_line) for place in places] == [(9, 9), (10, 11), (12, 12), (13, 13)]
    for span, place in zip(result.spans, places, strict=True):
        if span.kind == "body":
            assert letters(text[place.start : place.stop]) == letters(span.text)


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        (r"As \emph{shown}~\cite[p.~4]{a}, see Figure~\ref{b}.", "As shown, see Figure."),
        (r"na\"ive caf\'e stra{\ss}e \v{S}koda gar\c{c}on \'{\i} \o re", "naïve café straße Škoda garçon í øre"),
        (r"``Quoted'' --- 3--4, 50\% of \$5 \& more\dots", "“Quoted” — 3–4, 50% of $5 & more…"),
        (r"It holds that $x^{2} \leq \alpha$ here.", "It holds that x^2 ≤ α here."),
        ("It holds that $" + "a+b+" * 30 + "c$ here.", "It holds that […] here."),
        (r"We get \[ E = mc^2 \] and $$ x $$ again.", "We get and again."),
        (r"We get \begin{align*} a &= b \end{align*} again.", "We get again."),
        (r"See \href{http://a.b}{the page}, \url{http://c.d/e_f}, \verb|a_b|.", "See the page, http://c.d/e_f, a_b."),
        (
            r"\textcolor{red}{Red} \unknown{words} {\bf bold} \vspace{1cm}\hskip 2pt plus 1fil stay.",
            "Red words bold stay.",
        ),
        (r"One\\[2pt]two \input{chapter2}\def\a#1{b}three \LaTeX{} four.", "One two three LaTeX four."),
        ("A line.%\n   goes on.", "A line.goes on."),
        (r"An open brace { and a $ alone \begin{equation} stay.", "An open brace and a alone stay."),
    ],
)
def test_commands_leave_their_text_and_no_debris(source: str, shown: str, tmp_path: Path) -> None:
    assert body(tmp_path, source) == [shown]


def test_notes_and_captions_follow_the_paragraph_in_which_they_stand(tmp_path: Path) -> None:
    text = r"""Boats rest.\footnote{A \emph{note}.

It goes on.} They float.

\begin{figure}[h]\includegraphics[width=3cm]{a}\caption[Short]{The bay at \textbf{low} water.}\end{figure}
Last."""
    assert body(tmp_path, text) == [
        "Boats rest. They float.",
        "A note. It goes on.",
        "The bay at low water.",
        "Last.",
    ]


def test_lists_tables_code_and_references_are_of_their_kinds(tmp_path: Path) -> None:
    text = r"""\begin{itemize}\item a chart\item[Note:] a table\end{itemize}
\begin{tabular}{l|r}\hline Port & Depth \\ \hline
Emden & 5 m \\[2pt] \multicolumn{2}{c}{Both old}\end{tabular}
\begin{lstlisting}[language=C]
int $x; \foo
\end{lstlisting}
\begin{tikzpicture}\node{no};\end{tikzpicture}
\begin{thebibliography}{9}\bibitem{k} Knuth, D.: The book, 1984\bibitem[X]{b} Person, A.: A paper, 2001
\end{thebibliography}"""
    result = read(tmp_path, text)
    assert result.of_kind("list") == ["a chart", "Note: a table"]
    assert result.of_kind("table") == ["Port Depth", "Emden 5 m", "Both old"]
    assert result.of_kind("code") == [r"int $x; \foo"]
    assert result.of_kind("reference") == ["Knuth, D.: The book, 1984", "Person, A.: A paper, 2001"]
    assert [each.text for each in result.done.omitted] == [r"\node{no};"]


def test_a_chapter_without_a_preamble_is_read_and_recognised_by_its_name_only(tmp_path: Path) -> None:
    assert read(tmp_path, "\\chapter{One}\nThe sea rises.").texts == ["One", "The sea rises."]
    assert read(tmp_path, "\\documentclass{a}\\begin{document}The sea.\\end{document}", "a.txt").head.type == "latex"
    assert read(tmp_path, "In LaTeX, \\documentclass{a} begins a file.", "a.txt").head.type == "text"


@pytest.mark.parametrize("text", ["\\documentclass{a}\\begin{document}\\end{document}", "% nothing", "\\", "{", "}}}"])
def test_a_file_without_text_fails(text: str, tmp_path: Path) -> None:
    assert read(tmp_path, text).state == "no_text"


def test_the_label_of_an_item_has_its_place(tmp_path: Path) -> None:
    source = (
        "\\documentclass{article}\\begin{document}\n"
        "\\begin{description}\n\\item [High tide] comes twice a day.\n\\end{description}\n\\end{document}\n"
    )
    file = tmp_path / "a.tex"
    file.write_text(source)
    (span,) = read_here(file).spans
    assert span.text == "High tide comes twice a day."
    (place,) = span.places
    assert source[place.start : place.stop] == "High tide] comes twice a day."
