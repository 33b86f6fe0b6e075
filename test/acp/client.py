"""A client on the Python library for the Agent Client Protocol: one story, told as JSON on standard output.

    python client.py '{"command": [...], "cwd": "...", "env": {...}, "lends": true}'
"""

import asyncio
import json
import pathlib
import sys
import time

import acp
from acp.schema import (
    AllowedOutcome,
    ClientCapabilities,
    CreateTerminalResponse,
    DeniedOutcome,
    FileSystemCapabilities,
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
    """Cancels a turn once its first words have come; the best of three, in milliseconds."""
    best = None
    for _ in range(3):
        editor.heard.clear()
        turn = asyncio.ensure_future(conn.prompt(session_id=session, prompt=[acp.text_block("talk")]))
        await editor.heard.wait()
        start = time.perf_counter()
        await conn.cancel(session_id=session)
        reason = (await turn).stop_reason
        best = min(best or float("inf"), (time.perf_counter() - start) * 1000)
        if best <= 250:
            break
    return {"reason": reason, "ms": best}


async def tell(plan):
    editor = Editor()
    lends = plan["lends"]
    capabilities = ClientCapabilities(fs=FileSystemCapabilities(read_text_file=lends, write_text_file=lends), terminal=lends)
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


print(json.dumps(asyncio.run(tell(json.loads(sys.argv[1])))))
