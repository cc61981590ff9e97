"""Test the packages that build.py made, like a user without Python: install, start, import, search, compare.

Linux: the .deb in a clean Debian (debootstrap, as root), otherwise unpacked into a clean folder; the window on a
virtual screen (Xvfb, openbox, xdotool, xclip). Windows, macOS: the installer or disk image, then commands and window.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parent.parent
PDF = ROOT / "resources" / "samples" / "Minutes of the harbour meeting.pdf"
QUERY = "rising oceans threaten the coast"
PAIR = ("The new movie is awesome", "The new movie is so great")
COSINE = 0.8939
PATIENCE_S = 300
FEWEST_COLORS = 60
# One file for each reader whose library the bundle might lack.
SMALL = {
    "page.html": b"<!doctype html><title>Page</title><p>Salt marshes break the force of the waves.</p>",
    "letter.rtf": rb"{\rtf1\ansi The harbour master wrote a letter about the storm.}",
    "notes.md": b"# Notes\n\nA dough rests overnight in a cool kitchen.\n",
    "latin.txt": "Die Brücke über den Fluß wurde größer und schöner gebaut als früher.\n".encode("latin-1"),
    "mail.eml": b"From: a@example.org\nSubject: Tea\nMessage-ID: <1@example.org>\n\nThe kettle is on the stove.\n",
    "table.csv": b"name,remark\nOak,The oldest tree in the park lost a branch.\n",
}
TOOLS = ("Xvfb", "openbox", "xdotool", "xclip")
# Simulates older processors: nothing beyond SSE 4.
OLD_PROCESSOR = {
    "ATEN_CPU_CAPABILITY": "default",
    "ONEDNN_MAX_CPU_ISA": "SSE41",
    "DNNL_MAX_CPU_ISA": "SSE41",
    "MKL_ENABLE_INSTRUCTIONS": "SSE4_2",
    "KINDRED_INDEX": "anywhere",
}


class Failed(Exception):
    """A check failed."""


@dataclass
class Installed:
    """An installed program.

    Attributes:
        window: command that opens the window.
        commands: command line for everything else.
        root: root folder of its file system; None: this machine's own.
        home: home folder of the user, as the program sees it.
    """

    window: list[str]
    commands: list[str]
    home: Path
    root: Path | None = None
    variables: dict[str, str] = field(default_factory=dict)

    def outside(self, path: Path) -> Path:
        """Return the path on this machine for a path that the program sees."""
        return path if self.root is None else self.root / path.relative_to("/")

    def environment(self, **more: str) -> dict[str, str]:
        """Return its environment variables, without those that refer to a Python of this machine."""
        path = {"PATH": "/usr/bin:/bin"} if os.name == "posix" else {}
        kept = path or {
            name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV", "QT_"))
        }
        return {**kept, "HOME": str(self.home), "LANG": "C.UTF-8", "HF_HUB_OFFLINE": "1", **self.variables, **more}

    def ask(self, *arguments: str, **variables: str) -> Any:
        """Run a command and return its JSON output."""
        base = str(self.home / "base")
        done = subprocess.run(
            [*self.commands, "--basedir", base, "--json", *arguments],
            env=self.environment(**variables),
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=PATIENCE_S,
            check=False,
        )
        if done.returncode != 0:
            raise Failed(f"{' '.join(arguments)} ended with {done.returncode}: {done.stdout}{done.stderr}")
        return json.loads(done.stdout)


def main() -> int:
    """Test the packages in the given folder; return the exit status."""
    dist = Path(sys.argv[1]).resolve()
    try:
        with (
            tempfile.TemporaryDirectory(prefix="kindred-smoke-", ignore_cleanup_errors=True) as scratch,
            contextlib.ExitStack() as mounts,
        ):
            program = install(dist, Path(scratch), mounts)
            _say(f"installed {'with apt in a clean root' if program.root is not None else 'in a separate folder'}")
            check_commands(program)
            if sys.platform.startswith("linux"):
                check_on_screen(program, dist / "smoke")
            else:
                check_window(program)
    except (Failed, subprocess.SubprocessError, OSError) as error:
        print(f"smoke test: {error}", file=sys.stderr)
        return 1
    _say("all checks passed")
    return 0


# Installing


def install(dist: Path, scratch: Path, mounts: contextlib.ExitStack) -> Installed:
    """Install the newest package of this system below `scratch`; `mounts` unmounts what is mounted there."""
    if sys.platform.startswith("linux"):
        package = _newest(dist, "*.deb")
        clean = (
            _install_in_clean_root(package, scratch, mounts)
            if os.geteuid() == 0 and shutil.which("debootstrap")
            else None
        )
        return clean or _unpack(package, scratch)
    home = scratch / "Jürgen Ōe"
    home.mkdir()
    if sys.platform == "win32":
        folder = scratch / "Programs" / "Kindred"
        setup = _newest(dist, "*-setup.exe")
        subprocess.run([str(setup), "/VERYSILENT", "/SUPPRESSMSGBOXES", f"/DIR={folder}"], check=True)
        return Installed([str(folder / "kindred.exe")], [str(folder / "kindred-cli.exe")], home)
    mounted = scratch / "image"
    image = _newest(dist, "*.dmg")
    subprocess.run(["hdiutil", "attach", "-nobrowse", "-mountpoint", str(mounted), str(image)], check=True)
    try:
        shutil.copytree(mounted / "Kindred.app", scratch / "Kindred.app", symlinks=True)
    finally:
        subprocess.run(["hdiutil", "detach", str(mounted)], check=True)
    program = [str(scratch / "Kindred.app" / "Contents" / "MacOS" / "kindred")]
    return Installed(program, program, home)


def _install_in_clean_root(package: Path, scratch: Path, mounts: contextlib.ExitStack) -> Installed | None:
    """Install with apt into a fresh minimal Debian; return None if this machine cannot create one."""
    root = scratch / "root"
    own_mirror, own_suite = own_debian()
    mirror = os.environ.get("KINDRED_DEBIAN_MIRROR") or own_mirror
    suite = os.environ.get("KINDRED_DEBIAN_SUITE") or own_suite
    _say(f"a clean Debian ({suite})")
    command = ["debootstrap", "--variant=minbase", suite, str(root), mirror]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode != 0:
        last = (made.stdout.strip() or made.stderr.strip()).rpartition("\n")[2]
        _say(f"debootstrap does not work here ({last}); unpacking the package into a folder instead")
        return None
    shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
    shutil.copy(package, root / "tmp" / package.name)
    _say("installing")
    chroot = shutil.which("chroot", path="/usr/sbin:/sbin:/usr/bin") or "chroot"
    inside = [chroot, str(root), "/usr/bin/env", "DEBIAN_FRONTEND=noninteractive"]
    inside.append("PATH=/usr/sbin:/usr/bin:/sbin:/bin")
    apt = ["apt-get", "install", "-y", "--no-install-recommends", f"/tmp/{package.name}"]
    done = subprocess.run([*inside, *apt], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failed(f"apt-get could not install {package.name}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    (root / "tmp" / package.name).unlink()
    if found := [path for path in ("usr/bin/python3", "usr/bin/gcc") if (root / path).exists()]:
        raise Failed(f"the clean root holds {found}")
    processes = root / "proc"
    subprocess.run(["mount", "-t", "proc", "proc", str(processes)], check=True)
    mounts.callback(subprocess.run, ["umount", "--lazy", str(processes)], check=True)
    home = Path("/home/Jürgen Ōe")
    outside = root / home.relative_to("/")
    outside.mkdir(parents=True)
    os.chown(outside, 1000, 1000)
    entry = (root / "usr/share/applications/kindred.desktop").read_text("utf-8")
    if "Exec=/usr/bin/kindred %U" not in entry:
        raise Failed(f"the menu entry starts a different program: {entry}")
    program = [chroot, "--userspec=1000:1000", str(root), "/usr/bin/kindred"]
    return Installed(program, program, home, root)


def own_debian(etc: Path = Path("/etc")) -> tuple[str, str]:
    """Return (mirror, suite) of this Debian from apt's configuration; defaults on other systems.

    Args:
        etc: the folder of the system's configuration.
    """
    release = dict(line.partition("=")[::2] for line in _text(etc / "os-release").splitlines())
    if release.get("ID", "").strip('"') != "debian":
        return "http://deb.debian.org/debian", "bookworm"
    suite = release.get("VERSION_CODENAME", "").strip('"') or "stable"
    folder = etc / "apt" / "sources.list.d"
    files = [etc / "apt" / "sources.list", *sorted(folder.glob("*.list")), *sorted(folder.glob("*.sources"))]
    for stanza in "\n\n".join(map(_text, files)).split("\n\n"):
        # One format has stanzas, the other lines; both separate addresses, suites and components by white space.
        lines = [line for line in stanza.splitlines() if not line.lstrip().startswith("#")]
        for words in [line.split() for line in lines] + [" ".join(lines).split()]:
            address = next((word for word in words if re.match(r"https?://", word)), "")
            if address and suite in words and "main" in words:
                return address.rstrip("/"), suite
    return "http://deb.debian.org/debian", suite


def _text(file: Path) -> str:
    return file.read_text("utf-8", "replace") if file.is_file() else ""


def _unpack(package: Path, scratch: Path) -> Installed:
    folder = scratch / "prefix"
    subprocess.run(["dpkg-deb", "-x", str(package), str(folder)], check=True)
    home = scratch / "Jürgen Ōe"
    home.mkdir()
    program = [str(folder / "opt" / "kindred" / "kindred")]
    return Installed(program, program, home, variables={"PATH": str(scratch / "nothing")})


def _newest(dist: Path, pattern: str) -> Path:
    found = sorted(dist.glob(pattern), key=lambda file: file.stat().st_mtime)
    if not found:
        raise Failed(f"there is no {pattern} in {dist}")
    return found[-1]


# Checks


def check_commands(program: Installed) -> None:
    """Import a PDF, search it and compare two sentences on the command line; also as on an old processor."""
    papers = program.outside(program.home) / "Übung 1"
    papers.mkdir()
    copy = shutil.copy(PDF, papers)
    os.chmod(copy, 0o644)
    for name, content in SMALL.items():
        (papers / name).write_bytes(content)
    _say("commands: import, search, themes, compare")
    program.ask("import", str(program.home / "Übung 1"))
    if missing := {PDF.name, *SMALL} - _ready(program):
        raise Failed(f"not imported: {sorted(missing)}")
    if not program.ask("clusters", "--min-size", "2")["clusters"]:
        raise Failed("no themes were found")
    for variables in ({}, OLD_PROCESSOR):
        hits = program.ask("search", QUERY, "--mode", "meaning", **variables)["hits"]
        if not hits or "sea" not in hits[0]["text"]:
            raise Failed(f"the search found {hits[:1]}")
        cosine = program.ask("compare", *PAIR, **variables)["cosine"]
        if abs(cosine - COSINE) > 0.0005:
            raise Failed(f"{PAIR} have the cosine {cosine}, not {COSINE}")
    _say(f"found: {hits[0]['text']}; cosine {cosine:.4f}, also without AVX")


def check_window(program: Installed) -> None:
    """Open the window with a file, wait until it is imported, and check that a second start passes its file on."""
    base = str(program.home / "base")
    extra = [_write(program, f"{name}.txt", text) for name, text in (("tea", TEA), ("fog", FOG))]
    first = subprocess.Popen([*program.window, "--basedir", base, str(extra[0])], env=program.environment())
    try:
        _until(lambda: "tea.txt" in _ready(program), "the window imports a file", first)
        second = subprocess.run([*program.window, "--basedir", base, str(extra[1])], env=program.environment())
        if second.returncode != 0:
            raise Failed(f"a second start ended with {second.returncode}")
        _until(lambda: "fog.txt" in _ready(program), "the window imports the file of a second start", first)
    finally:
        first.terminate()
        first.wait(PATIENCE_S)


TEA = "Water for green tea should not boil.\n\nBlack tea wants water that is as hot as it can be.\n"
FOG = "The lighthouse keeper lit the lamp long before the fog came in.\n"


def check_on_screen(program: Installed, pictures: Path) -> None:
    """Check the same in the window with the keyboard, and capture the screen."""
    if missing := [tool for tool in TOOLS if shutil.which(tool) is None]:
        raise Failed(f"the window cannot be tested without {', '.join(missing)}")
    shutil.rmtree(pictures, ignore_errors=True)
    pictures.mkdir(parents=True)
    base = str(program.home / "base")
    tea, fog = _write(program, "tea.txt", TEA), _write(program, "fog.txt", FOG)
    with _screen() as screen:
        variables = program.environment(DISPLAY=screen.display)
        started_at = time.monotonic()
        first = subprocess.Popen([*program.window, "--basedir", base, str(tea)], env=variables)
        try:
            _until(screen.window, "a window", first)
            _say(f"window: on the screen after {time.monotonic() - started_at:.1f} s")
            _until(lambda: "tea.txt" in _ready(program), "the window imports a file", first)
            _until(lambda: screen.copied("Water for green tea", "how hot is green tea brewed"), "a hit", first)
            screen.picture(pictures / "search.png")
            screen.press("ctrl+shift+d")
            _until(lambda: len(screen.windows()) > 1, "the comparison", first)
            screen.type(PAIR[0])
            screen.press("Tab")
            screen.type(PAIR[1])
            _until(lambda: screen.picture(pictures / "compare.png"), "a picture of the comparison", first)
            screen.press("Escape")
            second = subprocess.run([*program.window, "--basedir", base, str(fog)], env=variables, check=False)
            if second.returncode != 0:
                raise Failed(f"a second start ended with {second.returncode}")
            _until(lambda: "fog.txt" in _ready(program), "the window imports the file of a second start", first)
            _until(lambda: screen.copied("The lighthouse keeper", "a lamp in the mist"), "the hit of that file", first)
            screen.press("ctrl+q")
            if first.wait(PATIENCE_S) != 0:
                raise Failed(f"the window ended with {first.returncode}")
        finally:
            if first.poll() is None:
                screen.picture(pictures / "failed.png")
                first.kill()
                first.wait()
    _say("window: imported a file, found it, compared, imported the file of a second start, closed")


def _write(program: Installed, name: str, text: str) -> Path:
    inside = program.home / "Übung 1" / name
    program.outside(inside).write_text(text, "utf-8")
    return inside


def _ready(program: Installed) -> set[str]:
    try:
        documents = program.ask("documents")["documents"]
    except Failed:
        return set()  # the library is still being created
    return {Path(each["path"]).name for each in documents if each["state"] == "ready"}


def _until(holds: Callable[[], object], what: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not holds():
        if process.poll() is not None:
            raise Failed(f"the program ended with {process.returncode} before {what}")
        if time.monotonic() > end:
            raise Failed(f"timed out waiting: {what}")
        time.sleep(0.2)


@dataclass
class Screen:
    """A display with a window manager, and a user's actions on it."""

    display: str

    def tool(self, *command: str) -> str:
        """Run a tool on the screen; return its output."""
        variables = {**os.environ, "DISPLAY": self.display, "QT_QPA_PLATFORM": "xcb"}
        done = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=120, check=False)
        return done.stdout.strip()

    def windows(self) -> list[str]:
        """Return the program's windows."""
        return self.tool("xdotool", "search", "--onlyvisible", "--class", "^kindred$").split()

    def window(self) -> str:
        """Return the program's window once it has the keyboard focus; empty until then."""
        active = self.tool("xdotool", "getactivewindow")
        return active if active in self.windows() else ""

    def press(self, *keys: str) -> None:
        """Press keys in sequence."""
        self.tool("xdotool", "key", "--delay", "20", *keys)

    def type(self, text: str) -> None:
        """Type a text."""
        self.tool("xdotool", "type", "--delay", "10", text)

    def copied(self, sentence: str, query: str) -> bool:
        """Search for `query`, copy the best hit, and return whether it is `sentence`."""
        self.press("ctrl+f")
        self.type(query)
        end = time.monotonic() + 10
        while time.monotonic() < end:
            self.press("ctrl+c")
            if sentence in self.tool("xclip", "-selection", "clipboard", "-out"):
                return True
            time.sleep(0.5)
        return False

    def picture(self, file: Path) -> bool:
        """Save a picture of the screen; return whether it shows anything."""
        code = (
            "import sys; from PySide6.QtGui import QGuiApplication; app = QGuiApplication(['picture']);"
            "image = app.primaryScreen().grabWindow(0).toImage(); image.save(sys.argv[1]);"
            "print(len({image.pixel(x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)}))"
        )
        colors = self.tool(sys.executable, "-c", code, str(file))
        return colors.isdigit() and int(colors) >= FEWEST_COLORS


@contextlib.contextmanager
def _screen() -> Iterator[Screen]:
    reading, writing = os.pipe()
    nowhere = subprocess.DEVNULL
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-ac", "-noreset"],
        pass_fds=(writing,),
        stdout=nowhere,
        stderr=nowhere,
    )
    os.close(writing)
    with os.fdopen(reading) as pipe:
        screen = Screen(f":{int(pipe.readline())}")
    manager = subprocess.Popen(
        ["openbox"], env={**os.environ, "DISPLAY": screen.display}, stdout=nowhere, stderr=nowhere
    )
    try:
        yield screen
    finally:
        for process in (manager, server):
            process.kill()
            process.wait()


def _say(text: str) -> None:
    print(f"-- {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
