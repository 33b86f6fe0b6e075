import assert from 'node:assert/strict';
import { test } from 'node:test';
import { windowEngine } from '../../../src/parts/context/window.ts';
import { askOf, commit, workLog } from './compressor/log.ts';

test('the window engine reports whole requests: system prompt and tools too, in real tokens', async () => {
  const log = workLog(6, 10, 500);
  const tools = [{ name: 'look', description: 'looks '.repeat(200), input: { type: 'object' } }] as const;
  const ask = askOf(log, { reason: 'overflow', system: 'You help. '.repeat(300), tools, calibration: 1.5 });
  const sizeOf = () => windowEngine.estimate({ ...ask, view: windowEngine.view(log.entries) });
  const [before, messagesBefore] = [sizeOf(), windowEngine.view(log.entries).length];
  const result = await windowEngine.compress(ask);
  assert.ok(result.ok);
  commit(log, result);
  assert.deepEqual(result.report, {
    engine: 'window',
    reason: 'overflow',
    outcome: 'digest',
    kind: 'window',
    tokensBefore: Math.round(before * 1.5),
    tokensAfter: Math.round(sizeOf() * 1.5),
    messagesBefore,
    messagesAfter: windowEngine.view(log.entries).length,
    ms: 0,
  });
});
