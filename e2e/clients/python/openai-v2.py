"""OpenTelemetry's own instrumentation of OpenAI's client, which sends messages as log records."""

import os

import openai
from opentelemetry._logs import set_logger_provider
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor

from openai_conversation import answer, fail, greet
from spans import provider, turn

os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
os.environ["OTEL_INSTRUMENTATION_GENAI_EMIT_EVENT"] = "true"
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "EVENT_ONLY"
logs = LoggerProvider()
logs.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
set_logger_provider(logs)
OpenAIInstrumentor().instrument(tracer_provider=provider, logger_provider=logs)
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
logs.shutdown()
provider.shutdown()
