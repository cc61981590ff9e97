"""Documents of one name are told apart by their paths."""

from __future__ import annotations

import pytest

from desktop_app.core.same_names import tell_names_apart


@pytest.mark.parametrize(
    ("paths", "parts"),
    [
        (["/papers/2022/report.txt", "/papers/2023/report.txt"], ["2022", "2023"]),
        (["/papers/2022/final/report.txt", "/papers/2023/final/report.txt"], ["2022", "2023"]),
        (["/papers/report.txt", "/papers/old.zip/report.txt"], ["papers", "old.zip"]),
        (["/papers/a.txt", "/papers/b.txt"], ["a.txt", "b.txt"]),
        (["/report.txt", "/papers/report.txt"], ["", "papers"]),
        (["C:\\papers\\report.txt", "C:\\old\\report.txt"], ["papers", "old"]),
        (["/a/2022/x/r.txt", "/b/2022/x/r.txt", "/a/2023/x/r.txt"], ["a/2022", "b/2022", "2023"]),
        (["/papers/a.txt"], [""]),
    ],
)
def test_documents_of_one_name_are_told_apart_by_the_parts_of_their_paths_that_differ(
    paths: list[str], parts: list[str]
) -> None:
    named = tell_names_apart({**dict.fromkeys(paths, "Report"), "/papers/other.txt": "Other"})
    assert [named[path] for path in paths] == [f"Report ({part})" if part else "Report" for part in parts]
    assert named["/papers/other.txt"] == "Other"
