import type { Command } from 'commander';
import type { Ends, McpAddFlags, Verbs } from './verbs.ts';

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** Servers whose tools the agent may use. */
export function mcpCommands(program: Command, verbs: Verbs, ends: Ends): void {
  const mcp = program.command('mcp').description('MCP servers: other programs whose tools the agent can use');
  mcp
    .command('list')
    .description('every server and how things stand with it')
    .option('--json', 'one JSON array')
    .action((flags) => ends(verbs.mcp.list(flags)));
  mcp
    .command('add <name> [args...]')
    .description('add a server; arguments of its command go behind --, secrets go to .env')
    .option('--command <program>', 'a program to start')
    .option('--url <address>', 'an address to reach')
    .option('--env <name=value>', 'a variable for the program; may be repeated, secrets go to .env', collect)
    .option('--header <name:value>', 'a header for the address; may be repeated, secrets go to .env', collect)
    .option('--oauth', 'log in with a browser')
    .option('--json', 'as JSON')
    .action((name: string, args: readonly string[], flags: McpAddFlags) => ends(verbs.mcp.add(name, args, flags)));
  mcp
    .command('test <name>')
    .description('connect, log in where that is wanted, and show what the server offers')
    .option('--json', 'as JSON')
    .action((name: string, flags) => ends(verbs.mcp.test(name, flags)));
  mcp
    .command('remove <name>')
    .description('forget a server, its tools, its login and its secrets')
    .option('--json', 'as JSON')
    .action((name: string, flags) => ends(verbs.mcp.remove(name, flags)));
}
