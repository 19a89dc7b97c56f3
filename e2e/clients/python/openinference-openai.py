"""OpenInference's instrumentation of OpenAI's client."""

import openai
from openinference.instrumentation.openai import OpenAIInstrumentor

from openai_conversation import answer, fail, greet
from spans import provider, turn

OpenAIInstrumentor().instrument(tracer_provider=provider)
client = openai.OpenAI(max_retries=0)

with turn("answer"):
    answer(client, "What is the weather in Paris?")
with turn("greet"):
    greet(client, "Say hello")
try:
    with turn("fail"):
        fail(client, "Please fail")
except openai.BadRequestError:
    pass
provider.shutdown()
