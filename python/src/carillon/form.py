from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from .file import File

_CHUNK_BYTES = 256 * 1024


@dataclass(frozen=True)
class RequestBody:
    """A body that can be read again for every attempt."""

    content_type: str | None
    parts: tuple[bytes | Path, ...]
    size_bytes: int

    def chunks(self) -> Iterator[bytes]:
        for part in self.parts:
            if isinstance(part, bytes):
                yield part
                continue
            with part.open("rb") as file:
                while chunk := file.read(_CHUNK_BYTES):
                    yield chunk


def make_body(fields: Mapping[str, object]) -> RequestBody:
    """JSON, or a form if there are files. In a form, a list becomes repeated `name[]` parts; objects are one JSON part."""
    if not any(_has_file(value) for value in fields.values()):
        content = json.dumps(fields).encode()
        return RequestBody("application/json", (content,), len(content))
    boundary = f"carillon-{secrets.token_hex(16)}"
    parts: list[bytes | Path] = []
    for name, value in fields.items():
        items = cast("list[object]", value) if isinstance(value, list) else None
        # Objects in repeated parts could not be told from texts.
        if items is not None and not any(isinstance(item, dict) for item in items):
            for item in items:
                parts += _form_part(boundary, f"{name}[]", item)
        else:
            parts += _form_part(boundary, name, cast("object", value))
    parts.append(f"--{boundary}--\r\n".encode())
    return RequestBody(f"multipart/form-data; boundary={boundary}", tuple(parts), sum(map(_size_bytes, parts)))


def _size_bytes(part: bytes | Path) -> int:
    if isinstance(part, bytes):
        return len(part)
    # Opened, so that a file that cannot be read is noticed before anything is sent.
    with part.open("rb") as file:
        return file.seek(0, 2)


def _has_file(value: object) -> bool:
    items = cast("list[object]", value) if isinstance(value, list) else [value]
    return any(isinstance(item, File | Path) for item in items)


def _form_part(boundary: str, name: str, value: object) -> list[bytes | Path]:
    if isinstance(value, File | Path):
        head = f'{_disposition(name)}; filename="{_escape(value.name)}"\r\nContent-Type: application/octet-stream'
        content: bytes | Path = value.content if isinstance(value, File) else value
    else:
        head = _disposition(name)
        content = (value if isinstance(value, str) else json.dumps(value)).encode()
    return [f"--{boundary}\r\n{head}\r\n\r\n".encode(), content, b"\r\n"]


def _disposition(name: str) -> str:
    return f'Content-Disposition: form-data; name="{_escape(name)}"'


def _escape(text: str) -> str:
    """As browsers do it: a name cannot end its own part."""
    return text.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
