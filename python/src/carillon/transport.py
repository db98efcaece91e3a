from __future__ import annotations

import json
import ssl
import urllib.parse
import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from .attempt_once import Request, Response, attempt_once, make_opener
from .call_options import CallOptions, check_options
from .carillon_error import CarillonError, read_error
from .form import RequestBody, make_body
from .retry import RetryPolicy, with_retries

_GATEWAY_STATUSES = frozenset({502, 503, 504})
# Unlike for the API, 500 is included: S3-compatible stores ask clients to retry an internal error.
_STORE_STATUSES = frozenset({408, 429, 500, 502, 503, 504})
_SLOW_CONNECTION_BYTES_PER_SECOND = 50_000


def segment(value: str) -> str:
    """One part of a path. An id that would lead to another address is refused."""
    if value in ("", ".", ".."):
        raise ValueError(f'"{value}" is not an id.')
    return urllib.parse.quote(value, safe="")


class Transport:
    """Sends the requests of all methods, with headers, retries and errors."""

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        workspace_id: str | None,
        policy: RetryPolicy,
        ssl_context: ssl.SSLContext | None,
    ) -> None:
        if urllib.parse.urlsplit(base_url).scheme not in ("http", "https"):
            raise ValueError("base_url must begin with http:// or https://.")
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._workspace_id = workspace_id
        self._policy = policy
        self._opener = make_opener(ssl_context)

    def send(
        self,
        method: str,
        path: str,
        options: CallOptions,
        *,
        body: Mapping[str, object] | None = None,
        query: Mapping[str, object] | None = None,
        in_workspace: bool = True,
        beside_api: bool = False,
    ) -> object:
        """Runs one call. Gives the `data` of the response envelope or raises a CarillonError."""
        request = self._request(method, path, options, body, query, in_workspace, beside_api)
        response = self._send_with_retries(request, options)
        envelope = _parse(response)
        if not isinstance(envelope, dict) or "data" not in envelope:
            raise read_error(response.status, response.headers, None)
        return cast("dict[str, object]", envelope)["data"]

    def send_for_text(self, method: str, path: str, options: CallOptions, *, query: Mapping[str, object] | None = None) -> str:
        """The same for a response that is a text file."""
        return self._send_with_retries(self._request(method, path, options, None, query, True, False), options).body.decode()

    def put_part(self, url: str, part_number: int, body: bytes, timeout: float | None) -> str:
        """Uploads one part of a file to its signed URL, with retries, and gives the ETag of the response."""
        request = Request("PUT", url, {}, RequestBody(None, (body,), len(body)), "The file store")
        seconds = transfer_seconds(len(body), timeout or self._policy.timeout_seconds)

        def attempt() -> str | CarillonError:
            result = attempt_once(self._opener, request, seconds)
            return result if isinstance(result, CarillonError) else _read_etag(result, part_number)

        return with_retries(self._policy, attempt, lambda error: error.status == 0 or error.status in _STORE_STATUSES)

    def _request(
        self,
        method: str,
        path: str,
        options: CallOptions,
        body: Mapping[str, object] | None,
        query: Mapping[str, object] | None,
        in_workspace: bool,
        beside_api: bool,
    ) -> Request:
        check_options(options)
        base = self._base_url.removesuffix("/api") if beside_api else self._base_url
        url = f"{base}{path}{_query_text(query or {})}"
        headers = {
            "Accept": "application/json, text/csv, application/jsonl",
            **({"Authorization": f"Bearer {self._api_key}"} if self._api_key is not None else {}),
            **({"X-Workspace-Id": self._workspace_of(options)} if in_workspace else {}),
            **({"If-Match": f'"{options["if_updated_at"]}"'} if "if_updated_at" in options else {}),
            **({"Prefer": "autosave"} if options.get("autosave") else {}),
            **_idempotency_header(method, options),
        }
        return Request(method, url, headers, None if body is None else make_body(body), "Carillon")

    def _workspace_of(self, options: CallOptions) -> str:
        workspace_id = options.get("workspace_id", self._workspace_id)
        if workspace_id is None:
            raise ValueError("The workspace is missing: give workspace_id to Carillon or to this call.")
        return workspace_id

    def _send_with_retries(self, request: Request, options: CallOptions) -> Response:
        """Every attempt has the same Idempotency-Key, so a request whose response was lost is not executed twice."""
        seconds = options.get("timeout", self._policy.timeout_seconds)
        # A body with files takes the time of its transfer over a slow connection.
        if request.body and request.body.content_type != "application/json":
            seconds = transfer_seconds(request.body.size_bytes, seconds)

        def attempt() -> Response | CarillonError:
            result = attempt_once(self._opener, request, seconds)
            if isinstance(result, CarillonError) or 200 <= result.status < 300:
                return result
            return read_error(result.status, result.headers, _parse(result))

        return with_retries(replace(self._policy, timeout_seconds=seconds), attempt, _should_retry)


def transfer_seconds(size_bytes: int, timeout_seconds: float) -> float:
    """The timeout for a request with a large body: the usual one and the time of the transfer over a slow connection."""
    return timeout_seconds + size_bytes / _SLOW_CONNECTION_BYTES_PER_SECOND


def _idempotency_header(method: str, options: CallOptions) -> dict[str, str]:
    if "idempotency_key" in options:
        return {"Idempotency-Key": options["idempotency_key"]}
    return {"Idempotency-Key": str(uuid.uuid4())} if method in ("POST", "PATCH") else {}


def _should_retry(error: CarillonError) -> bool:
    # Status 0 means that there was no response.
    return error.status in (0, 429) or error.status in _GATEWAY_STATUSES or error.code == "idempotency_in_flight"


def _query_text(query: Mapping[str, object]) -> str:
    fields = {name: str(value).lower() if isinstance(value, bool) else value for name, value in query.items()}
    return f"?{urllib.parse.urlencode(fields)}" if fields else ""


def _parse(response: Response) -> object:
    try:
        return json.loads(response.body)
    except ValueError:
        return None


def _read_etag(response: Response, part_number: int) -> str | CarillonError:
    etag = response.headers.get("etag")
    if 200 <= response.status < 300 and etag is not None:
        return etag
    if 200 <= response.status < 300:
        return _store_error(response, f"accepted part {part_number} but sent no ETag")
    error = read_error(response.status, response.headers, _parse(response))
    is_unreadable = error.code == "answer_unreadable"
    return _store_error(response, f"refused part {part_number} (HTTP {response.status})") if is_unreadable else error


def _store_error(response: Response, problem: str) -> CarillonError:
    retryable = response.status in _STORE_STATUSES
    return CarillonError(
        code="store_refused",
        message=f"The file store {problem}.",
        status=response.status,
        action="retry" if retryable else "contact_support",
        retryable=retryable,
    )
