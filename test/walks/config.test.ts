import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readStringAt } from '../../src/base/json.ts';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { hermes, tempHome, toServer } from './hermes.ts';

const KEY = 'sk-or-v1-0123456789abcdefghij';

test('config set, get, explain, path and check: one story', async () => {
  const home = tempHome();
  const file = join(home, 'config.yaml');
  writeFileSync(file, '# my settings\nagent:\n  max_turns: 7 # few\n');
  const run = (...args: string[]) => hermes(['config', ...args], { home });
  assert.deepEqual(await run('path').then(({ code, out }) => [code, out]), [0, `${file}\n`]);
  assert.equal((await run('set', 'agent.max_turns', '12')).code, 0);
  assert.equal(readFileSync(file, 'utf8'), '# my settings\nagent:\n  max_turns: 12 # few\n');
  assert.equal((await run('get', 'agent.max_turns')).out, '12\n');
  assert.equal((await run('get', 'terminal.timeout')).out, '180\n');
  assert.deepEqual(JSON.parse((await run('get', '--json')).out), [
    { key: 'agent.max_turns', value: 12, source: 'file', place: `${file}:3`, default: 90 },
  ]);
  const explained = (await run('explain', 'agent.max_turns')).out;
  for (const words of ['value now   12', `comes from  ${file}:3`, 'whole number, 0 or more', 'default     90', '--max-turns'])
    assert.ok(explained.includes(words), `${words} in:\n${explained}`);
  assert.equal((await run('check')).code, 0);
  assert.equal((await run('set', 'toolsets', '[terminal, file]')).code, 0);
  assert.deepEqual(JSON.parse((await run('get', 'toolsets', '--json')).out).value, ['terminal', 'file']);
});

test('a secret goes to .env, readable by its owner only, and is never shown whole', async () => {
  const home = tempHome();
  const set = await hermes(['config', 'set', 'OPENROUTER_API_KEY', KEY], { home });
  const env = join(home, '.env');
  assert.deepEqual([set.code, statSync(env).mode & 0o777, readFileSync(env, 'utf8')], [0, 0o600, `OPENROUTER_API_KEY=${KEY}\n`]);
  assert.equal(existsSync(join(home, 'config.yaml')), false);
  await hermes(['config', 'set', 'fallback_providers', '[{provider: openrouter, model: m, api_key: "${OPENROUTER_API_KEY}"}]'], { home });
  const shown = [
    set,
    ...(await Promise.all(
      [['get', 'OPENROUTER_API_KEY'], ['get', '--json'], ['get'], ['explain', 'fallback_providers']].map((args) =>
        hermes(['config', ...args], { home }),
      ),
    )),
  ];
  for (const { out, err } of shown) assert.ok(!`${out}${err}`.includes(KEY), out);
  assert.equal(shown[1]?.out, '***ghij\n');
});

/** What is refused, why, and that nothing was written. */
const REFUSED: readonly (readonly [key: string, value: string, words: RegExp])[] = [
  ['agent.max_turns', 'many', /whole number, not "many"/],
  ['agent.api_max_retries', '11', /0 to 10/],
  ['agent.max_turnz', '3', /mean agent.max_turns\?/],
  ['model.api_mode', 'smtp', /one of auto/],
  ['toolsets', '[a', /not valid YAML or JSON/],
  ['toolsets', '[1.5]', /list of names/],
  ['HERMES_MODEL', 'x', /config set model.default x/],
  ['SOME_THING', 'x', /neither a setting nor a secret/],
  ['A_TOKEN', '', /empty/],
  ['agent', '3', /section/],
];
test('a wrong value or key is refused with the reason, and nothing is written', async () => {
  const home = tempHome();
  const results = await Promise.all(REFUSED.map(([key, value]) => hermes(['config', 'set', key, value], { home })));
  for (const [index, { code, out, err }] of results.entries()) {
    const [key, , words] = REFUSED[index] ?? ['', '', /./];
    assert.deepEqual([code, out], [2, ''], key);
    assert.match(err, words);
  }
  assert.deepEqual([existsSync(join(home, 'config.yaml')), existsSync(join(home, '.env'))], [false, false]);
});

test('a broken file is named with line and cure by every command that reads it; set does not touch it', async () => {
  const home = tempHome();
  const file = join(home, 'config.yaml');
  const broken = 'agent:\n\tmax_turns: 3\n';
  writeFileSync(file, broken);
  const commands = [
    ['chat', '-q', 'hi'],
    ['config', 'get'],
    ['config', 'set', 'agent.max_turns', '3'],
    ['tools', 'list'],
  ];
  for (const { code, out, err } of await Promise.all(commands.map((args) => hermes(args, { home })))) {
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, new RegExp(`${file}:2: .*not valid YAML.*spaces`));
  }
  assert.equal(readFileSync(file, 'utf8'), broken);
  const [row] = JSON.parse((await hermes(['config', 'check', '--json'], { home })).out);
  assert.deepEqual([row.file, row.line, row.cure], [file, 2, 'Indent with spaces, not with tabs.']);
  assert.equal((await hermes(['config', 'schema', '--json'], { home })).code, 0, 'the schema needs no file');
});

test('config check lists every problem and exits 1; the first stops a chat', async () => {
  const home = tempHome();
  writeFileSync(join(home, 'config.yaml'), 'agent:\n  max_turns: x\n  api_max_retries: y\n');
  const check = await hermes(['config', 'check', '--json'], { home });
  assert.deepEqual(
    [check.code, JSON.parse(check.out).map((row: { readonly line: number; readonly key: string }) => [row.line, row.key])],
    [
      1,
      [
        [2, 'agent.max_turns'],
        [3, 'agent.api_max_retries'],
      ],
    ],
  );
  const chat = await hermes(['chat', '-q', 'hi'], { home });
  assert.equal(chat.code, 2);
  assert.match(chat.err, /config.yaml:2: agent.max_turns must be a whole number.*and 1 more: hermes config check/);
});

test('config check calls nothing in order that has no effect, in the file or in a table of chats', async () => {
  const home = tempHome();
  writeFileSync(join(home, 'config.yaml'), 'unknown_key: 1\nplatforms: {telegram: {alowed_users: [7], token: "1:abc", owners: 7}}\n');
  const check = await hermes(['config', 'check'], { home });
  assert.equal(check.code, 1);
  assert.match(check.err, /config\.yaml:1: there is no setting unknown_key/);
  assert.match(check.out, /can be used, but not all of it[\s\S]*✗ chats .*platforms\.telegram\.alowed_users has no effect/);
});

test('config check names every setting that names something which does not exist', async () => {
  const home = tempHome();
  const file = [
    'context: {engine: windw}',
    'memory: {provider: nosuch}',
    'display: {personality: nosuch, skin: nosuch, keys: {nosuch: alt+q}, status_bar: {fields: [nosuch]}, platforms: {nosuch: {}}}',
    'auxiliary: {compression: {provider: nosuch, model: x}}',
    'fallback_providers: [{provider: nosuch, model: x}]',
    'cron: {provider: nosuch}',
    'platform_hints: {nosuch: x}',
    'reset_by_type: {nosuch: {mode: daily}}',
    'agent: {disabled_toolsets: [nosuch]}',
  ];
  writeFileSync(join(home, 'config.yaml'), `${file.join('\n')}\n`);
  const { code, out } = await hermes(['config', 'check'], { home });
  assert.equal(code, 1);
  assert.doesNotMatch(out, /No problems/);
  assert.match(out, /✗ names .*context\.engine: there is no engine windw; did you mean window\?/);
  assert.deepEqual(
    [...out.matchAll(/([✗!]) names +(\S+): there is no/g)].map(([, sign, key]) => `${sign} ${key}`),
    [
      '✗ context.engine',
      '✗ memory.provider',
      '✗ auxiliary.compression.provider',
      '✗ cron.provider',
      '✗ fallback_providers',
      '✗ display.personality',
      '✗ display.skin',
      '✗ display.status_bar.fields',
      '✗ display.keys',
      '✗ reset_by_type',
      '! platform_hints',
      '! display.platforms',
      '! agent.disabled_toolsets',
    ],
  );
  writeFileSync(
    join(home, 'config.yaml'),
    'context: {engine: window}\nmemory: {provider: journal}\ndisplay: {personality: Pirate, skin: dark, keys: {queue: alt+q}}\nproviders: {mine: {base_url: "http://127.0.0.1:9/v1"}}\ncron: {provider: mine}\n',
  );
  assert.match((await hermes(['config', 'check'], { home })).out, /^No problems in/);
});

test('a settings file or .env that cannot be read stops with its name and the cure', async () => {
  for (const name of ['config.yaml', '.env']) {
    const home = tempHome();
    mkdirSync(join(home, name));
    const { code, out, err } = await hermes(['chat', '-q', 'hi'], { home });
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, new RegExp(`${name}.*could not be read.*move it away`));
    assert.ok(!err.includes('    at '), 'no stack');
  }
});

test('flags win over the environment, that over the file, that over the default', async () => {
  await using server = await startWireServer({ answer: () => ({ text: 'ok' }) });
  const home = tempHome();
  const model = async (file: string, env: Record<string, string>, flags: readonly string[]) => {
    writeFileSync(join(home, 'config.yaml'), file);
    const ran = await hermes(['chat', '-q', 'hi', ...flags], { home, env });
    assert.equal(ran.code, 0, ran.err);
    return readStringAt(server.requests.at(-1)?.body, 'model');
  };
  const file = `model:\n  default: from-file\n  base_url: ${server.url}/v1\n`;
  assert.equal(await model(file, {}, []), 'from-file');
  assert.equal(await model(file, { HERMES_MODEL: 'from-env' }, []), 'from-env');
  assert.equal(await model(file, { HERMES_MODEL: 'from-env' }, ['-m', 'from-flag']), 'from-flag');
  const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${server.url}/v1` };
  assert.equal(await model('model:\n  provider: openai-api\n', env, []), 'gpt-5.4', 'the provider’s own default');
});

test('max_turns: the flag wins over the file', async () => {
  await using server = await startWireServer({
    answer: ({ text }) =>
      text.includes('no more tools')
        ? { text: 'closing' }
        : { calls: [{ name: 'terminal', arguments: { command: `echo ${text.length}` } }] },
  });
  const home = tempHome();
  writeFileSync(join(home, 'config.yaml'), 'agent:\n  max_turns: 3\n');
  const calls = async (...flags: string[]) => {
    const before = server.requests.length;
    const ran = await hermes(['chat', '-q', 'go', ...toServer(server.url), ...flags], { home });
    assert.equal(ran.code, 3, ran.err);
    return server.requests.length - before;
  };
  assert.deepEqual([await calls(), await calls('--max-turns', '1')], [4, 2], 'the limit and one closing call');
});

test('a setting that says what holds anyway is not counted as changed', async () => {
  const home = tempHome();
  await hermes(['config', 'set', 'agent.max_turns', '90'], { home });
  assert.deepEqual(JSON.parse((await hermes(['config', 'get', '--json'], { home })).out), []);
  await hermes(['config', 'set', 'agent.max_turns', '7'], { home });
  assert.equal(JSON.parse((await hermes(['config', 'get', '--json'], { home })).out).length, 1);
});

test('model lists and changes the models of a server that only its address in the settings names', async () => {
  await using server = await startWireServer({ answer: () => ({ text: 'x' }) });
  const home = tempHome();
  const file = join(home, 'config.yaml');
  const settings = (name: string) => `model:\n  base_url: ${server.url}/v1 # mine\n  default: ${name}\n`;
  writeFileSync(file, settings('some-model'));
  const listed = await hermes(['model', '--list', '--json'], { home });
  assert.deepEqual([listed.code, listed.err, /"wire-model"/.test(listed.out)], [0, '', true]);
  const change = async () => {
    const { changed, before, model } = JSON.parse((await hermes(['model', 'wire', '--json'], { home })).out);
    return { changed, before, model };
  };
  assert.deepEqual(await change(), { changed: true, before: 'some-model', model: 'wire-model' });
  assert.equal(readFileSync(file, 'utf8'), settings('wire-model'));
  assert.deepEqual(await change(), { changed: false, before: 'wire-model', model: 'wire-model' });
});
