import { toErrorMessage, isUsageError } from '../base/errors.ts';
import { toPrintable } from '../base/printable.ts';
import type { CommandContext } from '../contracts/command.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { McpTestView } from '../contracts/services/tools.ts';

const FACTS = { category: 'tools', where: ['shell'], whileBusy: 'run', needs: ['mcp'] } as const;
const NAME = { kind: 'text', required: true, description: 'the name of a server' } as const;

export const mcpList = defineCommand({
  ...FACTS,
  name: 'mcp list',
  summary: 'every server and how things stand with it',
  json: 'one JSON array',
  examples: ['hermes mcp list', "hermes mcp list --json | jq -r '.[] | [.name, .state] | @tsv'"],
  run: async (_values, { mcp }) => {
    const { servers, warnings } = await mcp.list();
    const notices = [...warnings, ...servers.flatMap(({ notice }) => notice ?? [])];
    return { servers, notices, ok: servers.every(({ state }) => state !== 'broken') };
  },
});

export const mcpAdd = defineCommand({
  ...FACTS,
  name: 'mcp add',
  summary: 'add a server; arguments of its command go behind --, secrets go to .env',
  arguments: { name: { ...NAME, description: 'what to call it' }, args: { kind: 'list', description: 'arguments of its command' } },
  options: {
    command: { kind: 'text', placeholder: 'program', description: 'a program to start' },
    url: { kind: 'text', placeholder: 'address', description: 'an address to reach' },
    env: { kind: 'list', placeholder: 'name=value', description: 'a variable for the program; may be repeated, secrets go to .env' },
    header: { kind: 'list', placeholder: 'name:value', description: 'a header for the address; may be repeated, secrets go to .env' },
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
  summary: 'connect, log in where that is wanted, and show what the server offers',
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
  summary: 'forget a server, its tools, its login and its secrets',
  arguments: { name: NAME },
  json: 'as JSON',
  ownerOnly: true,
  examples: ['hermes mcp remove notes'],
  run: ({ name }, { mcp }) => mcp.remove(name),
});
