import { messageOf } from '../../base/errors.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import { oneLine } from '../../base/printable.ts';
import { safeHead } from '../../base/text.ts';
import { text } from '../../contracts/message.ts';
import type { Tool, ToolContext, ToolOutput } from '../../contracts/tool.ts';
import type { Progress } from './connection.ts';
import { callFailure } from './failures.ts';
import type { ServerLink } from './link.ts';
import type { RemoteTool } from './remote-tools.ts';
import { outputOf } from './results.ts';
import type { ServerConfig } from './servers.ts';
import { plainName } from './judge.ts';
import { matches } from './select.ts';

/** Characters of a result kept inline; the reference allows MCP tools half of what others have. */
const MAX_RESULT = 50_000;
const PROGRESS_EVERY_MS = 250;
const LONGEST_NOTE = 200;

/** A tool of a server as one of ours. Nothing it answers is trusted, and what it says of itself only makes it run later or less. */
export function mcpTool(name: string, remote: RemoteTool, config: ServerConfig, link: ServerLink): Tool<JsonObject> {
  const foreign = `mcp server ${config.name}`;
  const sink = sinkOf(remote, config);
  return {
    name,
    description: remote.description,
    input: remote.input,
    // Without the owner's word that its calls get along, a call is alone with whatever it may touch.
    effects: () => ({ kind: remote.readOnly ? 'read' : 'write', resources: config.parallel ? [] : ['*'] }),
    replay: remote.readOnly && remote.idempotent ? 'safe' : 'never',
    idempotent: remote.readOnly,
    offTerminal: true,
    trust: 'foreign',
    ...(sink !== undefined && { sink: () => sink }),
    // Reaching the server and the call itself have their own limits; waiting for another call must not count.
    timeoutMs: 0,
    maxResult: MAX_RESULT,
    run: async (input, context) => {
      try {
        const result = await link.call(remote.name, input, { signal: context.signal, onProgress: progressTo(context) });
        return read(result, foreign);
      } catch (error) {
        const facts = { story: link.story(), timeoutMs: config.timeoutMs, stopped: context.signal.aborted };
        return { content: [text(callFailure(config.name, remote.name, error, facts), 'foreign')], foreign, failed: true };
      }
    },
  };
}

/** A result may be nested deeper than anything can walk. */
function read(result: Json, foreign: string): ToolOutput {
  try {
    return outputOf(result, foreign);
  } catch (error) {
    return {
      content: [text(`The call was done, but its result could not be read: ${messageOf(error)}`, 'foreign')],
      foreign,
      failed: true,
    };
  }
}

/** A note now and then: a server may send thousands. */
function progressTo(context: ToolContext): (progress: Progress) => void {
  let last = -Infinity;
  return ({ progress, total, message }) => {
    const now = performance.now();
    if (now - last < PROGRESS_EVERY_MS && progress !== total) return;
    last = now;
    const share = total === undefined ? String(progress) : `${progress} of ${total}`;
    context.report(message === undefined ? share : `${share}: ${safeHead(oneLine(message), LONGEST_NOTE)}`);
  };
}

/**
 * The lasting place a call of this tool writes to, in words; nothing for one that only looks. The owner's word is final both
 * ways, the stricter one first; without it, what the server says of a tool can make it a sink and silence does too.
 */
export function sinkOf(
  tool: Pick<RemoteTool, 'name' | 'outward'>,
  { name, trusted, sinks }: Pick<ServerConfig, 'name' | 'trusted' | 'sinks'>,
) {
  const named = (patterns: readonly string[]) => patterns.some((pattern) => matches(pattern, tool.name));
  return named(sinks) || (tool.outward && !named(trusted)) ? `the MCP server ${name} (${plainName(tool)})` : undefined;
}
