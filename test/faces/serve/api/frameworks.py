"""Agents of other frameworks that work with the API: prints what each of them came to."""

import asyncio
import json
import sys

plan = json.loads(sys.argv[1])


def price(city: str) -> str:
    """The price of a ticket to a city."""
    return f"a ticket to {city} costs 41"


def with_agents_sdk(form: str) -> list:
    from agents import Agent, ModelSettings, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, function_tool, set_tracing_disabled
    from openai import AsyncOpenAI

    set_tracing_disabled(True)
    client = AsyncOpenAI(base_url=plan["base"], api_key=plan["key"], max_retries=0)
    make = OpenAIResponsesModel if form == "responses" else OpenAIChatCompletionsModel

    async def run() -> list:
        model = make(model="hermes-agent", openai_client=client)
        agent = Agent(name="Tickets", instructions="Be brief.", model=model, tools=[function_tool(price)], model_settings=ModelSettings(temperature=0.2))
        result = await Runner.run(agent, "own, then price for Rome")
        again = await Runner.run(agent, result.to_input_list() + [{"role": "user", "content": "thanks"}])
        stream = Runner.run_streamed(agent, "own, then price for Rome")
        async for _ in stream.stream_events():
            pass
        return [result.final_output, again.final_output, stream.final_output]

    return asyncio.run(run())


def with_langchain(is_responses: bool) -> list:
    from langchain_core.messages import HumanMessage, ToolMessage
    from langchain_core.tools import tool
    from langchain_openai import ChatOpenAI

    model = ChatOpenAI(model="hermes-agent", base_url=plan["base"], api_key=plan["key"], max_retries=0, use_responses_api=is_responses)
    bound = model.bind_tools([tool(price)])
    messages = [HumanMessage("own, then price for Rome")]
    asked = bound.invoke(messages)
    messages.append(asked)
    for call in asked.tool_calls:
        messages.append(ToolMessage(price(**call["args"]), tool_call_id=call["id"]))
    answer = bound.invoke(messages)
    messages += [answer, HumanMessage("thanks")]
    return [[call["name"] for call in asked.tool_calls], answer.text, bound.invoke(messages).text]


def with_langgraph() -> str:
    from langchain_core.tools import tool
    from langchain_openai import ChatOpenAI
    from langgraph.prebuilt import create_react_agent

    model = ChatOpenAI(model="hermes-agent", base_url=plan["base"], api_key=plan["key"], max_retries=0)
    result = create_react_agent(model, [tool(price)]).invoke({"messages": [("user", "own, then price for Rome")]})
    return result["messages"][-1].text


print(
    json.dumps(
        {
            "agents_chat": with_agents_sdk("chat"),
            "agents_responses": with_agents_sdk("responses"),
            "langchain_chat": with_langchain(False),
            "langchain_responses": with_langchain(True),
            "langgraph": with_langgraph(),
        }
    )
)
