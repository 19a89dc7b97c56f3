"""Pydantic AI with its own instrumentation."""

import os

from openai import AsyncOpenAI
from pydantic_ai import Agent, InstrumentationSettings
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from spans import provider

Agent.instrument_all(InstrumentationSettings(tracer_provider=provider))
model = OpenAIChatModel("gpt-4o-mini", provider=OpenAIProvider(openai_client=AsyncOpenAI(max_retries=0)))
agent = Agent(model, name="support")
conversation_id = os.environ["THREAD_ID"]


@agent.tool_plain
def get_weather(city: str) -> str:
    return f"21 degrees in {city}"


agent.run_sync("What is the weather in Paris?", conversation_id=conversation_id)
agent.run_stream_sync("Say hello", conversation_id=conversation_id).get_output()
try:
    agent.run_sync("Please fail", conversation_id=conversation_id)
except ModelHTTPError:
    pass
provider.shutdown()
