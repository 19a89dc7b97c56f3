"""The conversation, with OpenAI's client. Each function is one turn."""

import json

import openai

model = "gpt-4o-mini"
tools = [
    {
        "type": "function",
        "function": {
            "name": "get_weather",
            "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
        },
    }
]


def get_weather(city: str) -> str:
    return f"21 degrees in {city}"


def answer(client: openai.OpenAI, question: str) -> str:
    messages = [{"role": "user", "content": question}]
    first = client.chat.completions.create(model=model, messages=messages, tools=tools)
    call = first.choices[0].message.tool_calls[0]
    result = get_weather(**json.loads(call.function.arguments))
    reply = first.choices[0].message.model_dump(exclude_none=True)
    messages += [reply, {"role": "tool", "tool_call_id": call.id, "content": result}]
    return client.chat.completions.create(model=model, messages=messages, tools=tools).choices[0].message.content


def greet(client: openai.OpenAI, message: str) -> str:
    stream = client.chat.completions.create(
        model=model,
        messages=[{"role": "user", "content": message}],
        stream=True,
        stream_options={"include_usage": True},
    )
    return "".join(chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices)


def fail(client: openai.OpenAI, message: str) -> None:
    client.chat.completions.create(model=model, messages=[{"role": "user", "content": message}])
