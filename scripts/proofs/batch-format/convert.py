"""Conversations as hermes-agent itself writes them: its two functions are taken out of the package, which needs not be installed.

    python3 convert.py FOLDER < cases.jsonl
"""

import ast
import json
import logging
import re
import sys
import typing

WANTED = {"_convert_to_trajectory_format", "_format_tools_for_system_message", "convert_scratchpad_to_think"}


def load(folder):
    names = {"json": json, "logging": logging, "_trajectory_normalize_msg": lambda message: message, **vars(typing)}
    for file in ("run_agent.py", "agent/trajectory.py"):
        with open(f"{folder}/{file}", encoding="utf-8") as source:
            tree = ast.parse(source.read())
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name in WANTED:
                node.decorator_list = []
                exec(ast.unparse(node), names)
    return names


class Agent:
    tools = []


def main():
    names = load(sys.argv[1])
    agent = Agent()
    agent._format_tools_for_system_message = lambda: names["_format_tools_for_system_message"](agent)
    for line in sys.stdin:
        case = json.loads(line)
        agent.tools = case["tools"]
        messages = [
            {("reasoning" if key == "reasoning_content" else key): value for key, value in message.items()}
            for message in case["messages"]
        ]
        turns = names["_convert_to_trajectory_format"](agent, messages, messages[0]["content"], True)
        tools = re.search(r"<tools>\n(.*)\n</tools>", turns[0]["value"]).group(1)
        print(json.dumps({"turns": turns[1:], "tools": tools}, ensure_ascii=False))


main()
