"""The conversation, with Anthropic's client. Each function is one turn."""

import anthropic

request = {"model": "claude-sonnet-4-5", "max_tokens": 1024}
tools = [
    {
        "name": "get_weather",
        "description": "The weather of a city",
        "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    }
]


def get_weather(city: str) -> str:
    return f"21 degrees in {city}"


def answer(client: anthropic.Anthropic, question: str) -> str:
    messages = [{"role": "user", "content": question}]
    first = client.messages.create(**request, messages=messages, tools=tools)
    [call] = [block for block in first.content if block.type == "tool_use"]
    result = {"type": "tool_result", "tool_use_id": call.id, "content": get_weather(**call.input)}
    messages += [{"role": "assistant", "content": first.content}, {"role": "user", "content": [result]}]
    return client.messages.create(**request, messages=messages, tools=tools).content[0].text


def greet(client: anthropic.Anthropic, message: str) -> str:
    events = client.messages.create(**request, messages=[{"role": "user", "content": message}], stream=True)
    return "".join(event.delta.text for event in events if event.type == "content_block_delta")


def fail(client: anthropic.Anthropic, message: str) -> None:
    client.messages.create(**request, messages=[{"role": "user", "content": message}])
