"""Logfire, which also sends to any OpenTelemetry endpoint that OTEL_EXPORTER_OTLP_* names."""

import os

import logfire
import openai

from openai_conversation import answer, fail, greet

logfire.configure(send_to_logfire=False, console=False)
logfire.instrument_openai()
client = openai.OpenAI(max_retries=0)
# Logfire removes attributes whose name has "session" in it.
thread = {"gen_ai.conversation.id": os.environ["THREAD_ID"]}

with logfire.span("answer", **thread):
    answer(client, "What is the weather in Paris?")
with logfire.span("greet", **thread):
    greet(client, "Say hello")
try:
    with logfire.span("fail", **thread):
        fail(client, "Please fail")
except openai.BadRequestError:
    pass
logfire.shutdown()
