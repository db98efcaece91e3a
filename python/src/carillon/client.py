from __future__ import annotations

import ssl

from .methods import Methods
from .retry import RetryPolicy
from .transport import Transport


class Carillon(Methods):
    """A client with one method for every operation of the API, and a few that combine several operations.

    `base_url` includes `/api`, for example `https://carillon.example/api`. A call can override `workspace_id` and `timeout`.
    A failed call is repeated up to `retries` times, after `retry_delay` seconds that double each time. `timeout` is for each
    attempt, in seconds. An `ssl_context` is for a server whose certificate this machine does not trust. Several threads can use
    one client.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        workspace_id: str | None = None,
        *,
        retries: int = 3,
        retry_delay: float = 0.25,
        timeout: float = 60.0,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        policy = RetryPolicy(retries=retries, delay_seconds=retry_delay, timeout_seconds=timeout)
        super().__init__(Transport(base_url, api_key, workspace_id, policy, ssl_context))
