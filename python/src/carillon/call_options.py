from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict


class CallOptions(TypedDict, total=False):
    """Options of a single call. Every method takes them by name."""

    workspace_id: str
    """Overrides the workspace of the client."""
    idempotency_key: str
    """Your own key for a POST or PATCH, so that a new process can safely repeat the call. Default: a new one for each call."""
    if_updated_at: str
    """For a change of a draft: the `updatedAt` that you read. If it was changed since, the call fails with `draft_changed`."""
    autosave: bool
    """For a change of a draft that a program saves while a person writes: the audit log has no entry for each of them."""
    timeout: float
    """The seconds that each attempt may take. By default, the setting of the client."""


def check_options(options: Mapping[str, object]) -> None:
    """Refuses an option that does not exist before anything is sent: the one that gets lost may be the key against duplicates."""
    known = CallOptions.__annotations__
    unknown = [name for name in options if name not in known]
    if unknown:
        raise TypeError(f"The options of a call have no {', '.join(unknown)}; there are {', '.join(known)}.")
