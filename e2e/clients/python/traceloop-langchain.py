"""Traceloop's instrumentation of LangChain."""

import openai
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from opentelemetry.instrumentation.langchain import LangchainInstrumentor

from spans import provider, turn

LangchainInstrumentor().instrument(tracer_provider=provider)


@tool
def get_weather(city: str) -> str:
    """The weather of a city."""
    return f"21 degrees in {city}"


model = ChatOpenAI(model="gpt-4o-mini", max_retries=0, stream_usage=True)
model_with_tools = model.bind_tools([get_weather])


def answer(question: str) -> str:
    messages = [HumanMessage(question)]
    first = model_with_tools.invoke(messages)
    results = [get_weather.invoke(call) for call in first.tool_calls]
    return model_with_tools.invoke([*messages, first, *results]).content


def greet(message: str) -> str:
    return "".join(chunk.content for chunk in model.stream(message))


with turn("answer"):
    RunnableLambda(answer).invoke("What is the weather in Paris?")
with turn("greet"):
    RunnableLambda(greet).invoke("Say hello")
try:
    with turn("fail"):
        model.invoke("Please fail")
except openai.BadRequestError:
    pass
provider.shutdown()
