from __future__ import annotations

import http.client
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.message import Message
from typing import IO

from .carillon_error import CarillonError, lost_response
from .form import RequestBody

_CHUNK_BYTES = 256 * 1024


@dataclass(frozen=True)
class Response:
    status: int
    headers: Mapping[str, str]
    """By their names in lower case."""
    body: bytes


@dataclass(frozen=True)
class Request:
    method: str
    url: str
    headers: Mapping[str, str]
    body: RequestBody | None
    server: str
    """The name of the server in error messages."""


class _RefuseRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would send the key to another server, and a POST as a GET. The API has none."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> None:
        return None


def make_opener(ssl_context: ssl.SSLContext | None) -> urllib.request.OpenerDirector:
    return urllib.request.build_opener(_RefuseRedirects, urllib.request.HTTPSHandler(context=ssl_context))


class _OutOfTime(Exception):
    pass


def attempt_once(
    opener: urllib.request.OpenerDirector, request: Request, timeout_seconds: float
) -> Response | CarillonError:
    """Sends a request once. A missing or incomplete response is returned as an error, so the caller can decide on a retry."""
    deadline = time.monotonic() + timeout_seconds
    try:
        with _open(opener, request, timeout_seconds, deadline) as response:
            headers = {name.lower(): value for name, value in response.headers.items()}
            return Response(response.status, headers, _read_completely(response, deadline))
    except _OutOfTime:
        return lost_response(request.server, timeout_seconds)
    except (OSError, http.client.HTTPException) as error:
        # urllib wraps what happens before the response.
        cause = error.reason if isinstance(error, urllib.error.URLError) else error
        # A file that cannot be read is a mistake of the program and not of the connection.
        if isinstance(cause, FileNotFoundError | PermissionError | IsADirectoryError):
            raise cause from None
        return lost_response(request.server, timeout_seconds if isinstance(cause, TimeoutError) else None)


def _open(
    opener: urllib.request.OpenerDirector, request: Request, timeout_seconds: float, deadline: float
) -> http.client.HTTPResponse:
    body = request.body
    headers = {
        **request.headers,
        **({"Content-Length": str(body.size_bytes)} if body else {}),
        # Without this, urllib adds the type of a form.
        **({"Content-Type": body.content_type or "application/octet-stream"} if body else {}),
    }
    data = _until(body.chunks(), deadline) if body else None
    sent = urllib.request.Request(request.url, data=data, headers=headers, method=request.method)
    try:
        return opener.open(sent, timeout=timeout_seconds)
    except urllib.error.HTTPError as error:
        # A response with an error status is a response.
        return error  # type: ignore[return-value]  # It has the methods of a response that are used here.


def _until(chunks: Iterator[bytes], deadline: float) -> Iterator[bytes]:
    for chunk in chunks:
        if time.monotonic() > deadline:
            raise _OutOfTime
        yield chunk


def _read_completely(response: http.client.HTTPResponse, deadline: float) -> bytes:
    """A response that breaks off halfway is a lost response: `read` raises IncompleteRead then."""
    expected = response.headers.get("Content-Length")
    chunks: list[bytes] = []
    while chunk := response.read(_CHUNK_BYTES):
        if time.monotonic() > deadline:
            raise _OutOfTime
        chunks.append(chunk)
    body = b"".join(chunks)
    if expected is not None and expected.isdecimal() and len(body) < int(expected):
        raise http.client.IncompleteRead(body)
    return body
