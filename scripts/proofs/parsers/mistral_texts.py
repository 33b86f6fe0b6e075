"""How Mistral's own library writes calls. Reads a list of call sets and writes, for each version of its tokenizers, their texts."""
import itertools
import json
import sys

from mistral_common.protocol.instruct.messages import AssistantMessage
from mistral_common.protocol.instruct.tool_calls import FunctionCall, ToolCall
from mistral_common.tokens.tokenizers.base import SpecialTokenPolicy
from mistral_common.tokens.tokenizers.mistral import MistralTokenizer

VERSIONS = {"v3": MistralTokenizer.v3, "v3 tekken": lambda: MistralTokenizer.v3(is_tekken=True), "v7": MistralTokenizer.v7}
# Before version 7 a message has words or calls, not both.
WITH_CONTENT = ["v7"]


def write(tokenizer, row, has_content):
    calls = [
        ToolCall(id=call["id"], function=FunctionCall(name=call["name"], arguments=json.dumps(call["arguments"], ensure_ascii=False)))
        for call in row["calls"]
    ]
    said = AssistantMessage(content=(has_content and row["content"]) or None, tool_calls=calls)
    tokens = tokenizer.instruct_tokenizer.encode_assistant_message(said, is_before_last_user_message=False)
    return decode(tokenizer, tokens)


def decode(tokenizer, tokens):
    """As a server does: special tokens by their names, the text between them as text. SentencePiece itself would give its pieces."""
    special = tokenizer.instruct_tokenizer.tokenizer.is_special
    runs = [(is_special, list(run)) for is_special, run in itertools.groupby(tokens, special)]
    policies = {True: SpecialTokenPolicy.KEEP, False: SpecialTokenPolicy.IGNORE}
    return "".join(tokenizer.decode(run, special_token_policy=policies[is_special]) for is_special, run in runs)


with open(sys.argv[1], encoding="utf-8") as rows:
    sets = json.load(rows)
texts = {}
for name, make in VERSIONS.items():
    tokenizer = make()
    texts[name] = [write(tokenizer, row, name in WITH_CONTENT) for row in sets]
with open(sys.argv[2], "w", encoding="utf-8") as out:
    json.dump(texts, out)
