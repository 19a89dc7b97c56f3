"""The OpenAI Agents SDK with OpenInference's instrumentation."""

import asyncio
import os

import openai
from agents import Agent, Runner, function_tool, set_default_openai_client
from openinference.instrumentation import using_session
from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor

from spans import provider

OpenAIAgentsInstrumentor().instrument(tracer_provider=provider)
set_default_openai_client(openai.AsyncOpenAI(max_retries=0), use_for_tracing=False)


@function_tool
def get_weather(city: str) -> str:
    return f"21 degrees in {city}"


agent = Agent(name="support", model="gpt-4o-mini", tools=[get_weather])


async def main() -> None:
    with using_session(os.environ["THREAD_ID"]):
        await Runner.run(agent, "What is the weather in Paris?")
        async for _ in Runner.run_streamed(agent, "Say hello").stream_events():
            pass
        try:
            await Runner.run(agent, "Please fail")
        except openai.BadRequestError:
            pass


asyncio.run(main())
provider.shutdown()
