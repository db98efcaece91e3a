# A receiver for Carillon that keeps posts as lines of a file. Python 3.9 or newer, standard library only:
#   SECRET=whsec_... PORT=8080 python3 receiver.py
import base64, hashlib, hmac, json, os, threading, time, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

SECRET, PORT = os.environ["SECRET"], int(os.environ.get("PORT", "8080"))
FILE = os.environ.get("FILE", "posts.jsonl")
BASE = os.environ.get("PUBLIC_URL", f"http://127.0.0.1:{PORT}")
KEY = base64.b64decode(SECRET[6:]) if SECRET.startswith("whsec_") else SECRET.encode()
DECLARATION = {"carillon": 1, "name": "Example in Python", "keys": True, "text": {"max": 5000}, "formats": ["text", "photo"]}

posts = {}  # by key
lock = threading.Lock()  # one post at a time: a repeat waits for the first
if os.path.exists(FILE):
    with open(FILE, encoding="utf-8") as lines:
        posts = {post["key"]: post for post in map(json.loads, lines)}


def is_signed(headers, body):
    sent = headers.get("webhook-timestamp", "")
    if not sent.isdigit() or abs(time.time() - int(sent)) >= 300:
        return False
    message = f'{headers.get("webhook-id")}.{sent}.'.encode() + body
    wanted = "v1," + base64.b64encode(hmac.new(KEY, message, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(wanted, each) for each in headers.get("webhook-signature", "").split(" "))


def publish(key, data):
    files = []
    for each in data["media"]:
        content = urllib.request.urlopen(each["url"], timeout=60).read()  # this is where you would keep the file
        files.append({"alt": each["alt"], "mimeType": each["mimeType"], "sizeBytes": len(content)})
    post = {"id": str(len(posts) + 1), "key": key, "text": data["text"], "media": files}
    with open(FILE, "a", encoding="utf-8") as lines:
        lines.write(json.dumps(post) + "\n")  # the one step that publishes, with the key in it
    posts[key] = post


def result_of(post):
    received = {"text": post["text"], "media": post["media"]}
    return 200, {"postId": post["id"], "postUrl": f'{BASE}/posts/{post["id"]}', "received": received}


class Receiver(BaseHTTPRequestHandler):
    def reply(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if not is_signed(self.headers, b""):
            return self.reply(401, {"code": "signature_wrong", "message": "The signature is wrong or too old."})
        key = parse_qs(urlsplit(self.path).query).get("key", [None])[0]
        if key is None:
            return self.reply(200, DECLARATION)
        self.reply(*(result_of(posts[key]) if key in posts else (404, {"code": "unknown_key"})))

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        if not is_signed(self.headers, body):
            return self.reply(401, {"code": "signature_wrong", "message": "The signature is wrong or too old."})
        request, key = json.loads(body), self.headers["idempotency-key"]
        if request["type"] != "post.publish":
            return self.reply(501, {"code": "unsupported", "message": "This receiver only publishes."})
        if len(request["data"]["text"]) > DECLARATION["text"]["max"]:
            return self.reply(422, {"code": "text_too_long"})
        with lock:
            try:
                if key not in posts:
                    publish(key, request["data"])
            except OSError:
                return self.reply(422, {"code": "file_not_fetched"})
            self.reply(*result_of(posts[key]))


print(f"listening on port {PORT}", flush=True)
ThreadingHTTPServer(("", PORT), Receiver).serve_forever()
