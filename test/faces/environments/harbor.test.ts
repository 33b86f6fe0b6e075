import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readHarborRows, unpack } from '../../../src/faces/environments/harbor/read-rows.ts';
import { readHarborTasks, toTaskFields } from '../../../src/faces/environments/harbor/read-task.ts';
import { checkSupported } from '../../../src/faces/environments/harbor/task-needs.ts';
import { readRewardFile } from '../../../src/faces/environments/harbor/reward-file.ts';

test('a task.toml of either version gives the same fields, and an output outside the working directory is refused', () => {
  const old = toTaskFields({ environment: { memory: '2G', cpus: 2 }, agent: { timeout_sec: 900 } }, 'task.toml');
  const now = toTaskFields({ environment: { memory_mb: 2048, cpus: 2, docker_image: '' }, agent: { timeout_sec: 900.0 } }, 'task.toml');
  assert.deepEqual(old, now);
  assert.deepEqual(
    [now.agentSeconds, now.verifierSeconds, now.cpus, now.memoryMb, now.allowInternet, now.image],
    [900, 600, 2, 2048, true, undefined],
  );
  for (const output of ['/etc/passwd', '../x', 'a/../../x', '.'])
    assert.throws(() => toTaskFields({ hermes: { outputs: [output] } }, 'task.toml'), /does not lie in the working directory/);
  assert.deepEqual(toTaskFields({ hermes: { outputs: ['./a/b/', 'c'] } }, 'task.toml').outputs, ['a/b', 'c']);
});

test('what a task asks for is given, or named as what it cannot have', async () => {
  const { variables, verifierVariables, unsupported } = toTaskFields(
    { environment: { env: { LANG: 'C', LEVEL: 3 }, gpus: 0 }, verifier: { env: { STRICT: 'it is' }, user: 'root' }, agent: {} },
    'task.toml',
  );
  assert.deepEqual([variables, verifierVariables, unsupported], [{ LANG: 'C', LEVEL: '3' }, { STRICT: 'it is' }, []]);
  const asking = toTaskFields(
    { environment: { gpus: 1, mcp_servers: [{}] }, verifier: { user: 'tester', environment_mode: 'separate' }, agent: { user: 'dev' } },
    'task.toml',
  );
  assert.deepEqual(
    asking.unsupported.map((words) => /\((.*)\)/.exec(words)?.[1]),
    ['[environment] gpus', '[environment] mcp_servers', '[agent] user', '[verifier] user', '[verifier] environment_mode'],
  );
  const newer = toTaskFields(
    {
      schema_version: '1.4',
      steps: [{ name: 'one' }],
      shiny: { x: 1 },
      environment: { os: 'windows', tpu: { type: 'v6e' }, skills_dir: '/skills', network_mode: 'allowlist', later: true, cpus: 1 },
      verifier: { collect: [{ service: 'x' }], environment: {} },
      agent: { network_mode: 'no-network' },
    },
    'task.toml',
  );
  assert.deepEqual(
    newer.unsupported.map((words) => /(?:\(| )(\[.*\].*?|network_mode)\)?$/.exec(words)?.[1]),
    [
      '[shiny]',
      '[environment] later',
      '[environment] tpu',
      '[environment] os',
      '[environment] skills_dir',
      'network_mode',
      '[agent] network_mode',
      '[[verifier.collect]]',
      '[verifier.environment]',
      '[[steps]]',
    ],
  );
  const given = toTaskFields(
    {
      environment: { os: 'linux', network_mode: 'no-network', workdir: '/srv', healthcheck: { command: 'true', retries: 2 } },
      agent: { network_mode: 'no-network' },
    },
    'task.toml',
  );
  assert.deepEqual([given.unsupported, given.allowInternet, given.workdir, given.healthcheck?.retries], [[], false, '/srv', 2]);
  const folder = mkdtempSync(join(tmpdir(), 'hermes-compose-'));
  try {
    cpSync('test/fixtures/tasks/tune/count-fruit', join(folder, 'count-fruit'), { recursive: true });
    writeFileSync(join(folder, 'count-fruit/environment/docker-compose.yaml'), 'services: {}\n');
    const [task] = await readHarborTasks(folder);
    assert.ok(task);
    assert.throws(() => checkSupported(task, 'Leave it out.'), /count-fruit wants several containers .* not supported\. Leave it out\./);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a task that wants a variable it cannot have is refused by itself, and the others of its folder can be read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-variables-'));
  try {
    for (const name of ['asks', 'plain']) cpSync('test/fixtures/tasks/tune/count-fruit', join(folder, name), { recursive: true });
    const env = '[verifier.env]\nLEVEL = 3\nKEY = "${OPENAI_API_KEY}"\n[environment.env]\n"a b" = "x"\nLIST = ["x"]\n';
    const plain = readFileSync(join(folder, 'plain/task.toml'), 'utf8');
    writeFileSync(join(folder, 'asks/task.toml'), `${plain}\n${env}`);
    const [asks, other] = await readHarborTasks(folder);
    assert.ok(asks && other);
    assert.deepEqual([asks.variables, asks.verifierVariables, other.unsupported], [{}, { LEVEL: '3' }, []]);
    assert.deepEqual(asks.unsupported, [
      'a variable whose name is not allowed ([environment.env] "a b")',
      'a variable whose value is not a text ([environment.env] LIST)',
      'a variable of this machine ([verifier.env] KEY)',
    ]);
    assert.throws(() => checkSupported(asks, 'Leave it out.'), /the task asks wants .* a variable of this machine .* not supported/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the reward is what the verifier wrote; without a word it is 0, whatever the exit code says', () => {
  const reward = (text?: string, json?: string, exitCode: number | null = 0) =>
    readRewardFile({ exitCode, output: 'said', ...(text !== undefined && { text }), ...(json !== undefined && { json }) });
  assert.deepEqual([reward('1\n').reward, reward('0').reward, reward(' 0.25 ').reward], [1, 0, 0.25]);
  assert.deepEqual([reward().reward, reward('').reward, reward('yes').reward, reward(undefined, '[1]').reward], [0, 0, 0, 0]);
  assert.deepEqual(reward(undefined, '{"speed":0.5,"reward":1,"words":"x"}'), {
    reward: 1,
    metrics: { speed: 0.5, verifier_exit_code: 0 },
  });
  assert.equal(reward(undefined, '{"a":1,"b":0}').reward, 0.5);
  assert.match(reward(undefined, undefined, null).note ?? '', /left no reward\. said/);
});

/** One entry of a tar file, as its format wants it. */
function tarEntry(name: string, content: string, type = '0', mode = '0000644'): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(`${mode}\0`, 100);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write(type, 156);
  header.write('ustar', 257);
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, Buffer.from(content), Buffer.alloc((512 - (content.length % 512)) % 512)]);
}
const pack = (...entries: readonly Buffer[]): string => gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)])).toString('base64');

test('an archive of a data set is unpacked below its folder or not at all', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-unpack-'));
  try {
    const target = join(folder, 'tests');
    assert.ok(unpack(pack(tarEntry('./a.sh', 'echo', '0', '0000755'), tarEntry('deep/b.txt', 'b')), target, 'the tests of t'));
    assert.equal(readFileSync(join(target, 'deep/b.txt'), 'utf8'), 'b');
    for (const name of ['../evil', '/evil', 'a/../../evil', '..\\evil', 'a/../../tests-2/evil'])
      assert.throws(() => unpack(pack(tarEntry('fine', 'x'), tarEntry(name, 'x')), join(folder, 'second'), 'the tests of t'), /outside/);
    assert.throws(() => unpack(pack(tarEntry('link', '', '2')), join(folder, 'second'), 'the tests of t'), /a link/);
    assert.throws(() => unpack(pack(tarEntry('device', '', '3')), join(folder, 'second'), 'the tests of t'), /no plain file/);
    assert.deepEqual([existsSync(join(folder, 'second')), existsSync(join(folder, 'evil'))], [false, false]);
    assert.equal(unpack('', target, 'nothing'), false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('rows of a Parquet file are tasks, with their tests laid out', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-rows-'));
  try {
    // Written by pyarrow 25.0.0 with the columns of the published sets; the tasks are ours.
    const tasks = await readHarborRows('test/fixtures/tasks/two-rows.parquet', folder);
    assert.deepEqual(
      tasks.map(({ id, category, difficulty, image, agentSeconds, verifierSeconds, tags }) => ({
        id,
        category,
        difficulty,
        image,
        agentSeconds,
        verifierSeconds,
        tags,
      })),
      [
        {
          id: 'count-fruit',
          category: 'data',
          difficulty: 'easy',
          image: 'localhost/count-fruit:1',
          agentSeconds: 60,
          verifierSeconds: 20,
          tags: ['a', 'b'],
        },
        { id: 'no-image', category: 'data', difficulty: 'extreme', image: undefined, agentSeconds: 900, verifierSeconds: 600, tags: [] },
      ],
    );
    const [first, second] = tasks;
    assert.ok(first && second?.environment !== undefined);
    assert.match(readFileSync(join(first.tests, 'test.sh'), 'utf8'), /reward\.txt/);
    assert.equal(readFileSync(join(first.tests, 'expected.txt'), 'utf8'), 'apple 2\npear 3\nplum 1\n');
    assert.match(readFileSync(join(second.environment, 'Dockerfile'), 'utf8'), /^FROM/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
