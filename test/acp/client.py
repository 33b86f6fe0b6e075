"""A client on the Python library for the Agent Client Protocol: a story, told as JSON on standard output.

    python client.py '{"story": "work", "command": [...], "cwd": "...", "env": {...}, "lends": true}'
"""

import asyncio
import json
import pathlib
import sys

import acp
from acp.schema import (
    AcceptElicitationResponse,
    AllowedOutcome,
    ClientCapabilities,
    CreateTerminalResponse,
    DeniedOutcome,
    ElicitationCapabilities,
    ElicitationFormCapabilities,
    EnvVariable,
    FileSystemCapabilities,
    McpServerStdio,
    ReadTextFileResponse,
    RequestPermissionResponse,
    TerminalOutputResponse,
    WaitForTerminalExitResponse,
    WriteTextFileResponse,
)


class Editor:
    """Says yes once to everything, lends real files and real processes, and remembers what it was told."""

    def __init__(self):
        self.updates = []
        self.methods = []
        self.terminals = {}
        self.heard = asyncio.Event()

    def on_connect(self, conn):
        pass

    async def session_update(self, session_id, update, **kwargs):
        self.updates.append(update)
        if update.session_update == "agent_message_chunk":
            self.heard.set()

    async def request_permission(self, session_id, tool_call, options, **kwargs):
        self.methods.append("permission")
        option = next((each for each in options if each.kind == "allow_once"), None)
        if option is None:
            return RequestPermissionResponse(outcome=DeniedOutcome(outcome="cancelled"))
        return RequestPermissionResponse(outcome=AllowedOutcome(outcome="selected", option_id=option.option_id))

    async def create_elicitation(self, message, mode, **kwargs):
        self.methods.append("form")
        self.form = mode.requested_schema.model_dump(mode="json", by_alias=True, exclude_none=True)
        return AcceptElicitationResponse(action="accept", content={"choice": "blue"})

    async def read_text_file(self, session_id, path, line=None, limit=None, **kwargs):
        self.methods.append("read")
        return ReadTextFileResponse(content=pathlib.Path(path).read_text())

    async def write_text_file(self, session_id, path, content, **kwargs):
        self.methods.append("write")
        pathlib.Path(path).write_text(content)
        return WriteTextFileResponse()

    async def create_terminal(self, session_id, command, args=None, env=None, cwd=None, output_byte_limit=None, **kwargs):
        self.methods.append("terminal")
        process = await asyncio.create_subprocess_exec(
            command,
            *(args or []),
            cwd=cwd,
            env={each.name: each.value for each in env or []},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        name = f"terminal-{len(self.terminals) + 1}"
        output = bytearray()

        async def collect():
            async for piece in process.stdout:
                output.extend(piece)
            return await process.wait()

        self.terminals[name] = (process, output, asyncio.ensure_future(collect()))
        return CreateTerminalResponse(terminal_id=name)

    async def terminal_output(self, session_id, terminal_id, **kwargs):
        return TerminalOutputResponse(output=self.terminals[terminal_id][1].decode(), truncated=False)

    async def wait_for_terminal_exit(self, session_id, terminal_id, **kwargs):
        return WaitForTerminalExitResponse(exit_code=await self.terminals[terminal_id][2])

    async def kill_terminal(self, session_id, terminal_id, **kwargs):
        self.terminals[terminal_id][0].kill()

    async def release_terminal(self, session_id, terminal_id, **kwargs):
        self.methods.append("release")

    def said(self, kind="agent_message_chunk"):
        return "".join(each.content.text for each in self.updates if each.session_update == kind)


async def cancelled(conn, editor, session):
    """Cancels a turn once its first words have come, and tells how it ended."""
    editor.heard.clear()
    turn = asyncio.ensure_future(conn.prompt(session_id=session, prompt=[acp.text_block("talk")]))
    await editor.heard.wait()
    await conn.cancel(session_id=session)
    return (await turn).stop_reason


def capabilities_of(plan):
    lends = plan["lends"]
    return ClientCapabilities(
        fs=FileSystemCapabilities(read_text_file=lends, write_text_file=lends),
        terminal=lends,
        elicitation=ElicitationCapabilities(form=ElicitationFormCapabilities()) if plan.get("forms") else None,
    )


async def tell_work(plan):
    """A turn with everything that asks something of the client; a cancel; the session shown again, listed and closed."""
    editor = Editor()
    capabilities = capabilities_of(plan)
    async with acp.spawn_agent_process(editor, *plan["command"], cwd=plan["cwd"], env=plan["env"]) as (conn, _process):
        first = await conn.initialize(protocol_version=acp.PROTOCOL_VERSION, client_capabilities=capabilities)
        session = (await conn.new_session(cwd=plan["cwd"], mcp_servers=[])).session_id
        answer = await conn.prompt(session_id=session, prompt=[acp.text_block("do it")])
        told = editor.said()
        kinds = [each.session_update for each in editor.updates]
        option = await conn.set_config_option(session_id=session, config_id="mode", value="deny")
        stopped = await cancelled(conn, editor, session)
        editor.updates.clear()
        await conn.load_session(session_id=session, cwd=plan["cwd"], mcp_servers=[])
        replayed = [editor.said("user_message_chunk"), editor.said()]
        listed = [each.session_id for each in (await conn.list_sessions(cwd=plan["cwd"])).sessions]
        await conn.close_session(session_id=session)
    return {
        "protocol": first.protocol_version,
        "session": session,
        "reason": answer.stop_reason,
        "told": told,
        "kinds": sorted(set(kinds)),
        "modes": [each.current_value for each in option.config_options if each.id == "mode"],
        "stopped": stopped,
        "replayed": replayed,
        "listed": listed,
        "methods": editor.methods,
    }


async def tell_rest(plan):
    """Context and pictures, a question of the model's, another model, a server of the client's; resumed, closed, deleted."""
    editor = Editor()
    async with acp.spawn_agent_process(editor, *plan["command"], cwd=plan["cwd"], env=plan["env"], use_unstable_protocol=True) as (conn, _process):
        first = await conn.initialize(protocol_version=acp.PROTOCOL_VERSION, client_capabilities=capabilities_of(plan))
        made = await conn.new_session(cwd=plan["cwd"], mcp_servers=[])
        session = made.session_id
        prompt = [
            acp.text_block("Explain "),
            acp.resource_block(acp.embedded_text_resource(f"file://{plan['cwd']}/a.ts", "export const a = 1;", mime_type="text/plain")),
            acp.text_block(" and "),
            acp.resource_link_block("b.ts", f"file://{plan['cwd']}/b.ts"),
            acp.image_block(plan["image"], "image/png"),
        ]
        reasons = [(await conn.prompt(session_id=session, prompt=prompt)).stop_reason]
        chosen = await conn.set_config_option(session_id=session, config_id="model", value="custom:other-model")
        await conn.set_session_mode(session_id=session, mode_id="deny")
        server = McpServerStdio(name="theirs", command=plan["server"][0], args=plan["server"][1:], env=[EnvVariable(name="A", value="b")])
        resumed = await conn.resume_session(session_id=session, cwd=plan["cwd"], mcp_servers=[server])
        reasons.append((await conn.prompt(session_id=session, prompt=[acp.text_block("call it")])).stop_reason)
        reasons.append((await conn.prompt(session_id=session, prompt=[acp.text_block("/status")])).stop_reason)
        commands = [each for update in editor.updates if update.session_update == "available_commands_update" for each in update.available_commands]
        await conn.close_session(session_id=session)
        before = [each.session_id for each in (await conn.list_sessions()).sessions]
        # The library has no method for this one yet.
        await conn._conn.send_request("session/delete", {"sessionId": session})
        after = [each.session_id for each in (await conn.list_sessions()).sessions]
    return {
        "agent": first.agent_info.name,
        "session": session,
        "reasons": reasons,
        "models": [each.current_value for each in chosen.config_options if each.id == "model"],
        "resumed": [resumed.modes.current_mode_id, *(each.current_value for each in resumed.config_options)],
        "form": getattr(editor, "form", None),
        "commands": [each.name for each in commands],
        "told": editor.said(),
        "before": before,
        "after": after,
        "methods": editor.methods,
    }


STORIES = {"work": tell_work, "rest": tell_rest}
plan = json.loads(sys.argv[1])
print(json.dumps(asyncio.run(STORIES[plan["story"]](plan))))
