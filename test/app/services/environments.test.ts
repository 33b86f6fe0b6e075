import assert from 'node:assert/strict';
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createEnvironmentService } from '../../../src/app/services/environments.ts';
import { claimFile } from '../../../src/base/claim-file.ts';
import { parseJson, readPath, readStringAt } from '../../../src/base/json.ts';
import type { EnvironmentRequest, EvaluationResult } from '../../../src/contracts/services/environments.ts';
import { closeServer, listenLocally, originOf } from '../../../src/testing/loopback/local-server.ts';
import { startTokenServer } from '../../../src/testing/token-server/server.ts';
import { faults, startWireServer } from '../../../src/testing/wire-server/index.ts';
import { noSandbox } from '../../faces/environments/scene.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-env-service-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const environment = join(folder, 'plain.mjs');
writeFileSync(
  environment,
  `export default {
  name: 'plain',
  description: 'Says yes',
  load: async () => ({ evaluation: [{ id: 'yes', category: 'small talk' }], format: () => 'Say yes.', reward: async () => 1 }),
};`,
);

test('toolsets that are off are off for whoever names none, and within sets that include them', { skip: noSandbox }, async () => {
  await using model = await startWireServer({ answer: () => ({ text: 'yes' }) });
  const { evaluate } = createEnvironmentService(
    { processEnv: { PATH: process.env['PATH'], HERMES_HOME: folder }, notice: () => {} },
    folder,
  );
  const listTools = async (out: string, ...set: readonly string[]): Promise<readonly string[]> => {
    const server = [`openai.base_url=${model.url}/v1`, 'openai.model_name=test-model'];
    await evaluate(
      { environment, set: [...set, ...server], out, unconfined: false },
      { signal: new AbortController().signal, onProgress: () => {} },
    );
    const tools = readPath(model.requests.at(-1)?.body, 'tools');
    return (Array.isArray(tools) ? tools : []).map((tool) => readStringAt(readPath(tool, 'function'), 'name') ?? '');
  };
  const all = await listTools('all');
  assert.ok(all.includes('terminal') && all.includes('read_file'));
  // What attempts share would tell one of them what another said.
  const shared = ['memory', 'session_search', 'skills_list', 'skill_view', 'skill_manage'];
  assert.deepEqual(
    [...all, ...(await listTools('named', 'env.enabled_toolsets=memory,session_search,skills,terminal'))].filter((name) =>
      shared.includes(name),
    ),
    [],
  );
  for (const [out, set] of [
    ['less', 'env.disabled_toolsets=terminal'],
    ['included', 'env.enabled_toolsets=hermes-cli'],
  ] as const) {
    const less = await listTools(out, set, 'env.disabled_toolsets=terminal');
    assert.deepEqual([less.includes('terminal'), less.includes('read_file')], [false, true]);
  }
});

const evaluateIn = (home: string, request: Partial<EnvironmentRequest>, cwd = folder) => {
  const { evaluate } = createEnvironmentService({ processEnv: { PATH: process.env['PATH'], HERMES_HOME: home }, notice: () => {} }, cwd);
  return evaluate({ environment, set: [], unconfined: false, ...request }, { signal: new AbortController().signal, onProgress: () => {} });
};

test('attempts of another model of the owner are others; one that said nothing is asked again; without any nothing is begun', async () => {
  await using model = await startWireServer({
    answer: ({ text }) => (text.includes('"gone"') ? { fault: faults.unauthorized() } : { text: 'yes' }),
  });
  const home = mkdtempSync(join(folder, 'owner-'));
  const choose = (name: string) =>
    writeFileSync(
      join(home, 'config.yaml'),
      `model:\n  default: ${name}\n  base_url: ${model.url}/v1\n  api_mode: chat_completions\ncustom_providers: []\n`,
    );
  const out = join(home, 'run');
  await assert.rejects(evaluateIn(home, { out }), /no model is configured/);
  assert.equal(existsSync(join(out, 'samples.jsonl')), false);
  choose('one');
  assert.deepEqual(toFacts(await evaluateIn(home, { out })), { resumed: 0, passed: 1, errors: 0 });
  assert.match(readFileSync(join(out, 'report.html'), 'utf8'), />one, 1 task,/, 'the report names the model');
  assert.deepEqual(toFacts(await evaluateIn(home, { out })), { resumed: 1, passed: 1, errors: 0 });
  choose('gone');
  assert.deepEqual(toFacts(await evaluateIn(home, { out })), { resumed: 0, passed: 0, errors: 1 });
  assert.deepEqual(toFacts(await evaluateIn(home, { out })), { resumed: 0, passed: 0, errors: 1 });
  const { compare } = createEnvironmentService({ processEnv: { HERMES_HOME: home }, notice: () => {} }, home);
  const { first } = await compare(out, out);
  assert.deepEqual([first.attempts, first.passed], [1, 0], 'only the run that was made last, and each attempt once');
  choose('one');
  assert.equal((await evaluateIn(home, { out })).resumed, 1);
  assert.equal((await compare(out, out)).first.passed, 1, 'also when nothing had to be made for it');
});
const toFacts = ({ resumed, figures: { passed, errors } }: EvaluationResult) => ({ resumed, passed, errors });

test('the key of the owner’s model never lies in the folder of results, and the copy in the home of the owner goes with the run', async () => {
  const home = mkdtempSync(join(folder, 'keyed-'));
  const out = join(home, 'run');
  const listFiles = (below: string) =>
    globSync('**/*', { cwd: below, exclude: [] })
      .map((name) => join(below, name))
      .filter((path) => statSync(path).isFile());
  const findKey = (below: string) => listFiles(below).filter((path) => readFileSync(path, 'utf8').includes('sk-of-the-owner'));
  const seen: { readonly inResults: readonly string[]; readonly modes: readonly number[] }[] = [];
  await using model = await startWireServer({
    answer: () => {
      const copies = findKey(join(home, 'cache'));
      seen.push({ inResults: findKey(out), modes: copies.map((path) => statSync(path).mode & 0o777) });
      return { text: 'yes' };
    },
  });
  writeFileSync(
    join(home, 'config.yaml'),
    `model:\n  default: one\n  base_url: ${model.url}/v1\n  api_mode: chat_completions\n  api_key: sk-of-the-owner\n`,
  );
  // What an earlier version left there.
  mkdirSync(join(out, 'home'), { recursive: true });
  writeFileSync(join(out, 'home', 'config.yaml'), 'model:\n  api_key: sk-of-the-owner\n');
  assert.equal((await evaluateIn(home, { out })).figures.passed, 1);
  assert.deepEqual(seen, [{ inResults: [], modes: [0o600] }]);
  assert.deepEqual([findKey(out), findKey(join(home, 'cache'))], [[], []]);
});

test('a server gets the key it is named by, and none when that is not set', async () => {
  await using model = await startWireServer({ answer: () => ({ text: 'yes' }) });
  const keys = { OPENAI_API_KEY: 'sk-another', MINE: 'sk-mine', EMPTY: '' };
  const { evaluate } = createEnvironmentService(
    { processEnv: { PATH: process.env['PATH'], HERMES_HOME: folder, ...keys }, notice: () => {} },
    folder,
  );
  const run = (name: string, ...server: readonly string[]) =>
    evaluate(
      {
        environment,
        out: `key-${name}`,
        set: [`openai.base_url=${model.url}/v1`, 'openai.model_name=m', `openai.api_key_env=${name}`, ...server],
        unconfined: true,
      },
      { signal: new AbortController().signal, onProgress: () => {} },
    );
  for (const name of ['MIEN', 'EMPTY'])
    for (const type of ['openai', 'vllm'])
      await assert.rejects(
        run(name, `openai.server_type=${type}`),
        new RegExp(`no variable ${name} is set\\. Set it, or correct the name`),
      );
  assert.deepEqual([model.requests.length, existsSync(join(folder, 'key-MIEN'))], [0, false]);
  await run('MINE');
  assert.deepEqual(new Set(model.requests.map(({ headers }) => headers.authorization)), new Set(['Bearer sk-mine']));
});

test('attempts at tasks that were edited are made again: the file of the environment, its data and the files of its tasks count', async () => {
  await using model = await startWireServer({ answer: () => ({ text: 'yes' }) });
  const home = mkdtempSync(join(folder, 'edited-'));
  const [own, data] = [join(home, 'own.mjs'), join(home, 'data')];
  const write = (comment = '') =>
    writeFileSync(
      own,
      `${comment}import { readFileSync } from 'node:fs';
export default { name: 'own', description: 'Reads a folder', load: async ({ settings: { dataset_name: folder } }) => ({
  evaluation: [{ id: 'a', words: readFileSync(folder + '/words', 'utf8'), tests: folder + '/tests', inside: '/', none: folder + '/none' }],
  format: ({ words }) => words,
  reward: async () => 1,
}) };`,
    );
  mkdirSync(join(data, 'tests'), { recursive: true });
  const edit = (name: string, text: string) => writeFileSync(join(data, name), text);
  edit('words', 'Say yes.');
  edit('tests/test.sh', 'true');
  write();
  const set = [`openai.base_url=${model.url}/v1`, 'openai.model_name=m', `env.dataset_name=${data}`];
  const countResumed = async () => (await evaluateIn(home, { environment: own, set, out: 'run', unconfined: true }, home)).resumed;
  assert.deepEqual([await countResumed(), await countResumed()], [0, 1]);
  for (const change of [() => edit('words', 'Say no.'), () => edit('tests/test.sh', 'false'), () => write('// other\n')]) {
    change();
    assert.deepEqual([await countResumed(), await countResumed()], [0, 1]);
  }
  edit('words', 'Say yes.');
  edit('tests/test.sh', 'true');
  write();
  assert.equal(await countResumed(), 1, 'what was made at first counts again');
});

test('settings that change nothing of an attempt leave what was made; groups know which tasks they were made of', async () => {
  await using model = await startWireServer({ answer: () => ({ text: 'yes' }) });
  const home = mkdtempSync(join(folder, 'uncounted-'));
  const own = join(home, 'own.mjs');
  writeFileSync(
    own,
    `export default {
  name: 'own',
  description: 'Says yes',
  fields: {
    keep_in: { kind: 'string', default: null, isUncounted: true, describe: 'Where things are kept.' },
    years: { kind: 'integer', default: 1, describe: 'How long.' },
  },
  load: async () => ({ evaluation: [{ id: 'a' }, { id: 'b' }], format: () => 'Say yes.', reward: async () => 1 }),
};`,
  );
  const processEnv = { PATH: process.env['PATH'], HERMES_HOME: home, SOME_KEY: 'sk-some' };
  const service = createEnvironmentService({ processEnv, notice: () => {} }, home);
  const run = async (mode: 'evaluate' | 'process', ...more: readonly string[]) => {
    const set = [`openai.base_url=${model.url}/v1`, 'openai.model_name=m', 'env.group_size=1', ...more];
    const { resumed } = await service[mode](
      { environment: own, set, out: mode, unconfined: true },
      { signal: new AbortController().signal, onProgress: () => {} },
    );
    return resumed;
  };
  const changes = [
    'env.tool_pool_size=3',
    'env.include_messages=false',
    'env.ensure_scores_are_not_same=false',
    'env.keep_in=somewhere',
    'openai.api_key_env=SOME_KEY',
  ];
  for (const mode of ['evaluate', 'process'] as const) {
    assert.equal(await run(mode), 0);
    assert.equal(await run(mode, ...changes), 2);
    assert.equal(await run(mode, 'env.years=2'), 0);
  }
  assert.equal(await run('evaluate', 'env.skip_tasks=["b"]'), 1);
  assert.equal(await run('process', 'env.skip_tasks=["b"]'), 0);
});

test('the image and the address of a back end are those of the owner’s settings, and attempts in another place are others', async () => {
  const home = mkdtempSync(join(folder, 'placed-'));
  const [programs, log] = [join(home, 'bin'), join(home, 'asked')];
  mkdirSync(programs);
  for (const name of ['docker', 'ssh'])
    writeFileSync(join(programs, name), `#!/bin/sh\necho "${name} $*" >> '${log}'\nexit 1\n`, { mode: 0o755 });
  const own = join(home, 'own.mjs');
  writeFileSync(
    own,
    `export default {
  name: 'own',
  description: 'Looks around',
  load: async () => ({ evaluation: [{ id: 'a' }], format: () => 'Say yes.', reward: async (_task, _result, { terminal }) => (await terminal('pwd')).exitCode }),
};`,
  );
  await using model = await startWireServer({ answer: () => ({ text: 'yes' }) });
  const run = async (settings: string, backend: string): Promise<{ readonly asked: string; readonly hash: string | undefined }> => {
    writeFileSync(join(home, 'config.yaml'), `terminal:\n  docker_volumes: ["/:/host"]\n${settings}`);
    writeFileSync(log, '');
    const { evaluate } = createEnvironmentService(
      { processEnv: { PATH: `${programs}:${process.env['PATH']}`, HERMES_HOME: home }, notice: () => {} },
      home,
    );
    const set = [`openai.base_url=${model.url}/v1`, 'openai.model_name=m', `env.terminal_backend=${backend}`];
    await evaluate(
      { environment: own, set, out: 'run', unconfined: false },
      { signal: new AbortController().signal, onProgress: () => {} },
    );
    const metrics = parseJson(readFileSync(join(home, 'run', 'metrics.json'), 'utf8'));
    return { asked: readFileSync(log, 'utf8'), hash: readStringAt(metrics, 'config_hash') };
  };
  const first = await run('  docker_image: one:1\n', 'docker');
  assert.match(first.asked, /^docker .*one:1/m);
  assert.doesNotMatch(first.asked, /\/host/, 'what the owner shares with containers of his own is not shared with these');
  const second = await run('  docker_image: two:2\n', 'docker');
  assert.match(second.asked, /^docker .*two:2/m);
  assert.notEqual(first.hash, second.hash);
  const far = await run('  docker_image: two:2\n  ssh_host: gpu.example\n  ssh_port: 2222\n  ssh_options: [ProxyJump=gate]\n', 'ssh');
  assert.match(far.asked, /^ssh .*gpu\.example/m);
  assert.match(far.asked, /2222/);
  assert.match(far.asked, /ProxyJump=gate/);
});

test('on a server that tells tokens nothing asks the model beside the conversation, so that each attempt has one sequence', async () => {
  const replies = [
    '<tool_call>\n{"name": "delegate_task", "arguments": {"goal": "Say yes."}}\n</tool_call>',
    '<tool_call>\n{"name": "mixture_of_agents", "arguments": {"prompt": "Say yes."}}\n</tool_call>',
  ];
  await using server = await startTokenServer({ answer: (_request, index) => ({ text: replies[index] ?? 'Done.' }) });
  const own = join(folder, 'sequences.mjs');
  writeFileSync(
    own,
    `export default {
  name: 'sequences',
  description: 'Counts sequences',
  load: async () => ({
    evaluation: [{ id: 'a' }],
    format: () => 'Go.',
    reward: async (_task, { turnsUsed, managedState }) => ({ reward: 1, metrics: { turnsUsed, sequences: managedState.sequences.length } }),
  }),
};`,
  );
  const told: string[] = [];
  const { evaluate } = createEnvironmentService(
    { processEnv: { PATH: process.env['PATH'], HERMES_HOME: folder }, notice: (words) => void told.push(words) },
    folder,
  );
  for (const toolsets of [[], ['env.enabled_toolsets=file,delegation,moa']]) {
    const set = ['openai.server_type=vllm', 'env.max_token_length=60000', `openai.base_url=${server.url}/v1`, 'openai.model_name=m'];
    const { attempts } = await evaluate(
      { environment: own, set: [...set, ...toolsets], out: `sequences-${toolsets.length}`, unconfined: true },
      { signal: new AbortController().signal, onProgress: () => {} },
    );
    assert.deepEqual(
      attempts.map(({ metrics, error }) => [metrics['sequences'], error]),
      [[1, undefined]],
    );
  }
  assert.match(told.join('\n'), /^Off, because .*: delegation, moa\.$/m);
});

test('two processes never make attempts in one folder', async () => {
  const out = join(folder, 'claimed');
  const held = await claimFile(join(out, 'run.lock'), { other: true });
  assert.ok(held.ok);
  await using _claim = held.claim;
  const set = ['openai.base_url=http://127.0.0.1:9/v1', 'openai.model_name=m'];
  await assert.rejects(
    evaluateIn(folder, { out, set }),
    /makes attempts in .*claimed already\. Wait until it is done, or give another --out/,
  );
});

test('a run that is refused leaves no folder, and what lay in one that was there stays', async () => {
  const home = mkdtempSync(join(folder, 'refused-'));
  const broken = join(home, 'broken.mjs');
  writeFileSync(broken, `export default { name: 'broken', description: '', load: async () => { throw new Error('no data'); } };`);
  const server = ['openai.base_url=http://127.0.0.1:9/v1', 'openai.model_name=m'];
  const refusals: readonly (readonly [RegExp, Partial<EnvironmentRequest>])[] = [
    [/no model is configured/, {}],
    [/no data/, { environment: broken, set: server }],
    [/there is no task nowhere/, { set: [...server, 'env.task_filter=nowhere'] }],
    [/there is no distribution odd/, { set: [...server, 'env.distribution=odd'] }],
  ];
  const given = join(home, 'given');
  mkdirSync(given);
  writeFileSync(join(given, 'notes.txt'), 'mine');
  for (const [words, request] of refusals) {
    await assert.rejects(evaluateIn(home, { unconfined: true, ...request }, home), words);
    assert.equal(existsSync(join(home, 'hermes-runs')), false, String(words));
    await assert.rejects(evaluateIn(home, { unconfined: true, out: 'given', ...request }, home), words);
    assert.deepEqual(readdirSync(given), ['notes.txt'], String(words));
  }
});

test('only their owner can read what was said in the attempts of a run', async () => {
  await using model = await startWireServer({ answer: () => ({ text: 'yes' }) });
  const home = mkdtempSync(join(folder, 'private-'));
  const set = [
    `openai.base_url=${model.url}/v1`,
    'openai.model_name=m',
    'env.group_size=1',
    'env.data_path_to_save_groups=run/groups.jsonl',
  ];
  await evaluateIn(home, { set, out: 'run', unconfined: true }, home);
  const service = createEnvironmentService({ processEnv: { PATH: process.env['PATH'], HERMES_HOME: home }, notice: () => {} }, home);
  await service.process({ environment, set, out: 'run', unconfined: true }, { signal: new AbortController().signal, onProgress: () => {} });
  const names = readdirSync(join(home, 'run'), { recursive: true, encoding: 'utf8' });
  for (const name of ['samples.jsonl', 'trajectories.jsonl', 'groups.jsonl', 'home', 'metrics.json']) assert.ok(names.includes(name), name);
  assert.deepEqual(
    ['.', ...names].filter((name) => (statSync(join(home, 'run', name)).mode & 0o077) !== 0),
    [],
  );
});

test('where there is a sandbox, --unconfined changes nothing', { skip: noSandbox }, async () => {
  await using model = await startWireServer({ answer: () => ({ text: 'yes' }) });
  const looking = join(folder, 'looking.mjs');
  writeFileSync(
    looking,
    `export default { name: 'looking', description: 'Looks for us', load: async () => ({
  evaluation: [{ id: 'look' }],
  format: () => 'Say yes.',
  reward: async (_task, _result, { terminal }) => ({ reward: 1, metrics: { seen: (await terminal('test -d /proc/${process.pid}')).exitCode === 0 ? 1 : 0 } }),
}) };`,
  );
  const set = [`openai.base_url=${model.url}/v1`, 'openai.model_name=test-model'];
  const { attempts } = await evaluateIn(folder, { environment: looking, set, unconfined: true });
  assert.deepEqual(
    attempts.map(({ metrics }) => metrics['seen']),
    [0],
  );
});

test('an evaluation is told to Weights & Biases once, also when that was down at first', { skip: noSandbox }, async () => {
  await using model = await startWireServer({ answer: () => ({ text: 'yes' }) });
  const streams: { readonly path: string; readonly body: unknown }[] = [];
  let isDown = true;
  const server = createServer((request, response) => {
    void request.toArray().then((pieces) => {
      if (isDown) return response.writeHead(503).end('down');
      if (request.url !== '/graphql') streams.push({ path: request.url ?? '', body: parseJson(String(Buffer.concat(pieces))) });
      const bucket = { name: 'r', project: { name: 'p', entity: { name: 'team' } } };
      return response.end(JSON.stringify({ data: { upsertBucket: { bucket } } }));
    });
  });
  await listenLocally(server);
  const told: string[] = [];
  const wandb = { WANDB_API_KEY: 'secret', WANDB_BASE_URL: originOf(server) };
  const processEnv = { PATH: process.env['PATH'], HERMES_HOME: folder, ...wandb };
  const { evaluate } = createEnvironmentService({ processEnv, notice: (words) => void told.push(words) }, folder);
  const set = ['env.use_wandb=true', `openai.base_url=${model.url}/v1`, 'openai.model_name=test-model'];
  const run = () =>
    evaluate({ environment, set, out: 'told', unconfined: false }, { signal: new AbortController().signal, onProgress: () => {} });
  await run();
  assert.match(told.join('\n'), /could not be reached: 503 down\. Metrics are in .*evaluations\.jsonl/);
  isDown = false;
  assert.equal((await run()).resumed, 1);
  await run();
  await closeServer(server);
  const lines = streams.map(({ path, body }) => [
    path,
    readPath(body, 'files', 'wandb-history.jsonl', 'offset'),
    readPath(body, 'complete'),
  ]);
  assert.equal(new Set(lines.map((line) => JSON.stringify(line))).size, 1, 'each time the same run, at the same place');
  const history = readPath(streams[0]?.body, 'files', 'wandb-history.jsonl', 'content');
  assert.ok(Array.isArray(history) && history.length === 1);
  const line = parseJson(String(history[0]));
  assert.deepEqual([readPath(line, 'eval/pass_rate'), readPath(line, 'eval/pass_rate_small_talk')], [1, 1]);
  const metrics = parseJson(readFileSync(join(folder, 'told', 'metrics.json'), 'utf8'));
  assert.deepEqual(
    [readPath(metrics, 'config_general', 'model_name'), readPath(metrics, 'results', 'all', 'eval/pass_rate')],
    ['test-model', 1],
  );
  assert.deepEqual(readPath(metrics, 'results', 'atropos|plain_eval|0'), readPath(metrics, 'results', 'all'));
});
