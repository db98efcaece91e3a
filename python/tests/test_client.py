from __future__ import annotations

import json
import tempfile
import time
import unittest
from pathlib import Path

from carillon import Carillon, CarillonError, File, UploadCheckpoint, UploadProgress
from carillon.types import Media, PostStatusView
from tests.server import Received, Reply, Server, problem, success

ACCEPTED: dict[str, object] = {"success": True, "requestId": "r", "uploadId": "u", "usage": {}}


def client(server: Server, retries: int = 3, timeout: float = 5.0) -> Carillon:
    return Carillon(server.base_url, "sk_1", "w1", retries=retries, retry_delay=0.001, timeout=timeout)


class Requests(unittest.TestCase):
    def test_a_call_has_the_key_the_workspace_and_the_body(self) -> None:
        with Server(success(ACCEPTED)) as server:
            accepted = client(server).content.create_text({"connections": ["x"], "text": "Bells"})
        (request,) = server.requests
        self.assertEqual(accepted["uploadId"], "u")
        self.assertEqual((request.method, request.path), ("POST", "/api/content/text"))
        self.assertEqual(json.loads(request.body), {"connections": ["x"], "text": "Bells"})
        self.assertEqual(request.headers["authorization"], "Bearer sk_1")
        self.assertEqual(request.headers["x-workspace-id"], "w1")
        self.assertEqual(request.headers["content-type"], "application/json")

    def test_options_of_a_call(self) -> None:
        with Server(success({})) as server:
            client(server).content.update("p1", {"text": "b"}, workspace_id="w2", idempotency_key="k", if_updated_at="t", autosave=True)
        headers = server.requests[0].headers
        self.assertEqual(
            [headers[name] for name in ("x-workspace-id", "idempotency-key", "if-match", "prefer")], ["w2", "k", '"t"', "autosave"]
        )

    def test_an_option_that_does_not_exist_is_refused_before_anything_is_sent(self) -> None:
        """Guarantee: a misspelled key against duplicates does not get lost."""
        with Server(success({})) as server:
            with self.assertRaisesRegex(TypeError, "idempotencyKey"):
                client(server).content.publish("p1", idempotencyKey="k")  # type: ignore[call-arg]
        self.assertEqual(server.requests, [])

    def test_an_id_cannot_lead_to_another_address(self) -> None:
        with Server(success({})) as server:
            client(server).content.get("a/../b?c")
            for bad in ("", ".", ".."):
                with self.assertRaises(ValueError):
                    client(server).content.remove(bad)
        self.assertEqual([each.path for each in server.requests], ["/api/content/a%2F..%2Fb%3Fc"])

    def test_without_a_workspace_only_methods_that_need_none_work(self) -> None:
        with Server(success([])) as server:
            carillon = Carillon(server.base_url, "sk_1")
            self.assertEqual(carillon.platforms.list(), [])
            with self.assertRaisesRegex(ValueError, "workspace"):
                carillon.labels.list()
        self.assertNotIn("x-workspace-id", server.requests[0].headers)

    def test_a_redirect_is_not_followed(self) -> None:
        """Guarantee: the key goes to no other server."""
        with Server(success({})) as other, Server(Reply(302, "", {"Location": other.base_url})) as server:
            with self.assertRaises(CarillonError) as raised:
                client(server).me.get()
        self.assertEqual((raised.exception.code, raised.exception.status, other.requests), ("answer_unreadable", 302, []))


class Retries(unittest.TestCase):
    def test_a_lost_response_is_repeated_with_the_same_key(self) -> None:
        """Guarantee: a post whose response was lost is not created twice."""
        replies = [Reply(drops=True), Reply(200, ACCEPTED, truncates=True), Reply(503, "busy"), problem(409, "idempotency_in_flight")]
        with Server(*replies[:3], success(ACCEPTED)) as server:
            client(server).content.create_text({"connections": ["x"], "text": "Bells"})
            client(server).content.create_text({"connections": ["x"], "text": "Bells"})
        keys = [each.headers["idempotency-key"] for each in server.requests]
        self.assertEqual(len(keys), 5)
        self.assertEqual(len(set(keys[:4])), 1)
        self.assertNotEqual(keys[4], keys[0])
        with Server(replies[3], success(ACCEPTED)) as server:
            client(server).content.create_text({"connections": ["x"], "text": "Bells"})
        self.assertEqual(len(server.requests), 2)

    def test_a_get_has_no_key(self) -> None:
        with Server(success({})) as server:
            client(server).me.get()
        self.assertNotIn("idempotency-key", server.requests[0].headers)

    def test_it_gives_up_after_the_retries(self) -> None:
        with Server(Reply(drops=True)) as server:
            with self.assertRaises(CarillonError) as raised:
                client(server, retries=2).me.get()
        self.assertEqual((raised.exception.code, raised.exception.status, len(server.requests)), ("connection_failed", 0, 3))

    def test_what_a_repeat_would_not_change_is_not_repeated(self) -> None:
        for status in (400, 401, 404, 409, 422, 500):
            with Server(problem(status, "some_error")) as server:
                with self.assertRaises(CarillonError):
                    client(server).content.publish("p1")
            self.assertEqual((status, len(server.requests)), (status, 1))

    def test_retry_after_is_followed_up_to_a_minute(self) -> None:
        with Server(problem(429, "rate_limited", {"Retry-After": "0"}), success({})) as server:
            client(server).me.get()
        self.assertEqual(len(server.requests), 2)
        with Server(problem(429, "rate_limited", {"Retry-After": "61"})) as server:
            with self.assertRaises(CarillonError) as raised:
                client(server).me.get()
        self.assertEqual((raised.exception.retry_after_seconds, len(server.requests)), (61.0, 1))

    def test_a_slow_response_times_out(self) -> None:
        def slow(_request: Received) -> Reply:
            time.sleep(0.6)
            return success({})

        with Server(slow) as server:
            with self.assertRaises(CarillonError) as raised:
                client(server, retries=0, timeout=0.1).me.get()
        self.assertEqual((raised.exception.code, raised.exception.retryable), ("timed_out", True))


class Errors(unittest.TestCase):
    def test_an_error_has_everything_that_the_service_says(self) -> None:
        details = [{"field": "text", "message": "Too long.", "code": "max"}]
        with Server(problem(422, "post_invalid", action="fix_request", retryable=False, details=details)) as server:
            with self.assertRaises(CarillonError) as raised:
                client(server).content.publish("p1")
        error = raised.exception
        self.assertEqual(
            (error.code, str(error), error.status, error.action, error.retryable, error.details, error.doc_url, error.trace_id),
            ("post_invalid", "No.", 422, "fix_request", False, details, "https://d", "t1"),
        )

    def test_a_page_of_a_proxy_is_not_taken_for_a_response(self) -> None:
        for status, action in ((200, "fix_request"), (404, "fix_request"), (500, "retry")):
            with Server(Reply(status, b"<html>", {"X-Request-Id": "t2"})) as server:
                with self.assertRaises(CarillonError) as raised:
                    client(server).me.get()
            found = raised.exception
            self.assertEqual((found.code, found.status, found.action, found.trace_id), ("answer_unreadable", status, action, "t2"))


class Lists(unittest.TestCase):
    def test_all_pages_are_read_by_cursor(self) -> None:
        def page(request: Received) -> Reply:
            is_second = "cursor=c2" in request.path
            return success({"data": [{"uploadId": "b" if is_second else "a"}], "meta": {"nextCursor": None if is_second else "c2"}})

        with Server(page) as server:
            found = [post["uploadId"] for post in client(server).content.iterate({"status": "failed", "archived": "any"})]
        self.assertEqual(found, ["a", "b"])
        self.assertEqual(server.requests[0].path, "/api/content?limit=100&status=failed&archived=any")
        self.assertIn("cursor=c2", server.requests[1].path)

    def test_a_field_that_is_a_keyword_of_python(self) -> None:
        with Server(success([])) as server:
            client(server).notes.list({"from": "2026-11-01", "to": "2026-11-30"})
        self.assertEqual(server.requests[0].path, "/api/notes?from=2026-11-01&to=2026-11-30")


class Files(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / 'tower "one".jpg'
        self.path.write_bytes(bytes(range(256)) * 4000)

    def tearDown(self) -> None:
        self.folder.cleanup()

    def test_a_file_is_sent_as_a_form_again_for_each_attempt(self) -> None:
        with Server(Reply(503, ""), success(ACCEPTED)) as server:
            client(server).content.create_photos(
                {"connections": ["x", "y"], "text": "Bells", "medias": [self.path, "0123456789abcdef01234567"], "mediaOptions": [{"alt": "é"}]}
            )
        first, second = server.requests
        self.assertEqual(first.body, second.body)
        boundary = first.headers["content-type"].partition("boundary=")[2].encode()
        parts = first.body.split(b"--" + boundary)
        self.assertEqual(len(parts), 8)
        self.assertIn(b'name="connections[]"\r\n\r\ny\r\n', parts[2])
        self.assertIn(b'name="medias[]"; filename="tower %22one%22.jpg"', parts[4])
        self.assertIn(b"\r\n\r\n" + self.path.read_bytes() + b"\r\n", parts[4])
        self.assertIn(b'name="medias[]"\r\n\r\n0123456789abcdef01234567\r\n', parts[5])
        self.assertIn(b'name="mediaOptions"\r\n\r\n[{"alt": "\\u00e9"}]\r\n', parts[6])

    def test_a_file_that_is_missing_is_an_error_of_the_program(self) -> None:
        with Server(success({})) as server:
            with self.assertRaises(FileNotFoundError):
                client(server).media.upload_file(Path(self.folder.name) / "other.jpg")
            with self.assertRaises(IsADirectoryError):
                client(server).media.upload_file(Path(self.folder.name))
        self.assertEqual(server.requests, [])

    def test_a_large_file_is_sent_in_parts_and_resumed(self) -> None:
        """Guarantee: parts that arrived are not sent again, and the file arrives complete and in order."""
        stored: dict[int, bytes] = {}
        refused = {3}

        def reply(request: Received) -> Reply:
            if request.path == "/api/media/uploads":
                parts = [{"partNumber": number, "url": f"{server.url}/store/{number}"} for number in range(1, 5)]
                return success({"id": "up", "partSizeBytes": 300_000, "parts": parts, "expiresAt": "2026-11-20T00:00:00.000Z"})
            if request.path.startswith("/store/"):
                number = int(request.path.removeprefix("/store/"))
                if number in refused:
                    return Reply(403, "")
                stored[number] = request.body
                return Reply(200, "", {"ETag": f'"{number}"'})
            return success({"id": "m1", "parts": json.loads(request.body)["parts"]})

        checkpoints: list[UploadCheckpoint] = []

        def note(progress: UploadProgress) -> None:
            if progress.checkpoint:
                checkpoints.append(progress.checkpoint)

        with Server(reply) as server:
            carillon = client(server)
            with self.assertRaises(CarillonError) as raised:
                carillon.media.upload_file(self.path, parts_from_bytes=1, parts_at_once=1, on_progress=note)
            self.assertEqual(raised.exception.code, "store_refused")
            sent_before = sorted(stored)
            refused.clear()
            stored_before = dict(stored)
            begin = len(server.requests)
            media: Media = carillon.media.upload_file(self.path, resume_from=checkpoints[-1])
        self.assertEqual(media["id"], "m1")
        again = [int(each.path.removeprefix("/store/")) for each in server.requests[begin:] if each.path.startswith("/store/")]
        self.assertEqual(sorted([*sent_before, *again]), [1, 2, 3, 4])
        self.assertTrue(all(stored[number] == content for number, content in stored_before.items()))
        self.assertEqual(b"".join(stored[number] for number in (1, 2, 3, 4)), self.path.read_bytes())
        completed = json.loads(server.requests[-1].body)["parts"]
        self.assertEqual([part["partNumber"] for part in completed], [1, 2, 3, 4])
        # The key of the API is not for the store.
        self.assertTrue(all("authorization" not in each.headers for each in server.requests if each.path.startswith("/store/")))

    def test_a_file_in_memory(self) -> None:
        with Server(success({"id": "m1"})) as server:
            client(server).media.upload_file(File(b"abc", "a.txt"))
        self.assertIn(b'filename="a.txt"', server.requests[0].body)
        self.assertIn(b"\r\n\r\nabc\r\n", server.requests[0].body)


class Waiting(unittest.TestCase):
    def test_it_polls_until_the_post_is_finished(self) -> None:
        with Server(success({"status": "queued"}), success({"status": "partial_failure"})) as server:
            post: PostStatusView = client(server).content.wait_until_finished("r1")
        self.assertEqual(post["status"], "partial_failure")
        self.assertEqual(server.requests[0].path, "/api/content/status?requestId=r1")

    def test_a_draft_is_not_waited_for_and_a_wait_ends(self) -> None:
        for status, timeout, code in (("draft", 5.0, "wait_pointless"), ("scheduled", 0.0, "wait_timed_out")):
            with Server(success({"status": status})) as server:
                with self.assertRaises(CarillonError) as raised:
                    client(server).content.wait_until_finished("r1", timeout=timeout)
            self.assertEqual(raised.exception.code, code)


if __name__ == "__main__":
    unittest.main()
