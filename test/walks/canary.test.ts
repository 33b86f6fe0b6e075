import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startWireServer, type RecordedRequest, type Reply, type WireServer } from '../../src/testing/wire-server/index.ts';
import { filesBelow, knownCanaries, leaks, unknownCanaries, type Artefact, type Canary } from './canary-places.ts';
import { hermes, jsonLines, tempHome, toServer, type Ran } from './hermes.ts';

/** Two hundred, each in one of the places secrets are kept or stand about in. */
const KEPT = knownCanaries('KEPT', 50, 'TOKEN');
const STORED = knownCanaries('STORED', 30, 'token');
const EXPORTED = knownCanaries('EXPORTED', 40, 'PASSWORD');
const STRAY = unknownCanaries(80);
/** As many of the stored ones are logins; the others are tokens of servers. */
const IN_AUTH = 15;
const KNOWN: readonly Canary[] = [...KEPT, ...STORED, ...EXPORTED];
const ALL: readonly Canary[] = [...KNOWN, ...STRAY];
/** One of them. */
const one = (canaries: readonly Canary[], index: number): string => canaries[index]?.value ?? assert.fail();

const HOME = tempHome();
const PROJECT = mkdtempSync(join(tmpdir(), 'hermes-canary-'));
after(() => rmSync(PROJECT, { recursive: true, force: true }));

const lines = (canaries: readonly Canary[]): string => canaries.map(({ line }) => `${line}\n`).join('');
const NOTES = `Notes.\n${lines(ALL)}The end.\n`;
const ENV = { ...Object.fromEntries(EXPORTED.map(({ name, value }) => [name, value])), CUSTOM_API_KEY: one(KEPT, 0) };

function furnish(): void {
  writeFileSync(join(HOME, '.env'), KEPT.map(({ name, value }) => `${name}='${value}'\n`).join(''));
  const [login, tokens] = [STORED.slice(0, IN_AUTH), STORED.slice(IN_AUTH)];
  writeFileSync(
    join(HOME, 'auth.json'),
    JSON.stringify({ providers: Object.fromEntries(login.map(({ name, value }) => [name, { access_token: value }])) }),
  );
  mkdirSync(join(HOME, 'mcp-tokens'));
  for (const [index, { value }] of tokens.entries())
    writeFileSync(join(HOME, 'mcp-tokens', `server${index}.json`), JSON.stringify({ refresh_token: value }));
  writeFileSync(join(PROJECT, 'notes.txt'), NOTES);
  writeFileSync(join(PROJECT, 'known.json'), JSON.stringify(KNOWN.map(({ value }) => value)));
  writeFileSync(join(PROJECT, 'AGENTS.md'), `# Rules\n\nNever use ${one(KEPT, 1)} here.\n`);
  writeFileSync(join(PROJECT, 'encoded.mjs'), ENCODED);
  writeFileSync(join(PROJECT, 'halves.mjs'), HALVES);
}

/** Every value as programs print it: in base64 at three places, in addresses, in JSON, in hex. */
const ENCODED = `
import { readFileSync } from 'node:fs';
for (const value of JSON.parse(readFileSync('known.json', 'utf8'))) {
  for (const before of ['', 'u:', 'user:']) console.log(Buffer.from(before + value + '!').toString('base64'));
  console.log(Buffer.from(value).toString('base64url'), Buffer.from(value).toString('hex'));
  console.log('https://example.test/?q=' + encodeURIComponent(value), JSON.stringify({ value }), JSON.stringify(JSON.stringify({ value })));
}`;
/** Every value in two pieces that arrive one after the other. */
const HALVES = `
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
for (const value of JSON.parse(readFileSync('known.json', 'utf8'))) {
  process.stdout.write('piece ' + value.slice(0, 7));
  await pause(2);
  process.stdout.write(value.slice(7) + '\\n');
}`;

const command = (line: string, more: object = {}) => ({ name: 'terminal', arguments: { command: line, ...more } });
const said = (canaries: readonly Canary[]): string => canaries.map(({ value }) => `I saw ${value}.`).join(' ');

/** What the model does, step by step. It repeats secrets in its own words wherever it can put words. */
const STEPS: readonly ((request: RecordedRequest) => Reply)[] = [
  () => ({ calls: [{ name: 'read_file', arguments: { path: 'notes.txt' } }], thinking: said(KEPT) }),
  (request) => ({
    calls: [
      { name: 'write_file', arguments: { path: 'copy.txt', content: shownNotes(request) } },
      { name: 'search_files', arguments: { pattern: '.', path: 'notes.txt' } },
    ],
  }),
  () => ({ calls: [command('cat notes.txt; cat notes.txt >&2'), command('cat known.json', { pty: true }), command('node encoded.mjs')] }),
  () => ({ calls: [command('node halves.mjs'), command('for n in $(seq 1 8); do cat notes.txt; done')] }),
  () => ({ calls: [command('node halves.mjs; for n in $(seq 1 8); do cat notes.txt; done', { background: true })] }),
  (request) => ({ calls: [{ name: 'process', arguments: { action: 'wait', session_id: backgroundId(request), timeout: 60 } }] }),
  (request) => ({ calls: [{ name: 'process', arguments: { action: 'log', session_id: backgroundId(request) } }] }),
  () => ({
    calls: [
      { name: 'todo', arguments: { todos: [{ id: '1', content: said(KEPT), status: 'pending' }] } },
      { name: 'memory', arguments: { action: 'add', target: 'memory', content: `The key is ${one(KEPT, 2)}` } },
      { name: 'session_search', arguments: { query: one(KEPT, 3) } },
      {
        name: 'skill_manage',
        arguments: { action: 'create', name: 'keys', content: `---\nname: keys\ndescription: All keys\n---\n${said(STORED)}\n` },
      },
      { name: `no_${one(KEPT, 4)}`, arguments: { of: said(EXPORTED) } },
      { name: 'read_file', arguments: { path: `${one(KEPT, 6)}.txt` } },
      command(`echo ${one(KEPT, 7)}; ls /nowhere/${one(EXPORTED, 0)}`),
    ],
  }),
  () => ({ calls: [{ name: 'delegate_task', arguments: { goal: said(KEPT), context: said(EXPORTED) } }] }),
  () => ({ calls: [{ name: 'read_file', arguments: `{"path": "${one(KEPT, 5)}` }] }),
  () => ({ text: `${said(KNOWN)} Done.`, thinking: said(KNOWN), chunk: 5 }),
];

/** The model copies what it was shown. */
function shownNotes({ text }: RecordedRequest): string {
  const result = textsIn(JSON.parse(text)).find((each) => each.includes('Notes.') && each.includes('The end.')) ?? '';
  return result
    .split('\n')
    .flatMap((line) => /^\s*\d+[|\t→ ](.*)$/.exec(line)?.[1] ?? [])
    .join('\n');
}
const backgroundId = ({ text }: RecordedRequest): string =>
  /proc_[0-9a-f]+|session_id[\\": ]+([\w-]+)/.exec(text)?.[1] ?? /proc_\w+/.exec(text)?.[0] ?? '';

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** What the session was asked; a child is asked something else. */
const ASKED = 'Look around. My key is';

/** Each request asks for the step after those that have their results in it. */
function model(): (request: RecordedRequest) => Reply {
  let step = 0;
  return (request) => (request.text.includes(ASKED) ? STEPS[step++]?.(request) : undefined) ?? { text: said(KNOWN), chunk: 9 };
}

const artefacts: Artefact[] = [];
const run = async (
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  started?: Parameters<typeof hermes>[1]['started'],
): Promise<Ran> => {
  const ran = await hermes(args, { home: HOME, cwd: PROJECT, env: { ...ENV, ...env }, ...(started !== undefined && { started }) });
  artefacts.push({ name: `stdout of ${name}`, text: ran.out }, { name: `stderr of ${name}`, text: ran.err });
  artefacts.push({ name: `words of ${name}, joined`, text: joined(ran.out) });
  return ran;
};
/** What comes in pieces, as whoever reads along puts it together. */
const joined = (out: string): string =>
  ['text_delta', 'thinking_delta', 'tool_progress']
    .map((type) => jsonLines(out).flatMap((line) => (line['type'] === type ? [String(line['delta'] ?? line['note'])] : [])))
    .map((pieces) => pieces.join(''))
    .join('\n');
const heard = (name: string, server: WireServer): void =>
  void artefacts.push(
    ...server.requests.map(({ path, text }, index) => ({ name: `request ${index} of ${name}`, text: `${path}\n${text}` })),
  );

/** The name a known one has, by where it is kept. */
function placeOf({ name }: Canary): string {
  const place = STORED.findIndex((canary) => canary.name === name);
  if (place < 0) return name;
  return place < IN_AUTH ? `auth.providers.${name}.access_token` : `server${place - IN_AUTH}.refresh_token`;
}

test('two hundred secrets through every tool, log, crash and event: none is in anything that is left behind', async (context) => {
  furnish();
  let session = '';

  await context.test('a turn with every tool, as events', async () => {
    for (const apiMode of ['chat_completions', 'anthropic_messages', 'responses']) {
      await using server = await startWireServer({ answer: model() });
      const ran = await run(`a turn on ${apiMode}`, ['chat', '-q', `${ASKED} ${one(KEPT, 8)}`, '--json', ...toServer(server.url, apiMode)]);
      heard(apiMode, server);
      assert.equal(ran.code, 0, ran.err);
      const [own, childs] = [true, false].map((is) => server.requests.filter(({ text }) => text.includes(ASKED) === is).length);
      assert.deepEqual([own, childs], [STEPS.length, 1]);
      session = String(jsonLines(ran.out)[0]?.['id']);
      assert.equal(readFileSync(join(PROJECT, 'copy.txt'), 'utf8').trimEnd(), NOTES.trimEnd(), 'what the model copied is what was there');
      rmSync(join(PROJECT, 'copy.txt'));
    }
  });

  await context.test('an answer as text, and a session that goes on', async () => {
    await using server = await startWireServer({ answer: () => ({ text: said(ALL.slice(0, 120)), thinking: said(KNOWN), chunk: 3 }) });
    const ran = await run('an answer', ['chat', '-q', said(KNOWN), '--resume', session, ...toServer(server.url, 'responses')]);
    heard('an answer', server);
    assert.equal(ran.code, 0, ran.err);
    assert.match(ran.out, /I saw «secret:KEPT_0_TOKEN:/);
  });

  await context.test('a compaction whose notes repeat what was said', async () => {
    await using server = await startWireServer({ answer: () => ({ text: said(KNOWN), thinking: said(KEPT) }) });
    writeFileSync(join(HOME, 'config.yaml'), `model:\n  provider: custom\n  base_url: ${server.url}/v1\n  default: test-model\n`);
    await run('a compaction', ['sessions', 'compress', session, `keep ${one(KEPT, 10)}`, '--json']);
    heard('a compaction', server);
    assert.ok(server.requests.length > 0, 'a model was asked for notes');
  });

  await context.test('refusals that repeat what they were sent, and streams that break', async () => {
    const faults = [
      { type: 'status', status: 401, message: `bad key ${one(KEPT, 0)}` },
      { type: 'status', status: 400, message: said(KNOWN.slice(0, 6)) },
      { type: 'status', status: 500, body: JSON.stringify({ trace: said(KNOWN) }) },
      { type: 'status', status: 404, body: `<html>${said(EXPORTED)}</html>`, headers: { 'x-debug': one(EXPORTED, 1) } },
      { type: 'error_frame', problem: { type: 'status', status: 429, message: said(STORED.slice(0, 4)) } },
      { type: 'malformed_frame' },
      { type: 'cut', afterBytes: 900 },
    ] as const;
    for (const fault of faults) {
      await using server = await startWireServer({ answer: () => ({ text: said(KNOWN), fault }) });
      const flags = [...toServer(server.url), '-t', 'none'];
      writeFileSync(join(HOME, 'config.yaml'), 'agent:\n  api_max_retries: 0\n');
      const ran = await run(`a refusal: ${fault.type}`, ['chat', '-q', 'go', '--json', ...flags]);
      heard(`a refusal: ${fault.type}`, server);
      assert.notEqual(ran.out, '');
    }
  });

  await context.test('a crash', async () => {
    for (const [name, how] of Object.entries(CRASHES)) {
      const preload = join(PROJECT, `${name}.cjs`);
      writeFileSync(preload, how);
      await using server = await startWireServer({ answer: () => ({ text: 'slow', paceMs: 5_000 }) });
      const ran = await run(`a crash: ${name}`, ['chat', '-q', 'go', ...toServer(server.url)], { NODE_OPTIONS: `--require ${preload}` });
      assert.equal(ran.code, 1, ran.err);
      assert.match(ran.err, /boom/);
      assert.match(ran.err, /«secret:EXPORTED_2_PASSWORD:/);
    }
  });

  await context.test('a kill while a command writes more than fits', async () => {
    await using server = await startWireServer({
      answer: () => ({ text: said(KNOWN), calls: [command('for n in $(seq 1 8); do cat notes.txt; done; node encoded.mjs; sleep 20')] }),
    });
    const ran = await run('a kill', ['chat', '-q', `go ${one(KEPT, 9)}`, '--json', ...toServer(server.url)], {}, (child) => {
      child.stdout?.on('data', (chunk: string) => {
        if (chunk.includes('tool_started')) setTimeout(() => child.kill('SIGKILL'), 1_000);
      });
    });
    assert.equal(ran.signal, 'SIGKILL');
    heard('a kill', server);
    artefacts.push(...filesBelow(HOME, secretFiles()).map(({ name, text }) => ({ name: `${name} after the kill`, text })));
  });

  await context.test('everything that reads the log', async () => {
    const shown = [
      ['sessions', 'list', '--json'],
      ['sessions', 'show', session],
      ['sessions', 'show', session, '--json'],
      ['sessions', 'search', one(KEPT, 0)],
      ['sessions', 'export', session, '--format', 'md'],
      ['sessions', 'export', session, join(HOME, 'export.jsonl')],
      ['sessions', 'backup', join(HOME, 'backup.db')],
      ['replay', session],
      ['usage', '--session', session],
      ['prompt'],
      ['prompt', '--json'],
      ['doctor'],
      ['config', 'get', KEPT[0]?.name ?? ''],
      ['memory', 'list'],
      ['skills', 'list'],
      ['sessions', 'show', one(KEPT, 0)],
      [one(KEPT, 0)],
    ];
    for (const args of shown) await run(args.slice(0, 2).join(' '), args);
  });

  artefacts.push(...filesBelow(HOME, secretFiles()));
  assert.equal(statSync(join(HOME, 'checkpoints')).mode & 0o077, 0, 'nobody else may look at what is kept for undo');
  assert.deepEqual(
    KNOWN.filter((canary) => !artefacts.some(({ text }) => text.includes(`«secret:${placeOf(canary)}:`))),
    [],
    'every known one came by',
  );
  assert.match(readFileSync(join(HOME, 'memories', 'MEMORY.md'), 'utf8'), /The key is «secret:KEPT_2_TOKEN:/);
  assert.match(readFileSync(join(HOME, 'skills', 'general', 'keys', 'SKILL.md'), 'utf8'), /I saw «secret:/);
  const guessed = new Set(artefacts.flatMap(({ text }) => text.match(/«secret:[a-z-]+:[0-9a-f]{10}»/g) ?? []));
  assert.ok(guessed.size >= STRAY.length, `${guessed.size} of ${STRAY.length} stray ones came by`);
  assert.deepEqual(leaks(ALL, artefacts).slice(0, 20), []);
});

/** Where secrets belong: their own files, and the owner's files as they were before a change, which must come back byte for byte. */
const secretFiles = (): string[] => [
  join(HOME, '.env'),
  join(HOME, 'auth.json'),
  ...['mcp-tokens', 'checkpoints']
    .flatMap((folder) => (existsSync(join(HOME, folder)) ? filesBelow(join(HOME, folder), []) : []))
    .map(({ name }) => name),
];

const CRASHES = {
  thrown: `setTimeout(() => { throw new Error('boom ' + process.env.EXPORTED_2_PASSWORD, { cause: { env: process.env } }); }, 400);`,
  rejected: `setTimeout(() => { Promise.reject(new TypeError('boom ' + JSON.stringify({ all: process.env }))); }, 400);`,
};
