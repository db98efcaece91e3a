from __future__ import annotations

import base64
import hashlib
import hmac
import unittest

from carillon import WebhookVerificationError, verify_webhook

KEY = b"0123456789abcdef01234567"
SECRET = "whsec_" + base64.b64encode(KEY).decode()
BODY = b'{"event":"webhook.test","deliveryId":"one","data":{}}'
NOW = 1_800_000_000


def standard(body: bytes = BODY, at: int = NOW, key: bytes = KEY) -> dict[str, str]:
    signature = base64.b64encode(hmac.new(key, f"one.{at}.".encode() + body, hashlib.sha256).digest()).decode()
    return {"Webhook-Id": "one", "Webhook-Timestamp": str(at), "Webhook-Signature": f"v1,{signature}"}


def simple(body: bytes = BODY, secret: str = SECRET) -> dict[str, str]:
    return {"X-Webhook-Signature": "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}


class VerifyWebhook(unittest.TestCase):
    """Guarantee: only a delivery that was signed with the secret, recently, is accepted."""

    def refusal(self, headers: dict[str, str], body: bytes = BODY, require_timestamp: bool = True) -> str:
        with self.assertRaises(WebhookVerificationError) as raised:
            verify_webhook(body, headers, SECRET, now=NOW, require_timestamp=require_timestamp)
        return raised.exception.reason

    def test_both_kinds_are_accepted_and_the_event_is_returned(self) -> None:
        for headers in (standard(), {**standard(), **simple()}):
            self.assertEqual(verify_webhook(BODY, headers, SECRET, now=NOW)["event"], "webhook.test")
        self.assertEqual(verify_webhook(BODY, simple(), SECRET, now=NOW, require_timestamp=False)["deliveryId"], "one")

    def test_a_changed_or_unsigned_delivery_is_refused(self) -> None:
        self.assertEqual(self.refusal({}), "signature_missing")
        self.assertEqual(self.refusal(standard(), BODY.replace(b"one", b"two")), "signature_wrong")
        self.assertEqual(self.refusal(standard(key=b"other")), "signature_wrong")
        self.assertEqual(self.refusal({**standard(), **simple(secret="other")}), "signature_wrong")
        self.assertEqual(self.refusal({**standard(b"{}"), **simple()}), "signature_wrong")
        self.assertEqual(self.refusal({**standard(), "Webhook-Id": "two"}), "signature_wrong")
        for signature in ("", "v1,", "v1,é", "v2," + standard()["Webhook-Signature"][3:]):
            self.assertEqual(self.refusal({**standard(), "Webhook-Signature": signature}), "signature_wrong")

    def test_a_delivery_that_is_too_old_or_from_the_future_is_refused(self) -> None:
        verify_webhook(BODY, standard(at=NOW - 300), SECRET, now=NOW)
        for at in (NOW - 301, NOW + 301):
            self.assertEqual(self.refusal(standard(at=at)), "timestamp_out_of_range")
        for text in ("soon", "", "-1", "9" * 5000, f"{NOW}.0"):
            self.assertEqual(self.refusal({**standard(), "Webhook-Timestamp": text}), "timestamp_out_of_range")

    def test_without_a_signed_time_it_is_refused_unless_that_is_wanted(self) -> None:
        self.assertEqual(self.refusal(simple()), "timestamp_missing")
        self.assertEqual(self.refusal(simple(secret="other"), require_timestamp=False), "signature_wrong")

    def test_during_a_rotation_the_old_secret_still_works(self) -> None:
        new = standard(key=b"new secret of the webhook")
        both = {**new, "Webhook-Signature": f"{new['Webhook-Signature']} {standard()['Webhook-Signature']}"}
        previous = {"X-Webhook-Signature-Previous": simple()["X-Webhook-Signature"], **simple(secret="new")}
        verify_webhook(BODY, {**both, **{name: value for name, value in previous.items()}}, SECRET, now=NOW)

    def test_a_secret_without_base64_is_the_key_itself(self) -> None:
        secret = "whsec_not base64!"
        self.assertTrue(verify_webhook(BODY, standard(key=secret.encode()), secret, now=NOW))

    def test_a_secret_without_padding_is_the_same_key(self) -> None:
        secret = "whsec_" + base64.b64encode(b"sixteen bytes...").decode().rstrip("=")
        self.assertTrue(verify_webhook(BODY, standard(key=b"sixteen bytes..."), secret, now=NOW))

    def test_an_empty_secret_signs_nothing(self) -> None:
        with self.assertRaises(ValueError):
            verify_webhook(BODY, standard(key=b""), "", now=NOW)

    def test_a_signed_body_that_is_not_json(self) -> None:
        self.assertEqual(self.refusal(standard(b"bells"), b"bells"), "body_not_json")


if __name__ == "__main__":
    unittest.main()
