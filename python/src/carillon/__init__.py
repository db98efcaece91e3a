"""The Python client of Carillon."""

from . import types
from .call_options import CallOptions
from .carillon_error import CarillonError
from .client import Carillon
from .file import File
from .upload_file import UploadCheckpoint, UploadProgress
from .verify_webhook import WebhookVerificationError, verify_webhook

__all__ = [
    "CallOptions",
    "Carillon",
    "CarillonError",
    "File",
    "UploadCheckpoint",
    "UploadProgress",
    "WebhookVerificationError",
    "types",
    "verify_webhook",
]
