from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping
from typing import Literal, TypeAlias, cast

from .types import WebhookEvent

WebhookRefusal: TypeAlias = Literal[
    "signature_missing", "signature_wrong", "timestamp_missing", "timestamp_out_of_range", "body_not_json"
]


class WebhookVerificationError(Exception):
    """The delivery must not be trusted. Respond with status 400."""

    def __init__(self, reason: WebhookRefusal, message: str) -> None:
        super().__init__(message)
        self.reason: WebhookRefusal = reason


def verify_webhook(
    body: bytes,
    headers: Mapping[str, str],
    secret: str,
    *,
    tolerance_seconds: float = 300,
    require_timestamp: bool = True,
    now: float | None = None,
) -> WebhookEvent:
    """Verifies that a delivery comes from your Carillon server and gives its event.

    The body must be exactly as received. If a delivery has both kinds of signature, both must be valid. An event can be
    delivered more than once: use `deliveryId` to process it only once. Without `require_timestamp`, a copy of an old delivery
    may pass: set it to False only if a proxy in front of you removes the `webhook-*` headers.
    """
    if secret == "":
        raise ValueError("The webhook secret is empty.")
    found = {name.lower(): value for name, value in headers.items()}
    body_signatures = [
        found[name] for name in ("x-webhook-signature", "x-webhook-signature-previous") if name in found
    ]
    is_standard = all(name in found for name in ("webhook-id", "webhook-timestamp", "webhook-signature"))
    if not body_signatures and not is_standard:
        raise WebhookVerificationError("signature_missing", "The delivery has no signature.")
    if not is_standard and require_timestamp:
        raise WebhookVerificationError("timestamp_missing", "The delivery has no signed timestamp.")
    if body_signatures:
        _check_body_signatures(body_signatures, body, secret)
    if is_standard:
        _check_standard_signature(found, body, secret, tolerance_seconds, time.time() if now is None else now)
    try:
        return cast("WebhookEvent", json.loads(body))
    except ValueError:
        raise WebhookVerificationError("body_not_json", "The body is signed, but it is not JSON.") from None


def _check_body_signatures(signatures: list[str], body: bytes, secret: str) -> None:
    """Checks `sha256=<hex>` over the body alone. During the rotation of a secret, a second header has that of the old one."""
    expected = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    for signature in signatures:
        if hmac.compare_digest(re.sub("^sha256=", "", signature, flags=re.IGNORECASE).lower().encode(), expected.encode()):
            return
    raise WebhookVerificationError("signature_wrong", "X-Webhook-Signature does not match the body and the secret.")


def _check_standard_signature(
    headers: Mapping[str, str], body: bytes, secret: str, tolerance_seconds: float, now: float
) -> None:
    """Checks the signature of the Standard Webhooks specification, which also covers the timestamp."""
    timestamp = headers["webhook-timestamp"]
    # Without the limit of digits, a very long number would take long to read.
    if not re.fullmatch("[0-9]{1,15}", timestamp) or abs(now - int(timestamp)) > tolerance_seconds:
        raise WebhookVerificationError("timestamp_out_of_range", "The delivery was signed too long ago, or in the future.")
    message = f"{headers['webhook-id']}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(_standard_key(secret), message, hashlib.sha256).digest())
    for candidate in headers["webhook-signature"].split(" "):
        if candidate.startswith("v1,") and hmac.compare_digest(candidate[3:].encode(), expected):
            return
    raise WebhookVerificationError("signature_wrong", "webhook-signature does not match the body and the secret.")


def _standard_key(secret: str) -> bytes:
    """The key is the base64 after the prefix. If a secret of your own has none there, the whole secret is the key."""
    encoded = re.fullmatch(r"whsec_([A-Za-z0-9+/]+)={0,2}", secret)
    if encoded is None:
        return secret.encode()
    # Base64 without its padding counts too, as it does for the service.
    text = encoded[1][: len(encoded[1]) - (len(encoded[1]) % 4 == 1)]
    return base64.b64decode(text + "=" * (-len(text) % 4))
