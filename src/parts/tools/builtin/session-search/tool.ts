import { isStoreError } from '../../../../contracts/session-store.ts';
import { ToolFailure, type Tool } from '../../../../contracts/tool.ts';
import type { ArchiveStore } from './archive.ts';
import type { SessionSearchInput } from './find-page.ts';

export interface SessionSearchOptions {
  readonly store: ArchiveStore;
}

export const sessionSearchTool = ({ store }: SessionSearchOptions): Tool<SessionSearchInput> => ({
  name: 'session_search',
  description:
    'Search past sessions. query: find messages. session_id: read a session (around: near one message). No arguments: list recent sessions.',
  input: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'All words must match; "a phrase", OR, -word, prefix*' },
      session_id: { type: 'string' },
      around: { type: 'string', description: 'Entry id or number' },
      window: { type: 'integer', description: 'Messages per side, 1-20' },
      limit: { type: 'integer', description: 'Sessions, 1-10' },
      sort: { type: 'string', enum: ['newest', 'oldest'] },
      role_filter: { type: 'string', description: 'user,assistant,tool' },
    },
    additionalProperties: false,
  },
  effects: () => ({ kind: 'read', resources: ['sessions'] }),
  replay: 'safe',
  idempotent: true,
  offTerminal: true,
  trust: 'tool',
  timeoutMs: 60_000,
  maxResult: Infinity,
  run: async (input, context) => {
    try {
      // Most sessions never search: what draws the pages comes with the first call.
      const { findPage } = await import('./find-page.ts');
      return await findPage(store, input, context);
    } catch (error) {
      throw isStoreError(error) ? new ToolFailure(`The sessions could not be searched. ${error.message}`, { cause: error }) : error;
    }
  },
});
