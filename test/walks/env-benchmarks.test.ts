import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { parseJson, readPath } from '../../src/base/json.ts';
import { startWireServer, type RecordedRequest, type Reply } from '../../src/testing/wire-server/index.ts';
import { noSandbox } from '../faces/environments/scene.ts';
import { jsonLines } from './hermes.ts';
import { placeWith } from './mcp-serve-stage.ts';

const FRUIT = "sort fruit.txt | uniq -c | awk '{print $2, $1}' > counts.txt";
const MIDDLE = 'def middle(values):\n    return (min(values) + max(values)) / 2\n';

/** Solves the tasks it knows in one call, and no other. */
function solve({ text }: RecordedRequest): Reply {
  if (text.includes('"role":"tool"')) return { text: 'Done.' };
  if (text.includes('fruit.txt')) return { calls: [{ name: 'terminal', arguments: { command: FRUIT } }] };
  if (text.includes('middle')) return { calls: [{ name: 'write_file', arguments: { path: 'solution.py', content: MIDDLE } }] };
  return { text: 'I give up.' };
}

test('benchmarks are run by their names, and told by difficulty and category', { skip: noSandbox }, async () => {
  await using model = await startWireServer({ answer: solve });
  const place = placeWith(model.url, {});
  const flags = ['--openai.base_url', `${model.url}/v1`, '--openai.model_name=test-model'];
  const tasks = ['--env.dataset_name', resolve('test/fixtures/tasks')];
  const out = join(place.home, 'tasks');
  const ran = await place.run(['env', 'evaluate', 'hermes-tasks', ...tasks, '--out', out, ...flags]);
  assert.equal(ran.code, 0, ran.err);
  const metrics = parseJson(readFileSync(join(out, 'metrics.json'), 'utf8'));
  assert.deepEqual(
    [readPath(metrics, 'by_difficulty', 'easy', 'mean'), readPath(metrics, 'by_difficulty', 'medium', 'mean'), readPath(metrics, 'errors')],
    [1, 0, 0],
  );
  assert.equal(readPath(metrics, 'by_category', 'data', 'mean'), 1);
  const problems = ['--env.dataset_name', resolve('test/fixtures/problems.jsonl'), '--env.enabled_toolsets', 'terminal,file'];
  const code = join(place.home, 'swe');
  const coded = await place.run(['env', 'evaluate', 'swe', ...problems, '--out', code, ...flags]);
  assert.equal(coded.code, 0, coded.err);
  const rewards = jsonLines(readFileSync(join(code, 'samples.jsonl'), 'utf8')).map((line) => [line['task_name'], line['reward']]);
  assert.deepEqual(
    new Map(rewards.map(([name, reward]) => [String(name), reward])),
    new Map([
      ['Python/900', 1],
      ['HumanEval/901', 0],
    ]),
  );
  const none = await place.run(['env', 'evaluate', 'yc-bench', '--env.program', '/nowhere/yc-bench', ...flags]);
  assert.equal(none.code, 2);
  assert.match(none.err, /pip install yc-bench==0\.1\.0/);
});
