"""Weave for Python, which patches OpenAI's client by itself."""

import os

import openai
import weave

import openai_conversation as conversation

weave.init(os.environ["SPOOL_PROJECT"])
client = openai.OpenAI(max_retries=0)
conversation.get_weather = weave.op(conversation.get_weather)


@weave.op
def answer(question: str) -> str:
    return conversation.answer(client, question)


@weave.op
def greet(message: str) -> str:
    return conversation.greet(client, message)


@weave.op
def fail(message: str) -> None:
    conversation.fail(client, message)


with weave.thread(os.environ["THREAD_ID"]):
    answer("What is the weather in Paris?")
    greet("Say hello")
    try:
        fail("Please fail")
    except openai.BadRequestError:
        pass
