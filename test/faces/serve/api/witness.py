"""OpenAI's own client for Python against the API. Prints what it saw as one line of JSON."""

import json
import sys

from openai import AuthenticationError, NotFoundError, OpenAI

plan = json.loads(sys.argv[1])
client = OpenAI(base_url=plan["base"], api_key=plan["key"], max_retries=0)
messages = [{"role": "user", "content": "What is to do?"}]
told = {"models": [model.id for model in client.models.list()]}

whole = client.chat.completions.create(model="hermes-agent", messages=messages)
told["whole"] = [whole.choices[0].message.content, whole.choices[0].finish_reason, whole.usage.total_tokens]

said, tools = "", []
for chunk in client.chat.completions.create(model="hermes-agent", messages=messages, stream=True):
    said += chunk.choices[0].delta.content or ""
    if getattr(chunk, "tool", None):
        tools.append(f"{chunk.tool} {chunk.status}")
told["stream"], told["tools"] = said, tools

first = client.responses.create(model="hermes-agent", input="What is to do?")
told["response"] = [first.status, [item.type for item in first.output]]
types = []
with client.responses.stream(model="hermes-agent", input="And now?", previous_response_id=first.id) as stream:
    for event in stream:
        types.append(event.type)
    told["final"] = [stream.get_final_response().status, types[0], types[-1]]

seen = []
for event in client.responses.create(model="hermes-agent", input="Again.", background=True, stream=True):
    seen.append(event)
    if len(seen) == 5:
        break
response_id = seen[0].response.id
for event in client.responses.retrieve(response_id, stream=True, starting_after=seen[-1].sequence_number):
    seen.append(event)
told["resumed"] = [event.sequence_number for event in seen] == list(range(len(seen)))
client.responses.delete(response_id)

refused = []
for wrong in (lambda: client.responses.retrieve(response_id), lambda: OpenAI(base_url=plan["base"], api_key="wrong", max_retries=0).models.list()):
    try:
        wrong()
    except (NotFoundError, AuthenticationError) as error:
        refused.append(type(error).__name__)
told["refused"] = refused
print(json.dumps(told))
