import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseJson, readPath } from '../../../src/base/json.ts';
import type { Json } from '../../../src/base/json-types.ts';
import { openMetricsFile } from '../../../src/faces/environments/metrics/sink.ts';
import { openNotebook } from '../../../src/faces/environments/serve/notes.ts';
import { createWandbSink } from '../../../src/faces/environments/metrics/wandb.ts';
import { closeServer, listenLocally, originOf } from '../../../src/testing/loopback/local-server.ts';

test('metrics reach Weights & Biases line by line, also those of an outage and of a process before', async () => {
  const asked: { readonly path: string; readonly body: Json | undefined; readonly key: string | undefined }[] = [];
  let isDown = false;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = parseJson(String(Buffer.concat(await request.toArray())));
    if (isDown) return void response.writeHead(503).end('down');
    asked.push({ path: request.url ?? '', body, key: request.headers.authorization });
    const bucket = { name: 'r', project: { name: 'project', entity: { name: 'team' } } };
    response.end(JSON.stringify(request.url === '/graphql' ? { data: { upsertBucket: { bucket } } } : {}));
  };
  const server = createServer((request, response) => void answer(request, response));
  await listenLocally(server);
  const out = mkdtempSync(join(tmpdir(), 'hermes-wandb-'));
  const news: string[] = [];
  const path = join(out, 'metrics.jsonl');
  const open = () => {
    const file = openMetricsFile(path, () => 5_000);
    const sink = createWandbSink({
      key: 'secret',
      url: originOf(server),
      path,
      notebook: openNotebook(out, () => 's'),
      name: 'mine',
      config: { group_size: 2 },
      now: () => 4_000,
      askProject: async () => ({ project: 'project', group: 'group' }),
      onNews: (words) => void news.push(words),
    });
    return {
      log: (step: number, value: number) => [file, sink].forEach((each) => each.log({ step, values: { 'train/avg_reward': value } })),
      close: async () => (await sink[Symbol.asyncDispose](), await file[Symbol.asyncDispose]()),
    };
  };
  await open().close();
  assert.equal(asked.length, 0, 'who has measured nothing opens no run');
  const first = open();
  first.log(1, 0.5);
  await first.close();
  isDown = true;
  const second = open();
  second.log(2, 0.25);
  second.log(3, 0.75);
  await second.close();
  assert.equal(news.length, 1);
  assert.match(news[0] ?? '', /could not be reached: 503 down\. Metrics are in .*metrics\.jsonl and are sent later/);
  isDown = false;
  await open().close();
  await closeServer(server);
  rmSync(out, { recursive: true });

  const [upsert] = asked;
  assert.deepEqual(
    [upsert?.path, upsert?.key, readPath(upsert?.body, 'variables', 'project'), readPath(upsert?.body, 'variables', 'groupName')],
    ['/graphql', `Basic ${Buffer.from('api:secret').toString('base64')}`, 'project', 'group'],
  );
  assert.equal(readPath(upsert?.body, 'variables', 'config'), '{"group_size":{"value":2}}');
  const streams = asked.filter(({ path: where }) => where.endsWith('/file_stream'));
  assert.equal(new Set(streams.map(({ path: where }) => where)).size, 1, 'a process that goes on goes on with the same run');
  assert.match(streams[0]?.path ?? '', /^\/files\/team\/project\/[0-9a-f]{8}\/file_stream$/);
  const lines = streams.flatMap(({ body }) => {
    const history = readPath(body, 'files', 'wandb-history.jsonl');
    const content = readPath(history, 'content');
    return (Array.isArray(content) ? content : []).map(
      (line, index) => [Number(readPath(history, 'offset')) + index, parseJson(String(line))] as const,
    );
  });
  const at = (index: number, step: number, value: number) => ({
    'train/avg_reward': value,
    'trainer/step': step,
    _step: index,
    _timestamp: 5,
    _runtime: 1,
  });
  assert.deepEqual(Object.fromEntries(lines), { 0: at(0, 1, 0.5), 1: at(1, 2, 0.25), 2: at(2, 3, 0.75) });
  assert.equal(readPath(streams.at(-1)?.body, 'complete'), true);
});
