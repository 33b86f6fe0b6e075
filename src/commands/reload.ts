import { formatCount } from '../base/screen/figures.ts';
import { toVisibleLine } from '../base/visible.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import { findSession, SESSION_REF } from './find-session.ts';

/** Servers are connected once. This reads the settings again, and the face opens the session again with what is there now. */
export const reloadMcp = defineCommand({
  category: 'tools',
  where: ['terminal', 'chat'],
  whileBusy: 'refuse',
  needsScreen: true,
  name: 'reload-mcp',
  summary: 'Connect to the MCP servers again, as the settings name them now',
  arguments: { session: { ...SESSION_REF, session: 'there is no session yet; the next message connects to the servers.' } },
  ownerOnly: true,
  examples: ['/reload-mcp'],
  needs: ['store', 'reload'],
  run: async ({ session: ref }, { store, reload }, { followUp }) => {
    const session = await findSession(ref, store);
    const { servers } = await reload.servers();
    followUp?.({ type: 'open', session });
    return { servers };
  },
  describe: ({ servers }) =>
    servers.length === 0
      ? 'The settings name no MCP servers.'
      : `${formatCount(servers.length, 'MCP server')}: ${servers.map(toVisibleLine).join(', ')}.`,
});
