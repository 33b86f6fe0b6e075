import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadConfig, readConfig } from '../../src/app/config/config.ts';
import type { Env } from '../../src/base/env.ts';
import { describeUnknownKey, type Fields } from '../../src/parts/config/config.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-config-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'config.yaml');
const read = (text: string, env: Env = {}) => {
  writeFileSync(path, text);
  return readConfig(path, env);
};

/** One mistake a file can hold: its text, the line it is on and words that must be told. */
const MISTAKES: readonly {
  readonly name: string;
  readonly text: string;
  readonly line?: number;
  readonly words: RegExp;
  readonly cure: RegExp;
}[] = [
  { name: 'a tab', text: 'agent:\n\tmax_turns: 3\n', line: 2, words: /not valid YAML/, cure: /spaces/ },
  { name: 'a key twice', text: 'toolsets: [a]\nagent: {}\ntoolsets: [b]\n', line: 3, words: /not valid YAML.*set twice/, cure: /remove/ },
  { name: 'an open quote', text: 'model:\n  default: "gpt\n', words: /not valid YAML/, cure: /quote|line/i },
  { name: 'text alone', text: 'hello there\n', line: 1, words: /not a table/, cure: /key: value/ },
  { name: 'a list alone', text: '- a\n', line: 1, words: /not a table/, cure: /key: value/ },
  {
    name: 'a wrong type',
    text: '# c\nagent:\n  max_turns: many\n',
    line: 3,
    words: /max_turns must be a whole number, not "many"/,
    cure: /explain agent.max_turns/,
  },
  { name: 'a half', text: 'agent:\n  max_turns: 1.5\n', line: 2, words: /whole number, not 1.5/, cure: /explain/ },
  { name: 'an infinite number', text: 'stream:\n  idle_timeout: .inf\n', line: 2, words: /must be a number/, cure: /explain/ },
  {
    name: 'a wait no timer can keep',
    text: 'stream:\n  idle_timeout: 3000000\n',
    line: 2,
    words: /0.01 to 2000000, not 3000000/,
    cure: /explain/,
  },
  { name: 'out of range', text: 'agent:\n  api_max_retries: 11\n', line: 2, words: /0 to 10, not 11/, cure: /explain/ },
  { name: 'a wrong choice', text: 'database:\n  durability: maybe\n', line: 2, words: /power, process, not "maybe"/, cure: /explain/ },
  {
    name: 'no truth',
    text: 'tool_loop_guardrails:\n  hard_stop_enabled: yes\n',
    line: 2,
    words: /true or false, not "yes"/,
    cure: /explain/,
  },
  { name: 'a section that is a value', text: 'agent: 5\n', line: 1, words: /agent is a section/, cure: /agent\./ },
  {
    name: 'a setting that is a section',
    text: 'agent:\n  max_turns:\n    chat: 3\n',
    line: 3,
    words: /agent.max_turns is a setting, not a section/,
    cure: /explain agent.max_turns/,
  },
  { name: 'an alias to nowhere', text: 'toolsets: *nothing\n', line: 1, words: /alias|cannot be read/i, cure: /./ },
];
for (const { name, text, line, words, cure } of MISTAKES) {
  test(`a file with ${name} is told with line, words and cure`, async () => {
    const { problems } = await read(text);
    const [problem] = problems;
    assert.equal(problems.length, 1, JSON.stringify(problems));
    assert.match(problem?.words ?? '', words);
    assert.match(problem?.cure ?? '', cure);
    if (line !== undefined) assert.equal(problem?.line, line);
  });
}

/** A key that is no setting: what is told of it, and what it may have been meant to be. */
const UNKNOWN: readonly (readonly [name: string, text: string, key: string, nearest?: string])[] = [
  ['mistyped', 'agent:\n  max_turn: 3\n', 'agent.max_turn', 'agent.max_turns'],
  ['in a mistyped section', 'agnet:\n  max_turns: 3\n', 'agnet.max_turns', 'agent.max_turns'],
  ['a mistyped section', 'compresion: {}\ncompresssion: 1\n', 'compresssion', 'compression'],
  ['in the wrong section', 'model:\n  max_turns: 3\n', 'model.max_turns', 'agent.max_turns'],
  ['without its section', 'max_turns: 3\n', 'max_turns', 'agent.max_turns'],
  ['nonsense', 'xyzzy_plugh: 3\n', 'xyzzy_plugh'],
  ['a name every object has', 'constructor: 1\n', 'constructor'],
  ['one whose last word many settings have', 'lsp:\n  enabled: true\n', 'lsp.enabled'],
  ['one of another section that shares a word with ours by chance', 'goals:\n  max_turns: 3\n', 'goals.max_turns'],
];
for (const [name, text, key, nearest] of UNKNOWN)
  test(`an unknown key (${name}) does not stop; it is warned about${nearest === undefined ? '' : ' with the nearest name'}`, async () => {
    const { problems, warnings } = await read(text);
    assert.deepEqual([problems, warnings.map((warning) => [warning.key, warning.nearest])], [[], [[key, nearest]]]);
    assert.match(warnings[0]?.cure ?? '', nearest === undefined ? /^To list all settings/ : new RegExp(`^Did you mean ${nearest}\\?`));
  });

test('all mistakes are found at once, and loading names the first and the number of the others', async () => {
  const { problems } = await read('agent:\n  max_turns: x\n  api_max_retries: 99\nfoo: 1\n', { HERMES_STREAM_STALE_TIMEOUT: 'soon' });
  assert.deepEqual(
    problems.map(({ key, line, variable }) => [key, line ?? variable]),
    [
      ['agent.max_turns', 2],
      ['agent.api_max_retries', 3],
      ['stream.idle_timeout', 'HERMES_STREAM_STALE_TIMEOUT'],
    ],
  );
  await assert.rejects(
    loadConfig(path, {}, () => {}),
    (error: Error) => error.message.startsWith(`${path}:2: `) && error.message.includes('and 1 more'),
  );
});

test('unknown keys are told in one line with a count, once for as long as they stay the same', async () => {
  const load = async (text: string): Promise<string[]> => {
    writeFileSync(path, text);
    const told: string[] = [];
    await loadConfig(path, {}, (words) => told.push(words));
    return told;
  };
  const many = 'foo: 1\nbar: {a: 1, b: 2}\nagent:\n  max_turn: 3\n';
  assert.deepEqual(await load(many), [
    `${path}: 4 settings have no effect in this version: agent.max_turn (did you mean agent.max_turns?), foo, bar.a and 1 more. To list them: hermes config check`,
  ]);
  assert.deepEqual(await load(`${many}  api_max_retries: 2\n`), [], 'the same keys');
  assert.deepEqual(await load('foo: 1\n'), [`${path}: 1 setting has no effect in this version: foo. To list them: hermes config check`]);
});

test('a settings file of the Python system stops nothing', async () => {
  const { problems, warnings, values } = await readConfig('test/fixtures/homes/python/config.yaml', {});
  assert.deepEqual(problems, []);
  assert.ok(warnings.length > 200, String(warnings.length));
  assert.deepEqual(
    warnings.filter(({ words }) => !words.startsWith('there is no setting')).map(({ words }) => words),
    ['tts.provider is edge, which this version does not have'],
  );
  const some = ['agent.max_turns', 'web.backend', 'web.extract_backend', 'tts.provider', 'terminal.timeout'].map((key) => values[key]);
  assert.deepEqual(some, [500, 'auto', 'plain', 'auto', 180]);
});

test('a key in the settings file is warned about: it would not be read', async () => {
  const { problems, warnings } = await read('model:\n  api_key: sk-1\n');
  assert.deepEqual(problems, []);
  assert.match(warnings[0]?.cure ?? '', /\.env/);
});

test('variables expand in texts, lists and tables; an unset one stays as it is and is warned about', async () => {
  const text =
    'model:\n  default: ${MODEL}-x\n  base_url: http://${env:HOST}/v1\n  provider: $MODEL\nagent:\n  max_turns: ${TURNS}\ntoolsets: [ "${SET}" ]\nfallback_providers:\n  - {provider: "${MODEL}", model: "${NONE}"}\n';
  const { values, warnings, problems } = await read(text, { MODEL: 'm', HOST: 'h', TURNS: '7', SET: 'file' });
  assert.deepEqual(problems, []);
  const wanted = ['model.default', 'model.base_url', 'model.provider', 'agent.max_turns', 'toolsets', 'fallback_providers'].map(
    (key) => values[key],
  );
  assert.deepEqual(wanted, ['m-x', 'http://h/v1', '$MODEL', 7, ['file'], [{ provider: 'm', model: '${NONE}' }]]);
  assert.deepEqual(
    warnings.map(({ key, line }) => [key, line]),
    [['fallback_providers', 8]],
  );
  const told: string[] = [];
  await loadConfig(path, { MODEL: 'm', HOST: 'h', TURNS: '7', SET: 'file' }, (words) => told.push(words));
  assert.match(told.join(), /NONE, which is not set/);
});

test('environment wins over the file, the file over the default, and each says so', async () => {
  const { values, sources } = await read('model: short\nstream: {idle_timeout: 5}\n', {
    HERMES_STREAM_STALE_TIMEOUT: '0.25',
    HERMES_API_CALL_STALE_TIMEOUT: '',
  });
  assert.deepEqual([values['model.default'], values['stream.idle_timeout'], values['stream.first_byte_timeout']], ['short', 0.25, 120]);
  assert.deepEqual(sources, { 'model.default': 'file', 'stream.idle_timeout': 'env' });
});

test('an empty file, a file of comments and empty sections leave the defaults', async () => {
  for (const text of ['', '\n', '# nothing\n', 'agent:\nmodel:\n'])
    assert.deepEqual(Object.keys((await read(text)).sources), [], JSON.stringify(text));
});

test('aliases and merges of sections are followed', async () => {
  const { values, problems, warnings } = await read('_config_version: &n 4\nagent:\n  max_turns: *n\n');
  assert.deepEqual([values['agent.max_turns'], problems, warnings], [4, [], []], 'a note of another program is told to nobody');
});

test('a member of a table cannot be named alone, and the words say how to change it', () => {
  const fields: Fields = new Map([['plugins.entries', { kind: 'table', default: {}, describe: 'x' }]]);
  assert.deepEqual(describeUnknownKey(fields, 'plugins.entries.dice.settings.sides'), {
    words: 'plugins.entries is a table, and what is in it cannot be named alone',
    cure: 'To change it in the file: hermes config edit',
  });
});
