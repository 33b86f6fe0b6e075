import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startWireServer, type RecordedRequest, type Reply } from '../../src/testing/wire-server/index.ts';
import { filesBelow, leaks } from './canary-places.ts';
import {
  ALL,
  artefacts,
  ASIDE,
  EXPORTED,
  furnish,
  heard,
  HOME,
  KEPT,
  KNOWN,
  NOTES,
  one,
  placeOf,
  PROJECT,
  run,
  said,
  secretFiles,
  STORED,
  STRAY,
} from './canary-stage.ts';
import { sized } from '../size.ts';
import { jsonLines, toServer } from './hermes.ts';

const command = (line: string, more: object = {}) => ({ name: 'terminal', arguments: { command: line, ...more } });

/** What the model does, step by step. It repeats secrets in its own words wherever it can put words. */
const STEPS: readonly ((request: RecordedRequest) => Reply)[] = [
  // Before anything of the project is read: afterwards the owner would be asked.
  () => ({
    calls: [
      {
        name: 'skill_manage',
        arguments: { action: 'create', name: 'keys', content: `---\nname: keys\ndescription: All keys\n---\n${said(STORED)}\n` },
      },
    ],
  }),
  () => ({ calls: [{ name: 'read_file', arguments: { path: 'notes.txt' } }], thinking: said(KEPT) }),
  (request) => ({
    calls: [
      { name: 'write_file', arguments: { path: 'notes.txt', content: shownNotes(request) } },
      { name: 'write_file', arguments: { path: 'copy.txt', content: shownNotes(request) } },
      { name: 'search_files', arguments: { pattern: '.', path: 'notes.txt' } },
    ],
  }),
  () => ({ calls: [command('cat notes.txt; cat notes.txt >&2'), command('cat known.json', { pty: true }), command('node encoded.mjs')] }),
  () => ({ calls: [command('node halves.mjs'), command('for n in $(seq 1 8); do cat notes.txt; done')] }),
  () => ({ calls: [command('node halves.mjs; for n in $(seq 1 8); do cat notes.txt; done', { background: true })] }),
  (request) => ({ calls: [{ name: 'process', arguments: { action: 'wait', session_id: backgroundId(request), timeout: 60 } }] }),
  (request) => ({ calls: [{ name: 'process', arguments: { action: 'log', session_id: backgroundId(request) } }] }),
  () => ({ calls: [command('cat notes.txt; node encoded.mjs', { background: true })] }),
  () => ({
    calls: [
      { name: 'todo', arguments: { todos: [{ id: '1', content: said(KEPT), status: 'pending' }] } },
      { name: 'memory', arguments: { action: 'add', target: 'memory', content: `The key is ${one(KEPT, 2)}` } },
      { name: 'session_search', arguments: { query: one(KEPT, 3) } },
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

test('two hundred secrets through every tool, log, crash and event: none is in anything that is left behind', async (context) => {
  furnish();
  // With rules of the project in the prompt, a new skill is asked about: they come after the turn that makes one.
  const rules = join(PROJECT, 'AGENTS.md');
  const words = readFileSync(rules, 'utf8');
  rmSync(rules);
  let session = '';

  await context.test('a turn with every tool, as events', async () => {
    for (const apiMode of sized(['responses'], ['chat_completions', 'anthropic_messages', 'responses'])) {
      await using server = await startWireServer({ answer: model() });
      const ran = await run(`a turn on ${apiMode}`, ['chat', '-q', `${ASKED} ${one(KEPT, 8)}`, '--json', ...toServer(server.url, apiMode)]);
      heard(apiMode, server);
      assert.equal(ran.code, 0, ran.err);
      const [own, childs] = [true, false].map((is) => server.requests.filter(({ text }) => text.includes(ASKED) === is).length);
      assert.deepEqual([own, childs], [STEPS.length, 1]);
      session = String(jsonLines(ran.out)[0]?.['id']);
      assert.equal(
        readFileSync(join(PROJECT, 'notes.txt'), 'utf8').trimEnd(),
        NOTES.trimEnd(),
        'what the model wrote back is what was there',
      );
      assert.equal(existsSync(join(PROJECT, 'copy.txt')), false, 'to bring secrets to another file is for the owner to allow');
    }
  });

  writeFileSync(rules, words);
  await context.test('a process that outlasts its session, at this machine itself, and that nobody asks after', async () => {
    writeFileSync(join(HOME, 'config.yaml'), JSON.stringify({ terminal: { backend: 'local', background_outlives: true } }));
    const calls = [command('cat notes.txt known.json; cat notes.txt >&2', { background: true })];
    await using server = await startWireServer({ replies: [{ text: said(KNOWN), calls }, { text: 'started' }] });
    const ran = await run('a process', ['chat', '-q', 'go', ...toServer(server.url)]);
    heard('a process', server);
    assert.equal(ran.code, 0, ran.err);
    rmSync(join(HOME, 'config.yaml'));
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
    artefacts.push(
      ...[...filesBelow(HOME, secretFiles()), ...filesBelow(ASIDE, [])].map(({ name, text }) => ({ name: `${name} after the kill`, text })),
    );
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

  artefacts.push(...filesBelow(HOME, secretFiles()), ...filesBelow(ASIDE, []));
  assert.ok(
    artefacts.some(({ name }) => name.startsWith(join(HOME, 'processes')) && name.endsWith('/log')),
    'the log of a process nobody asked after is there',
  );
  for (const folder of ['checkpoints', 'processes'])
    assert.equal(statSync(join(HOME, folder)).mode & 0o077, 0, `nobody else may look into ${folder}`);
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

const CRASHES = {
  thrown: `setTimeout(() => { throw new Error('boom ' + process.env.EXPORTED_2_PASSWORD, { cause: { env: process.env } }); }, 400);`,
  rejected: `setTimeout(() => { Promise.reject(new TypeError('boom ' + JSON.stringify({ all: process.env }))); }, 400);`,
};
