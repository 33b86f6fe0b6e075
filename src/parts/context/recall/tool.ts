import { lazy } from '../../../base/lazy.ts';
import type { Tool } from '../../../contracts/tool.ts';
import type { ContextRecallInput, ContextRecallOptions } from './recall.ts';

export const contextRecallTool = (options: ContextRecallOptions): Tool<ContextRecallInput> => {
  // Most sessions never ask: ranking and its word lists are loaded with the first call.
  const recall = lazy(async () => (await import('./recall.ts')).openRecall(options));
  return {
    name: 'context_recall',
    description:
      'Get the exact text behind a summary of this session: by query (question or keywords), by file, or by entry numbers (from, to). No arguments: overview.',
    input: {
      type: 'object',
      properties: {
        query: { type: 'string' },
        from: { type: 'integer' },
        to: { type: 'integer' },
        file: { type: 'string' },
        limit: { type: 'integer' },
        offset: { type: 'integer' },
      },
      additionalProperties: false,
    },
    effects: () => ({ kind: 'read', resources: ['session'] }),
    replay: 'safe',
    idempotent: true,
    offTerminal: true,
    trust: 'tool',
    timeoutMs: 60_000,
    maxResult: Infinity,
    run: async (input, { sessionId, signal }) => (await recall())(input, sessionId, signal),
  };
};
