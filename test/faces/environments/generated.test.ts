import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Environment } from '../../../src/contracts/environment.ts';
import { downloadTokenizer } from '../../../src/faces/environments/datasets/hub-model.ts';
import { processTasks } from '../../../src/faces/environments/process.ts';
import { runRollout } from '../../../src/faces/environments/rollout.ts';
import { closeServer, listenLocally, originOf } from '../../../src/testing/loopback/local-server.ts';
import { stageRollouts } from './scene.ts';

const never = new AbortController().signal;

test('tasks may be generated: the same number is the same task, and the run says how many it wants', async () => {
  const made: number[] = [];
  const environment: Environment = {
    name: 'generated',
    description: 'as many tasks as are wanted',
    load: async () => ({
      evaluation: [],
      nextTask: async (number) => {
        made.push(number);
        return { id: `task-${number}` };
      },
      format: ({ id }) => `Say ${id}.`,
      reward: async (_task, { messages }) => (messages.length > 0 ? 1 : 0),
    }),
  };
  await using stage = await stageRollouts(environment, () => ({ text: 'Said.' }), {
    flag: { env: { group_size: 2, enabled_toolsets: ['none'] } },
  });
  const out = join(stage.folder, 'out.jsonl');
  const run = { ...stage.deps, out, groups: null, runId: 'run', configHash: 'hash', signal: never, onProgress: () => {} };
  await assert.rejects(processTasks(run), /generates its tasks.*--groups/);
  const { trajectories, passed } = await processTasks({ ...run, count: 3 });
  assert.deepEqual([trajectories, passed, made], [6, 6, [0, 1, 2]]);
  const more = await processTasks({ ...run, count: 4 });
  assert.deepEqual([more.resumed, more.trajectories], [6, 8]);
});

test('a user may go on after an answer, and the whole conversation is judged', async () => {
  const environment: Environment = {
    name: 'talk',
    description: 'a user with more than one thing to say',
    load: async () => ({
      evaluation: [{ id: 'one' }],
      format: () => 'First.',
      follow: async (_task, messages) =>
        messages.filter(({ role }) => role === 'user').length < 3 ? `After ${messages.at(-1)?.content}` : undefined,
      reward: async (_task, { messages }) => messages.filter(({ role }) => role === 'user').length,
    }),
  };
  await using stage = await stageRollouts(environment, [{ text: 'A.' }, { text: 'B.' }, { text: 'C.' }]);
  const { scored, result } = await runRollout(stage.deps, { task: { id: 'one' }, attempt: 1, toolsets: ['none'], signal: never });
  assert.deepEqual([scored.reward, scored.error, scored.finishedNaturally, scored.turnsUsed], [3, undefined, true, 3]);
  assert.deepEqual(
    result.messages.map(({ content }) => content),
    ['First.', 'A.', 'After A.', 'B.', 'After B.', 'C.'],
  );
});

test('the tokenizer of a model at the hub is downloaded once, and without the hub the words say what to do', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-hub-'));
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url?.endsWith('/tokenizer.json') === true) response.end('{"model": 1}');
    else response.writeHead(404).end();
  });
  try {
    await listenLocally(server);
    const context = { downloads: folder, signal: never, notice: () => {} };
    const found = await downloadTokenizer('owner/model', context, originOf(server));
    assert.equal(readFileSync(join(found, 'tokenizer.json'), 'utf8'), '{"model": 1}');
    assert.ok(asked.includes('/owner/model/resolve/main/chat_template.jinja'));
    const before = asked.length;
    await downloadTokenizer('owner/model', context, originOf(server));
    assert.equal(asked.length, before);
    await closeServer(server);
    await assert.rejects(
      downloadTokenizer('owner/other', context, 'http://127.0.0.1:1'),
      /the tokenizer of owner\/other could not be downloaded from .*name their folder in env\.tokenizer_name/,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
