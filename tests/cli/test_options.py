"""Common options, wrong commands, exit statuses, unexpected queries."""

from __future__ import annotations

import contextlib
import logging
import os
import pkgutil
from pathlib import Path

import pytest

from desktop_app import __version__
from desktop_app.__main__ import _PrivateLog, _start_log
from desktop_app.cli import commands
from desktop_app.cli.command_table import COMMANDS, load_command
from desktop_app.core.paths import Paths
from desktop_app.core.settings import Settings, load_settings, save_settings
from desktop_app.store.library import LocalLibrary
from tests.cli.conftest import Kindred
from tests.text import makers

DATA = Path(__file__).parents[1] / "data"


@pytest.mark.parametrize(
    "arguments",
    [
        ["search"],
        ["search", "a", "--top-k", "0"],
        ["search", "a", "--top-k", "many"],
        ["search", "a", "--nonsense"],
        ["search", "a", "--type", "sculpture"],
        ["search", "a", "--format", "trec"],
        ["search", "a", "--against", "other", "--rerank", "other"],
        ["search", "a", "--queries", "many.tsv", "--against", "other"],
        ["compare", "one"],
        ["compare", "one", "two", "three"],
        ["import"],
        ["--device", "abacus", "info"],
        ["info", "--device", "abacus"],
        ["--nonsense"],
    ],
)
def test_a_wrong_command_ends_with_2_and_one_line(kindred: Kindred, arguments: list[str]) -> None:
    answer = kindred(*arguments)
    assert answer.status == 2
    assert answer.out == ""
    assert len(answer.err.splitlines()) == 1
    in_json = kindred(*arguments, "--json")
    assert in_json.status == 2
    assert in_json.json["error"]["kind"] == "usage"
    assert in_json.json["error"]["message"]


def test_a_run_file_is_not_mixed_with_json(kindred: Kindred, tmp_path: Path) -> None:
    queries = tmp_path / "queries.tsv"
    queries.write_text("1\tbread\n", "utf-8")
    answer = kindred("search", "--queries", queries, "--by", "document", "--format", "trec", "--json")
    assert (answer.status, answer.json["error"]["kind"]) == (2, "usage")


def test_options_stand_before_or_after_the_command(kindred: Kindred, papers: Path, tmp_path: Path) -> None:
    library = tmp_path / "mine"
    assert kindred("--library", library, "--json", "import", papers).json["sentences"] == 8
    assert kindred("info", "--json", "--library", library).json["documents"] == 2
    assert kindred("info", "--json").json["documents"] == 0


def test_after_two_dashes_everything_is_text(kindred: Kindred) -> None:
    assert kindred("compare", "--json", "--", "--json", "--json").json["cosine"] == pytest.approx(1.0)


def test_a_missing_library_that_is_named_is_reported(kindred: Kindred, tmp_path: Path) -> None:
    for command in (["search", "ice"], ["info"], ["documents"], ["doctor"]):
        answer = kindred("--library", tmp_path / "none", *command)
        assert answer.status == 3
        assert "none" in answer.err
    assert not (tmp_path / "none").exists()


def test_the_default_library_is_empty_before_the_first_import(kindred: Kindred) -> None:
    assert kindred("search", "ice", "--json").json["hits"] == []
    assert kindred("documents", "--json").json == {"documents": []}


def test_the_data_folder_of_the_settings_is_used_while_it_exists(
    kindred: Kindred, papers: Path, tmp_path: Path
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    save_settings(Paths.under(tmp_path / "base").settings_file, Settings(data_folder=str(disk)))
    assert kindred("import", papers).status == 0
    assert (disk / "library").is_dir()
    assert kindred("info", "--json").json["documents"] == 2
    disk.rename(tmp_path / "unplugged")
    answer = kindred("import", papers)
    assert (answer.status, disk.exists()) == (3, False), "no empty library takes the place of the one that is away"
    assert str(disk) in answer.err


def test_settings_that_cannot_be_read_are_renamed_and_reported(kindred: Kindred, tmp_path: Path) -> None:
    file = Paths.under(tmp_path / "base").settings_file
    file.parent.mkdir(parents=True)
    file.write_text("theme = [", "utf-8")
    answer = kindred("documents", "--json")
    assert (answer.status, answer.json) == (0, {"documents": []}), "stdout contains only the answer"
    aside = file.with_suffix(".broken")
    assert answer.err.splitlines() == [
        f"kindred: The settings could not be read and have been reset. The old file is kept as {aside}."
    ]
    assert aside.read_text("utf-8") == "theme = ["
    assert kindred("documents").err == "", "once"


@pytest.mark.parametrize("value", ["a\\u0000b", "~no-such-user/x", "/" + "a" * 5_000])
def test_a_broken_setting_is_named_and_the_rest_is_kept(kindred: Kindred, tmp_path: Path, value: str) -> None:
    file = Paths.under(tmp_path / "base").settings_file
    file.parent.mkdir(parents=True)
    data = tmp_path / "data"
    data.mkdir()
    file.write_text(f"library = \"{value}\"\ndata_folder = '{data}'\nx = {'[' * 5_000}\n", "utf-8")
    answer = kindred("documents", "--json")
    assert (answer.status, answer.json) == (0, {"documents": []})
    assert answer.err.startswith(
        "kindred: Some settings could not be read and have been reset: line 3; library. The old file"
    )
    assert load_settings(file) == Settings(data_folder=str(data))


@pytest.mark.parametrize(
    "arguments",
    [("--library", "~no-such-user/x"), ("--library", "/" + "a" * 5_000), ("--basedir", "/" + "a" * 5_000)],
)
def test_a_name_that_no_folder_can_have_is_refused(kindred: Kindred, arguments: tuple[str, str]) -> None:
    answer = kindred(*arguments, "info")
    assert answer.status == 3
    assert "cannot be used as a folder name" in answer.err


def test_all_files_are_under_the_base_folder(kindred: Kindred, imported: Path, tmp_path: Path) -> None:
    assert sorted(path.name for path in tmp_path.iterdir()) == ["base"]


@pytest.mark.parametrize(
    "query",
    [
        "",
        "   ",
        "\t\n",
        "🙂🙃",
        "\x00\x01\x1b[31m",
        "\ud800 half",
        "a" * 10_000,
        "word " * 2_000,
        "目",
        "'; DROP TABLE x;--",
    ],
)
def test_any_query_has_a_clear_answer(kindred: Kindred, imported: Path, query: str) -> None:
    answer = kindred("search", "--json", "--", query)
    assert answer.status == 0
    empty = not query.encode("utf-16", "replace").decode("utf-16").strip("\x00\x01 \t\n")
    unknown = query in ("🙂🙃", "目", "a" * 10_000)
    assert (len(answer.json["hits"]) > 0) == (not empty and not unknown)
    assert bool(answer.json["notes"]) == unknown


def test_only_folders_are_watched(kindred: Kindred) -> None:
    assert kindred("import", "x", "--watch").status == 2
    assert kindred("import", "x", "--remove-deleted").status == 2


def test_every_module_of_a_command_has_a_row() -> None:
    modules = {each.name for each in pkgutil.iter_modules(commands.__path__)}
    assert modules == {module for _, module in COMMANDS.values()}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_module_with_its_options_and_its_function(kindred: Kindred, name: str) -> None:
    module = load_command(name)
    assert module.__doc__.startswith(f"The command `{name}`: ")
    assert callable(module.add_options)
    assert callable(module.run)
    summary, _ = COMMANDS[name]
    assert f"{summary[0].upper()}{summary[1:]}." in " ".join(kindred(name, "--help").out.split())


def test_help_names_every_command_and_the_version_the_program(kindred: Kindred) -> None:
    help_text = kindred("--help")
    assert help_text.status == 0
    for name in ("import", "documents", "remove", "info", "search", "compare", "pairs", "embed", "export", "doctor"):
        assert f"\n  {name} " in help_text.out
        own = kindred(name, "--help")
        assert own.status == 0
        assert "--library FOLDER and --json, see `kindred --help`" in " ".join(own.out.split())
        assert "--temp-basedir" not in own.out, "the options of every command are in the help of the program"
    assert "--temp-basedir" in help_text.out
    version = kindred("--version")
    assert version.status == 0
    for part in (f"Kindred {__version__}", "Python 3", "Qt", "torch"):
        assert part in version.out


def test_while_another_process_writes_reading_works_and_writing_reports_busy(
    kindred: Kindred, imported: Path, tmp_path: Path
) -> None:
    writer = LocalLibrary.open(Paths.under(tmp_path / "base").default_library, writable=True, create=False)
    try:
        assert kindred("search", "ice", "--json").json["hits"]
        assert kindred("documents").status == 0
        for command in (["import", imported], ["remove", "sea.txt"], ["doctor", "--repair"]):
            answer = kindred(*command, "--json")
            assert answer.status == 3
            assert answer.json["error"]["kind"] == "library_busy"
            assert answer.json["error"]["hint"]
    finally:
        writer.close()


def test_another_model_than_the_librarys_is_refused(kindred: Kindred, imported: Path, other_model: Path) -> None:
    for command in (["search", "ice"], ["import", imported / "sea.txt", imported]):
        (imported / "sea.txt").write_text("Something new stands here now.", "utf-8")
        answer = kindred(*command, "--model", other_model)
        assert answer.status == 3, answer
        assert "models use" in answer.err


def test_what_comes_from_a_librarys_vectors_is_not_passed_off_as_another_models(
    kindred: Kindred, imported: Path, other_model: Path, tmp_path: Path
) -> None:
    commands = (
        ["pairs"],
        ["pairs", "--passages"],
        ["clusters"],
        ["keys", "sea.txt"],
        ["diff", "sea.txt", "bread.md"],
        ["export", "pairs", "--output", tmp_path / "pairs.csv"],
        ["export", "vectors", "--output", tmp_path / "vectors.npy"],
    )
    for command in commands:
        answer = kindred(*command, "--model", other_model, "--json")
        assert (answer.status, answer.json["error"]["kind"]) == (3, "model_mismatch"), command
        assert "Omit --model" in answer.json["error"]["hint"]
    assert kindred("pairs", "--model", "all-MiniLM-L6-v2", "--json").status == 0  # the library's own


def test_a_library_of_another_model_answers_with_its_own(kindred: Kindred, papers: Path, other_model: Path) -> None:
    assert kindred("import", papers, "--model", other_model, "--json").json["sentences"] == 8
    assert kindred("info", "--json").json["model"] == other_model.name
    assert kindred("search", "ice", "--json").json["hits"]
    assert kindred("compare", "a", "b", "--json").json["cosine"] != pytest.approx(
        kindred("compare", "a", "b", "--model", "all-MiniLM-L6-v2", "--json").json["cosine"]
    )


def test_a_missing_model_is_reported(kindred: Kindred) -> None:
    answer = kindred("compare", "a", "b", "--model", "no-such-model", "--json")
    assert answer.status == 3
    assert answer.json["error"]["kind"] == "model_missing"


def test_a_book_with_drm_asks_for_no_password(kindred: Kindred, tmp_path: Path) -> None:
    book = tmp_path / "book.epub"
    lock = '<encryption><EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/></encryption>'
    book.write_bytes(makers.epub({"a.xhtml": "<p>Not to be read.</p>"}, more={"META-INF/encryption.xml": lock}))
    answer = kindred("import", book, "--password", "sesame", "--json")
    assert answer.status == 3
    (failure,) = answer.json["failed"]
    assert failure["reason"] == "locked"
    assert "--password" not in failure["hint"]


def test_passwords_by_option_and_by_environment(kindred: Kindred, monkeypatch: pytest.MonkeyPatch) -> None:
    locked = DATA / "pdf" / "encrypted_openpassword.pdf"
    answer = kindred("import", locked, "--json")
    assert answer.status == 3
    assert [failure["reason"] for failure in answer.json["failed"]] == ["encrypted"]
    assert kindred("import", locked, "--password", "wrong", "--json").json["failed"][0]["reason"] == "encrypted"
    assert kindred("import", locked, "--password", "openpassword", "--json").status == 0
    monkeypatch.setenv("KINDRED_PDF_PASSWORD", "openpassword")
    kindred("remove", locked.name)
    assert kindred("import", locked, "--json").status == 0


def test_unexpected_files_are_reported_and_affect_no_others(kindred: Kindred, papers: Path, tmp_path: Path) -> None:
    (papers / "binary.txt").write_bytes(bytes(range(256)) * 40)
    (papers / "picture.pdf").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(200))
    (papers / 'na"me\nwith ü.txt').write_text("A name may hold anything.", "utf-8")
    (papers / "loop").symlink_to(papers, target_is_directory=True)
    if os.name == "posix":
        os.mkfifo(papers / "pipe.txt")
    report = kindred("import", papers, tmp_path / "gone.txt", "--json").json
    reasons = {Path(failure["path"]).name: failure["reason"] for failure in report["failed"]}
    assert reasons.pop("pipe.txt", "unreadable") == "unreadable"
    assert reasons.keys() == {"binary.txt", "picture.pdf", "gone.txt"}
    assert reasons["binary.txt"] == "unsupported"
    assert reasons["gone.txt"] == "unreadable"
    assert reasons["picture.pdf"] == "no_text", "a picture, whatever its name: OCR may read it"
    assert len(report["imported"]) == 3


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_log_on_a_full_disk_is_no_reason_to_complain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = logging.getLogger()
    handlers, level, raises = root.handlers[:], root.level, logging.raiseExceptions
    paths = Paths.under(tmp_path)
    paths.log.mkdir(parents=True)
    paths.log_file.symlink_to("/dev/full")
    root.handlers.clear()
    try:
        _start_log(paths, debug=False, window=True)
        logging.getLogger("test").warning("something happened")
        (handler,) = root.handlers
        with contextlib.suppress(OSError):
            handler.close()
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        logging.raiseExceptions = raises
    assert capsys.readouterr().err == ""


def test_a_full_log_goes_on_where_another_window_keeps_it_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_source: str, _target: str) -> None:
        raise PermissionError(13, "The process cannot access the file")

    monkeypatch.setattr(os, "rename", refuse)  # as on Windows
    log = _PrivateLog(tmp_path / "kindred.log", maxBytes=100, backupCount=2, encoding="utf-8")
    lines = [f"line {number} of a log that is full" for number in range(20)]
    for line in lines:
        log.emit(logging.makeLogRecord({"msg": line}))
    log.close()
    assert (tmp_path / "kindred.log").read_text("utf-8").splitlines() == lines


def test_help_is_a_word_too_unless_a_file_is_called_so(
    kindred: Kindred, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert kindred("help").out == kindred("--help").out
    assert kindred("help", "search").out == kindred("search", "--help").out
    unknown = kindred("help", "serch")
    assert (unknown.status, "Did you mean `search`?" in unknown.err) == (2, True)
    (tmp_path / "help").touch()
    assert "usage" not in kindred("help", "--version").out


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_fits_a_narrow_terminal(kindred: Kindred, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = kindred(*filter(None, [name]), "--help").out.splitlines()
    # Where actions follow the command, the usage lists them.
    assert [line for line in lines if len(line) > 80 and not line.startswith(("usage: ", " " * 35))] == []


def test_help_wraps_below_the_second_column(kindred: Kindred, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert (
        "  +word  -word       must include this word; must not include it (also before\n"
        "                     a phrase)\n"
    ) in kindred("search", "--help").out
    assert "is not changed.\n\nFor the options" in kindred("models", "--help").out
