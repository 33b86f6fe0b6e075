import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toChildResult } from '../../../src/agent/delegate/report.ts';
import { SILENCE } from '../../../src/agent/nudge.ts';
import type { Entry, EntryBody, EntryOrigin } from '../../../src/contracts/entry.ts';
import { createTextBlock } from '../../../src/contracts/message.ts';
import type { Session } from '../../../src/contracts/session-store.ts';
import { render } from '../../../src/parts/tools/builtin/delegate/render.ts';

const SESSION: Session = {
  id: 's1',
  source: 'delegate',
  platform: 'delegate',
  cwd: '/work',
  model: 'm',
  provider: 'p',
  startedAt: 0,
  updatedAt: 0,
  messages: 0,
  unfinished: false,
};
const log = (...rows: readonly (readonly [EntryOrigin, EntryBody])[]): Entry[] =>
  rows.map(([origin, body], seq) => ({ id: `e${seq}`, sessionId: 's1', seq, at: 0, origin, ...body }));
const ASKED = ['user', { type: 'message', message: { role: 'user', content: [createTextBlock('go', 'owner')] } }] as const;
const SAID = ['model', { type: 'message', message: { role: 'assistant', content: [createTextBlock('done', 'model')] } }] as const;

const stepsOf = (entries: readonly Entry[]): number =>
  toChildResult({
    session: SESSION,
    entries,
    outcome: 'timeout',
    seconds: 0,
    artefacts: { written: [], deleted: [], shared: [], known: 'all' },
    withheld: [],
  }).steps;

test('a step is an answer of the model; silence of ours between two texts is none', () => {
  const { origin, ...silence } = SILENCE;
  assert.ok(silence.type === 'message');
  assert.equal(stepsOf(log(ASKED, [origin, silence])), 0, 'a child that was refused its first call made no step');
  assert.equal(stepsOf(log(ASKED, SAID, [origin, silence], SAID)), 2);
});

test('a failure of a child that said nothing stands once in its report', () => {
  const text = 'The model call failed (server error): 500';
  const failed = toChildResult({
    session: SESSION,
    entries: log(ASKED),
    outcome: { type: 'failed', exitReason: 'server_error', text, failure: { type: 'server_error', detail: '500' } },
    seconds: 1,
    artefacts: { written: [], deleted: [], shared: [], known: 'all' },
    withheld: [],
  });
  assert.deepEqual([failed.error, failed.summary], [text, '']);
  assert.equal(render([{ goal: 'go' }], [failed], 1_000).split(text).length, 2);
});
