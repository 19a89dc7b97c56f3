"""What a program with OpenTelemetry has at its start. The exporter reads OTEL_EXPORTER_OTLP_*."""

import os
from contextlib import contextmanager

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
trace.set_tracer_provider(provider)


@contextmanager
def turn(name: str):
    """A span of one's own that names the thread by its attribute. The spans below it belong to the same thread."""
    attributes = {"gen_ai.conversation.id": os.environ["THREAD_ID"]}
    with trace.get_tracer("app").start_as_current_span(name, attributes=attributes):
        yield
