from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType


@dataclass
class Received:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True)
class Reply:
    status: int = 200
    body: object = None
    headers: dict[str, str] = field(default_factory=dict[str, str])
    drops: bool = False
    """The connection breaks before the response."""
    truncates: bool = False
    """It breaks in the middle of the response."""


def success(data: object, **headers: str) -> Reply:
    return Reply(200, {"success": True, "data": data}, headers)


def problem(status: int, code: str, headers: dict[str, str] | None = None, **fields: object) -> Reply:
    error = {"code": code, "message": "No.", "action": "wait", "retryable": True, "docUrl": "https://d", "traceId": "t1", **fields}
    return Reply(status, {"success": False, "error": error}, headers or {})


class Server:
    """Gives the listed replies one after the other, then repeats the last one. It records all requests."""

    def __init__(self, *replies: Reply | Callable[[Received], Reply]) -> None:
        self.requests: list[Received] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
                headers = {name.lower(): value for name, value in self.headers.items()}
                received = Received(self.command, self.path, headers, body)
                server.requests.append(received)
                chosen = replies[min(len(server.requests), len(replies)) - 1]
                self.reply(chosen if isinstance(chosen, Reply) else chosen(received))

            def reply(self, reply: Reply) -> None:
                if reply.drops:
                    self.close_connection = True
                    return
                content = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content[:5] if reply.truncates else content)

            do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = handle_any

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self.base_url = f"{self.url}/api"

    def __enter__(self) -> Server:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()
