import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readPath } from '../../base/json.ts';
import { createAtroposCall, gzipJson, startTrainer, trainerOf, type AtroposCall } from '../atropos/call.ts';

/** A server that nobody has asked anything. */
export type OpenAtroposApi = () => Promise<{ readonly url: string } & AsyncDisposable>;

/** What the Atropos API does, as seen on the real one. Each row gets a fresh server. */
const ROWS: Readonly<Record<string, (call: AtroposCall) => Promise<void>>> = {
  'a fresh server knows no trainer': async (call) => {
    assert.deepEqual(await bodies(call, '/info', '/status', '/wandb_info'), [
      { batch_size: -1, max_token_len: -1 },
      { current_step: 0, queue_size: 0 },
      { group: null, project: null },
    ]);
    const batch = await call('GET', '/batch');
    assert.deepEqual([readPath(batch.body, 'status'), readPath(batch.body, 'batch')], ['error', []]);
  },
  'environments wait until the trainer has asked for a batch': async (call) => {
    await call('POST', '/register', trainerOf(4));
    const { status, body } = await call('POST', '/register-env', environmentOf('a', 2));
    assert.deepEqual([status, body], [200, { status: 'wait for trainer to start' }]);
  },
  'data before the trainer makes it ignore the trainer, until it is reset': async (call) => {
    await call('POST', '/scored_data', groupOf(1));
    await call('POST', '/register', trainerOf(4));
    assert.deepEqual(await bodies(call, '/info'), [{ batch_size: -1, max_token_len: -1 }]);
    assert.equal((await call('GET', '/reset_data')).text, 'Reset successful');
    await call('POST', '/register', trainerOf(4));
    assert.deepEqual(await bodies(call, '/info'), [{ batch_size: 4, max_token_len: 4_096 }]);
  },
  'environments of one name are numbered': async (call) => {
    await startTrainer(call, 4);
    const told = [await call('POST', '/register-env', environmentOf('a', 2)), await call('POST', '/register-env', environmentOf('a', 2))];
    assert.deepEqual(
      told.map(({ body }) => [readPath(body, 'env_id'), readPath(body, 'wandb_name'), readPath(body, 'num_steps')]),
      [
        [0, 'a_0', 50],
        [1, 'a_1', 50],
      ],
    );
  },
  'groups of another size wait in a buffer until they make a whole one': async (call) => {
    await startTrainer(call, 4);
    await call('POST', '/register-env', environmentOf('a', 2));
    const told = [await call('POST', '/scored_data', groupOf(1, 0)), await call('POST', '/scored_data', groupOf(1, 0))];
    assert.deepEqual(
      told.map(({ body }) => body),
      [
        { status: 'buffered', buffer_size: 1 },
        { status: 'buffered', buffer_size: 0 },
      ],
    );
    assert.equal(readPath((await call('GET', '/status-env', { env_id: 0 })).body, 'queue_size'), 1);
  },
  'a message without content is refused': async (call) => {
    const { status, body } = await call('POST', '/scored_data', { ...groupOf(1), messages: [[{ role: 'user' }]] });
    assert.deepEqual([status, readPath(body, 'detail', 0, 'loc')], [422, ['body', 'messages']]);
  },
  'scores must be there and be numbers': async (call) => {
    const { scores: _scores, ...without } = groupOf(1);
    const told = [await call('POST', '/scored_data', { ...without, scores: ['x'] }), await call('POST', '/scored_data', without)];
    assert.deepEqual(
      told.map(({ status, body }) => [status, readPath(body, 'detail', 0, 'type')]),
      [
        [422, 'float_parsing'],
        [422, 'missing'],
      ],
    );
  },
  'a compressed list of groups is taken, and what does not fit is buffered': async (call) => {
    await startTrainer(call, 8);
    await call('POST', '/register-env', environmentOf('a', 4));
    const gzipped = gzipJson([groupOf(4, 0), groupOf(4, 0), groupOf(3, 0)]);
    const { body } = await call('POST', '/scored_data_list', undefined, { gzipped });
    assert.deepEqual(body, { status: 'received', groups_processed: 3, buffered: 1, last_buffer_size: 3 });
  },
  'what is not compressed but says so is refused': async (call) => {
    const { status, text } = await call('POST', '/scored_data', undefined, { gzipped: Buffer.from('{"plain": true}') });
    assert.deepEqual([status, text], [400, 'Invalid gzip payload']);
  },
  'all batches are counted as steps at once, and the last is given first': async (call) => {
    await startTrainer(call, 2);
    await call('POST', '/register-env', environmentOf('a', 2));
    for (const mark of [1, 2]) await call('POST', '/scored_data', { ...groupOf(2, 0), scores: [mark, mark] });
    const batches = [await call('GET', '/batch')];
    assert.equal(readPath((await call('GET', '/status')).body, 'current_step'), 2);
    batches.push(await call('GET', '/batch'), await call('GET', '/batch'));
    assert.deepEqual(
      batches.map(({ body }) => readPath(body, 'batch', 0, 'scores', 0) ?? readPath(body, 'batch')),
      [2, 1, null],
    );
    assert.equal(readPath(batches[0]?.body, 'batch', 0, 'advantages'), null, 'what was not sent is null');
  },
  'an environment that left counts no more': async (call) => {
    await startTrainer(call, 4);
    for (const name of ['a', 'b']) await call('POST', '/register-env', environmentOf(name, 2));
    const weigh = async () => readPath((await call('GET', '/status-env', { env_id: 1 })).body, 'env_weight');
    assert.equal(await weigh(), 0.5);
    assert.deepEqual((await call('POST', '/disconnect-env', { env_id: 0 })).body, { status: 'success' });
    assert.equal(await weigh(), 1);
  },
  'an environment it does not know is an error of its own, or a failure': async (call) => {
    await startTrainer(call, 4);
    await call('POST', '/register-env', environmentOf('a', 2));
    assert.equal((await call('GET', '/status-env', { env_id: 7 })).status, 500);
    const { status, body } = await call('POST', '/disconnect-env', { env_id: 7 });
    assert.deepEqual([status, readPath(body, 'status')], [200, 'failure']);
  },
  'a status is asked with GET alone': async (call) => {
    assert.equal((await call('POST', '/status-env', { env_id: 0 })).status, 405);
  },
};

const bodies = async (call: AtroposCall, ...paths: readonly string[]): Promise<readonly unknown[]> =>
  Promise.all(paths.map(async (path) => (await call('GET', path)).body));

const environmentOf = (name: string, groupSize: number) => ({
  max_token_length: 4_096,
  desired_name: name,
  weight: 1,
  group_size: groupSize,
  min_batch_allocation: null,
});

const groupOf = (size: number, envId?: number) => ({
  tokens: Array.from({ length: size }, () => [1, 40, 7, 2]),
  masks: Array.from({ length: size }, () => [-100, -100, 7, 2]),
  scores: Array.from({ length: size }, (_, index) => index),
  ...(envId !== undefined && { env_id: envId }),
});

/** The thirteen rows. */
export function testAtroposApiConformance(name: string, open: OpenAtroposApi): void {
  describe(`${name} is an Atropos API`, () => {
    for (const [title, check] of Object.entries(ROWS))
      it(title, async () => {
        await using api = await open();
        await check(createAtroposCall(api.url));
      });
  });
}
