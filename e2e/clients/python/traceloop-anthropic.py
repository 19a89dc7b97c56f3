"""Traceloop's instrumentation of Anthropic's client, which sends spans of its own beside: each response comes twice."""

import anthropic
from opentelemetry.instrumentation.anthropic import AnthropicInstrumentor

from anthropic_conversation import answer, fail, greet
from spans import provider, turn

AnthropicInstrumentor().instrument(tracer_provider=provider)
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
