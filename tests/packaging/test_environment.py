"""The two commands: their messages when they cannot continue, and no work when everything is installed."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

PACKAGING = Path(__file__).parents[2] / "packaging"


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module of the set-up, on a generated checkout."""
    spec = importlib.util.spec_from_file_location("kindred_environment", PACKAGING / "environment.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setitem(sys.modules, "kindred_environment", module)
    root = tmp_path / "checkout"
    (root / "packaging").mkdir(parents=True)
    (root / "pyproject.toml").write_text("[project]\n", "utf-8")
    (root / "packaging" / "constraints.txt").write_text("", "utf-8")
    monkeypatch.setattr(module, "ROOT", root)
    monkeypatch.setattr(module, "VENV", root / ".venv")
    monkeypatch.setattr(module, "PYTHON", root / ".venv" / "bin" / "python")
    monkeypatch.setattr(module, "LOG", root / ".venv" / "setup.log")
    return module


def test_an_old_python_gets_advice(environment: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment.sys, "version_info", (3, 9, 2, "final", 0))
    with pytest.raises(environment.CannotGoOn, match=r"Python 3\.9 is too old: install Python 3\.11"):
        environment.prepare()


def test_set_up_runs_once_and_again_only_when_requirements_change(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed: list[str] = []

    def make() -> None:
        environment.PYTHON.parent.mkdir(parents=True, exist_ok=True)
        environment.PYTHON.touch()

    monkeypatch.setattr(environment, "_missing_packages", list)
    monkeypatch.setattr(environment, "_make_venv", make)
    monkeypatch.setattr(environment, "_install", lambda what, any_torch: installed.append(what))
    tried: list[str] = []
    monkeypatch.setattr(environment, "_try_tools", lambda: tried.append("tools"))
    environment.prepare("test")
    environment.prepare("test")
    assert tried == ["tools"]
    environment.prepare()  # the program can use the tests' environment too
    assert installed == [".[test]"]
    (environment.ROOT / "packaging" / "constraints.txt").write_text("numpy==2.0\n", "utf-8")
    environment.prepare()
    assert installed == [".[test]", "."]


@pytest.fixture
def pip(environment: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """A `.venv` whose Python writes its arguments to a file and plays pip."""
    environment.PYTHON.parent.mkdir(parents=True)
    calls = environment.VENV / "calls.txt"
    environment.PYTHON.write_text(
        f"""#!/bin/sh
echo "$*" >> {calls}
echo "  Downloading torch-2.13.0-cp311-none-linux_x86_64.whl (883.1 MB)"
echo "  Downloading tqdm-4.70.1-py3-none-any.whl (78 kB)"
echo "Installing collected packages: torch, tqdm, kindred"
""",
        "utf-8",
    )
    environment.PYTHON.chmod(0o755)
    monkeypatch.setattr(environment, "_missing_packages", list)
    monkeypatch.setattr(environment, "_make_venv", lambda: None)
    monkeypatch.setattr(environment.sys, "platform", "linux")
    monkeypatch.setattr(environment.shutil, "which", lambda _name: None)


@pytest.mark.skipif(os.name != "posix", reason="plays pip with a shell script")
@pytest.mark.parametrize("reachable", [True, False])
def test_without_a_card_torch_comes_without_cuda(
    environment: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    pip: None,
    capfd: pytest.CaptureFixture[str],
    reachable: bool,
) -> None:
    monkeypatch.setattr(environment, "needs_cuda", lambda: False)
    monkeypatch.setattr(environment, "_is_reachable", lambda _index: reachable)
    environment.prepare()
    command = (environment.VENV / "calls.txt").read_text()
    assert ("--extra-index-url https://download.pytorch.org/whl/cpu" in command) == reachable
    said = capfd.readouterr().err
    assert ("cannot be reached: torch comes from pip's own index" in said) != reachable
    assert "about 2 GB on disk" in said
    assert "downloading torch (883 MB)" in said
    assert "tqdm" not in said, "small downloads only make noise"
    assert "installing 3 packages" in said


@pytest.mark.skipif(os.name != "posix", reason="plays pip with a shell script")
def test_the_tests_add_to_a_program_that_is_set_up(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch, pip: None, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(environment, "needs_cuda", lambda: False)
    monkeypatch.setattr(environment, "_is_reachable", lambda _index: False)
    monkeypatch.setattr(environment, "_try_tools", lambda: None)
    environment.prepare()
    capfd.readouterr()
    environment.prepare("test")
    said = capfd.readouterr().err
    assert "Adding what the tests need" in said
    assert "2 GB" not in said
    assert "cannot be reached" not in said, "torch is there already"


@pytest.mark.skipif(os.name != "posix", reason="plays pip with a shell script")
def test_cuda_is_set_up_when_asked_for_and_stays(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch, pip: None, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(environment, "_is_reachable", lambda _index: True)
    environment.prepare(cuda=True)
    assert "6 GB on disk" in capfd.readouterr().err
    environment.prepare()
    (environment.ROOT / "packaging" / "constraints.txt").write_text("numpy==2.0\n", "utf-8")
    environment.prepare()
    calls = (environment.VENV / "calls.txt").read_text()
    assert calls.count("--editable") == 2
    assert "--extra-index-url" not in calls


@pytest.mark.parametrize(
    ("log", "message"),
    [
        (
            "WARNING: Retrying (...) after connection broken by 'SSLError(SSLCertVerificationError(1, '[SSL:"
            " CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate'))'\nMax retries exceeded",
            "certificate of the packages' server is not trusted",
        ),
        ("WARNING: Retrying ... NewConnectionError('... Temporary failure in name resolution')", "There is no network"),
        ("error: command 'x86_64-linux-gnu-g++' failed\nERROR: Failed building wheel for hnswlib", "C++ compiler"),
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "disk is full"),
        (
            "ERROR: Could not install packages due to an OSError: [Errno 2] No such file or directory: 'C:\\\\a'\n"
            "HINT: This error might have occurred since this system does not have Windows Long Path support enabled.",
            "too long for Windows",
        ),
        (
            "ERROR: Could not install packages due to an OSError: [WinError 5] Access is denied: 'C:\\\\_C.pyd'",
            "close Kindred",
        ),
        ("some line\nERROR: No matching distribution found for torch", "No matching distribution found for torch"),
        ("", "pip failed"),
    ],
)
def test_a_failed_installation_is_reported_in_one_line(environment: ModuleType, log: str, message: str) -> None:
    diagnosis = environment._diagnosis(log)
    assert message in diagnosis
    assert "\n" not in diagnosis


def test_without_root_the_one_command_is_named(environment: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment.os, "geteuid", lambda: 1000, raising=False)
    with pytest.raises(environment.CannotGoOn, match=r"sudo apt-get update && sudo apt-get install -y .*libegl1 g\+\+"):
        environment._install_packages(["libegl1", "g++"])


def test_without_a_compiler_other_systems_get_a_message(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "_is_debian", lambda: False)
    monkeypatch.setattr(environment.shutil, "which", lambda _name: None)
    monkeypatch.setattr(environment.sys, "platform", "linux")
    with pytest.raises(environment.CannotGoOn, match=r"no C\+\+ compiler"):
        environment._missing_packages()


def _play_program(environment: ModuleType, monkeypatch: pytest.MonkeyPatch, status: int, said: bytes) -> None:
    """Let every program end with a status and an output."""
    done = subprocess.CompletedProcess([], status, said, b"")
    monkeypatch.setattr(environment.subprocess, "run", lambda *_command, **_options: done)


def test_macos_without_apples_tools_is_told_to_install_them(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment.sys, "platform", "darwin")
    monkeypatch.setattr(environment.shutil, "which", lambda name: f"/usr/bin/{name}")  # it only offers to install them
    _play_program(environment, monkeypatch, 2, b"")
    with pytest.raises(environment.CannotGoOn, match="xcode-select --install"):
        environment._missing_packages()
    _play_program(environment, monkeypatch, 0, b"/Library/Developer/CommandLineTools")
    monkeypatch.setattr(environment, "_is_debian", lambda: False)
    assert environment._missing_packages() == []


def test_windows_without_a_compiler_is_told_what_to_install_before_anything_is_downloaded(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(environment.sys, "platform", "win32")
    monkeypatch.setattr(environment.shutil, "which", lambda _name: None)
    for name in ("DISTUTILS_USE_SDK", "VS140COMNTOOLS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PROGRAMFILES(X86)", str(tmp_path))
    with pytest.raises(environment.CannotGoOn, match="Desktop development with C"):
        environment._missing_packages()
    finder = tmp_path / "Microsoft Visual Studio" / "Installer" / "vswhere.exe"
    finder.parent.mkdir(parents=True)
    finder.touch()
    _play_program(environment, monkeypatch, 0, b"")  # Visual Studio without C++
    with pytest.raises(environment.CannotGoOn, match="Desktop development with C"):
        environment._missing_packages()
    _play_program(environment, monkeypatch, 0, b"C:\\Program Files\\Microsoft Visual Studio\\2022\\BuildTools\r\n")
    assert environment._missing_packages() == []


@pytest.mark.parametrize(
    ("system", "machine", "made_for", "message"),
    [
        ("darwin", "x86_64", "macosx-10.9-universal2", "Intel"),
        ("darwin", "arm64", "macosx-10.9-universal2", ""),
        ("win32", "AMD64", "win32", "64-bit"),
        ("win32", "ARM64", "win-arm64", "x86-64"),
        ("win32", "ARM64", "win-amd64", ""),
        ("linux", "aarch64", "linux-aarch64", ""),
    ],
)
def test_a_python_for_which_packages_are_missing_is_refused_before_anything_is_downloaded(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch, system: str, machine: str, made_for: str, message: str
) -> None:
    monkeypatch.setattr(environment.sys, "platform", system)
    monkeypatch.setattr(environment.platform, "machine", lambda: machine)
    monkeypatch.setattr(environment.sysconfig, "get_platform", lambda: made_for)
    monkeypatch.setattr(environment, "complete_system", _stop_here)
    with pytest.raises(environment.CannotGoOn, match=message or "everything after it"):
        environment.prepare()


def _stop_here() -> None:
    raise sys.modules["kindred_environment"].CannotGoOn("everything after it")


def test_a_newer_python_is_tried_and_named_if_it_fails(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(environment.sys, "version_info", (3, 14, 0, "final", 0))
    monkeypatch.setattr(environment, "_refuse_processor", lambda: None)
    monkeypatch.setattr(environment, "complete_system", _stop_here)
    with pytest.raises(environment.CannotGoOn):
        environment.prepare()
    assert "Python 3.14 is newer" in capsys.readouterr().err
    assert environment._diagnosis("ERROR: no scikit-network").endswith("use Python 3.11 to 3.13")


def test_on_windows_ctrl_c_is_for_the_program_whose_status_is_returned(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wait(_command: list[str], env: dict[str, str]) -> int:
        signal.raise_signal(signal.SIGINT)
        return 130

    windows = SimpleNamespace(name="nt", environ=os.environ)
    monkeypatch.setattr(environment, "os", windows)
    monkeypatch.setattr(environment.subprocess, "call", wait)
    before = signal.getsignal(signal.SIGINT)
    assert environment.start(["-m", "desktop_app", "import"]) == 130
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a display")
def test_without_a_display_the_commands_are_named(tmp_path: Path) -> None:
    variables = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    done = subprocess.run(
        [sys.executable, "-m", "desktop_app", "--basedir", str(tmp_path)],
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3
    assert done.stderr == "kindred: There is no display for the window. Use a command instead: see `kindred --help`.\n"


def test_set_up_imports_only_the_standard_library() -> None:
    for name in ("environment", "run", "test"):
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(PACKAGING)!r}); import {name}"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
