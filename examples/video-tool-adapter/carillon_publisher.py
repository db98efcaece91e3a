"""An adapter for tools that make videos and keep a registry of services that publish them.

Copy this file into the tool, and register CarillonPublisher. Python 3.11 or newer, and `pip install carillon`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from carillon import Carillon, CarillonError


@dataclass
class PublishResult:
    """What a registry shows to its user: whether it was accepted, and under which id the result can be asked for."""

    accepted: bool
    id: str | None = None
    error: str | None = None
    can_retry: bool = False


@dataclass
class PublishStatus:
    state: str  # queued, publishing, completed, partial_failure, failed
    urls: dict[str, str] = field(default_factory=dict[str, str])  # by account
    problems: dict[str, str] = field(default_factory=dict[str, str])  # by account; "unconfirmed" must not be sent again


class CarillonPublisher:
    name = "carillon"

    def __init__(self, base_url: str, api_key: str, workspace_id: str) -> None:
        self._carillon = Carillon(base_url, api_key, workspace_id)
        self._workspace_id = workspace_id

    def accounts(self) -> list[str]:
        """The accounts to choose from."""
        connections = self._carillon.workspaces.connections(self._workspace_id)
        return [each["slug"] for each in connections if each["status"] == "active"]

    def publish(self, video: Path, text: str, accounts: list[str], *, title: str = "", job_id: str = "") -> PublishResult:
        """One request with the file. The same job makes one post, also after a crash of the tool."""
        key = hashlib.sha256(f"{job_id or video}:{text}:{sorted(accounts)}".encode()).hexdigest()
        try:
            post = self._carillon.content.create_video(
                {"connections": accounts, "text": text, "title": title or text[:90], "medias": [video], "aiGenerated": True},
                idempotency_key=key,
            )
        except CarillonError as error:
            reasons = [str(detail) for detail in error.details]
            return PublishResult(False, error=" ".join([str(error), *reasons]), can_retry=error.retryable)
        return PublishResult(True, id=post["uploadId"])

    def status(self, id: str) -> PublishStatus:
        post = self._carillon.content.get(id)
        status = PublishStatus(post["status"])
        for channel in post["channels"]:
            account, result = channel["connection"], channel["result"]
            if result["status"] == "success" and result["postUrl"]:
                status.urls[account] = result["postUrl"]
            elif result["status"] in ("failed", "unconfirmed", "canceled"):
                status.problems[account] = result["error"]["message"] if result["error"] else result["status"]
        return status
