"""Build a bundle and its packages for this system; then test the packages.

`python3 packaging/build.py` needs a C++ compiler and, the first time, the network. It writes only to build/ and dist/.
Before building, it installs or names missing system tools. It fails if the test of the package fails.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

import environment

ROOT = environment.ROOT
BUILD = ROOT / "build"
WORK = BUILD / "work"
BUNDLES = BUILD / "bundle"
DIST = ROOT / "dist"
VENV = BUILD / "venv"
SPEC = ROOT / "packaging" / "bundle" / "kindred.spec"
PROGRAM = "kindred"
# Separate from the environment that runs the program: hnswlib is compiled for every processor here, and again for AVX2
# into a separate folder; bundle/start.py chooses between the two.
_ANYWHERE = {"HNSWLIB_NO_NATIVE": "1"}
_WITH_AVX2 = {"CL": "/arch:AVX2"} if os.name == "nt" else dict.fromkeys(("CFLAGS", "CXXFLAGS"), "-march=x86-64-v3")
FAST_INDEX = "fast_index"
# Debian packages needed to build and test on Linux, with one program of each.
_MAKING = {"binutils": "objdump", "dpkg": "dpkg-deb", "tar": "tar", "xz-utils": "xz"}
_TESTING = {"xvfb": "Xvfb", "openbox": "openbox", "xdotool": "xdotool", "xclip": "xclip"}
_CLEAN_ROOT = {"debootstrap": "debootstrap"}
_WIDE_REGISTERS, _WIDEST_REGISTERS = re.compile(r"%[yz]mm\d"), re.compile(r"%(zmm\d|[xy]mm(1[6-9]|[23]\d))|\{%k\d\}")


def main() -> int:
    """Build and test; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--python", type=Path, help="use this Python, which has all dependencies, instead of setting one up"
    )
    parser.add_argument("--quick", action="store_true", help="minimal compression, for trial builds")
    parser.add_argument("--cuda", action="store_true", help="bundle a torch with CUDA (several GB)")
    parser.add_argument("--no-test", action="store_true", help="build the packages without testing them")
    parser.add_argument("--test-only", action="store_true", help="only test the packages in dist/")
    options = parser.parse_args()
    try:
        if sys.platform.startswith("linux"):
            environment.complete_system(_MAKING | ({} if options.no_test else _testing_tools()))
        python = options.python or _prepare(cuda=options.cuda)
        if not options.test_only:
            build(python, cuda=options.cuda, level=0 if options.quick else 6)
        if not options.no_test:
            test(python)
    except environment.CannotGoOn as error:
        print(f"build: {error}", file=sys.stderr)
        return 3
    except subprocess.CalledProcessError as error:
        print(f"build: {error}", file=sys.stderr)
        return 1
    return 0


def build(python: Path, *, cuda: bool, level: int) -> None:
    """Build the bundle and this system's packages in dist/.

    Args:
        python: Python of an environment with the extra `build`.
        cuda: whether torch must include CUDA; if false, it must not.
        level: compression level, 0 to 9.

    Raises:
        CannotGoOn: a bundle cannot be built from this environment.
        subprocess.CalledProcessError: a step failed.
    """
    _check(python, cuda=cuda)
    for folder in (WORK, BUNDLES):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    DIST.mkdir(exist_ok=True)
    version = _ask(python, "import desktop_app; print(desktop_app.__version__)")
    _say(f"Kindred {version}: icons and menu entry")
    _run_self(python, "assets", version)
    _say("The bundle")
    command = [str(python), "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    command += ["--distpath", str(BUNDLES), "--workpath", str(BUILD / "pyinstaller"), str(SPEC)]
    variables = {**os.environ, "KINDRED_BUILD": str(WORK), "KINDRED_VERSION": version}
    variables["KINDRED_FAST_INDEX"] = str(_fast_index(python) or "")
    subprocess.run(command, check=True, env=variables, cwd=ROOT)
    bundle = BUNDLES / PROGRAM
    _strip(bundle)
    check_instructions(bundle)
    _say(f"{_megabytes(bundle)} MB; packages")
    if sys.platform.startswith("linux"):
        _run_self(python, "linux", version, str(level))
    elif sys.platform == "win32":
        _make_windows(bundle, version)
    else:
        _make_mac(version)
    for file in sorted(each for each in DIST.iterdir() if each.is_file()):
        _say(f"{file.relative_to(ROOT)}  {file.stat().st_size / 1e6:.0f} MB")


def test(python: Path) -> None:
    """Start the packages as a user would, and check the results.

    Raises:
        subprocess.CalledProcessError: a check failed.
    """
    subprocess.run([str(python), str(ROOT / "packaging" / "smoke.py"), str(DIST)], check=True, cwd=ROOT)


def _testing_tools() -> dict[str, str]:
    """Return the tools for testing; debootstrap only where it can run, as root on Debian."""
    can_make = os.geteuid() == 0 and Path("/etc/debian_version").exists()
    return _TESTING | (_CLEAN_ROOT if can_make else {})


def check_instructions(bundle: Path) -> None:
    """Check that the compiled index runs on every 64-bit processor of its architecture.

    The index in the folder `fast_index` is loaded only on processors with AVX2, and must not use anything beyond that.

    Raises:
        CannotGoOn: hnswlib was compiled for this machine's processor.
    """
    disassembler = shutil.which("objdump")
    if disassembler is None or platform.machine() not in ("x86_64", "AMD64"):
        return
    for file in bundle.rglob("hnswlib*"):
        if file.suffix in (".so", ".pyd"):
            code = subprocess.run([disassembler, "-d", str(file)], capture_output=True, text=True, check=True).stdout
            is_fast = file.parent.name == FAST_INDEX
            if found := (_WIDEST_REGISTERS if is_fast else _WIDE_REGISTERS).search(code):
                raise environment.CannotGoOn(
                    f"{file.name} uses {found[0]}, which older processors lack: "
                    "reinstall hnswlib with HNSWLIB_NO_NATIVE=1 and --no-binary hnswlib."
                )


# Steps that need the environment's libraries run in its Python; `build.py` itself runs in any Python.


def assets(version: str) -> None:
    """Write the icons and, for Windows, the version information."""
    import icons

    svg = ROOT / "resources" / "icons" / "kindred.svg"
    (WORK / "kindred.ico").write_bytes(icons.ico(svg))
    (WORK / "kindred.icns").write_bytes(icons.icns(svg))
    numbers = (*(int(part) for part in re.findall(r"\d+", version)[:3]), 0)
    texts = {"ProductName": "Kindred", "FileDescription": "Kindred", "FileVersion": version, "ProductVersion": version}
    table = ", ".join(f"StringStruct({name!r}, {text!r})" for name, text in texts.items())
    (WORK / "version.txt").write_text(
        f"VSVersionInfo(ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}), kids=[StringFileInfo("
        f"[StringTable('040904B0', [{table}])]), VarFileInfo([VarStruct('Translation', [1033, 1200])])])\n",
        "utf-8",
    )


def linux(version: str, level: str) -> None:
    """Write the .deb and the .tar.xz."""
    import linux_packages

    sys.path.insert(0, str(ROOT))
    from desktop_app.cli.launcher import format_desktop_entry, list_search_files

    machine = platform.machine()
    shared = WORK / "shared"
    svg = ROOT / "resources" / "icons" / "kindred.svg"
    linux_packages.write_shared(shared, "/usr/bin/kindred", svg, format_desktop_entry(["/usr/bin/kindred"]))
    for name, text in list_search_files().items():
        file = shared / "share" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    documents = shared / "share" / "doc" / "kindred"
    documents.mkdir(parents=True)
    shutil.copy(ROOT / "LICENSE", documents / "copyright")
    deb = DIST / f"kindred_{version}_{machine}.deb"
    linux_packages.make_deb(BUNDLES / PROGRAM, shared, WORK / "deb", deb, version, level=int(level))
    linux_packages.make_tar(BUNDLES / PROGRAM, DIST / f"kindred-{version}-linux-{machine}.tar.xz", level=int(level))


def _strip(bundle: Path) -> None:
    """Strip the largest debugging symbols. Libraries that a wheel has patched would break."""
    if tool := shutil.which("strip") if sys.platform.startswith("linux") else None:
        for pattern in ("libpython3*.so*", "hnswlib*.so"):
            for file in (bundle / "_internal").rglob(pattern):
                subprocess.run([tool, "--strip-unneeded", str(file)], check=True)


def _make_windows(bundle: Path, version: str) -> None:
    compiler = shutil.which("iscc") or r"C:\Program Files (x86)\Inno Setup 6\ISCC.exe"
    if not Path(compiler).exists():
        raise environment.CannotGoOn("Inno Setup 6 is not installed. It is needed to build the installer.")
    script = ROOT / "packaging" / "bundle" / "kindred.iss"
    (WORK / "file_types.iss").write_text(offer_file_types(), "utf-8")
    command = [compiler, f"/DVersion={version}", f"/DBundle={bundle}", f"/DIcon={WORK / 'kindred.ico'}"]
    if signing := os.environ.get("KINDRED_SIGNTOOL"):
        command += [f"/Skindred={signing}", "/DSigned"]
    subprocess.run([*command, f"/O{DIST}", str(script)], check=True)


def offer_file_types() -> str:
    """Return the lines of the Windows installer that offer Kindred for every suffix it reads."""
    sys.path.insert(0, str(ROOT))
    from desktop_app.core.formats import FORMATS

    return "".join(f'#emit Offer("{suffix}")\n' for each in FORMATS.values() for suffix in each.suffixes)


def _make_mac(version: str) -> None:
    """Sign the .app (for this machine only if no identity is given) and put it into a disk image."""
    application = BUNDLES / "Kindred.app"
    identity = os.environ.get("KINDRED_CODESIGN_IDENTITY") or "-"
    sign = ["codesign", "--force", "--deep", "--sign", identity]
    if identity != "-":
        rights = ROOT / "packaging" / "bundle" / "entitlements.plist"
        sign += ["--options", "runtime", "--timestamp", "--entitlements", str(rights)]
    subprocess.run([*sign, str(application)], check=True)
    image = DIST / f"Kindred-{version}-macos-{platform.machine()}.dmg"
    image.unlink(missing_ok=True)
    create = ["hdiutil", "create", "-volname", "Kindred", "-srcfolder", str(application), "-format", "ULFO"]
    subprocess.run([*create, str(image)], check=True)
    if profile := os.environ.get("KINDRED_NOTARY_PROFILE"):
        submit = ["xcrun", "notarytool", "submit", str(image), "--keychain-profile", profile, "--wait"]
        subprocess.run(submit, check=True)
        subprocess.run(["xcrun", "stapler", "staple", str(image)], check=True)


def _fast_index(python: Path) -> Path | None:
    """Return the folder of the index compiled for AVX2, or None if there is none."""
    folder = python.absolute().parents[1] / FAST_INDEX
    return folder if folder.is_dir() else None


def _prepare(*, cuda: bool) -> Path:
    """Return the Python of build/venv, set up first if it is missing or outdated."""
    python = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = VENV / "ready.txt"
    wanted = f"{environment.fingerprint()} {FAST_INDEX} {'CUDA' if cuda else ''}".strip()
    if python.exists() and stamp.exists() and stamp.read_text("utf-8") == wanted:
        return python
    _say("Setting up build/venv (only once): about 2 GB, a few minutes.")
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], check=True)
    constraints = str(ROOT / "packaging" / "constraints.txt")
    install = [str(python), "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"]
    install += ["--constraint", constraints]
    if sys.platform.startswith("linux") and not cuda:
        subprocess.run(
            [*install, "--no-deps", "--extra-index-url", environment.TORCH_WITHOUT_CUDA, "torch"], check=True
        )
    compiled = [*install, "--no-cache-dir", "--no-binary", "hnswlib"]
    subprocess.run([*compiled, "hnswlib"], check=True, env={**os.environ, **_ANYWHERE})
    if platform.machine() in ("x86_64", "AMD64") and sys.platform != "darwin":
        _say("The index for processors with AVX2")
        there = ["--no-deps", "--target", str(VENV / FAST_INDEX)]
        subprocess.run([*compiled, *there, "hnswlib"], check=True, env={**os.environ, **_ANYWHERE, **_WITH_AVX2})
    subprocess.run([*install, "--editable", f"{ROOT}[build]"], check=True)
    stamp.write_text(wanted, "utf-8")
    return python


def _check(python: Path, *, cuda: bool) -> None:
    version = _ask(python, "import torch; print(torch.version.cuda or '')")
    if bool(version) != cuda:
        has, wants = (f"CUDA {version}" if version else "no CUDA"), "--cuda" if cuda else "no --cuda"
        raise environment.CannotGoOn(
            f"torch has {has}, but {wants} was requested. "
            "See packaging/README.md for installing the right one into build/venv."
        )


def _ask(python: Path, code: str) -> str:
    done = subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    return done.stdout.strip()


def _run_self(python: Path, step: str, *arguments: str) -> None:
    code = f"import build, sys; build.{step}(*sys.argv[1:])"
    variables = {**os.environ, "PYTHONPATH": str(ROOT / "packaging"), "QT_QPA_PLATFORM": "offscreen"}
    subprocess.run([str(python), "-c", code, *arguments], check=True, env=variables, cwd=ROOT)


def _megabytes(folder: Path) -> int:
    return sum(file.lstat().st_size for file in folder.rglob("*")) // 1_000_000


def _say(text: str) -> None:
    print(f"== {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
