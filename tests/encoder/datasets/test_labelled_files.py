"""Files of labelled sentences: recognised by their header, refused with the number of the wrong line."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from desktop_app.core.errors import BadData, NotFound
from desktop_app.core.input_files import read_input_file
from desktop_app.core.labelled_data import DataFile
from desktop_app.encoder.datasets.dataset import (
    DataSet,
    exclude_shared_sentences,
    join_datasets,
    preview_dataset,
    split_dataset,
)
from desktop_app.encoder.datasets.labelled_files import read_labelled_file
from desktop_app.encoder.evaluation.evaluators import evaluate_scores


@pytest.fixture
def given_file(tmp_path) -> Callable[..., DataFile]:
    def write(text, name="data.tsv", columns=(), score_range=None) -> DataFile:
        file = tmp_path / name
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return DataFile(str(file), columns, score_range)

    return write


@pytest.mark.parametrize(
    ("header", "row", "kind", "label"),
    [
        ("sentence1\tsentence2\tscore", "A cat.\tA dog.\t4", "similarity", 0.8),
        ("score\tSentence2\tSentence1", "0.5\tA dog.\tA cat.", "similarity", 0.5),
        ("sentence1\tsentence2\tlabel", "A cat.\tA dog.\t1", "duplicates", 1),
        ("sentence1\tsentence2\tlabel", "A cat.\tA dog.\tneutral", "nli", 2),
        ("label\tpremise\thypothesis", "entailment\tA cat.\tA dog.", "nli", 1),
        ("id\tquestion1\tquestion2\tis_duplicate", "x7\tA cat.\tA dog.\t0", "duplicates", 0),
        ("anchor\tpositive\tnegative", "A cat.\tA dog.\tA car.", "triplets", None),
        ("anchor\tpositive", "A cat.\tA dog.", "pairs", None),
    ],
)
def test_the_header_decides_the_kind_of_rows(given_file, header, row, kind, label) -> None:
    data = read_labelled_file(given_file(f"{header}\n{row}\n"))
    assert data.kind == kind
    assert [column[0] for column in data.texts][:2] == ["A cat.", "A dog."]
    assert data.labels is None if label is None else data.labels[0] == pytest.approx(label)
    assert data.lines.tolist() == [2]


def test_three_columns_without_a_header_are_similarity(given_file) -> None:
    data = read_labelled_file(given_file('A cat.,"A dog, or two.",5.0\nA "b",A c,0.0\n', "sts.csv"))
    assert (data.kind, data.texts[1][0], data.labels.tolist()) == ("similarity", "A dog, or two.", [1.0, 0.0])


def test_csv_of_a_german_excel_has_semicolons_and_decimal_commas(given_file) -> None:
    text = '\ufeffsentence1;sentence2;score\r\nA cat, or two.;"A dog; a bird.";2,5\r\nA;B;5\r\n'
    data = read_labelled_file(given_file(text, "excel.csv"))
    assert (data.texts[0][0], data.texts[1][0]) == ("A cat, or two.", "A dog; a bird.")
    assert data.labels.tolist() == [0.5, 1.0]
    with pytest.raises(BadData, match="line 2 has a quotation mark that is never closed"):
        read_labelled_file(given_file('sentence1;sentence2;score\n"A;B;5\n', "open.csv"))


def test_quotation_marks_are_text_in_tsv_and_quotes_in_csv(given_file) -> None:
    text = 'sentence1{0}sentence2{0}score\n"A" cat{0}A dog{0}3\n'
    assert read_labelled_file(given_file(text.format("\t"))).texts[0] == ('"A" cat',)
    quoted = 'sentence1,sentence2,score\n"A ""cat""\nof mine",A dog,3\nA bird,A fish,x\n'
    with pytest.raises(BadData, match="line 4 has the score 'x'"):
        read_labelled_file(given_file(quoted, "q.csv"))
    assert read_labelled_file(given_file(quoted.replace(",x", ",1"), "q.csv")).texts[0][0] == 'A "cat"\nof mine'


def test_jsonl_has_names_in_every_row(given_file) -> None:
    rows = [{"sentence1": "A cat.", "sentence2": "A dog.", "label": 1, "more": []}]
    data = read_labelled_file(given_file("\n".join(map(json.dumps, rows)), "d.jsonl"))
    assert (data.kind, data.labels.tolist()) == ("duplicates", [1])
    with pytest.raises(BadData, match="line 2 has no 'label'"):
        read_labelled_file(given_file(json.dumps(rows[0]) + '\n{"sentence1": "a", "sentence2": "b"}', "d.jsonl"))
    with pytest.raises(BadData, match="line 1 is not JSON"):
        read_labelled_file(given_file("{", "d.jsonl"))


def test_columns_may_be_given_by_name_or_number(given_file) -> None:
    text = "left\tgrade\tright\nA cat.\t2\tA dog.\nA bird.\t1\tA fish.\n"
    for columns in (("left", "right", "grade"), ("1", "3", "2")):
        data = read_labelled_file(given_file(text, columns=columns, score_range=(0.0, 4.0)))
        assert (data.kind, data.texts[1][0], data.labels.tolist()) == ("similarity", "A dog.", [0.5, 0.25])
    assert read_labelled_file(given_file(text, columns=("left", "right"))).kind == "pairs"
    with pytest.raises(BadData, match="no column 'score'"):
        read_labelled_file(given_file(text, columns=("left", "right", "score")))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("sentence1\tsentence2\tscore\n", "has no rows"),
        ("name\tvalue\nA\tB\n", "has the columns name, value"),
        ("sentence1\tsentence2\tscore\nA\tB\n", "line 2 has 2 columns where 3 are needed"),
        ("sentence1\tsentence2\tscore\nA\t \t3\n", "line 2 has no text in sentence2"),
        ("sentence1\tsentence2\tscore\nA\tB\tnan\n", "line 2 has the score 'nan'"),
        ("sentence1\tsentence2\tscore\nA\tB\t5\nA\tC\t7\n", "line 3 has the score 7, outside 0 to 5"),
        ("sentence1\tsentence2\tlabel\nA\tB\t1\nA\tC\t2\n", "line 3 has the label '2' instead of 0 or 1"),
        ("sentence1\tsentence2\tlabel\nA\tB\tneutral\nA\tC\tmaybe\n", "line 3 has the label 'maybe'"),
        ("sentence1\tsentence2\tlabel\nA\tB\tyes\n", "has the labels 'yes'"),
        (b"sentence1\tsentence2\tscore\nA\t\xff\t3\n", "line 2 is not UTF-8"),
    ],
)
def test_errors_name_their_line(given_file, text, message) -> None:
    with pytest.raises(BadData, match=message):
        read_labelled_file(given_file(text))


def test_many_bad_rows_are_counted(given_file) -> None:
    text = "sentence1\tsentence2\tscore\n" + "A\t\t3\n" * 9
    with pytest.raises(BadData, match=r"line 2 .*line 6 [^;]*; 4 more"):
        read_labelled_file(given_file(text))


@pytest.mark.parametrize("name", ["long.csv", "long.tsv", "long.jsonl"])
def test_lines_of_ten_megabytes_are_refused(given_file, name) -> None:
    header, rows = ("sentence1", "sentence2", "score"), [("A", "B", 3), ("x" * 10_000_000, "B", 3)]
    if name.endswith("jsonl"):
        text = "\n" + "\n".join(json.dumps(dict(zip(header, row, strict=True))) for row in rows)
    else:
        mark = "\t" if name.endswith("tsv") else ","
        text = "\n".join(mark.join(map(str, row)) for row in [header, *rows])
    with pytest.raises(BadData, match="line 3 has 10,000,000 characters in sentence1") as caught:
        read_labelled_file(given_file(text, name))
    assert len(str(caught.value)) < 400


def test_a_file_without_line_ends_has_a_short_error(given_file) -> None:
    for text in ("x" * 1_000_000, "a,b," * 50_000):
        with pytest.raises(BadData, match="has the columns") as caught:
            read_labelled_file(given_file(text + "\n1,2", "one.csv"))
        assert len(str(caught.value)) + len(str(caught.value.hint)) < 1200
    with pytest.raises(BadData, match="line 1 is not JSON"):
        read_labelled_file(given_file("[" * 100_000, "deep.jsonl"))


def test_a_missing_file_and_a_folder_are_refused(tmp_path) -> None:
    with pytest.raises(NotFound):
        read_labelled_file(DataFile(str(tmp_path / "none.tsv")))
    with pytest.raises(BadData, match="folder"):
        read_labelled_file(DataFile(str(tmp_path)))


def _grow(path) -> None:
    path.write_bytes(path.read_bytes() + b"C\tD\t1\n")


def _shrink(path) -> None:
    path.write_bytes(path.read_bytes()[:-4])


def _rewrite(path) -> None:
    path.write_bytes(path.read_bytes().replace(b"A", b"E"))
    os.utime(path, ns=(1, 1))


@pytest.mark.parametrize(
    ("change", "kind", "message"),
    [
        (_grow, BadData, "changed while it was read"),
        (_shrink, BadData, "changed while it was read"),
        (_rewrite, BadData, "changed while it was read"),
        (Path.unlink, NotFound, "No such file"),
    ],
)
def test_a_file_that_changes_while_it_is_read_is_refused(given_file, monkeypatch, change, kind, message) -> None:
    file = given_file("sentence1\tsentence2\tscore\nA\tB\t3\n")

    def read_and_change(path: Path) -> bytes:
        raw = read_input_file(path)
        change(path)
        return raw

    monkeypatch.setattr("desktop_app.encoder.datasets.row_files.read_input_file", read_and_change)
    with pytest.raises(kind, match=message):
        read_labelled_file(file)


def test_a_preview_has_labels_lengths_and_repetitions(given_file) -> None:
    text = "sentence1\tsentence2\tlabel\nA cat.\tA dog.\t1\nA cat.\tA dog.\t0\nA bird.\tAn elephant.\t0\n"
    found = preview_dataset(read_labelled_file(given_file(text)))
    assert (found.kind, found.rows, found.labels) == ("duplicates", 3, {"different": 2, "same": 1})
    assert (found.sentences, found.repeated, found.contradicting) == (4, 1, 1)
    assert found.characters[2] == len("An elephant.")
    assert found.examples[0] == ("A cat.", "A dog.", "same")
    text = "sentence1\tsentence2\tscore\nA cat.\tA dog.\t4\nA cat.\tA bird.\t0\nA bird.\tAn elephant.\t5\n"
    found = preview_dataset(read_labelled_file(given_file(text)))
    assert len(found.columns) == len(found.examples[0])
    assert found.examples[:2] == (("A cat.", "A dog.", "0.80"), ("A cat.", "A bird.", "0.00"))


def test_a_pair_that_scores_as_the_data_say_is_no_error(given_file) -> None:
    lines = ["A.\tA!\t5", "B.\tB!\t5", "C.\tD.\t0", "E.\tF.\t0", "G.\tH.\t2.5"]
    data = read_labelled_file(given_file("sentence1\tsentence2\tscore\n" + "\n".join(lines)))
    right = evaluate_scores(data, np.array([0.99, 0.97, 0.03, 0.05, 0.45]), worst=9)
    assert right.worst == ()
    tied = evaluate_scores(data, np.array([0.80, 0.60, 0.25, 0.15, 0.40]), worst=9)
    assert tied.worst == (), "pairs of the same score may be in any order"
    wrong = evaluate_scores(data, np.array([0.99, 0.30, 0.03, 0.65, 0.45]), worst=9)
    assert [(pair.line, pair.found) for pair in wrong.worst] == [(3, "too different"), (5, "too similar")]
    # The scores are all above the labels: the lowest ranks say "too different" where the numbers say the opposite.
    offset = evaluate_scores(data, np.array([0.99, 0.97, 0.80, 0.85, 0.70]), worst=9)
    assert [pair.found for pair in offset.worst] == ["too similar"]


def _rows(given_file, pairs) -> DataSet:
    lines = "\n".join(f"{a}\t{b}\t{number % 2}" for number, (a, b) in enumerate(pairs))
    return read_labelled_file(given_file("sentence1\tsentence2\tlabel\n" + lines))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("shape", ["threes", "one chain"])
def test_a_split_shares_no_sentence(given_file, shape, seed) -> None:
    count = 120
    pairs = [(f"p{row // 3 if shape == 'threes' else row}", f"h{row}") for row in range(count)]
    if shape == "one chain":
        pairs = [(f"s{row}", f"s{row + 1}") for row in range(count)]
    data = _rows(given_file, pairs)
    training, validation, left = split_dataset(data, 0.2, seed)
    sides = [{text for column in part.texts for text in column} for part in (training, validation)]
    assert not sides[0] & sides[1]
    assert len(training) + len(validation) + left == count
    assert 0.1 * count <= len(validation) <= 0.25 * count
    assert left == 0 or shape == "one chain"
    again = split_dataset(data, 0.2, seed)
    assert np.array_equal(again[1].lines, validation.lines)


def test_rows_that_all_share_a_sentence_cannot_be_divided(given_file) -> None:
    with pytest.raises(BadData, match="too few to split"):
        split_dataset(_rows(given_file, [("same", f"h{row}") for row in range(9)]), 0.3, 1)


def test_training_rows_in_the_validation_file_are_skipped(given_file) -> None:
    data = _rows(given_file, [("a", "b"), ("c", "d"), ("b", "e")])
    assert exclude_shared_sentences(data, data.take([0])).lines.tolist() == [3]


def test_files_of_one_kind_are_joined(given_file) -> None:
    pairs = _rows(given_file, [("a", "b"), ("c", "d")])
    assert join_datasets([pairs, pairs]).texts[0] == ("a", "c", "a", "c")
    triplets = read_labelled_file(given_file("anchor\tpositive\tnegative\na\tb\tc\n"))
    with pytest.raises(BadData, match=r"contains triplets, but .* contains duplicates"):
        join_datasets([pairs, triplets])


def test_equal_labels_are_refused(given_file) -> None:
    with pytest.raises(BadData, match="'same'"):
        read_labelled_file(given_file("sentence1\tsentence2\tlabel\na\tb\t1\nc\td\t1\n")).require_variety()
    with pytest.raises(BadData, match="are equal"):
        read_labelled_file(given_file("sentence1\tsentence2\tscore\na\tb\t3\nc\td\t3\n")).require_variety()


_TWO = "sentence1\tsentence2\tlabel\n"
_NLI = "premise\thypothesis\tlabel\n"


@pytest.mark.parametrize(
    ("name", "text", "kind", "labels"),
    [
        (
            "a.jsonl",
            '{"question1": "A.", "question2": "B.", "is_duplicate": true}\n'
            '{"question1": "C.", "question2": "D.", "is_duplicate": false}',
            "duplicates",
            [1, 0],
        ),
        ("a.tsv", _TWO + "A.\tB.\tTrue\nC.\tD.\tFalse\n", "duplicates", [1, 0]),
        ("a.tsv", _NLI + "A.\tB.\t0\nC.\tD.\t1\nE.\tF.\t2", "nli", ["entailment", "neutral", "contradiction"]),
        (
            "a.tsv",
            _TWO + "A.\tB.\t2.0\nC.\tD.\t-1.0\nE.\tF.\t0.0\nG.\tH.\t1.0",
            "nli",
            ["contradiction", "entailment", "neutral"],
        ),
        ("a.tsv", _NLI + "A.\tB.\tneutral\nC.\tD.\t-\nE.\tF.\tcontradiction", "nli", ["neutral", "contradiction"]),
        (
            "a.tsv",
            (_NLI + "A.\tB.\tneutral\nC.\tD.\tentailment\n").replace("\n", "\r"),
            "nli",
            ["neutral", "entailment"],
        ),
        ("a.csv", "sentence1,sentence2,label\rA.,B.,1\rC.,D.,0\r", "duplicates", [1, 0]),
        (
            "a.jsonl",
            '{"sentence1": "A.", "sentence2": "B.", "label": 1}\r{"sentence1": "C.", "sentence2": "D.", "label": 0}\r',
            "duplicates",
            [1, 0],
        ),
    ],
)
def test_usual_spellings_of_labels_are_understood(given_file, name, text, kind, labels) -> None:
    data = read_labelled_file(given_file(text, name))
    assert data.kind == kind
    assert [data.classes[label] if kind == "nli" else label for label in data.labels.tolist()] == labels
    assert data.unlabelled == preview_dataset(data).unlabelled == ("-" in text)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "a.jsonl",
            '{"sentence1": ["a"], "sentence2": "B.", "label": 1}',
            r'line 1 has \["a"\] in sentence1',
        ),
        ("a.tsv", "sentence1\tsentence2\tlabel\nA.\tB.\t1\n\0\u200b \tB.\t0", "line 3 has no text in sentence1"),
        (
            "a.tsv",
            "premise\thypothesis\tlabel\nA.\tB.\tneutral\nC.\tD.\t1",
            "line 3 has the label '1', which is not one",
        ),
        ("a.tsv", "premise\thypothesis\tlabel\nA.\tB.\t-\nC.\tD.\t-", "None of the 2 rows of .* has a label"),
        ("a.csv", 'sentence1,sentence2,label\nA.,B.,1\nC.,"D.,0\nE.,F.,1\n', "line 3 has a quotation mark that"),
        ("a.csv", 'sentence1,sentence2,label\r\nA.,"B\r\nC.",1\r\n"D.,E.,0', "line 4 has a quotation mark that"),
    ],
)
def test_lines_without_a_pair_are_named(given_file, name, text, message) -> None:
    with pytest.raises(BadData, match=message):
        read_labelled_file(given_file(text, name))


def test_quotes_that_close_at_the_very_end_are_accepted(given_file) -> None:
    text = 'sentence1,sentence2,label\nA.,"B, or\nC",1\n"D ""x""",E.,"0"'
    assert read_labelled_file(given_file(text, "q.csv")).texts == (("A.", 'D "x"'), ("B, or\nC", "E."))


def test_a_split_ignores_case_blanks_and_final_stops(given_file) -> None:
    rows = [f"the cat {n}\tA dog {n}.\t{n % 2}\nThe  cat {n}.\tship {n}\t{(n + 1) % 2}" for n in range(20)]
    data = read_labelled_file(given_file("sentence1\tsentence2\tlabel\n" + "\n".join(rows)))
    kept, held, left_out = split_dataset(data, 0.3, 7)
    assert (len(kept) + len(held), left_out) == (40, 0)
    numbers = [{text.split()[2].rstrip(".") for text in part.texts[0]} for part in (kept, held)]
    assert numbers[0].isdisjoint(numbers[1])
    other = read_labelled_file(given_file("sentence1\tsentence2\tlabel\nTHE CAT 3\ta lamp\t1", "other.tsv"))
    assert len(exclude_shared_sentences(data, other)) == 38
