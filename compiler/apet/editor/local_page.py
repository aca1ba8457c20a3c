"""The server behind `apet serve`: bound to loopback, for whoever has the token, with limits on every request.

The page asks with the token in a header, which other sites cannot set; the names that a browser may ask for are checked
against rebinding of names. Pages made from a model are shown in a frame without an origin. Connections are few, and
each has to send its request in time, so that a neighbour without the token cannot keep the server busy for long.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import secrets
import socket
import threading
from collections import OrderedDict
from collections.abc import Iterable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

from apet.editor.document import KEYWORDS
from apet.editor.worker import PageRequest, Worker
from apet.ground import resources
from apet.model.terms import BUILTINS, FUNCTIONS

MOST_POSTED = 1 << 20
"""Bytes of a request."""
PATIENCE = 30
"""Seconds that a client may take to send a request, all of it."""
MOST_CONNECTIONS = 32
"""Requests that are read or answered at a time; others are closed at once."""
PAGE = "editor.html"
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; frame-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
SHOWN_POLICY = (
    "sandbox allow-scripts; default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "frame-ancestors 'self'"
)
"""Of a page made from a model: it has no origin; its own policy names its scripts."""
MOST_PAGES = 8
"""Pages that can be shown; the oldest goes for the next."""
ASSETS = {"/colours.js": "text/javascript", "/editor.js": "text/javascript", "/editor.css": "text/css"}
GRAMMAR = "pamela.tmLanguage.json"


class PageServer(ThreadingHTTPServer):
    """Serves one person on this machine. `address` is what to open; `start` is the text to begin with.

    `operations` are names of the machine model, for completion.
    """

    daemon_threads = True
    allow_reuse_address = True

    def __init__(
        self, port: int, model: str, machines: str, worker: Worker | None = None, operations: Iterable[str] = ()
    ) -> None:
        super().__init__(("127.0.0.1", port), PageRequestHandler)
        self.token = secrets.token_urlsafe(24)
        self.worker = worker or Worker()
        self.examples = [name for name in resources.names("samples") if name.endswith(".pam")]

        grammar = json.loads(resources.data_text("grammar", GRAMMAR))
        words = ["send", *KEYWORDS, *BUILTINS, *FUNCTIONS, *sorted(operations)]
        self.start = {
            "model": model,
            "machines": machines,
            "examples": self.examples,
            "grammar": grammar,
            "words": words,
        }

        self.pages: OrderedDict[str, str] = OrderedDict()
        self._free = threading.BoundedSemaphore(MOST_CONNECTIONS)

    def process_request(self, request: Any, client_address: Any) -> None:
        """A thread for the connection, if there are not too many."""
        if not self._free.acquire(blocking=False):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """The connection's thread; its place is free afterwards."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Nothing: a connection that broke is no news; the terminal belongs to the person."""

    def keep(self, page: str) -> str:
        """The path under which a page can be shown, until some more are made."""
        path = f"/shown/{secrets.token_urlsafe(24)}"
        self.pages[path] = page
        while len(self.pages) > MOST_PAGES:
            self.pages.popitem(last=False)
        return path

    @property
    def address(self) -> str:
        """With the token, which the page keeps and takes out of the address bar."""
        return f"http://127.0.0.1:{self.server_address[1]}/?token={self.token}"

    def server_close(self) -> None:
        """Also end the process that makes pages."""
        super().server_close()
        self.worker.close()


class PageRequestHandler(BaseHTTPRequestHandler):
    """One request."""

    server: PageServer
    timeout: ClassVar[int] = PATIENCE
    server_version = "apet"
    sys_version = ""

    def setup(self) -> None:
        """Begin to count the time that sending the request may take."""
        super().setup()
        self._deadline = threading.Timer(PATIENCE, self._hang_up)
        self._deadline.daemon = True
        self._deadline.start()

    def finish(self) -> None:
        """The answer is out."""
        self._deadline.cancel()
        super().finish()

    def do_GET(self) -> None:
        """The editor and its assets; the editor only with the token."""
        self._deadline.cancel()
        if not self._meant_for_us():
            return
        try:
            where = urlsplit(self.path)
        except ValueError:
            self._refuse(HTTPStatus.BAD_REQUEST, "this is no address")
            return

        if where.path in ASSETS:
            self._answer(_asset(where.path[1:]), ASSETS[where.path])
        elif (page := self.server.pages.get(where.path)) is not None:
            self._answer(page, "text/html", policy=SHOWN_POLICY)
        elif where.path != "/":
            self._refuse(HTTPStatus.NOT_FOUND, "there is nothing here")
        elif not self._knows(parse_qs(where.query).get("token", [""])[0]):
            self._refuse(HTTPStatus.FORBIDDEN, "open the address that apet serve printed, with its token")
        else:
            self._answer(_asset(PAGE), "text/html")

    def do_POST(self) -> None:
        """`/start`: the text to begin with; `/example`: that of a shipped sample; `/page`: the page about a text."""
        if not self._meant_for_us():
            return
        if not self._knows(self.headers.get("X-Apet-Token", "")):
            self._refuse(HTTPStatus.FORBIDDEN, "wrong token")
            return
        body = self._body()
        self._deadline.cancel()
        if body is None:
            return

        if self.path == "/start":
            self._answer_json(self.server.start)
        elif self.path == "/example" and body.get("name") in self.server.examples:
            self._answer_json({"model": resources.data_text("samples", body["name"])})
        elif self.path == "/page":
            self._page(body)
        else:
            self._refuse(HTTPStatus.NOT_FOUND, "there is nothing here")

    def log_message(self, format: str, *values: object) -> None:
        """Nothing: the terminal belongs to the person."""

    def _page(self, body: dict[str, Any]) -> None:
        texts = [body.get(key, usual) for key, usual in (("model", ""), ("machines", ""), ("settings", ""))]
        choices = [body.get(key, usual) for key, usual in (("branches", "probability"), ("schedule", "static"))]
        if not all(isinstance(text, str) for text in (*texts, *choices)):
            self._refuse(HTTPStatus.BAD_REQUEST, "model, machines, settings, branches and schedule are texts")
            return

        settings = tuple(line.strip() for line in texts[2].splitlines() if line.strip())
        request = PageRequest(texts[0], texts[1], settings, choices[0], choices[1], body.get("thorough") is True)
        answer = self.server.worker.make(request)
        path = self.server.keep(answer.page) if answer.page else ""
        self._answer_json({"page": path, "mistakes": answer.plain()})

    # Who may ask

    def _meant_for_us(self) -> bool:
        port = self.server.server_address[1]
        ours = (f"127.0.0.1:{port}", f"localhost:{port}")
        hosts, origins = (self.headers.get_all(name, []) for name in ("Host", "Origin"))

        # a script of another site shows itself by its Origin, a name rebound to this machine by its Host
        ours_alone = len(hosts) == 1 and hosts[0] in ours
        if ours_alone and all(origin in [f"http://{name}" for name in ours] for origin in origins):
            return True

        self._refuse(HTTPStatus.FORBIDDEN, "this server answers its own page only")
        return False

    def _knows(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(), self.server.token.encode())

    def _body(self) -> dict[str, Any] | None:
        try:
            length = int(self.headers.get("Content-Length", ""))
        except ValueError:
            self._refuse(HTTPStatus.LENGTH_REQUIRED, "the length is missing")
            return None
        if not 0 <= length <= MOST_POSTED:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"more than {MOST_POSTED:,} bytes")
            return None
        try:
            body = json.loads(self.rfile.read(length) or b"{}")
            json.dumps(body, ensure_ascii=False).encode()  # no halves of surrogate pairs, which no text file holds
        except (ValueError, RecursionError):
            body = None
        if not isinstance(body, dict):
            self._refuse(HTTPStatus.BAD_REQUEST, "this is no JSON object")
            return None

        return body

    def _hang_up(self) -> None:
        """End what a client sends; whoever reads it sees its end."""
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    # Answers

    def _answer_json(self, value: dict[str, Any]) -> None:
        self._answer(json.dumps(value), "application/json")

    def _answer(self, text: str, kind: str, status: HTTPStatus = HTTPStatus.OK, policy: str = POLICY) -> None:
        data = text.encode()
        self.send_response(status)
        for name, value in (
            ("Content-Type", f"{kind}; charset=utf-8"),
            ("Content-Length", str(len(data))),
            ("Content-Security-Policy", policy),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cache-Control", "no-store"),
        ):
            self.send_header(name, value)

        self.end_headers()
        self.wfile.write(data)

    def _refuse(self, status: HTTPStatus, reason: str) -> None:
        self.close_connection = True
        self._answer(reason + "\n", "text/plain", status)


def _asset(name: str) -> str:
    return files("apet.editor").joinpath(name).read_text(encoding="utf-8")
