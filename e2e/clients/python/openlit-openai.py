"""OpenLIT's instrumentation of OpenAI's client. openlit.init() reads OTEL_EXPORTER_OTLP_*."""

import openai
import openlit

from openai_conversation import answer, fail, greet
from spans import provider, turn

openlit.init(disable_metrics=True)
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
