"""A web server for one person on this machine. Read `Loopback`.

It listens on the loopback interface only. Its address contains a secret token. A request is refused unless it names the server by
its own address (`Host`: other pages cannot reach it by a host name of their own that resolves to it), comes from one of its own
pages or from none (`Origin`, `Sec-Fetch-Site`), contains the token, and asks for one of the pages offered. It reads (GET or
HEAD), or sends a little JSON (POST) to a taker. Paths are compared, never opened.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from email.message import Message
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

HOST = "127.0.0.1"
NAMES = (HOST, "localhost")
PATIENCE = 10.0
"""Seconds after which an idle connection is closed."""
LARGEST = 4096
"""Bytes that a request may send."""
_THROWN = 1 << 20
"""Bytes of an oversized request that are read before it is refused; a connection closed at once would lose the answer."""


class Page(NamedTuple):
    """The response to a request: its type, its bytes, its content security policy, and its status."""

    kind: str
    body: bytes
    policy: str = "default-src 'none'; frame-ancestors 'none'"
    status: HTTPStatus = HTTPStatus.OK


class Loopback:
    """Serves pages under a secret address. `pages`: what is offered, by the path after the token ("" for the first page); each is
    made anew for each request. `port`: 0 for any free one. `takers`: functions that take the bytes of a POST, by path.

    >>> with Loopback({"": lambda: Page("text/plain", b"hello")}) as server:
    ...     print(server.address)  # http://127.0.0.1:40123/x5Qf.../
    """

    def __init__(
        self,
        pages: Mapping[str, Callable[[], Page]],
        port: int = 0,
        takers: Mapping[str, Callable[[bytes], Page]] = {},
    ) -> None:
        self.pages, self.takers = dict(pages), dict(takers)
        self.token = secrets.token_urlsafe(24)
        self._server = ThreadingHTTPServer((HOST, port), _handler(self))
        self._server.daemon_threads = True
        self.port: int = self._server.server_address[1]

    def __enter__(self) -> Loopback:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.server_close()

    @property
    def address(self) -> str:
        """The address to open in a browser; the token in it keeps strangers out."""
        return f"http://{HOST}:{self.port}/{self.token}/"

    def run(self) -> None:
        """Serve until `stop` is called or the program is interrupted."""
        self._server.serve_forever(poll_interval=0.1)

    def stop(self) -> None:
        """End `run`, which runs in another thread."""
        self._server.shutdown()

    def refusal(self, headers: Message, path: str, posted: bool = False) -> HTTPStatus | None:
        """Why a request is refused; None if it is not. `posted`: it sends something."""
        own = {f"{name}:{self.port}" for name in NAMES}
        if headers.get("Host", "") not in own:
            return HTTPStatus.MISDIRECTED_REQUEST
        origin = headers.get("Origin")
        if origin is not None and origin not in {f"http://{name}" for name in own}:
            return HTTPStatus.FORBIDDEN
        if headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            return HTTPStatus.FORBIDDEN
        token, slash, page = path.removeprefix("/").partition("/")
        if not slash or not secrets.compare_digest(token.encode(), self.token.encode()):
            return HTTPStatus.NOT_FOUND
        if page not in (self.takers if posted else self.pages):
            other = self.pages if posted else self.takers
            return HTTPStatus.METHOD_NOT_ALLOWED if page in other else HTTPStatus.NOT_FOUND
        if not posted:
            return None
        if headers.get_content_type() != "application/json":
            return HTTPStatus.UNSUPPORTED_MEDIA_TYPE
        size = headers.get("Content-Length", "")
        if not size.isdecimal() or "Transfer-Encoding" in headers:
            return HTTPStatus.LENGTH_REQUIRED
        return None if len(size) < 9 and int(size) <= LARGEST else HTTPStatus.REQUEST_ENTITY_TOO_LARGE


def _name(path: str) -> str:
    """The requested path after the token."""
    return path.removeprefix("/").partition("/")[2]


def _handler(site: Loopback) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = PATIENCE
        server_version = "battlesim"
        sys_version = ""

        def do_GET(self) -> None:
            self._answer(True)

        def do_HEAD(self) -> None:
            self._answer(False)

        def do_POST(self) -> None:
            path = self.path.partition("?")[0]
            refused = site.refusal(self.headers, path, posted=True)
            if refused is not None:
                self._throw_away()
                self.send_error(refused)
                return
            said = self.rfile.read(int(self.headers["Content-Length"]))
            self._give(lambda: site.takers[_name(path)](said), True)

        def _throw_away(self) -> None:
            size = self.headers.get("Content-Length", "")
            if size.isdecimal() and len(size) < 20:
                self.rfile.read(min(int(size), _THROWN))

        def _answer(self, body: bool) -> None:
            path = self.path.partition("?")[0]
            refused = site.refusal(self.headers, path)
            if refused is not None:
                self.send_error(refused)
                return
            self._give(site.pages[_name(path)], body)

        def _give(self, make: Callable[[], Page], body: bool) -> None:
            try:
                page = make()
            except Exception:  # the page cannot be made now: the next request may succeed
                self.send_error(HTTPStatus.SERVICE_UNAVAILABLE)
                return
            self.send_response(page.status)
            self.send_header("Content-Type", page.kind)
            self.send_header("Content-Length", str(len(page.body)))
            self.send_header("Content-Security-Policy", page.policy)
            self.end_headers()
            if body:
                self.wfile.write(page.body)

        def end_headers(self) -> None:
            for name, value in _HEADERS.items():
                self.send_header(name, value)
            super().end_headers()

        def log_message(self, *_: Any) -> None:
            """Requests are not logged: the address is a secret."""

    return Handler


_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
