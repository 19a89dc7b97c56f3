"""Weave for Python keeps its calls while the service is away, and sends them when it is back."""

import os
import socket
import threading
import time
from urllib.parse import urlparse

spool = urlparse(os.environ["SPOOL_URL"])


class Proxy:
    """A connection to Spool that can break: while `is_broken`, it closes what connects."""

    def __init__(self) -> None:
        self.is_broken = False
        self.refused_count = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            near, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=[near], daemon=True).start()

    def serve(self, near: socket.socket) -> None:
        far = socket.create_connection((spool.hostname, spool.port))
        threading.Thread(target=self.copy, args=[far, near], daemon=True).start()
        self.copy(near, far)

    def copy(self, source: socket.socket, target: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                if self.is_broken:
                    self.refused_count += 1
                    break
                target.sendall(data)
        except OSError:
            pass
        source.close()
        target.close()


proxy = Proxy()
os.environ["WF_TRACE_SERVER_URL"] = os.environ["WANDB_BASE_URL"] = proxy.url

import openai
import weave

import openai_conversation as conversation

weave_client = weave.init(os.environ["SPOOL_PROJECT"])
client = openai.OpenAI(max_retries=0)
answer, greet, fail = weave.op(conversation.answer), weave.op(conversation.greet), weave.op(conversation.fail)

proxy.is_broken = True
with weave.thread(os.environ["THREAD_ID"]):
    answer(client, "What is the weather in Paris?")
    greet(client, "Say hello")
    try:
        fail(client, "Please fail")
    except openai.BadRequestError:
        pass
while proxy.refused_count < 2:
    time.sleep(0.1)
proxy.is_broken = False
weave_client.finish()
