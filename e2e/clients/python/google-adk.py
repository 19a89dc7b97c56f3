"""Google's Agent Development Kit, which traces by itself."""

import asyncio
import os

# Without these it sends no messages.
os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "SPAN_ONLY"

from google.adk.agents import Agent
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.runners import InMemoryRunner
from google.genai import types
from google.genai.errors import ClientError

from spans import provider


def get_weather(city: str) -> str:
    """The weather of a city."""
    return f"21 degrees in {city}"


agent = Agent(name="support", model="gemini-2.5-flash", tools=[get_weather])
runner = InMemoryRunner(agent=agent, app_name="app")


async def ask(question: str, streaming_mode: StreamingMode = StreamingMode.NONE) -> None:
    message = types.Content(role="user", parts=[types.Part(text=question)])
    async for _ in runner.run_async(
        user_id="kim",
        session_id=os.environ["THREAD_ID"],
        new_message=message,
        run_config=RunConfig(streaming_mode=streaming_mode),
    ):
        pass


async def main() -> None:
    await runner.session_service.create_session(app_name="app", user_id="kim", session_id=os.environ["THREAD_ID"])
    await ask("What is the weather in Paris?")
    await ask("Say hello", StreamingMode.SSE)
    try:
        await ask("Please fail")
    except ClientError:
        pass


asyncio.run(main())
provider.shutdown()
