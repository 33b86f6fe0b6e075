import { toErrorMessage, isUsageError } from '../base/errors.ts';
import { toPrintable } from '../base/printable.ts';
import { toVisibleLine } from '../base/visible.ts';
import type { CommandContext } from '../contracts/command.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { McpTestView } from '../contracts/services/tools.ts';

const FACTS = { category: 'tools', where: ['shell'], whileBusy: 'run', needs: ['mcp'] } as const;
const NAME = { kind: 'text', required: true, description: 'the name of a server' } as const;

export const mcpList = defineCommand({
  ...FACTS,
  where: ['shell', 'terminal'],
  slash: ['mcp', 'mcp list'],
  name: 'mcp list',
  summary: 'List MCP servers and their status',
  json: 'one JSON array',
  examples: ['hermes mcp list', "hermes mcp list --json | jq -r '.[] | [.name, .state] | @tsv'"],
  run: async (_values, { mcp }) => {
    const { servers, warnings } = await mcp.list();
    const notices = [...warnings, ...servers.flatMap(({ notice }) => notice ?? [])];
    return { servers, notices, ok: servers.every(({ state }) => state !== 'broken') };
  },
  describe: ({ servers, notices }) =>
    [...servers.map(({ name, state, where }) => toVisibleLine(`${name}: ${state} (${where})`)), ...notices].join('\n') ||
    'No MCP servers are set up.',
});

export const mcpAdd = defineCommand({
  ...FACTS,
  name: 'mcp add',
  summary: 'Add a server; put the arguments of its command after --',
  arguments: { name: { ...NAME, description: 'a name for it' }, args: { kind: 'list', description: 'arguments of its command' } },
  options: {
    command: { kind: 'text', placeholder: 'program', description: 'the program to start' },
    url: { kind: 'text', placeholder: 'address', description: 'the address of the server' },
    env: { kind: 'list', placeholder: 'name=value', description: 'set a variable for the program; can be repeated, secrets go to .env' },
    header: { kind: 'list', placeholder: 'name:value', description: 'send a header; can be repeated, secrets go to .env' },
    oauth: { kind: 'flag', description: 'log in with a browser' },
  },
  json: 'as JSON',
  ownerOnly: true,
  examples: [
    'hermes mcp add notes --command npx -- -y @modelcontextprotocol/server-filesystem ~/notes',
    'hermes mcp add tracker --url https://mcp.example.org/mcp --oauth',
    'hermes mcp add tracker --url https://mcp.example.org/mcp --header "Authorization: Bearer …"',
  ],
  run: ({ args = [], ...server }, { mcp }) => mcp.add({ ...server, args }),
});

/** What a server offers, or why it could not be reached. */
export type McpTestResult =
  | { readonly ok: true; readonly server: McpTestView }
  | { readonly ok: false; readonly name: string; readonly error: string };
/** Where to log in, while somebody watches. */
export interface LoginAddress {
  readonly loginUrl: string;
}

export const mcpTest = defineCommand({
  ...FACTS,
  name: 'mcp test',
  summary: 'Connect to a server, log in if required, and list its tools',
  arguments: { name: NAME },
  json: 'as JSON',
  examples: ['hermes mcp test notes'],
  run: async ({ name }, { mcp }, context: CommandContext<LoginAddress>): Promise<McpTestResult> => {
    const { report, confirm, signal } = context;
    // Somebody who can be asked can be shown the way to a login; nobody else is sent anywhere.
    const showLogin = confirm === undefined ? undefined : (loginUrl: string) => report({ loginUrl });
    try {
      return { ok: true, server: await mcp.test(name, signal, showLogin) };
    } catch (error) {
      if (isUsageError(error)) throw error;
      return { ok: false, name, error: toPrintable(toErrorMessage(error)) };
    }
  },
});

export const mcpRemove = defineCommand({
  ...FACTS,
  name: 'mcp remove',
  summary: 'Remove a server with its login and its secrets',
  arguments: { name: NAME },
  json: 'as JSON',
  ownerOnly: true,
  examples: ['hermes mcp remove notes'],
  run: ({ name }, { mcp }) => mcp.remove(name),
});
