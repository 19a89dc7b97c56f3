"""MLflow tracing, exported by OpenTelemetry."""

import os

import mlflow
import openai

import openai_conversation as conversation

mlflow.openai.autolog()
client = openai.OpenAI(max_retries=0)
conversation.get_weather = mlflow.trace(conversation.get_weather, span_type="TOOL")


def turn(function):
    @mlflow.trace(name=function.__name__)
    def traced(message: str):
        # MLflow exports attributes of spans by OpenTelemetry, and not the metadata of traces.
        span = mlflow.get_current_active_span()
        span.set_attributes({"mlflow.trace.session": os.environ["THREAD_ID"], "mlflow.trace.user": "kim"})
        return function(client, message)

    return traced


turn(conversation.answer)("What is the weather in Paris?")
turn(conversation.greet)("Say hello")
try:
    turn(conversation.fail)("Please fail")
except openai.BadRequestError:
    pass
mlflow.flush_trace_async_logging()
