from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class File:
    """A file in memory. For one on the disk, give its `pathlib.Path` instead, which is read only while it is sent."""

    content: bytes
    name: str = "file"
