"""What else of Weave for Python writes and reads back: every check here fails the program."""

import asyncio
import os
from urllib.parse import quote

import openai
import weave

client = weave.init(os.environ["SPOOL_PROJECT"])
model = openai.AsyncOpenAI(max_retries=0)


@weave.op
async def answer(question: str) -> str:
    reply = await model.chat.completions.create(model="gpt-4o-mini", messages=[{"role": "user", "content": question}])
    return reply.choices[0].message.content


@weave.op
def count(limit: int):
    yield from range(limit)


@weave.op
async def stream(limit: int):
    for number in range(limit):
        await asyncio.sleep(0)
        yield number


@weave.op
def parent(name: str) -> list[int]:
    return list(count(3))


@weave.op
def exact(expected: str, output: str) -> dict:
    return {"match": expected == output}


class Echo(weave.Model):
    prefix: str

    @weave.op
    async def predict(self, question: str) -> str:
        return self.prefix + question


async def main() -> None:
    with weave.thread(os.environ["THREAD_ID"]), weave.attributes({"env": "test", "release": {"number": 7}}):
        _, answered = await answer.call("Say hello")
        _, listed = parent.call("numbers")
        streamed = [number async for number in stream(2)]
    assert streamed == [0, 1]
    client.flush()

    # Calls.
    read = client.get_call(answered.id)
    assert read.output == "You said: Say hello", read.output
    assert read.inputs["question"] == "Say hello"
    assert read.attributes["release"]["number"] == 7, read.attributes
    assert read.thread_id == os.environ["THREAD_ID"] and read.turn_id == answered.id
    assert [child.op_name.split("/")[-1].split(":")[0] for child in client.get_call(listed.id).children()] == ["count"]
    assert client.get_call(listed.id).output == [0, 1, 2]
    priced = list(client.get_calls(filter={"call_ids": [answered.id]}, include_costs=True, include_feedback=True))
    assert priced[0].summary["weave"]["costs"], priced[0].summary
    assert len(list(client.get_calls(filter={"trace_roots_only": True}))) == 3
    assert len(client.get_calls(query={"$expr": {"$eq": [{"$getField": "inputs.name"}, {"$literal": "numbers"}]}})) == 1
    newest = client.get_calls(sort_by=[{"field": "started_at", "direction": "desc"}], limit=1, columns=["op_name", "started_at"])
    assert "stream" in newest[0].op_name, newest[0].op_name
    read.set_display_name("Hello")
    client.flush()
    assert client.get_call(answered.id).display_name == "Hello"

    # Feedback.
    read.feedback.add_reaction("👍")
    read.feedback.add_note("A good answer")
    scored = read.feedback.add("score", {"value": 0.75})
    client.flush()
    kinds = sorted(each.feedback_type for each in client.get_call(answered.id).feedback)
    assert kinds == ["score", "wandb.note.1", "wandb.reaction.1"], kinds
    read.feedback.purge(scored)
    assert len(client.get_call(answered.id).feedback) == 2
    assert len(list(client.get_feedback(query={"$expr": {"$eq": [{"$getField": "feedback_type"}, {"$literal": "wandb.note.1"}]}}))) == 1

    # Costs.
    added = client.add_cost("own-model", 0.000002, 0.000008, provider_id="own")
    own = client.query_costs(query={"$expr": {"$eq": [{"$getField": "llm_id"}, {"$literal": "own-model"}]}})
    assert [(each.llm_id, each.prompt_token_cost, each.completion_token_cost) for each in own] == [("own-model", 0.000002, 0.000008)], own
    assert client.query_costs(llm_ids=["own-model"])[0].provider_id == "own"
    client.purge_costs(ids=[added.ids[0][0]])
    assert client.query_costs(llm_ids=["own-model"]) == []

    # Objects, datasets, references.
    rows = [{"question": "a", "expected": "a"}, {"question": "b", "expected": "B"}]
    dataset = weave.Dataset(name="letters", rows=rows)
    reference = weave.publish(dataset)
    again = weave.ref(reference.uri).get()
    assert [dict(row) for row in again.rows] == rows
    assert dict(again.rows[1]) == rows[1] and len(again.rows) == 2
    again.add_rows([{"question": "c", "expected": "c"}])
    assert weave.ref("letters:latest").get().name == "letters"
    weave.publish({"temperature": 0.2, "nested": {"list": [1, 2]}}, name="settings")
    client.flush()
    assert weave.ref("settings").get()["nested"]["list"][1] == 2
    assert weave.publish({"temperature": 0.3}, name="settings").digest != weave.ref("settings:v0").get().ref.digest
    prompt = weave.publish(weave.MessagesPrompt([{"role": "user", "content": "Say {word}"}]), name="greeting")
    assert weave.ref(prompt.uri).get().format(word="hello")[0]["content"] == "Say hello"
    assert weave.ref(weave.publish(answer).uri).get().name == "answer"

    # A scorer as the dashboard makes it; its reference encodes what is not ASCII.
    spec = {"name": "Höflich?", "description": None, "field_schema": {"type": "string", "enum": ["ja", "nein"], "x-optional": True}}
    project = os.environ["SPOOL_PROJECT"]
    new = {"project_id": project, "object_id": "Höflich", "val": spec, "builtin_object_class": "AnnotationSpec"}
    digest = client.server.obj_create({"obj": new}).digest
    scorer = weave.ref(f"weave:///{project}/object/{quote('Höflich')}:{digest}").get()
    assert isinstance(scorer, weave.AnnotationSpec) and scorer.name == "Höflich?", scorer
    assert scorer.value_is_valid("ja") and not scorer.value_is_valid("vielleicht"), scorer.field_schema

    # Evaluations.
    evaluation = weave.Evaluation(name="echo", dataset=dataset, scorers=[exact])
    summary = await evaluation.evaluate(Echo(prefix=""))
    assert summary["exact"]["match"] == {"true_count": 1, "true_fraction": 0.5}, summary
    logger = weave.EvaluationLogger(model="by-hand", dataset="letters")
    prediction = logger.log_prediction(inputs={"question": "a"}, output="a")
    prediction.log_score(scorer="exact", score=True)
    prediction.finish()
    logger.log_summary({"mean": 1.0})
    client.flush()
    assert len(evaluation.get_evaluate_calls()) == 1

    # Deleting.
    client.delete_call(client.get_call(listed.id))
    client.flush()
    assert len(client.get_calls(filter={"call_ids": [listed.id]})) == 0


asyncio.run(main())
