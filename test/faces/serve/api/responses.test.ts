import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPath, readStringAt } from '../../../../src/base/json.ts';
import type { JsonObject } from '../../../../src/base/json-types.ts';
import { joinTextBlocks } from '../../../../src/contracts/message.ts';
import type { ModelRequest } from '../../../../src/contracts/provider.ts';
import type { Script } from '../../../../src/testing/scripted-provider.ts';
import { openApiStage, PHONE, type ApiStage } from './stage.ts';

const seenBy = (request: ModelRequest | undefined): string[] =>
  (request?.messages ?? []).map(({ message }) => `${message.role}: ${joinTextBlocks(message)}`);
const NUMBERED: Script = (_request, index) => ({ text: `Answer ${index + 1}.`, usage: { input: 5, output: 2 } });

async function respond(stage: ApiStage, body: JsonObject, status = 200) {
  const answer = await stage.ask('/v1/responses', { body });
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  const id = readStringAt(answer.body, 'id') ?? '';
  return {
    id,
    body: answer.body,
    text: readPath(answer.body, 'output', 0, 'content', 0, 'text'),
    session: answer.headers.get('x-hermes-session-id'),
  };
}

test('a response is stored, gone on with from where it stood, and forgotten on request', async () => {
  await using stage = await openApiStage({ script: NUMBERED });
  const first = await respond(stage, { input: 'one', instructions: 'Be brief.', metadata: { a: 'b' } });
  const second = await respond(stage, {
    input: [{ role: 'user', content: [{ type: 'input_text', text: 'two' }] }],
    previous_response_id: first.id,
  });
  assert.deepEqual([second.text, second.session], ['Answer 2.', first.session]);
  // From the first once more: the second is left out.
  const other = await respond(stage, { input: 'three', previous_response_id: first.id });
  assert.notEqual(other.session, first.session);
  assert.deepEqual(seenBy(stage.model.requests[2]), ['user: one', 'assistant: Answer 1.', 'user: three']);
  assert.match(JSON.stringify(stage.model.requests[2]?.system), /Be brief\./);
  const stored = await stage.ask(`/v1/responses/${first.id}`);
  assert.deepEqual(stored.body, first.body);
  const facts = ['object', 'status', 'instructions', 'previous_response_id', 'store', 'metadata'].map((key) => readPath(stored.body, key));
  assert.deepEqual(facts, ['response', 'completed', 'Be brief.', null, true, { a: 'b' }]);
  assert.deepEqual(readPath(stored.body, 'usage', 'total_tokens'), 7);
  assert.equal((await stage.ask(`/v1/responses/${first.id}`, { key: PHONE.key })).status, 404);
  assert.deepEqual((await stage.ask(`/v1/responses/${first.id}`, { method: 'DELETE' })).body, {
    id: first.id,
    object: 'response.deleted',
    deleted: true,
  });
  assert.equal((await stage.ask(`/v1/responses/${first.id}`)).status, 404);
  await respond(stage, { input: 'four', previous_response_id: first.id }, 404);
});

test('a response that is not stored is answered and not found later; a conversation is found by its name', async () => {
  await using stage = await openApiStage({ script: NUMBERED });
  const brief = await respond(stage, { input: 'one', store: false });
  assert.equal(brief.text, 'Answer 1.');
  assert.equal((await stage.ask(`/v1/responses/${brief.id}`)).status, 404);
  await respond(stage, { input: 'two', previous_response_id: brief.id }, 404);
  await respond(stage, { input: 'two', background: true, store: false }, 400);
  const trip = await respond(stage, { input: 'one', conversation: 'trip' });
  const more = await respond(stage, { input: 'two', conversation: { id: 'trip' }, instructions: 'In French.' });
  assert.deepEqual([more.session, readPath(more.body, 'conversation')], [trip.session, { id: 'trip' }]);
  assert.match(JSON.stringify(stage.model.requests[2]?.messages.at(-1)?.wireOnly), /In French\./);
  const excluded = await respond(stage, { input: 'x', conversation: 'trip', previous_response_id: trip.id }, 400);
  assert.equal(readPath(excluded.body, 'error', 'param'), 'conversation');
});

test('a response in the background is begun, followed by the number of its last event, and cancelled', async () => {
  const script: Script = (_request, index) => {
    if (index === 0) return { text: 'Looking.', calls: [{ id: 'c1', name: 'todo', input: {} }] };
    if (index === 1) return { text: 'Done.' };
    return { text: 'never said in full', chunk: 1, paceMs: 1_000 };
  };
  await using stage = await openApiStage({ script });
  const begun = await respond(stage, { input: 'hi', background: true });
  assert.ok(['queued', 'in_progress'].includes(readStringAt(begun.body, 'status') ?? ''));
  const all = await stage.stream(`/v1/responses/${begun.id}?stream=true`);
  const types = all.events.map(({ data }) => JSON.parse(data).type);
  assert.deepEqual(
    [types.filter((type) => type === 'response.output_item.added').length, types.at(0), types.at(-1)],
    [3, 'response.created', 'response.completed'],
  );
  assert.deepEqual(
    all.events.map(({ data }) => JSON.parse(data).sequence_number),
    types.map((_, index) => index),
  );
  const rest = await stage.stream(`/v1/responses/${begun.id}?stream=true&starting_after=4`);
  assert.deepEqual(rest.events, all.events.slice(5));
  const final = JSON.parse(all.events.at(-1)?.data ?? '').response;
  assert.deepEqual((await stage.ask(`/v1/responses/${begun.id}`)).body, { ...final, background: true });
  assert.deepEqual(
    final.output.map(({ type, status }: { type: string; status: string }) => `${type} ${status}`),
    ['message completed', 'mcp_call completed', 'message completed'],
  );
  const slow = await respond(stage, { input: 'slow', background: true });
  await respond(stage, { input: 'x', previous_response_id: slow.id }, 409);
  const cancelled = await stage.ask(`/v1/responses/${slow.id}/cancel`, { method: 'POST' });
  assert.equal(readPath(cancelled.body, 'status'), 'cancelled');
  const end = await stage.stream(`/v1/responses/${slow.id}?stream=true`);
  assert.equal(JSON.parse(end.events.at(-1)?.data ?? '').response.status, 'cancelled');
});
