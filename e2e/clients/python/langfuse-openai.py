"""The Langfuse SDK, whose host is Spool: LANGFUSE_HOST, with the password as its secret key."""

import os

os.environ["LANGFUSE_HOST"] = os.environ["SPOOL_URL"]
os.environ["LANGFUSE_PUBLIC_KEY"] = "api"
os.environ["LANGFUSE_SECRET_KEY"] = os.environ["SPOOL_KEY"]
# Langfuse takes the project from its keys, Spool from the resource.
entity, project = os.environ["SPOOL_PROJECT"].split("/")
os.environ["OTEL_RESOURCE_ATTRIBUTES"] = f"wandb.entity={entity},wandb.project={project}"

from langfuse import get_client, observe, propagate_attributes
from langfuse.openai import openai

import openai_conversation as conversation

client = openai.OpenAI(max_retries=0)
conversation.get_weather = observe(conversation.get_weather, as_type="tool")


@observe()
def answer(question: str) -> str:
    return conversation.answer(client, question)


@observe()
def greet(message: str) -> str:
    return conversation.greet(client, message)


@observe()
def fail(message: str) -> None:
    conversation.fail(client, message)


with propagate_attributes(session_id=os.environ["THREAD_ID"], user_id="kim"):
    answer("What is the weather in Paris?")
    greet("Say hello")
    try:
        fail("Please fail")
    except openai.BadRequestError:
        pass
get_client().shutdown()
