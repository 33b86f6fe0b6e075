import { ownersAlone, type SettingsSlice } from '../../contracts/settings.ts';

export const mcpSettings = ownersAlone({
  mcp_servers: {
    kind: 'table',
    default: {},
    describe:
      'MCP servers by name: {command, args, env} or {url, headers, auth}. More keys: timeout, connect_timeout, enabled, tools {include, exclude, trusted, sinks}, trust_hints, parallel.',
  },
  mcp_discovery_timeout: {
    kind: 'number',
    default: 15,
    min: 0,
    max: 600,
    describe:
      'How long a new session waits for an MCP server whose tools are not known yet, in seconds. Tools that arrive later are not available in that session.',
  },
} as const satisfies SettingsSlice);
