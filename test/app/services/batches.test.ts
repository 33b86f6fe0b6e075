import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createBatchService } from '../../../src/app/services/batches.ts';
import { parseJson, readPath } from '../../../src/base/json.ts';
import { createRegistries, snapshotRegistries } from '../../../src/app/tools/registries.ts';
import { startWireServer } from '../../../src/testing/wire-server/index.ts';
import { jsonLines } from '../../walks/hermes.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-batch-service-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs one prompt after the other, and gives what was told of each when it was over. */
async function run(file: string, out: string, url: string): Promise<readonly string[]> {
  const service = createBatchService(
    {
      processEnv: { PATH: process.env['PATH'], HERMES_HOME: folder },
      notice: () => {},
      registered: snapshotRegistries(createRegistries()),
    },
    folder,
  );
  const set = [`openai.base_url=${url}/v1`, 'openai.model_name=m', 'env.enabled_toolsets=terminal', 'env.max_num_workers=1'];
  const told: string[] = [];
  await service.run(
    { file, out, set, keep: ['no_reasoning'], drop: [], unconfined: true },
    { signal: new AbortController().signal, onProgress: ({ last }) => void (last !== undefined && told.push(last.words)) },
  );
  return told;
}

test('a prompt is asked in the folder its row names, and not at all where there is none', async () => {
  await using model = await startWireServer({
    answer: ({ text }) =>
      text.includes('"role":"tool"') ? { text: 'Done.' } : { calls: [{ name: 'terminal', arguments: { command: 'pwd' } }] },
  });
  const rows = [
    { prompt: 'Where are you?', cwd: '/usr' },
    { prompt: 'And here?', cwd: '/usr/no such folder' },
  ];
  writeFileSync(join(folder, 'prompts.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  await run('prompts.jsonl', 'run', model.url);
  const [first, second] = jsonLines(readFileSync(join(folder, 'run', 'rows.jsonl'), 'utf8'));
  assert.match(JSON.stringify(readPath(first, 'messages', 2, 'content')), /\/usr/);
  assert.equal(first?.['error'], null);
  assert.match(String(second?.['error']), /is to be asked in \/usr\/no such folder, but there is no such folder/);
  assert.deepEqual([second?.['api_calls'], model.requests.length], [0, 2]);
  const figures = parseJson(readFileSync(join(folder, 'run', 'statistics.json'), 'utf8'));
  assert.deepEqual(
    [readPath(figures, 'run_name'), readPath(figures, 'model')],
    ['run', 'm'],
    'the folder names the run; the model is known although the last row never got to it',
  );
});

test('it is told how many model calls a prompt took', async () => {
  await using model = await startWireServer({
    answer: ({ text }) =>
      text.includes('look first') && !text.includes('"role":"tool"')
        ? { calls: [{ name: 'terminal', arguments: { command: 'ls' } }] }
        : { text: 'Done.' },
  });
  const rows = [{ prompt: 'answer at once' }, { prompt: 'look first' }];
  writeFileSync(join(folder, 'counted.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  assert.deepEqual(await run('counted.jsonl', 'counted', model.url), ['1 model call', '2 model calls']);
});
