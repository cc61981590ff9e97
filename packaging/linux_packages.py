"""Build a .deb and a .tar.xz from a bundle."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import icons

if TYPE_CHECKING:
    from pathlib import Path

_CONTROL = """\
Package: kindred
Version: {version}
Architecture: {architecture}
Maintainer: Kindred developers
Installed-Size: {kilobytes}
Depends: {depends}
Section: text
Priority: optional
Description: search your own documents by meaning
 Kindred reads PDFs and other documents, and finds sentences by meaning, even
 when the wording is different. Nothing leaves your computer.
"""
# Refresh the caches of menus and file managers; where these programs are missing, they refresh on their own.
_TRIGGER = """\
#!/bin/sh
set -e
if command -v update-desktop-database >/dev/null; then update-desktop-database -q /usr/share/applications || true; fi
if command -v gtk-update-icon-cache >/dev/null; then gtk-update-icon-cache -q -f /usr/share/icons/hicolor || true; fi
"""


def write_shared(root: Path, program: str, svg: Path, entry: str) -> None:
    """Write the menu entry and icons below `root`, which becomes /usr of a package.

    Args:
        root: folder that becomes /usr.
        program: the program that the entry starts, an absolute path or a name on the path.
        svg: the icon.
        entry: text of the desktop entry.

    Raises:
        subprocess.CalledProcessError: the entry is invalid.
    """
    assert program in entry
    file = root / "share" / "applications" / "kindred.desktop"
    file.parent.mkdir(parents=True)
    file.write_text(entry, "utf-8")
    if tool := shutil.which("desktop-file-validate"):
        subprocess.run([tool, str(file)], check=True)
    for size in icons.SIZES_PX:
        picture = root / f"share/icons/hicolor/{size}x{size}/apps/kindred.png"
        picture.parent.mkdir(parents=True)
        picture.write_bytes(icons.png(svg, size))
    scalable = root / "share/icons/hicolor/scalable/apps/kindred.svg"
    scalable.parent.mkdir(parents=True)
    shutil.copy(svg, scalable)


def depends(bundle: Path) -> str:
    """Return the Debian packages that the bundle's libraries need, in the format of `Depends`.

    Reads the libraries themselves: a library that they name and the bundle lacks must come from the system.
    """
    files = [file for file in bundle.rglob("*") if file.is_file() and re.search(r"\.so(\.|$)", file.name)]
    own = {file.name for file in files}
    needed: set[str] = set()
    for file in [*files, bundle / "kindred"]:
        output = subprocess.run(["objdump", "-p", str(file)], capture_output=True, text=True, check=False).stdout
        needed |= set(re.findall(r"NEEDED\s+(\S+)", output))
    packages: set[str] = set()
    for name in sorted(needed - own):
        output = subprocess.run(["dpkg", "-S", f"*/{name}"], capture_output=True, text=True, check=False).stdout
        found = {line.partition(":")[0] for line in output.splitlines() if not line.startswith("diversion")}
        packages |= set(sorted(found)[:1])
    packages.discard("libc6")
    libc = os.confstr("CS_GNU_LIBC_VERSION") or "glibc 2.31"
    # Since Debian 13 some have another name; either satisfies the dependency.
    rest = [f"{package} | {package}t64" if package.endswith("-0") else package for package in sorted(packages)]
    return ", ".join([f"libc6 (>= {libc.split()[-1]})", *rest])


def make_deb(bundle: Path, shared: Path, work: Path, target: Path, version: str, *, level: int) -> None:
    """Write a .deb of `bundle` (into /opt/kindred) and `shared` (into /usr).

    Args:
        bundle: the one-folder bundle.
        shared: the folder written by `write_shared`.
        work: an empty folder for the package's tree.
        target: the file to write.
        version: version of the program.
        level: compression level of xz, 0 to 9.

    Raises:
        subprocess.CalledProcessError: dpkg-deb failed.
    """
    shutil.copytree(bundle, work / "opt" / "kindred", symlinks=True, copy_function=_link)
    shutil.copytree(shared, work / "usr")
    (work / "usr" / "bin").mkdir()
    (work / "usr" / "bin" / "kindred").symlink_to("/opt/kindred/kindred")
    control = work / "DEBIAN"
    control.mkdir()
    size = sum(file.lstat().st_size for file in work.rglob("*")) // 1024
    architecture = subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True).stdout
    (control / "control").write_text(
        _CONTROL.format(version=version, architecture=architecture.strip(), kilobytes=size, depends=depends(bundle)),
        "utf-8",
    )
    for name in ("postinst", "postrm"):
        script = control / name
        script.write_text(_TRIGGER, "utf-8")
        script.chmod(0o755)
    command = ["dpkg-deb", "--root-owner-group", "-Zxz", f"-z{level}", "--build", str(work), str(target)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def make_tar(bundle: Path, target: Path, *, level: int) -> None:
    """Write a .tar.xz of `bundle` that contains one folder `kindred`.

    Raises:
        subprocess.CalledProcessError: tar or xz failed.
    """
    command = ["tar", "--owner=0", "--group=0", "--sort=name", "-C", str(bundle.parent), "-cJf", str(target)]
    subprocess.run([*command, bundle.name], check=True, env={**os.environ, "XZ_OPT": f"-{level} -T0"})


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
