from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict, Unpack

from .call_options import CallOptions
from .file import File
from .transport import Transport
from .types import (
    FileToSend,
    Media,
    MediaUploadParts,
    MediaForm,
    MediaUpload,
    NewMediaUpload,
)

_MEBIBYTE = 1024 * 1024


class SentPart(TypedDict):
    partNumber: int
    etag: str


class UploadCheckpoint(TypedDict):
    """The parts of a file that were already sent. Plain data: another process can continue from it for a day."""

    upload: MediaUpload
    parts: list[SentPart]


@dataclass(frozen=True)
class UploadProgress:
    sent_bytes: int
    total_bytes: int
    checkpoint: UploadCheckpoint | None
    """For `resume_from`; None for a file that is sent in one request."""


class UploadsFiles:
    _transport: Transport

    def upload(self, body: MediaForm, **options: Unpack[CallOptions]) -> Media:
        raise NotImplementedError

    def start_upload(self, body: NewMediaUpload, **options: Unpack[CallOptions]) -> MediaUpload:
        raise NotImplementedError

    def complete_upload(self, id: str, body: MediaUploadParts, **options: Unpack[CallOptions]) -> Media:
        raise NotImplementedError

    def upload_file(
        self,
        file: FileToSend,
        *,
        on_progress: Callable[[UploadProgress], None] | None = None,
        resume_from: UploadCheckpoint | None = None,
        parts_from_bytes: int = 16 * _MEBIBYTE,
        parts_at_once: int = 3,
        workspace_id: str | None = None,
    ) -> Media:
        """Uploads a file of any size to the media library: a small one in one request, a large one in parts."""
        options: CallOptions = {} if workspace_id is None else {"workspace_id": workspace_id}
        size = file.stat().st_size if isinstance(file, Path) else len(file.content)
        if resume_from is None and size < parts_from_bytes:
            media = self.upload({"file": file}, **options)
            if on_progress:
                on_progress(UploadProgress(size, size, None))
            return media
        upload = resume_from["upload"] if resume_from else self.start_upload({"name": file.name, "sizeBytes": size}, **options)
        part_size = upload["partSizeBytes"]
        if -(-size // part_size) != len(upload["parts"]):
            raise ValueError("This is not the file that the upload was started with: its size differs.")
        sent = list(resume_from["parts"]) if resume_from else []
        lock = threading.Lock()

        def in_order() -> list[SentPart]:
            return sorted(sent, key=lambda part: part["partNumber"])

        def send_part(part_number: int, url: str) -> None:
            content = _read_part(file, (part_number - 1) * part_size, part_size)
            etag = self._transport.put_part(url, part_number, content, None)
            with lock:
                sent.append({"partNumber": part_number, "etag": etag})
                if on_progress:
                    sent_bytes = sum(min(part_size, size - (each["partNumber"] - 1) * part_size) for each in sent)
                    on_progress(UploadProgress(sent_bytes, size, {"upload": upload, "parts": in_order()}))

        done = {part["partNumber"] for part in sent}
        missing = [part for part in upload["parts"] if part["partNumber"] not in done]
        with ThreadPoolExecutor(parts_at_once) as pool:
            sending = [pool.submit(send_part, part["partNumber"], part["url"]) for part in missing]
            try:
                for each in sending:
                    each.result()
            except BaseException:
                # The parts that were sent remain, and the upload can be resumed.
                pool.shutdown(wait=True, cancel_futures=True)
                raise
        return self.complete_upload(upload["id"], {"parts": [{**part} for part in in_order()]}, **options)


def _read_part(file: FileToSend, start: int, size: int) -> bytes:
    if isinstance(file, File):
        return file.content[start : start + size]
    with file.open("rb") as opened:
        opened.seek(start)
        return opened.read(size)
