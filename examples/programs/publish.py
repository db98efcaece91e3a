# Publishes a picture with the Python client, and waits for the result. Python 3.11 or newer, `pip install carillon`.
import os
from pathlib import Path

from carillon import Carillon

carillon = Carillon(os.environ["CARILLON_URL"], os.environ["CARILLON_KEY"], os.environ["CARILLON_WORKSPACE"])
# The same key for every attempt: however often this is run, there is one post.
post = carillon.content.create_photos(
    {"connections": os.environ["ACCOUNTS"].split(" "), "text": os.environ["TEXT"], "medias": [Path(os.environ["FILE"])]},
    idempotency_key=os.environ["KEY"],
)
for channel in carillon.content.wait_until_finished(post["uploadId"])["channels"]:
    print(channel["platform"], channel["result"]["status"], channel["result"]["postUrl"])
