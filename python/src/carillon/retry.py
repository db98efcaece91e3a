from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from .carillon_error import CarillonError

Result = TypeVar("Result")

_BACKOFF_SECONDS_MAX = 10.0
# Longer than the rate limit window of the service. If the server asks for a longer wait, the caller decides whether to wait.
_WAIT_SECONDS_MAX = 60.0


@dataclass(frozen=True)
class RetryPolicy:
    retries: int
    """The maximum number of retries after the first attempt."""
    delay_seconds: float
    """The wait before the first retry. It doubles with every further retry."""
    timeout_seconds: float
    """The timeout of one attempt."""


def with_retries(
    policy: RetryPolicy, attempt: Callable[[], Result | CarillonError], should_retry: Callable[[CarillonError], bool]
) -> Result:
    """Repeats the attempt until it gives a result, or an error that another attempt would not change."""
    failures = 0
    while True:
        result = attempt()
        if not isinstance(result, CarillonError):
            return result
        if failures >= policy.retries or not should_retry(result):
            raise result
        wait = _wait_seconds(result, failures, policy.delay_seconds)
        if wait is None:
            raise result
        time.sleep(wait)
        failures += 1


def _wait_seconds(error: CarillonError, failures: int, delay_seconds: float) -> float | None:
    """None if the server asks for a longer wait than the maximum."""
    if error.retry_after_seconds is None:
        return min(delay_seconds * 2**failures, _BACKOFF_SECONDS_MAX) * random.uniform(0.5, 1)
    if error.retry_after_seconds > _WAIT_SECONDS_MAX:
        return None
    # A random extra wait, so that clients that got the same Retry-After do not all return at the same moment.
    return error.retry_after_seconds + delay_seconds * random.random()
