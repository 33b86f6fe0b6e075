import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../../src/base/json-types.ts';
import { readStringAt } from '../../../../src/base/json.ts';
import type { Script } from '../../../../src/testing/scripted-provider.ts';
import { sized } from '../../../size.ts';
import { openApiStage, type ApiStage, type AskApiOptions } from './stage.ts';

/** Thinks, says something void, looks something up, and answers in pieces. */
const TURN: Script = (_request, index) => {
  if (index % 3 === 0) return { text: 'Hel', fails: { type: 'overloaded', detail: 'busy', retryAfterMs: 1 } };
  return index % 3 === 1
    ? { thinking: 'Let me see.', text: 'I look.', chunk: 3, paceMs: 1, calls: [{ id: `c${index}`, name: 'todo', input: {} }] }
    : { text: 'The answer: é, 漢字, 👍.', chunk: 2, paceMs: 1 };
};

interface StreamedRequest {
  readonly path: string;
  readonly asked: AskApiOptions;
}
/** How each format begins a stream, and how it is taken up again after an event. */
interface Format {
  begin(key: string): StreamedRequest;
  resume(key: string, runId: string, last: string): StreamedRequest;
}
const post = (path: string, body: JsonObject): Format => ({
  begin: (key) => ({ path, asked: { body, headers: { 'idempotency-key': key } } }),
  resume: (key, _runId, last) => ({
    path,
    asked: { body, headers: { 'idempotency-key': key, ...(last !== '' && { 'last-event-id': last }) } },
  }),
});
const FORMATS: Readonly<Record<string, Format>> = {
  chat: post('/v1/chat/completions', { stream: true, messages: [{ role: 'user', content: 'hi' }] }),
  responses: post('/v1/responses', { stream: true, input: 'hi' }),
  // The numbers of a client of OpenAI's.
  'responses, by number': {
    ...post('/v1/responses', { stream: true, input: 'hi' }),
    resume: (_key, runId, last) => ({
      path: `/v1/responses/${runId.replace('run_', 'resp_')}?stream=true${last === '' ? '' : `&starting_after=${last}`}`,
      asked: {},
    }),
  },
  runs: {
    begin: (key) => ({ path: '/v1/runs', asked: { body: { input: 'hi' }, headers: { 'idempotency-key': key } } }),
    resume: (_key, runId, last) => ({ path: `/v1/runs/${runId}/events?after=${last}`, asked: {} }),
  },
};

async function cutAfter(stage: ApiStage, name: string, format: Format, count: number): Promise<number> {
  const key = `${name}-${count}`;
  const begin = format.begin(key);
  const isRun = name === 'runs';
  const first = isRun ? undefined : await stage.stream(begin.path, { ...begin.asked, leaveAfter: count });
  const runId = first?.headers.get('x-hermes-run-id') ?? readStringAt((await stage.ask(begin.path, begin.asked)).body, 'id') ?? '';
  const seen = first ?? (await stage.stream(`/v1/runs/${runId}/events`, { leaveAfter: count }));
  const last = seen.events.at(-1);
  const id = name.endsWith('by number') ? String(JSON.parse(last?.data ?? '{}').sequence_number ?? '') : (last?.id ?? '');
  const rest = format.resume(key, runId, id);
  const whole = format.resume(key, runId, '');
  const behind = await stage.stream(rest.path, rest.asked);
  const all = await stage.stream(whole.path, whole.asked);
  assert.equal(seen.text + behind.text, all.text, `${name}: cut after ${count}`);
  assert.equal(seen.events.length, Math.min(count, all.events.length));
  return all.events.length;
}

for (const [name, format] of Object.entries(FORMATS))
  test(`${name}: whoever leaves after any event and comes back with its id has read the whole stream`, async () => {
    await using stage = await openApiStage({ script: TURN });
    let events = Infinity;
    let cuts = 0;
    // The small size cuts after every third event.
    for (let after = 0; after <= events; after += sized(3, 1), cuts++) events = await cutAfter(stage, name, format, after);
    assert.ok(cuts > sized(2, 8), 'there was something to cut');
    // Nobody who left has stopped anything: every run has come to its end.
    assert.equal(stage.model.requests.length, cuts * 3);
  });
