from __future__ import annotations

import time
from typing import Unpack

from .call_options import CallOptions
from .carillon_error import CarillonError
from .types import PostStatusView

# A post in one of these statuses changes again only after a new request, such as a retry.
_FINISHED = frozenset({"completed", "partial_failure", "failed"})
_FIRST_POLL_SECONDS = 0.25
_POLL_SECONDS_MAX = 5.0


class WaitsUntilFinished:
    def status(self, request_id: str, **options: Unpack[CallOptions]) -> PostStatusView:
        raise NotImplementedError

    def wait_until_finished(self, id: str, *, timeout: float = 120.0, workspace_id: str | None = None) -> PostStatusView:
        """Polls until every channel of a post has its result. Takes the uploadId or the requestId.

        A post that ends as `failed` is a normal result, not an error. `timeout` is the total time to wait, in seconds.
        """
        options: CallOptions = {} if workspace_id is None else {"workspace_id": workspace_id}
        end = time.monotonic() + timeout
        poll_seconds = _FIRST_POLL_SECONDS
        while True:
            post = self.status(id, **options)
            if post["status"] in _FINISHED:
                return post
            if post["status"] == "draft":
                # A draft stays a draft until it is published by another request.
                raise CarillonError(
                    code="wait_pointless",
                    message=f"Post {id} is a draft; publish it first.",
                    status=0,
                    action="fix_request",
                    retryable=False,
                )
            left = end - time.monotonic()
            if left <= 0:
                raise CarillonError(
                    code="wait_timed_out",
                    message=f"Post {id} is still {post['status']} after {timeout:g} s.",
                    status=0,
                    action="wait",
                    retryable=True,
                )
            time.sleep(min(poll_seconds, left))
            poll_seconds = min(poll_seconds * 1.5, _POLL_SECONDS_MAX)
