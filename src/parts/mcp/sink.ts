import { plainName } from './judge.ts';
import type { RemoteTool } from './remote-tools.ts';
import { matches } from './select.ts';
import type { ServerConfig } from './servers.ts';

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
