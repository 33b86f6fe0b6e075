import assert from 'node:assert/strict';
import { diffLines } from 'diff';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { isMap, isScalar, LineCounter, parseDocument, type Node } from 'yaml';
import { toErrorMessage } from '../../src/base/errors.ts';
import { isObject } from '../../src/base/json.ts';
import { addToList } from '../../src/parts/config/setting-lists.ts';
import { FIELDS } from '../../src/app/config/config.ts';
import { openServices, type OpenServices } from '../../src/app/services/services.ts';
import { createSeededRandom } from '../../src/testing/seeded-random.ts';
import { writeConfigFile } from './config-files.ts';

/** All of them are written by `npm run prove setup`. */
const FILES = process.env['HERMES_SETUP_FULL'] === '1' ? 300 : 40;
const home = mkdtempSync(join(tmpdir(), 'hermes-writers-'));
const file = join(home, 'config.yaml');
/** A home of the Python system with one setting. */
const other = mkdtempSync(join(tmpdir(), 'hermes-writers-other-'));
writeFileSync(join(other, 'config.yaml'), '_config_version: 20\nagent:\n  max_turns: 41\n');
after(() => {
  for (const folder of [home, other]) rmSync(folder, { recursive: true, force: true });
});

/** One way to write the settings: what is asked, by which path it is known, and what must be there afterwards. */
interface Writer {
  readonly name: string;
  readonly path: readonly string[];
  run(services: OpenServices['openers']): Promise<unknown>;
  expected(before: unknown): unknown;
}
const GONE = undefined;
const withWords =
  (...words: string[]) =>
  (before: unknown) => [...new Set([...(Array.isArray(before) ? before : []), ...words])];
const WRITERS: readonly Writer[] = [
  set('agent.max_turns', '77', 77),
  set('model.default', 'a: b # c', 'a: b # c'),
  set('model.provider', 'openrouter', 'openrouter'),
  set('terminal.env_passthrough', '[LANG, TZ]', ['LANG', 'TZ']),
  set('memory.memory_char_limit', '999', 999),
  set('providers', '{mine: {base_url: "http://127.0.0.1:1/v1"}}', { mine: { base_url: 'http://127.0.0.1:1/v1' } }),
  unset('agent.max_turns'),
  unset('terminal.env_passthrough'),
  unset('x_base'),
  unset('x_vendor.deep'),
  {
    name: 'tools disable',
    path: ['agent', 'disabled_toolsets'],
    run: async (services) => (await services.tools()).switch(['todo'], false),
    expected: withWords('todo'),
  },
  {
    name: 'tools enable',
    path: ['agent', 'disabled_toolsets'],
    run: async (services) => (await services.tools()).switch(['web'], true),
    expected: (before) => (Array.isArray(before) ? before.filter((word) => word !== 'web') : before),
  },
  {
    name: 'mcp add',
    path: ['mcp_servers', 'fresh'],
    run: async (services) => (await services.mcp()).add({ name: 'fresh', args: [], command: 'uvx thing --x' }),
    expected: () => ({ command: 'uvx', args: ['thing', '--x'] }),
  },
  {
    name: 'mcp remove',
    path: ['mcp_servers', 'old'],
    run: async (services) => (await services.mcp()).remove('old').catch(unlessAbsent),
    expected: () => GONE,
  },
  {
    name: 'setup and model',
    path: ['model', 'default'],
    run: async (services) => (await services.configuration()).change({ 'model.default': 'gpt-5.5' }),
    expected: () => 'gpt-5.5',
  },
  {
    name: 'migrate',
    path: ['agent', 'max_turns'],
    run: async (services) => {
      const migration = await services.migration();
      const [found] = await migration.find({ source: 'hermes', from: other });
      assert.ok(found !== undefined);
      await using plan = await migration.open(found, ['config']);
      await plan.run(() => {});
    },
    // What is here stays.
    expected: (before) => before ?? 41,
  },
  {
    name: 'an approval for good',
    path: ['command_allowlist'],
    run: () => addToList(FIELDS, file, 'command_allowlist', ['git_push:*']),
    expected: withWords('git_push:*'),
  },
];

/** What is not there cannot go. */
function unlessAbsent(error: unknown): void {
  if (!/^there is no /i.test(toErrorMessage(error))) throw error;
}

function set(key: string, value: string, read: unknown): Writer {
  const run = async (services: OpenServices['openers']) => (await services.configuration()).set(key, value);
  return { name: `config set ${key}`, path: key.split('.'), run, expected: () => read };
}
function unset(key: string): Writer {
  const run = async (services: OpenServices['openers']) => (await services.configuration()).unset(key).catch(unlessAbsent);
  return { name: `config unset ${key}`, path: key.split('.'), run, expected: () => GONE };
}

mkdirSync(home, { recursive: true });
for (const writer of WRITERS)
  test(`${writer.name} changes nothing else in ${FILES} files`, async () => {
    await using services = openServices({ processEnv: { HERMES_HOME: home }, notice: () => {} });
    for (let seed = 1; seed <= FILES; seed++) {
      const before = writeConfigFile(createSeededRandom(`config-${seed}`));
      writeFileSync(file, before);
      try {
        await writer.run(services.openers);
      } catch (error) {
        throw new Error(`${toErrorMessage(error)}: file ${seed}\n${before}`, { cause: error });
      }
      checkChange(writer, before, readFileSync(file, 'utf8'), `file ${seed}`);
    }
  });

function checkChange({ path, expected }: Writer, before: string, now: string, name: string): void {
  const [old, next] = [parseDocument(before), parseDocument(now)];
  const shown = `${name}\n${before}\n=====\n${now}`;
  assert.deepEqual(next.errors, [], shown);
  // What it means: the asked setting, and only that.
  assert.deepEqual(valueAt(next.toJS(), path), expected(valueAt(old.toJS(), path)), shown);
  assert.deepEqual(without(next.toJS(), path), without(old.toJS(), path), shown);
  // How it looks: lines that went belonged to the setting, or named by an alias what it shared.
  const [lines, own] = [before.split('\n'), linesOf(before, path)];
  let line = 0;
  for (const { count = 0, added, removed } of diffLines(ended(before), ended(now))) {
    const gone = removed ? lines.slice(line, line + count) : [];
    for (const [at, text] of gone.entries()) assert.ok(own.has(line + at) || text.includes(': *'), `line ${line + at + 1} of ${shown}`);
    if (!added) line += count;
  }
  const isGone = expected(valueAt(old.toJS(), path)) === GONE;
  for (const [at, text] of lines.entries())
    for (const [note] of text.matchAll(/# note \d+ [^·]*·/g))
      assert.ok(now.includes(note) || (isGone && own.has(at)), `${note} of ${shown}`);
  if (before.includes('\r\n')) assert.doesNotMatch(now, /[^\r]\n/, shown);
}

/** The lines a change may touch: those of the setting with sections it leaves empty, or of what stands where its section must be. */
function linesOf(text: string, path: readonly string[]): ReadonlySet<number> {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  const found = new Set<number>(isMap(document.contents) && document.contents.flow === true ? text.split('\n').keys() : []);
  let [node, only]: [unknown, boolean] = [document.contents, false];
  for (const [depth, name] of path.entries()) {
    const pair = isMap<Node, Node | null>(node) ? node.items.find(({ key }) => isScalar(key) && String(key.value) === name) : undefined;
    if (pair === undefined) break;
    only = isMap(pair.value) && pair.value.items.length === 1 && (depth === 0 || only);
    const from = pair.key.range?.[0] ?? 0;
    const isBlock = isMap(pair.value) && pair.value.flow !== true;
    const whole = depth === path.length - 1 || !isBlock;
    const to = whole ? (pair.value?.range?.[1] ?? from) : from;
    if (whole || isMap(pair.value))
      for (let at = counter.linePos(from).line; at <= counter.linePos(Math.max(from, to - 1)).line; at++) found.add(at - 1);
    node = pair.value;
  }
  return found;
}
const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}${text.includes('\r\n') ? '\r\n' : '\n'}`);

function valueAt(values: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((here, name) => (isObject(here) ? here[name] : undefined), values);
}
/** Sections without anything in them count for nothing. */
function without(values: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (!isObject(values)) return {};
  const { [name]: there, ...others } = values;
  if (rest.length === 0) return others;
  const left = without(there, rest);
  return isObject(left) && Object.keys(left).length > 0 ? { ...others, [name]: left } : others;
}
