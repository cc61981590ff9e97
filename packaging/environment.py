"""Set up `.venv` for run.py and test.py. Uses the standard library only, and is fast when everything is in place."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
LOG = VENV / "setup.log"
OLDEST = (3, 11)
NEWEST = (3, 13)
"""The last version of Python for which all packages come compiled."""

# PyPI's torch for Linux includes CUDA, 3 GB of downloads. pip considers "2.13.0+cpu" from this index the newer of the
# two.
TORCH_WITHOUT_CUDA = "https://download.pytorch.org/whl/cpu"
_REACHABLE_S = 10.0
"""How long the set-up waits for that index before it takes the default one."""

_RANGE = f"3.{OLDEST[1]} to 3.{NEWEST[1]}"
_BUILD_TOOLS = (
    'install Microsoft\'s C++ Build Tools with "Desktop development with C++"'
    " (https://visualstudio.microsoft.com/visual-cpp-build-tools/)"
)

_LARGE_DOWNLOAD_MB = 10.0
"""Downloads from this size on are printed while the set-up runs."""

# System libraries that Qt loads: Debian packages with one file of each.
_QT_LIBRARIES = {
    "libgl1": "libGL.so.1",
    "libegl1": "libEGL.so.1",
    "libglib2.0-0": "libglib-2.0.so.0",
    "libxkbcommon0": "libxkbcommon.so.0",
    "libdbus-1-3": "libdbus-1.so.3",
    "libfontconfig1": "libfontconfig.so.1",
    "libxcb-cursor0": "libxcb-cursor.so.0",
    "libxcb-icccm4": "libxcb-icccm.so.4",
    "libxcb-keysyms1": "libxcb-keysyms.so.1",
    "libxkbcommon-x11-0": "libxkbcommon-x11.so.0",
    "libxcb-shape0": "libxcb-shape.so.0",
}

# Tools without which some tests are skipped: Debian packages with one program of each. They drive the window on a real
# screen and read scanned pages.
_TEST_TOOLS = {
    "xvfb": "Xvfb",
    "xdotool": "xdotool",
    "openbox": "openbox",
    "xclip": "xclip",
    "desktop-file-utils": "desktop-file-validate",
    "tesseract-ocr": "tesseract",
}


class CannotGoOn(Exception):
    """The set-up cannot continue until the user fixes something; the message is one line."""


def prepare(extra: str = "", *, cuda: bool = False) -> None:
    """Install the project and its dependencies into `.venv`; return immediately if they are there.

    On Linux without an NVIDIA card, torch comes from PyTorch's index of builds without CUDA: 0.2 GB in place of 2.7 GB.

    Args:
        extra: an optional group of pyproject.toml to install too.
        cuda: whether torch must include CUDA; it then stays so.

    Raises:
        CannotGoOn: says what is wrong and what to do.
    """
    if sys.version_info < OLDEST:
        raise CannotGoOn(
            f"Python {sys.version_info[0]}.{sys.version_info[1]} is too old: install Python 3.11 or newer "
            "and start this script with it."
        )
    stamp = VENV / f"ready{'-' + extra if extra else ''}.txt"
    wanted = fingerprint()
    if cuda:
        _choose_cuda()
    if PYTHON.exists() and _read(stamp) == wanted:
        if extra == "test":
            _try_tools_once()
        return
    _refuse_processor()
    if sys.version_info[:2] > NEWEST:
        _say(f"Python 3.{sys.version_info[1]} is newer than those that Kindred is tested with: {_RANGE}.")
    complete_system()
    has_program = bool(extra) and PYTHON.exists() and _read(VENV / "ready.txt") == wanted
    with_cuda = needs_cuda()
    if has_program:
        _say("Adding what the tests need to .venv (only once): about 0.1 GB of downloads.")
    else:
        size = "6 GB on disk, 3 GB of downloads" if with_cuda else "2 GB on disk, 0.5 GB of downloads"
        _say(f"Setting up Kindred in .venv (only once): about {size}, a few minutes.")
    started = time.monotonic()
    _make_venv()
    # A torch that is there stays, whichever it is.
    _install(f".[{extra}]" if extra else ".", any_torch=with_cuda or has_program)
    _say(f"Set up in {max(1, round((time.monotonic() - started) / 60))} min.")
    if extra == "test":
        _try_tools_once()
    stamp.write_text(wanted, "utf-8")
    # The dependencies of the tests include those of the program.
    (VENV / "ready.txt").write_text(wanted, "utf-8")


def start(arguments: list[str], environment: dict[str, str] | None = None) -> int:
    """Replace this process with `.venv`'s Python where the system can; otherwise wait for it and return its status."""
    command = [str(PYTHON), *arguments]
    variables = {**os.environ, **(environment or {})}
    if os.name == "posix":
        sys.stdout.flush()
        sys.stderr.flush()
        os.execve(command[0], command, variables)
    # Ctrl+C reaches both processes. The program ends in order, and this one returns its status.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return subprocess.call(command, env=variables)
    finally:
        signal.signal(signal.SIGINT, before)


def fingerprint() -> str:
    """Return a digest of this Python version, the project's requirements and the pinned versions."""
    digest = hashlib.sha256(f"{sys.version_info[:3]} {ROOT}".encode())
    for file in (ROOT / "pyproject.toml", ROOT / "packaging" / "constraints.txt"):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _refuse_processor() -> None:
    """Raise if PyTorch or other packages do not exist for the kind of processor that this Python is made for."""
    if sys.platform == "darwin" and platform.machine() != "arm64":
        raise CannotGoOn(
            "PyTorch is no longer made for Macs with Intel processors. On a Mac with an Apple processor, this Python is"
            " one for Intel: install the one of https://www.python.org/downloads/ and start this script with it."
        )
    # Not `platform.machine`, which names the processor even if Python is made for another kind.
    if sys.platform == "win32" and sysconfig.get_platform() != "win-amd64":
        raise CannotGoOn(
            f"Not all packages are made for this Python ({sysconfig.get_platform()}): install the 64-bit one for x86-64"
            f" processors, {_RANGE}, which Windows on ARM can run too: https://www.python.org/downloads/windows/"
        )


def needs_cuda() -> bool:
    """Return whether to install PyPI's torch for Linux, which includes CUDA: an NVIDIA card, or a person, wants it."""
    if _read(VENV / "cuda.txt"):
        return True
    if not sys.platform.startswith("linux"):
        return False
    return Path("/proc/driver/nvidia/version").exists() or shutil.which("nvidia-smi") is not None


def _choose_cuda() -> None:
    """Remember that torch must include CUDA, and remove a torch without it so that the set-up installs the other."""
    if _read(VENV / "cuda.txt") or not PYTHON.exists():
        VENV.mkdir(exist_ok=True)
        (VENV / "cuda.txt").write_text("yes", "utf-8")
        return
    (VENV / "cuda.txt").write_text("yes", "utf-8")
    has_cuda = [str(PYTHON), "-c", "import sys, torch; sys.exit(torch.version.cuda is None)"]
    if subprocess.call(has_cuda, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) != 0:
        subprocess.call([str(PYTHON), "-m", "pip", "uninstall", "-q", "-y", "torch"])
        for stamp in VENV.glob("ready*.txt"):
            stamp.unlink()


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except OSError:
        return ""


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def complete_system(tools: dict[str, str] | None = None) -> None:
    """Install missing system packages: a compiler, libraries of Qt, and tools; return immediately if none are missing.

    Args:
        tools: further required programs by Debian package name.

    Raises:
        CannotGoOn: something is missing, and this process cannot install it.
    """
    missing = _missing_packages()
    lacking = {package: tool for package, tool in (tools or {}).items() if shutil.which(tool) is None}
    if lacking and not _is_debian():
        raise CannotGoOn(f"Some programs are missing: {', '.join(lacking.values())}. Install them and try again.")
    if missing := [*missing, *lacking]:
        _install_packages(missing)


def _missing_packages() -> list[str]:
    """Return the missing Debian packages; on other systems, raise if there is no compiler."""
    if sys.platform == "win32":
        if not _has_build_tools():
            raise CannotGoOn(f"There is no C++ compiler, which hnswlib needs: {_BUILD_TOOLS}, then try again.")
        return []
    # The compiler of macOS is always there, but without Apple's tools it only offers to install them.
    if sys.platform == "darwin" and subprocess.run(["xcode-select", "-p"], capture_output=True, check=False).returncode:
        raise CannotGoOn("There is no C++ compiler, which hnswlib needs. Run: xcode-select --install")
    has_compiler = any(map(shutil.which, ("c++", "g++", "clang++")))
    headers = Path(sysconfig.get_path("include"), "Python.h")
    has_headers = headers.exists()
    has_venv = importlib.util.find_spec("ensurepip") is not None
    if not _is_debian():
        if not has_compiler:
            raise CannotGoOn("There is no C++ compiler. hnswlib needs one: install g++ or clang and try again.")
        return []
    version = f"python3.{sys.version_info[1]}"
    missing = [
        *([] if has_compiler else ["g++"]),
        *([] if has_headers else [f"{version}-dev"]),
        *([] if has_venv else [f"{version}-venv"]),
    ]
    libraries = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=False).stdout
    missing += [package for package, library in _QT_LIBRARIES.items() if library not in libraries]
    return missing


def _has_build_tools() -> bool:
    """Return whether setuptools will find Microsoft's C++ compiler on Windows."""
    if shutil.which("cl") or any(os.environ.get(name) for name in ("DISTUTILS_USE_SDK", "VS140COMNTOOLS")):
        return True
    programs = os.environ.get("PROGRAMFILES(X86)") or os.environ.get("PROGRAMFILES", "")
    finder = Path(programs, "Microsoft Visual Studio", "Installer", "vswhere.exe")
    if not finder.exists():
        return False
    command = [str(finder), "-latest", "-prerelease", "-products", "*", "-property", "installationPath"]
    command += ["-requires", "Microsoft.VisualStudio.Component.VC.Tools.x86.x64"]
    return bool(subprocess.run(command, capture_output=True, check=False).stdout.strip())


def _is_debian() -> bool:
    return Path("/etc/debian_version").exists() and shutil.which("apt-get") is not None


def _install_packages(packages: list[str]) -> None:
    """Install Debian packages as root; otherwise raise with the command to run."""
    command = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    if os.geteuid() != 0:
        # A fresh system has no lists of packages yet.
        raise CannotGoOn(f"Some system packages are missing. Run: sudo apt-get update && sudo {' '.join(command)}")
    _say(f"Installing system packages: {' '.join(packages)}")
    variables = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for step in (["apt-get", "update"], command):
        status = subprocess.call(step, env=variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if status != 0:
        raise CannotGoOn(
            f"System packages could not be installed (no network?). Run: apt-get update && {' '.join(command)}"
        )


def _try_tools_once() -> None:
    """Try to install the test tools once per set-up and list of tools, also for a `.venv` older than the list."""
    tried, names = VENV / "tools.txt", " ".join(_TEST_TOOLS)
    if _read(tried) != names:
        _try_tools()
        tried.write_text(names, "utf-8")


def _try_tools() -> None:
    """Install the tools without which some tests are skipped, if that needs no permission."""
    missing = [package for package, tool in _TEST_TOOLS.items() if shutil.which(tool) is None]
    if not missing or not _is_debian() or os.geteuid() != 0:
        return
    try:
        _install_packages(missing)
    except CannotGoOn as error:
        _say(f"Some tests will be skipped: {error}")


def _make_venv() -> None:
    if PYTHON.exists() and subprocess.call([str(PYTHON), "-c", "import pip"], stderr=subprocess.DEVNULL) == 0:
        return
    command = [sys.executable, "-m", "venv", "--clear", str(VENV)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        why = (done.stderr or done.stdout).strip().splitlines() or ["no reason given"]
        raise CannotGoOn(f".venv cannot be created in {ROOT}: {why[-1]}")


def _install(what: str, *, any_torch: bool) -> None:
    command = [str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
    command += ["--progress-bar", "off", "--constraint", str(ROOT / "packaging" / "constraints.txt")]
    if sys.platform.startswith("linux") and not any_torch:
        if _is_reachable(TORCH_WITHOUT_CUDA):
            command += ["--extra-index-url", TORCH_WITHOUT_CUDA]
        else:
            _say(
                f"{TORCH_WITHOUT_CUDA} cannot be reached: torch comes from pip's own index, possibly with CUDA (3 GB)."
            )
    with (
        LOG.open("w", encoding="utf-8", errors="replace") as log,
        subprocess.Popen(
            [*command, "--editable", what],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
        ) as pip,
    ):
        assert pip.stdout is not None
        for line in pip.stdout:
            log.write(line)
            if step := describe_step(line):
                _say(f"  {step}")
    if pip.returncode != 0:
        raise CannotGoOn(_diagnosis(LOG.read_text("utf-8", "replace")))


def _is_reachable(index: str) -> bool:
    try:
        with urllib.request.urlopen(f"{index}/torch/", timeout=_REACHABLE_S):
            return True
    except (OSError, urllib.error.URLError, ValueError):
        return False


def describe_step(line: str) -> str:
    """Return what a line of pip's log says to a waiting person: a large download or the installation; else nothing."""
    if found := re.match(r"\s*Downloading (?:\S*/)?([\w.]+?)-\S+ \((\d+(?:\.\d+)?) ([kMG])B\)", line):
        name, size, unit = found.groups()
        megabytes = float(size) * {"k": 0.001, "M": 1.0, "G": 1000.0}[unit]
        return f"downloading {name} ({megabytes:,.0f} MB)" if megabytes >= _LARGE_DOWNLOAD_MB else ""
    if line.startswith("Installing collected packages:"):
        return f"installing {line.count(',') + 1} packages"
    return ""


def _diagnosis(log: str) -> str:
    """Return in one line why pip failed."""
    if "CERTIFICATE_VERIFY_FAILED" in log:  # often a firewall that reads along
        return (
            "The certificate of the packages' server is not trusted: add your network's to those of the system,"
            " or name its file in the variables PIP_CERT and SSL_CERT_FILE, then try again."
        )
    if re.search(
        r"NewConnectionError|Max retries|name resolution|getaddrinfo|Connection (refused|reset)|timed out", log
    ):
        return "There is no network, but packages must be downloaded once: connect, or set a mirror in pip's settings."
    if re.search(r"No space left on device", log):
        return "The disk is full: about 2 GB are needed, 6 GB with CUDA."
    if "Windows Long Path" in log:
        return (
            f"The paths in {ROOT} are too long for Windows: move that folder near the root of the drive, or turn on"
            " long paths (https://pip.pypa.io/warnings/enable-long-paths)."
        )
    if re.search(r"WinError (5|32)\b", log):
        return f"Files in {VENV} are in use: close Kindred and other programs that run from there, then try again."
    if re.search(
        r"hnswlib.*(failed|error)|Microsoft Visual C\+\+|unable to execute|command '.*(g\+\+|gcc|cc)'", log, re.I
    ):
        how = {"win32": _BUILD_TOOLS, "darwin": "run `xcode-select --install`"}.get(
            sys.platform, "install a C++ compiler and Python's headers"
        )
        return f"hnswlib could not be compiled: {how}, then try again."
    errors = [line for line in log.splitlines() if line.startswith("ERROR")] or log.splitlines()[-1:] or ["no output"]
    hint = f"; use Python {_RANGE}" if sys.version_info[:2] > NEWEST else ""
    return f"pip failed: {errors[0].removeprefix('ERROR: ')} (whole log: {LOG}){hint}"
