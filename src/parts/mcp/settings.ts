import type { SettingsSlice } from '../../contracts/settings.ts';

export const mcpSettings = {
  mcp_servers: {
    kind: 'table',
    default: {},
    describe:
      'MCP servers by name: {command, args, env} or {url, headers, auth}; with timeout, connect_timeout, enabled, tools {include, exclude, trusted, sinks}, parallel.',
    source: 'reference tools-and-cli §6.12',
  },
  mcp_discovery_timeout: {
    kind: 'number',
    default: 15,
    min: 0,
    max: 600,
    describe: 'Seconds a session waits at its start for an MCP server whose tools are not known yet.',
    source: 'ours: a tool table is frozen for its session, so nobody can join later; the reference waits 1.5 and lets latecomers in',
  },
} as const satisfies SettingsSlice;
