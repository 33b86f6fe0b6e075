import type { ParsedValues } from '../contracts/command.ts';
import { defineCommand } from '../contracts/services/define-command.ts';

const OPTIONS = {
  http: { kind: 'flag', description: 'serve over HTTP on this computer instead of standard input and output' },
  port: { kind: 'whole_number', placeholder: 'n', description: 'the port for --http (default: 8645); 0 takes any free one' },
  tools: { kind: 'text', placeholder: 'names', description: 'serve only these tools, separated by commas' },
  source: {
    kind: 'text',
    placeholder: 'names',
    description: 'show only sessions from these sources (cli, tui, mcp, …), separated by commas',
  },
  attended: {
    kind: 'flag',
    unsafe: true,
    description: 'run commands as if you were present: in the attended sandbox, which can read your home',
  },
  allowApprovals: { kind: 'flag', unsafe: true, description: 'let the client allow what the agent asks permission for' },
} as const;
export type McpServeValues = ParsedValues<typeof OPTIONS>;

/** A connection is a stream of messages, not a value: the face serves it itself. */
export const mcpServe = defineCommand({
  name: 'mcp serve',
  category: 'tools',
  summary: 'Serve the conversations of this agent to an MCP client',
  options: OPTIONS,
  where: ['shell'],
  whileBusy: 'refuse',
  json: 'with --http, the address as one JSON line',
  ownerOnly: true,
  examples: ['hermes mcp serve', 'hermes mcp serve --http --port 8645', 'hermes mcp serve --tools conversations_list,messages_read'],
});
