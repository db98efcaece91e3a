from __future__ import annotations

import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import cast

from .types import Action, ErrorDetail, Post


class CarillonError(Exception):
    """Every failed call raises this error. Decide by `code`; for a code that you do not know, decide by `action`.

    The client itself reports `connection_failed`, `timed_out`, `answer_unreadable`, `store_refused`, `wait_timed_out` and
    `wait_pointless`.
    """

    def __init__(
        self,
        *,
        code: str,
        message: str,
        status: int,
        action: Action,
        retryable: bool,
        details: list[ErrorDetail] | None = None,
        current: Post | None = None,
        doc_url: str | None = None,
        trace_id: str | None = None,
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        """The HTTP status, or 0 if there was no response."""
        self.action = action
        self.retryable = retryable
        """Whether the same call can succeed later."""
        self.details = details or []
        """The invalid fields and the reasons."""
        self.current = current
        """With `draft_changed`: the draft as it is now."""
        self.doc_url = doc_url
        self.trace_id = trace_id
        """The id of the request. Include it when you contact support."""
        self.retry_after_seconds = retry_after_seconds


def lost_response(server: str, seconds: float | None) -> CarillonError:
    """There was no complete response. With `seconds`, because it took longer than these."""
    if seconds is None:
        message = f"{server} could not be reached, or the connection broke before it answered."
        return CarillonError(code="connection_failed", message=message, status=0, action="retry", retryable=True)
    return CarillonError(
        code="timed_out", message=f"{server} did not answer within {seconds:g} s.", status=0, action="retry", retryable=True
    )


def read_error(status: int, headers: Mapping[str, str], body: object) -> CarillonError:
    """The error that a response describes. One that does not come from Carillon has the code `answer_unreadable`."""
    retry_after = read_retry_after(headers.get("retry-after"))
    error = _find_error(body)
    if error is None:
        is_server_problem = status >= 500 or status == 429
        return CarillonError(
            code="answer_unreadable",
            message=f"The response (HTTP {status}) does not come from Carillon. "
            "Is there a proxy in between, or is the /api missing in base_url?",
            status=status,
            action="retry" if is_server_problem else "fix_request",
            retryable=is_server_problem,
            trace_id=headers.get("x-request-id"),
            retry_after_seconds=retry_after,
        )
    return CarillonError(
        code=str(error["code"]),
        message=str(error["message"]),
        status=status,
        action=cast("Action", error.get("action", "contact_support")),
        retryable=error.get("retryable") is True,
        details=cast("list[ErrorDetail] | None", error.get("details")),
        current=cast("Post | None", error.get("current")),
        doc_url=cast("str | None", error.get("docUrl")),
        trace_id=cast("str | None", error.get("traceId")),
        retry_after_seconds=retry_after,
    )


def _find_error(body: object) -> dict[str, object] | None:
    if not isinstance(body, dict):
        return None
    error = cast("dict[str, object]", body).get("error")
    if not isinstance(error, dict):
        return None
    fields = cast("dict[str, object]", error)
    return fields if isinstance(fields.get("code"), str) and isinstance(fields.get("message"), str) else None


def read_retry_after(header: str | None) -> float | None:
    """Reads the header in both of its forms: a number of seconds or an HTTP date."""
    if header is None:
        return None
    if re.fullmatch(r"\d+(\.\d+)?", header.strip(), re.ASCII):
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return None
