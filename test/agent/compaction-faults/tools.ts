import { createTextBlock } from '../../../src/contracts/message.ts';
import type { AnyTool } from '../../../src/contracts/tool.ts';
import { testTool } from '../setup.ts';
import type { Life, Moments } from './moments.ts';
import type { Trace } from './trace.ts';
import { longResult } from './script.ts';

/** One tool that reads much, and one whose deed must never be done twice. */
export const toolsOf = (life: Life, { reach }: Moments, { deeds }: Trace, careless: boolean): readonly AnyTool[] => [
  testTool('look', async (_input, { callId }) => ({ content: [createTextBlock(longResult(callId), 'tool')] }), { timeoutMs: 0 }),
  testTool(
    'deed',
    async (_input, { callId }) => {
      await reach(life, 'deed before');
      deeds.set(callId, (deeds.get(callId) ?? 0) + 1);
      await reach(life, 'deed after');
      return { content: [createTextBlock(`${callId} done`, 'tool')] };
    },
    { replay: careless ? 'safe' : 'never', effects: () => ({ kind: 'write', resources: ['path:/out'] }), timeoutMs: 0 },
  ),
];
