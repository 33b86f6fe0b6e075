import assert from 'node:assert/strict';
import { noSandbox } from '../parts/terminals/sandbox-stage.ts';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { hermes, tempHome, toServer } from './hermes.ts';
import { noPty, onTerminal } from './on-terminal.ts';

const KEY = 'sk-or-v1-0123456789abcdef0123456789abcdef';

test('a key is entered without being shown, and a script pipes it in', async () => {
  const home = tempHome();
  const piped = await hermes(['config', 'set', 'OPENROUTER_API_KEY', '--secret'], { home, stdin: `${KEY}\n` });
  assert.equal(piped.code, 0, piped.err);
  assert.ok(readFileSync(join(home, '.env'), 'utf8').includes(KEY));
  assert.ok(!(piped.out + piped.err).includes(KEY));
  assert.equal(statSync(join(home, '.env')).mode & 0o777, 0o600);
  const missing = await hermes(['config', 'set', 'OPENROUTER_API_KEY'], { home });
  assert.deepEqual([missing.code, /--secret/.test(missing.err)], [2, true]);
  const openly = await hermes(['config', 'set', 'OPENROUTER_API_KEY', KEY], { home });
  assert.match(openly.err, /your shell history\. Next time, use: hermes config set OPENROUTER_API_KEY --secret/);
});

test('a key typed on a terminal is not shown there', { skip: noPty }, async () => {
  const home = tempHome();
  const { code, shown } = await onTerminal(['config', 'set', 'OPENROUTER_API_KEY', '--secret'], home, [
    [/not shown while you type\) > $/, `${KEY}\r`],
  ]);
  assert.equal(code, 0, shown);
  assert.ok(!shown.includes(KEY));
  assert.ok(readFileSync(join(home, '.env'), 'utf8').includes(KEY));
});

test('config unset takes out one setting and keeps the rest with its comments; a variable goes from .env', async () => {
  const home = tempHome();
  const file = join(home, 'config.yaml');
  writeFileSync(file, '# mine\nagent:\n  max_turns: 7 # few\nmodel:\n  default: m # keep\n');
  const ran = await hermes(['config', 'unset', 'agent.max_turns'], { home });
  assert.deepEqual([ran.code, ran.out], [0, `Removed agent.max_turns from ${file}. The default applies: 90.\n`]);
  assert.equal(readFileSync(file, 'utf8'), '# mine\nmodel:\n  default: m # keep\n');
  assert.deepEqual(parse(readFileSync(file, 'utf8')), { model: { default: 'm' } });
  const again = await hermes(['config', 'unset', 'agent.max_turns', '--json'], { home });
  assert.deepEqual([again.code, (JSON.parse(again.out) as { removed: boolean }).removed], [0, false]);
  assert.equal((await hermes(['config', 'unset', 'agent.max_trns'], { home })).code, 2);
  await hermes(['config', 'unset', 'model.default'], { home });
  assert.equal(readFileSync(file, 'utf8').trim(), '# mine');
  writeFileSync(join(home, '.env'), `A=1\nOPENROUTER_API_KEY=${KEY}\nB=2\n`);
  assert.equal((await hermes(['config', 'unset', 'OPENROUTER_API_KEY'], { home })).code, 0);
  assert.equal(readFileSync(join(home, '.env'), 'utf8'), 'A=1\nB=2\n');
});

test('config edit opens the editor of the owner and checks the file afterwards', { skip: noPty }, async () => {
  const home = tempHome();
  const editor = join(home, 'editor.sh');
  writeFileSync(editor, '#!/bin/sh\nprintf "agent:\\n  max_turns: many\\n" > "$1"\n');
  chmodSync(editor, 0o755);
  const line = `EDITOR='${editor}' '${process.execPath}' '${process.env['HERMES_TEST_MAIN'] ?? join(process.cwd(), 'src/main.ts')}' config edit`;
  const { code, shown } = await onTerminal(['-c', line], home, [], home, '/bin/sh');
  assert.equal(code, 1, shown);
  assert.match(shown, /agent\.max_turns/);
  assert.equal((await hermes(['config', 'edit'], { home })).code, 2, 'without a terminal there is nothing to edit in');
});

test('sessions export x.md is Markdown, and neither export nor backup writes over a file', async () => {
  await using server = await startWireServer({ replies: [{ text: 'Here.' }] });
  const home = tempHome();
  await hermes(['chat', '-q', 'hello', ...toServer(server.url)], { home });
  const [row] = JSON.parse((await hermes(['sessions', 'list', '--json'], { home })).out) as { readonly id: string }[];
  const id = row?.id ?? '';
  const page = join(home, 'x.md');
  assert.equal((await hermes(['sessions', 'export', id, page], { home })).code, 0);
  const written = readFileSync(page, 'utf8');
  assert.match(written, /^# /);
  const lines = join(home, 'x.jsonl');
  await hermes(['sessions', 'export', id, lines], { home });
  assert.match(readFileSync(lines, 'utf8'), /^\{/);
  for (const args of [
    ['export', id, page],
    ['backup', page],
  ]) {
    const ran = await hermes(['sessions', ...args], { home });
    assert.deepEqual(
      [ran.code, ran.err],
      [2, `hermes: ${page} already exists and was left as it is. Name another file, or remove this one first.\n`],
    );
  }
  assert.equal(readFileSync(page, 'utf8'), written);
  const store = join(home, 'copy.db');
  assert.equal((await hermes(['sessions', 'backup', store], { home })).code, 0);
  assert.equal((await hermes(['sessions', 'backup', store], { home })).code, 2, 'an older backup stays');
});

interface Validator {
  (value: unknown): boolean;
  readonly errors?: unknown;
}
interface Checker {
  compile(schema: unknown): Validator;
  validateSchema(schema: unknown): boolean;
}

test('config schema --json is JSON Schema: it holds by its own rules, takes what is right and refuses what is wrong', async () => {
  const home = tempHome();
  const { out, code } = await hermes(['config', 'schema', '--json'], { home });
  assert.equal(code, 0);
  const schema = JSON.parse(out) as { readonly $schema: string };
  assert.equal(schema.$schema, 'https://json-schema.org/draft/2020-12/schema');
  const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js') as { readonly Ajv2020: new (options: object) => Checker };
  const checker = new Ajv2020({ strict: false, allErrors: true });
  assert.ok(checker.validateSchema(schema));
  const validate = checker.compile(schema);
  for (const right of [{}, { model: 'a/b' }, { model: { default: 'a' }, agent: { max_turns: 7 }, toolsets: ['file'] }])
    assert.ok(validate(right), JSON.stringify(validate.errors));
  for (const wrong of [{ agent: { max_turns: 'many' } }, { toolsets: 'file' }, { modell: {} }, []])
    assert.ok(!validate(wrong), JSON.stringify(wrong));
  const defaults = (JSON.parse((await hermes(['config', 'get', '--json'], { home })).out) as readonly unknown[]).length;
  assert.equal(defaults, 0);
});

test('config check and config get say by the same rule that something needs the owner', async () => {
  const home = tempHome();
  assert.equal((await hermes(['config', 'check'], { home })).code, 0);
  for (const json of [[], ['--json']]) assert.equal((await hermes(['config', 'get', 'OPENROUTER_API_KEY', ...json], { home })).code, 1);
  writeFileSync(join(home, 'config.yaml'), 'agent:\n  max_turns: many\n');
  for (const json of [[], ['--json']]) assert.equal((await hermes(['config', 'check', ...json], { home })).code, 1);
});

test('doctor, config check and tools list say what the next session will really have', async () => {
  const home = tempHome();
  const file = join(home, 'config.yaml');
  writeFileSync(file, 'toolsets: [file]\n');
  interface Row {
    readonly name: string;
    readonly ok: boolean;
    readonly words: string;
    readonly in_session: boolean;
  }
  const json = async (...args: readonly string[]): Promise<readonly Row[]> =>
    JSON.parse((await hermes([...args, '--json'], { home })).out) as Row[];
  const findings = await json('doctor');
  assert.match(findings.find(({ name }) => name === 'tools')?.words ?? '', /^\d+ in the table, from file$/);
  const where = noSandbox === undefined ? 'in a sandbox on this machine' : 'on this machine with all of your rights, without a sandbox';
  assert.ok(findings.find(({ name }) => name === 'terminal')?.words.startsWith(`commands run ${where} (terminal.backend: auto)`));
  assert.match((await hermes(['config', 'check'], { home })).out, /The next session here:[^]*from file\n[^]*commands run \w+ /);
  const tools = await json('tools', 'list');
  const has = (name: string) => tools.find((tool) => tool.name === name)?.in_session;
  assert.deepEqual([has('read_file'), has('terminal')], [true, false]);
  const listed = (await hermes(['tools', 'list'], { home })).out;
  assert.match(listed, /^In the next session\n {2}toolsets: file\n[^]*read_file[^]*\nNot in the next session\n[^]*terminal/);
  // A set that does not exist: no session can start, and all three say so.
  writeFileSync(file, 'toolsets: [fiel]\n');
  const wrong = await hermes(['config', 'check'], { home });
  assert.deepEqual([wrong.code, /fiel/.test(wrong.out)], [1, true], wrong.out);
  assert.equal((await json('doctor')).find(({ name }) => name === 'tools')?.ok, false);
  assert.match((await hermes(['tools', 'list'], { home })).out, /^No session can start: .*fiel/);
});
