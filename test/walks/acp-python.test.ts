import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { acpStage, type AcpStage } from '../acp/stage.ts';
import { ODD_SERVER } from '../parts/mcp/odd-server.ts';
import { NEEDS_SDK } from '../parts/mcp/setup.ts';
import { bodyOf, call, command, resultsIn, rowsOf } from './stage.ts';

/** `scripts/system-deps` puts the package there; a Python that has it already will do. */
const PYTHONS = [resolve('.cache/python/bin/python'), 'python3'];
const python = PYTHONS.find((each) => {
  try {
    execFileSync(each, ['-c', 'import acp'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});
/** A picture of one point. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==';
const NEEDS_PYTHON = { skip: python === undefined && 'no Python with the package agent-client-protocol; scripts/system-deps installs it' };

const NEEDS_BOTH = { skip: NEEDS_PYTHON.skip || NEEDS_SDK.skip };

interface Story {
  readonly protocol: number;
  readonly session: string;
  readonly reason: string;
  readonly told: string;
  readonly kinds: readonly string[];
  readonly modes: readonly string[];
  readonly stopped: string;
  readonly replayed: readonly [user: string, agent: string];
  readonly listed: readonly string[];
  readonly methods: readonly string[];
}

interface Rest {
  readonly agent: string;
  readonly session: string;
  readonly reasons: readonly string[];
  readonly models: readonly string[];
  readonly resumed: readonly string[];
  readonly form: unknown;
  readonly commands: readonly string[];
  readonly told: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly methods: readonly string[];
}

async function tell<Told>(stage: AcpStage, story: 'work' | 'rest', more: object): Promise<Told> {
  const plan = { story, command: [stage.command, ...stage.args], cwd: stage.cwd, env: stage.env, ...more };
  const child = spawn(python ?? '', [resolve('test/acp/client.py'), JSON.stringify(plan)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const code = await new Promise((done) => child.once('close', done));
  assert.equal(code, 0, err);
  return JSON.parse(out) as Told;
}

/** What the client lends, and what is asked of it then. */
const CLIENTS: readonly (readonly [what: string, lends: boolean, methods: readonly string[]])[] = [
  ['that lends files and terminals', true, ['permission', 'read', 'release', 'terminal', 'write']],
  ['that lends nothing', false, ['permission']],
];
for (const [what, lends, methods] of CLIENTS)
  test(`a Python client ${what}: prompt, consent, cancel, load, list, close, all by the schema`, NEEDS_PYTHON, async () => {
    await using model = await startWireServer({ answer: () => ({ text: 'word '.repeat(500), paceMs: 20 }) });
    const stage = acpStage(model);
    mkdirSync(stage.at('build'));
    writeFileSync(stage.at('a.txt'), 'hello\n');
    model.script(
      { thinking: 'Hm.', ...call('read_file', { path: 'a.txt' }) },
      call('write_file', { path: 'a.txt', content: 'bye\n' }),
      call('todo', { todos: [{ id: '1', content: 'All of it', status: 'in_progress' }] }),
      command('git branch -D old; echo ran >> marks'),
      { text: 'All done.' },
    );
    const story = await tell<Story>(stage, 'work', { lends });
    assert.deepEqual([story.protocol, story.reason, story.told, story.modes], [1, 'end_turn', 'All done.', ['deny']]);
    assert.deepEqual([stage.text('a.txt'), stage.marks()], ['bye\n', ['ran']]);
    assert.deepEqual([...new Set(story.methods)].toSorted(), methods);
    const kinds = [
      'agent_message_chunk',
      'agent_thought_chunk',
      'plan',
      'session_info_update',
      'tool_call',
      'tool_call_update',
      'usage_update',
    ];
    for (const kind of kinds) assert.ok(story.kinds.includes(kind), kind);
    assert.equal(story.stopped, 'cancelled');
    assert.ok(story.replayed[1].length < 'word '.length * 500, 'the model had not said all of it');
    assert.match(story.replayed.join('\n'), /^do it(?:talk)+\nAll done\.word/);
    assert.deepEqual(story.listed, [story.session]);
    const [stored] = rowsOf<{ readonly end_reason?: string }>(await stage.run(['sessions', 'list', '--json']));
    assert.equal(stored?.end_reason, 'exit');
    assert.deepEqual(stage.problems(), []);
  });

test('a Python client: context, a picture, a form, another model, a server of its own; resumed, closed, deleted', NEEDS_BOTH, async () => {
  await using model = await startWireServer({ answer: () => ({ text: 'Told.' }) });
  const stage = acpStage(model, { tools: { tool_search: { enabled: 'off' } } });
  model.script(
    call('clarify', { question: 'Which color?', choices: ['red', 'blue'] }),
    { text: 'Blue it is.' },
    call('mcp__theirs__echo', { text: 'from outside' }),
  );
  const server = [process.execPath, resolve(ODD_SERVER), 'plain'];
  const story = await tell<Rest>(stage, 'rest', { lends: false, forms: true, image: PIXEL, server });
  assert.deepEqual([story.agent, story.reasons, story.models], ['hermes', ['end_turn', 'end_turn', 'end_turn'], ['custom:other-model']]);
  assert.deepEqual(story.resumed, ['deny', 'custom:other-model', 'deny'], 'what was chosen stays chosen');
  assert.deepEqual([story.methods, story.before, story.after], [['form'], [story.session], []]);
  assert.match(JSON.stringify(story.form), /"enum":\["red","blue"\]/);
  assert.match(story.told, /^Blue it is\.Told\..*Session .*other-model/s);
  for (const name of ['status', 'compress', 'model']) assert.ok(story.commands.includes(name), name);
  const asked = model.requests.filter(({ protocol }) => protocol === 'openai-chat');
  const [first = '', last = ''] = [asked[0], asked.at(-1)].map((request) => JSON.stringify(bodyOf(request)));
  for (const part of ['Explain [context 1] and [context 2]', 'export const a = 1;', 'a link to', 'written by others: the editor', PIXEL])
    assert.ok(first.includes(part), part);
  assert.deepEqual(resultsIn(asked[1]), ['blue']);
  assert.ok(last.includes('"model":"other-model"') && last.includes('from outside'), last);
  assert.deepEqual(stage.problems(), []);
});
