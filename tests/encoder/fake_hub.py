"""A server on this machine that answers like the hub, for one model."""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

SHA = "c" * 40


class Hub:
    """Serves the files of `folder` as the model `name`.

    Attributes:
        asked: (method, path) of each request.
        ranges: the start of each request for the rest of a file.
        breaks_after: bytes of a file after which the connection breaks; None: it does not.
        status: another answer to every request.
        login_page: what a network that wants a login answers to every request; empty: it does not.
        checksums: wrong ones, by the names of files.
        store: where files are, if requests for them are redirected; empty: they are not.
        before_weights: called before weights are sent.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self.name = name
        self.asked: list[tuple[str, str]] = []
        self.ranges: list[int] = []
        self.breaks_after: int | None = None
        self.status = 200
        self.login_page = ""
        self.checksums: dict[str, str] = {}
        self.store = ""
        self.before_weights: Callable[[], None] = lambda: None
        hub = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def do_HEAD(self) -> None:
                self._answer(body=False)

            def do_GET(self) -> None:
                self._answer(body=True)

            def _answer(self, *, body: bool) -> None:
                path = unquote(urlsplit(self.path).path)
                hub.asked.append((self.command, path))
                if hub.login_page:
                    self._send(200, hub.login_page.encode(), {"Content-Type": "text/html"}, body)
                elif hub.status != 200:
                    self._send(hub.status, b"", {"X-Error-Code": "RepoNotFound"} if hub.status == 404 else {}, body)
                elif path.startswith("/api/models/"):
                    self._send(200, json.dumps(hub.listing()).encode(), {"Content-Type": "application/json"}, body)
                elif hub.store and not path.startswith(hub.store):
                    self._send(302, b"", {"Location": f"{hub.endpoint}{hub.store}{path}"}, body)
                else:
                    self._send_file(hub.folder / path.partition(f"/{SHA}/")[2], body)

            def _send_file(self, file: Path, body: bool) -> None:
                content = file.read_bytes()
                headers = {
                    "ETag": f'"{hashlib.sha256(content).hexdigest()}"',
                    "X-Repo-Commit": SHA,
                    "Accept-Ranges": "bytes",
                }
                start, status = 0, 200
                if body and (asked := self.headers.get("Range")):
                    start, status = int(asked.removeprefix("bytes=").partition("-")[0]), 206
                    hub.ranges.append(start)
                    if start >= len(content):
                        self._send(416, b"", {"Content-Range": f"bytes */{len(content)}"}, body)
                        return
                    headers["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
                if body and file.suffix == ".safetensors":
                    hub.before_weights()
                self._send(status, content[start:], headers, body)

            def _send(self, status: int, content: bytes, headers: dict[str, str], body: bool) -> None:
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(content))}.items():
                    self.send_header(name, value)
                self.end_headers()
                if not body:
                    return
                if hub.breaks_after is not None and len(content) > hub.breaks_after:
                    content = content[: hub.breaks_after]
                    hub.status = 503  # and is unavailable for a while
                    self.close_connection = True
                self.wfile.write(content)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.endpoint = f"http://127.0.0.1:{self._server.server_port}"

    def listing(self) -> dict[str, object]:
        files = sorted(p for p in self.folder.rglob("*") if p.is_file())
        siblings = [self._describe(file) for file in files]
        return {"id": self.name, "modelId": self.name, "sha": SHA, "siblings": siblings, "tags": []}

    def _describe(self, file: Path) -> dict[str, object]:
        name, content = file.relative_to(self.folder).as_posix(), file.read_bytes()
        known: dict[str, object] = {"rfilename": name, "size": len(content)}
        git = self.checksums.get(name) or hashlib.sha1(f"blob {len(content)}\0".encode() + content).hexdigest()
        if file.suffix == ".safetensors":
            sha256 = self.checksums.get(name) or hashlib.sha256(content).hexdigest()
            return {**known, "blobId": git, "lfs": {"sha256": sha256, "size": len(content), "pointerSize": 134}}
        return {**known, "blobId": git}

    @contextlib.contextmanager
    def serving(self) -> Iterator[Hub]:
        thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join()
