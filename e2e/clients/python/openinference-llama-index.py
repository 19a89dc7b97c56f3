"""OpenInference's instrumentation of LlamaIndex."""

import os

import openai
from llama_index.core.llms import ChatMessage
from llama_index.core.tools import FunctionTool
from llama_index.llms.openai import OpenAI
from openinference.instrumentation import using_session
from openinference.instrumentation.llama_index import LlamaIndexInstrumentor

from spans import provider, turn

LlamaIndexInstrumentor().instrument(tracer_provider=provider)
model = OpenAI(model="gpt-4o-mini", api_base=os.environ["OPENAI_BASE_URL"], max_retries=0)


def get_weather(city: str) -> str:
    """The weather of a city."""
    return f"21 degrees in {city}"


tool = FunctionTool.from_defaults(get_weather)


def answer(question: str) -> str:
    messages = [ChatMessage(question)]
    first = model.chat_with_tools([tool], chat_history=messages)
    [call] = model.get_tool_calls_from_response(first)
    result = tool(**call.tool_kwargs)
    messages += [first.message, ChatMessage(str(result), role="tool", additional_kwargs={"tool_call_id": call.tool_id})]
    return model.chat_with_tools([tool], chat_history=messages).message.content


with using_session(os.environ["THREAD_ID"]):
    with turn("answer"):
        answer("What is the weather in Paris?")
    with turn("greet"):
        for _ in model.stream_chat([ChatMessage("Say hello")], stream_options={"include_usage": True}):
            pass
    try:
        with turn("fail"):
            model.chat([ChatMessage("Please fail")])
    except openai.BadRequestError:
        pass
provider.shutdown()
