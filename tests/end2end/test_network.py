"""Nothing leaves the machine: the system calls of commands and of the window, on documents that name remote things.

A document may name images, fonts, styles, scripts and frames elsewhere, in the network or among other files. None of
them is fetched, neither when it is imported nor when it is read.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S
from tests.text import makers

ROOT = Path(__file__).parents[2]
HOSTS = ("http://192.0.2.1/", "//192.0.2.1/share/", "https://fetched.invalid/", "file:///", "")
"""Where the remote things are: by address, on a shared folder, by name, among the files of this machine."""
CANARIES = ("canary.png", "canary.css", "canary.js", "canary.frame", "canary.ttf", "canary.svg", "canary.dtd")
PROSE = "The heron stands still in the shallow water. It waits for a fish that does not see it."

_PROBE = "import socket; s = socket.socket(); s.settimeout(1); s.connect_ex(('127.0.0.1', 9))"
_STRACE = ("strace", "-f", "--seccomp-bpf", "-qq", "-s", "300", "-e", "trace=socket,connect,sendto,sendmsg,openat")


def _can_trace() -> bool:
    if shutil.which("strace") is None:
        return False
    done = subprocess.run([*_STRACE, "true"], capture_output=True, timeout=PATIENCE_S, check=False)
    return done.returncode == 0


pytestmark = pytest.mark.skipif(not _can_trace(), reason="needs strace, and the right to trace")


def _web_page(base: str) -> str:
    return f"""<!DOCTYPE html [<!ENTITY remote SYSTEM "{base}canary.dtd">]><html xmlns:xlink="http://www.w3.org/1999/xlink">
<head><title>Herons</title><base href="{base}"><link rel="stylesheet" href="{base}canary.css">
<link rel="prefetch" href="{base}canary.frame"><meta http-equiv="refresh" content="0; url={base}canary.frame">
<style>@import url({base}canary.css); @font-face {{ font-family: F; src: url({base}canary.ttf) }}
p {{ background: url({base}canary.png); font-family: F }}</style><script src="{base}canary.js"></script></head>
<body background="{base}canary.png"><p>{PROSE} <img src="{base}canary.png" srcset="{base}canary.png 2x" alt="A heron">
<a href="{base}canary.frame" ping="{base}canary.frame">A link to it.</a></p><iframe src="{base}canary.frame"></iframe>
<object data="{base}canary.svg"></object><embed src="{base}canary.svg"><video poster="{base}canary.png"></video>
<svg><image xlink:href="{base}canary.png"/><use href="{base}canary.svg#x"/></svg>&remote;</body></html>"""


def _write_documents(folder: Path, hosts: Sequence[str] = HOSTS) -> list[str]:
    """Write a document of each format that can name other files, for each kind of place; return their names."""
    folder.mkdir()
    names = []
    for number, host in enumerate(hosts):
        base = f"file://{folder}/" if host == "file:///" else host
        page = _web_page(base)
        link = (
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" '
            'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}" '
            'Target="{base}canary.{suffix}" TargetMode="External"/></Relationships>'
        )
        picture = '<w:p><w:r><w:fldSimple w:instr=" INCLUDEPICTURE &quot;{base}canary.png&quot; "/></w:r></w:p>'
        documents: dict[str, str | bytes] = {
            "page.html": page,
            "book.epub": makers.epub({"one.xhtml": page, "two.xhtml": f"<p>{PROSE}</p>"}),
            "notes.md": f"# Herons\n\n{PROSE} ![x]({base}canary.png) [y]({base}canary.frame)\n\n"
            f"<img src='{base}canary.png'>\n",
            "letter.docx": makers.docx(
                makers.paragraph(PROSE) + picture.format(base=base),
                more={
                    "word/_rels/document.xml.rels": link.format(kind="image", base=base, suffix="png"),
                    "word/_rels/settings.xml.rels": link.format(kind="attachedTemplate", base=base, suffix="frame"),
                },
            ),
            "text.odt": makers.odt(
                f'<text:p>{PROSE}<draw:image xmlns:draw="d" xmlns:xlink="http://www.w3.org/1999/xlink" '
                f'xlink:href="{base}canary.png"/></text:p>'
            ),
            "text.rtf": rf'{{\rtf1\ansi {PROSE}{{\field{{\*\fldinst INCLUDEPICTURE "{base}canary.png"}}}}\par}}',
            "mail.eml": f"From: a@b.example\nSubject: Herons\nContent-Type: text/html; charset=utf-8\n\n{page}",
            "paper.pdf": _pdf(f"{base}canary.frame"),
        }
        if host == HOSTS[0]:  # read like the other packages of XML
            picture = {"ppt/slides/_rels/a.xml.rels": link.format(kind="image", base=base, suffix="png")}
            documents["slides.pptx"] = makers.pptx({"a.xml": makers.shape(PROSE)}, more=picture)
            documents["slides.odp"] = makers.odp(
                f'<draw:page>{makers.frame(PROSE)}<draw:frame><draw:image xmlns:xlink="http://www.w3.org/1999/xlink" '
                f'xlink:href="{base}canary.png"/></draw:frame></draw:page>'
            )
        for name, content in documents.items():
            names.append(f"{number} {name}")
            (folder / names[-1]).write_bytes(content.encode() if isinstance(content, str) else content)
    for name in CANARIES:
        shutil.copy(ROOT / "resources" / "icons" / "kindred.svg", folder / name)
    return names


def _pdf(address: str) -> bytes:
    """A page with a sentence, an action that runs when it is opened, and a link."""
    text = f"BT /F1 12 Tf 72 700 Td ({PROSE}) Tj ET".encode()
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /URI /URI ({address}) >> >>".encode(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> /Annots [6 0 R] >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(text), text),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        f"<< /Type /Annot /Subtype /Link /Rect [0 0 99 99] /A << /S /GoToR /F ({address}) >> >>".encode(),
    ]
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, each in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)


def _start(log: Path, *command: str) -> subprocess.Popen[str]:
    # The program itself must know that it fetches nothing, whatever the environment of the tests says.
    usual = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "TRANSFORMERS_"))}
    return subprocess.Popen(
        [*_STRACE, "-o", str(log), *command],
        cwd=ROOT,
        env=usual | {"PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _trace(log: Path, *command: str) -> subprocess.CompletedProcess[str]:
    with _start(log, *command) as process:
        out, err = process.communicate(timeout=PATIENCE_S)
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def _reached(log: Path) -> list[str]:
    """Return the calls that reach for the network, or for a file that a document names."""
    wanted = re.compile(r"AF_INET|AF_PACKET|" + "|".join(map(re.escape, CANARIES)))
    return [line for line in log.read_text("utf-8", "replace").splitlines() if wanted.search(line)]


def test_the_trace_shows_what_it_is_for(tmp_path: Path) -> None:
    """Otherwise the tests below could not fail."""
    log = tmp_path / "log"
    _trace(log, sys.executable, "-c", _PROBE)
    assert any("connect(" in line for line in _reached(log))
    (tmp_path / "canary.png").touch()
    _trace(log, sys.executable, "-c", f"open({str(tmp_path / 'canary.png')!r})")
    assert any("canary.png" in line for line in _reached(log))


# One after the other in one process: each start takes seconds of imports.
_COMMANDS = """
import json, sys
from desktop_app.__main__ import main
sys.exit(max(main(command) for command in json.loads(sys.argv[1])))
"""


_QUESTIONS = "".join(
    json.dumps({"jsonrpc": "2.0", **message}) + "\n"
    for message in (
        {
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"},
            },
        },
        {"method": "notifications/initialized"},
        {
            "id": 2,
            "method": "tools/call",
            "params": {"name": "search", "arguments": {"query": "a bird that waits for fish"}},
        },
        {"id": 3, "method": "tools/call", "params": {"name": "list_documents", "arguments": {}}},
    )
)


def test_commands_fetch_nothing(tmp_path: Path) -> None:
    names = _write_documents(tmp_path / "papers")
    base = ("--basedir", str(tmp_path / "base"))
    listed = tmp_path / "list.bib"
    listed.write_text(
        "".join(
            f"@book{{k{number}, title={{Herons}}, doi={{10.1000/{number}}}, url={{{host}canary.frame}}, "
            f"file={{{host}canary.frame;:{host}canary.png:image/png}}}}\n"
            for number, host in enumerate(HOSTS)
        )
    )
    commands = [
        [*base, "import", str(tmp_path / "papers")],
        [*base, "search", "a bird that waits for fish"],
        [*base, "references", "import", str(listed)],
        [*base, "references", "--output", str(tmp_path / "list.ris")],
        [*base, "references", "--style", "mla"],
        [*base, "mcp"],
    ]
    log = tmp_path / "log"
    answers = []
    with _start(log, sys.executable, "-c", _COMMANDS, json.dumps(commands)) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        # The last command is asked by an assistant over standard input, which stays open until all is answered.
        program.stdin.write(_QUESTIONS)
        program.stdin.flush()
        out = ""
        for line in program.stdout:
            answers += [line] if line.startswith('{"jsonrpc"') else []
            out += line
            if len(answers) == _QUESTIONS.count('"id"'):
                break
        rest, err = program.communicate(timeout=PATIENCE_S)
    assert program.returncode == 0, out + rest + err
    assert f"{len(names)} imported" in out
    assert PROSE.partition(".")[0] in out.partition('{"jsonrpc"')[0]
    assert PROSE.partition(".")[0] in "".join(answers)
    assert all(name in log.read_text("utf-8", "replace") for name in names), "the trace includes the readers"
    assert _reached(log) == []


_WINDOW = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from desktop_app.__main__ import main
from desktop_app.gui.shell import main_window
if __name__ == "__main__":
    shown = []
    def steps(window):
        while window.session.phase != "ready":
            yield
        states = lambda: window.session.status.library.states if window.session.status else {}
        while states() != {"ready": int(sys.argv[2])}:
            yield
        job = window.session.workspace.read(lambda library: library.documents.fetch())
        while not job.is_finished:
            yield
        for document in job.result:
            reader = window.reader
            window.reader_controller.open_document(document)
            while reader.shown is None or reader.shown.document_id != document.document_id:
                yield
            for _ in range(6):  # painted, and what a text could load is loaded
                yield
            shown.append(document.path)
        window.action_table["app.manual"].trigger()
        window.context.navigator.search_for.emit("a bird that waits")
        while not window.search_pane.model.rowCount():
            yield
        window.close()
    class Window(main_window.MainWindow):
        def showEvent(self, event):
            super().showEvent(event)
            if not hasattr(self, "driver"):
                course = steps(self)
                self.driver = QTimer(self, interval=15)
                self.driver.timeout.connect(lambda: next(course, None))
                self.driver.start()
    Window.__name__ = Window.__qualname__ = "MainWindow"
    main_window.MainWindow = Window
    status = main(["--basedir", sys.argv[1], *sys.argv[3:]])
    print("shown", len(shown), "status", status)
"""


def test_the_window_fetches_nothing(tmp_path: Path) -> None:
    names = _write_documents(tmp_path / "papers", HOSTS[::2])
    log = tmp_path / "window.log"
    script = tmp_path / "window.py"
    script.write_text(_WINDOW, "utf-8")
    arguments = (str(tmp_path / "base"), str(len(names)), str(tmp_path / "papers"))
    done = _trace(log, sys.executable, str(script), *arguments)
    assert f"shown {len(names)} status 0" in done.stdout, done.stdout[-2000:] + done.stderr[-4000:]
    assert _reached(log) == []
