"""Anthropic's client alone, which sends spans of its own. They have texts where a variable asks for them."""

import os

import anthropic

from anthropic_conversation import answer, fail, greet
from spans import provider, turn

os.environ["ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE"] = "content"
client = anthropic.Anthropic(max_retries=0)

with turn("answer"):
    answer(client, "What is the weather in Paris?")
with turn("greet"):
    greet(client, "Say hello")
try:
    with turn("fail"):
        fail(client, "Please fail")
except anthropic.BadRequestError:
    pass
provider.shutdown()
