import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isObject, parseJson, readPath } from '../../src/base/json.ts';
import { startWireServer, type RecordedRequest, type Reply } from '../../src/testing/wire-server/index.ts';
import { createAtroposCall, startTrainer } from '../../src/testing/atropos/call.ts';
import { startAtroposApi } from '../../src/testing/atropos/server.ts';
import { noSandbox } from '../faces/environments/scene.ts';
import { placeWith } from './mcp-serve-stage.ts';
import { jsonLines } from './hermes.ts';

/** Does the task it is asked for in one command, then says so. */
function solve({ text }: RecordedRequest): Reply {
  if (text.includes('"role":"tool"')) return { text: 'Done.' };
  const line = text.includes('result.txt')
    ? 'printf 42 > result.txt'
    : text.includes('19 + 23')
      ? 'printf 42 > answer.txt'
      : 'printf "%s\\n" 1 2 3 4 5 > count.txt';
  return { calls: [{ name: 'terminal', arguments: { command: line } }] };
}

test('an environment is evaluated, goes on where it was, and two runs are compared', { skip: noSandbox }, async () => {
  await using model = await startWireServer({ answer: solve });
  const place = placeWith(model.url, {});
  const out = join(place.home, 'run');
  const flags = ['--env.max_agent_turns', '4', '--openai.base_url', `${model.url}/v1`, '--openai.model_name=test-model'];
  const first = await place.run(['env', 'evaluate', 'terminal-test', '--out', out, ...flags]);
  assert.equal(first.code, 0, first.err);
  assert.match(first.out, /^1 of 1 attempt passed: 100\.0%/);
  assert.match(first.err, /1\/1 {2}passed 1/);
  const metrics = parseJson(readFileSync(join(out, 'metrics.json'), 'utf8'));
  assert.deepEqual([readPath(metrics, 'passed'), readPath(metrics, 'environment')], [1, 'terminal-test']);
  const [sample] = jsonLines(readFileSync(join(out, 'samples.jsonl'), 'utf8'));
  assert.deepEqual(
    [sample?.['task_name'], sample?.['reward'], sample?.['finished_naturally'], sample?.['turns_used']],
    ['result', 1, true, 2],
  );
  assert.equal(existsSync(join(out, 'work')), false, 'nothing of the attempts is left');
  const asked = model.requests.length;
  const again = await place.run(['env', 'evaluate', 'terminal-test', '--out', out, ...flags, '--json']);
  assert.deepEqual([readPath(parseJson(again.out), 'resumed'), model.requests.length], [1, asked]);
  const told = readPath(parseJson(again.out), 'figures');
  assert.ok(isObject(told) && isObject(metrics));
  assert.deepEqual(
    Object.keys(told).filter((key) => !Object.hasOwn(metrics, key)),
    [],
    'the file has the names that --json prints',
  );
  assert.deepEqual(
    Object.keys(metrics).filter((key) => key !== key.toLowerCase()),
    [],
  );
  const [request] = model.requests;
  assert.ok(request && !request.text.includes('"role":"system"'), 'there is no prompt but the task');
  assert.match(readFileSync(join(out, 'report.html'), 'utf8'), /<h1>Evaluation: terminal-test<\/h1>.*printf 42 &gt; result\.txt/s);
  const page = join(place.home, 'compared.html');
  const compared = await place.run(['env', 'compare', out, out, '--html', page, '--json']);
  assert.match(readFileSync(page, 'utf8'), /Two runs compared/);
  assert.deepEqual([readPath(parseJson(compared.out), 'tasks'), readPath(parseJson(compared.out), 'worse')], [1, []]);
  const said = await place.run(['env', 'compare', out, out]);
  assert.match(
    said.out,
    /^Mean reward over 1 task that both runs tried: the same \(95% interval of the difference: -1\.000 to \+1\.000\)\.$/m,
  );
  assert.match(said.out, /^No clear difference: the interval includes zero\.$/m);
  const other = join(place.home, 'other');
  mkdirSync(other);
  const line = readFileSync(join(out, 'samples.jsonl'), 'utf8');
  writeFileSync(join(other, 'samples.jsonl'), line.replace('"task_name":"result"', '"task_name":"elsewhere"'));
  const apart = await place.run(['env', 'compare', out, other, '--html', join(place.home, 'apart.html')]);
  assert.equal(apart.code, 1, apart.err);
  assert.match(apart.out, /^The two runs have no task in common, so there is nothing to compare\. Give .* the same environment\.$/m);
  assert.equal(existsSync(join(place.home, 'apart.html')), false, 'there is no page of nothing');
  assert.deepEqual(
    await place.run(['sessions', 'list', '--json']).then(({ out: rows }) => parseJson(rows)),
    [],
    'the owner has no such session',
  );
});

test('where no model server runs, the setting of the run is named in words of one line', async () => {
  const place = placeWith('http://127.0.0.1:9', {});
  const server = ['--openai.base_url', 'http://127.0.0.1:9/v1', '--openai.model_name=test-model'];
  const { code, out, err } = await place.run(['env', 'evaluate', 'terminal-test', '--out', 'down', '--unconfined', ...server]);
  assert.equal(code, 1, err);
  const advice = /No server is running at this address on this machine\. Start it, or correct the address \(openai\.base_url; /;
  assert.match(out, advice);
  assert.match(err, advice);
  assert.doesNotMatch(out + err, /↵|--base-url/);
  assert.equal(
    err
      .trimEnd()
      .split('\n')
      .filter((line) => line.startsWith('1/1')).length,
    1,
    'the progress of an attempt is one line',
  );
});

test('training data is made in groups, and a file of one’s own is an environment', { skip: noSandbox }, async () => {
  await using model = await startWireServer({ answer: solve });
  const place = placeWith(model.url, {});
  const own = join(place.home, 'mine.ts');
  const made = await place.run(['env', 'new', own]);
  assert.equal(made.code, 0, made.err);
  const flags = ['--set', `openai.base_url=${model.url}/v1`, '--set', 'openai.model_name=test-model'];
  const groups = join(place.home, 'groups.jsonl');
  const out = join(place.home, 'data');
  const ran = await place.run([
    'env',
    'process',
    own,
    '--out',
    out,
    '--groups',
    '1',
    '--env.group_size',
    '2',
    '--env.data_path_to_save_groups',
    groups,
    ...flags,
  ]);
  assert.equal(ran.code, 0, ran.err);
  assert.match(ran.out, /^2 conversations in .*trajectories\.jsonl; 2 passed\./);
  const [group] = jsonLines(readFileSync(groups, 'utf8'));
  assert.deepEqual([group?.['scores'], readPath(group, 'group_overrides', 'unfit_for_training')], [[1, 1], true]);
  assert.ok(!readdirSync(out).includes('work'));
  const explained = await place.run(['env', 'process', own, '--explain', '--out', join(place.home, 'nowhere'), '--env.group_size', '2']);
  assert.match(explained.out, /^env\.group_size = 2 {2}\(flag\)\n {4}Attempts at the same task that are scored together\.$/m);
  assert.match(explained.out, /^env\.max_agent_turns = 10 {2}\(environment\)$/m);
  assert.equal(existsSync(join(place.home, 'nowhere')), false, 'nothing is run');
  const wrong = await place.run(['env', 'evaluate', own, '--env.group_sise', '2']);
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /there is no setting env\.group_sise/);
});

const PLAIN = `export const plain = {
  name: 'plain',
  description: 'Says yes',
  defaults: { enabled_toolsets: ['none'], group_size: 1 },
  load: async () => ({ evaluation: [], training: [{ id: 'yes' }], format: () => 'Say yes.', reward: async () => 1 }),
};
`;

test(
  'a trainer is served until it is done, but not with groups it cannot learn from unless that was said',
  { skip: noSandbox },
  async () => {
    await using model = await startWireServer({ answer: () => ({ text: 'yes' }) });
    await using api = await startAtroposApi();
    const call = createAtroposCall(api.url);
    await startTrainer(call, 1, 2);
    const place = placeWith(model.url, {});
    const own = join(place.home, 'plain.ts');
    writeFileSync(own, PLAIN);
    const out = join(place.home, 'served');
    const flags = ['--openai.base_url', `${model.url}/v1`, '--openai.model_name=test-model', '--env.rollout_server_url', api.url];
    const refused = await place.run(['env', 'serve', own, '--out', out, ...flags]);
    assert.equal(refused.code, 2);
    assert.match(refused.err, /tells no tokens, so that no group would be fit for training.*--allow-unfit/);
    const unbuilt = await place.run([
      'env',
      'serve',
      own,
      '--out',
      out,
      ...flags,
      '--openai.server_type',
      'vllm',
      '--env.enabled_toolsets=nosuch',
    ]);
    assert.deepEqual([unbuilt.code, /no toolset nosuch/.test(unbuilt.err)], [2, true]);
    assert.equal(model.requests.length, 0);
    const pulling = setInterval(() => void call('GET', '/batch').catch(() => {}), 20);
    const served = await place.run(['env', 'serve', own, '--out', out, '--allow-unfit', ...flags]);
    clearInterval(pulling);
    assert.equal(served.code, 0, served.err);
    assert.match(served.out, /^\d+ groups? sent; the trainer is at step \d+\. 0 evaluations\.\n/);
    assert.match(served.err, /registered as plain_0\n/);
    assert.match(served.err, /step \d+\/2 {2}/);
    assert.ok(readFileSync(join(out, 'metrics.jsonl'), 'utf8').includes('"train/avg_reward":1'));
  },
);
