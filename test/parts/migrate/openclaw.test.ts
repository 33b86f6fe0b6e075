import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { joinTextBlocks } from '../../../src/contracts/message.ts';
import { readTranscript } from '../../../src/parts/migrate/openclaw/events.ts';
import { readOpenClawHome } from '../../../src/parts/migrate/openclaw/read-home.ts';
import { splitMemory } from '../../../src/parts/migrate/openclaw/split-memory.ts';

/** A home of files alone, as versions before their databases had it. */
function writeHome(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-openclaw-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

let count = 0;
const event = (parentId: string | null, words: string, role = 'user') => ({
  type: 'message',
  id: `e${++count}`,
  parentId,
  timestamp: new Date(1_700_000_000_000 + count).toISOString(),
  message: {
    role,
    content: role === 'user' ? words : [{ type: 'text', text: words }],
    usage: { input: 10, output: 2, cost: { total: 0.5 } },
    provider: 'p',
    model: 'm',
  },
});
const fates = (events: Parameters<typeof readTranscript>[0]) =>
  readTranscript(events).messages.map(({ message, fate }) => `${joinTextBlocks(message)}: ${fate}`);

test('of a transcript that branched, the way to the last event stands and the rest was taken back', () => {
  const root = event(null, 'question');
  const wrong = event(root.id, 'first answer', 'assistant');
  const right = event(root.id, 'second answer', 'assistant');
  assert.deepEqual(fates([root, wrong, right]), ['question: stands', 'first answer: taken_back', 'second answer: stands']);
});

test('a compaction hides what lies before the first entry it kept, and a reset everything', () => {
  const [one, two] = [event(null, 'one'), event('e4', 'two', 'assistant')];
  const three = event(two.id, 'three');
  const compaction = { type: 'compaction', id: 'c1', parentId: three.id, summary: 'so far', firstKeptEntryId: three.id, timestamp: '' };
  const four = event('c1', 'four', 'assistant');
  const events = [{ ...one, id: 'e4' }, two, three, compaction, four];
  assert.deepEqual(fates(events), ['one: compacted', 'two: compacted', 'three: stands', 'four: stands']);
  assert.equal(readTranscript(events).summary, 'so far');
  assert.deepEqual(
    readTranscript(events).costs.map(({ usage, price }) => [usage.input, price]),
    [[40, 2]],
  );
  const reset = { type: 'reset', id: 'r1', parentId: four.id, timestamp: '' };
  const five = event('r1', 'five');
  assert.deepEqual(fates([...events, reset, five]).at(-1), 'five: stands');
  assert.equal(fates([...events, reset, five]).filter((line) => line.endsWith('compacted')).length, 4);
});

test('a home of an earlier version is read from its files, with settings as people write them', async () => {
  const question = event(null, 'How old is a heron?');
  const folder = writeHome({
    'openclaw.json': `{
      // the model for everything
      agents: { defaults: { model: "openrouter/some/model" }, list: [{ id: "main" }, { id: "scout" }], },
      models: { providers: { home: { baseUrl: 'http://127.0.0.1:9/v1', apiKey: "sk-home-12345678", models: [{ id: "tiny" }] } } }, /* mine */
      mcp: { servers: { clock: { command: "uvx", args: ["mcp-server-time"], codex: {} } } },
      env: { vars: { BRAVE_API_KEY: "brave-12345678" } },
      channels: {},
    }`,
    'agents/main/sessions/0b1c.jsonl': `${JSON.stringify({ type: 'session', id: '0b1c', timestamp: '2025-05-06T07:08:09.000Z', cwd: '/work' })}\n${JSON.stringify(question)}\nnot json\n`,
    'workspace/MEMORY.md': '# MEMORY.md\n\n## People\n- Ann feeds herons\n- Ben does not\n',
    'workspace/skills/feed/SKILL.md': '---\nname: feed\ndescription: Feeds\n---\n',
    'cron/jobs.json': '{"jobs":[]}',
  });
  using home = await readOpenClawHome(folder, { variableOf: (name) => (name === 'openrouter' ? 'OPENROUTER_API_KEY' : undefined) });
  assert.deepEqual(Object.fromEntries(home.settings.values), {
    providers: { home: { base_url: 'http://127.0.0.1:9/v1', key_env: 'HOME_API_KEY', models: ['tiny'] } },
    'model.provider': 'openrouter',
    'model.default': 'some/model',
    mcp_servers: { clock: { command: 'uvx', args: ['mcp-server-time'] } },
  });
  assert.deepEqual(Object.fromEntries(home.variables), { BRAVE_API_KEY: 'brave-12345678', HOME_API_KEY: 'sk-home-12345678' });
  assert.deepEqual(
    home.sessions.map(({ key, messages, startedAt, cwd }) => [key, messages, startedAt, cwd]),
    [['0b1c', 1, Date.UTC(2025, 4, 6, 7, 8, 9), '/work']],
  );
  assert.deepEqual(
    home.memories.map(({ entries }) => entries),
    [['People: Ann feeds herons', 'People: Ben does not']],
  );
  assert.deepEqual(
    home.skills.map(({ name }) => name),
    ['feed'],
  );
  assert.deepEqual(
    home.cron.map(({ name }) => name),
    ['cron/jobs.json'],
  );
  assert.deepEqual(
    home.left.map(({ name }) => name),
    ['channels'],
  );
});

test('a memory of free Markdown is cut into entries that can stand alone', () => {
  assert.deepEqual(
    splitMemory('# Memory\n\nOne fact\nover two lines.\n\n<!-- a hint -->\n## Birds\n\n* gulls\n  steal\n* herons wait\n\n---\n'),
    ['One fact over two lines.', 'Birds: gulls steal', 'Birds: herons wait'],
  );
});
