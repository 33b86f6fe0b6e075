import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { computeChecksum, type StoredEntry } from '../../src/parts/store/sqlite/sum.ts';
import { faults, startWireServer, type Reply } from '../../src/testing/wire-server/index.ts';
import { hermes, jsonLines, tempHome, toServer } from './hermes.ts';

/** A tool, reasoning, a failure on the way, an answer; then a second turn by another process. */
const STORY: readonly Reply[] = [
  {
    thinking: 'let me look',
    signature: 'sig-1',
    text: 'I look.',
    calls: [{ id: 'call_a', name: 'terminal', arguments: { command: 'echo 漢字; exit 3' } }],
  },
  { fault: faults.streamUnsupported() },
  { thinking: 'I know', signature: 'sig-2', text: 'It says 漢字.' },
  { text: 'Still the same.' },
];

interface Row {
  readonly call: string;
  readonly at: string;
  readonly provider: string;
  readonly model: string;
  readonly protocol: string;
  readonly bytes: number;
  readonly identical: boolean;
  readonly recorded_hash: string;
  readonly rebuilt_hash: string | null;
  readonly first_difference: string | null;
}

/** Plays the story through the real program and gives what the server heard. The server is gone afterwards. */
async function storyIn(home: string, apiMode: string) {
  await using server = await startWireServer({ replies: STORY });
  const first = await hermes(['chat', '-q', 'what is there?', '--json', ...toServer(server.url, apiMode)], { home });
  assert.equal(first.code, 0, first.err);
  const id = String(jsonLines(first.out)[0]?.['id']);
  const second = await hermes(['chat', '-q', 'and now?', '--resume', id, ...toServer(server.url, apiMode)], { home });
  assert.equal(second.out, 'Still the same.\n', second.err);
  return { id, bodies: server.requests.map(({ text }) => text) };
}

async function replayed(id: string, home: string): Promise<{ readonly code: number | null; readonly rows: readonly Row[] }> {
  const ran = await hermes(['replay', id, '--json'], { home });
  assert.equal(ran.err, '');
  const rows: readonly Row[] = JSON.parse(ran.out);
  return { code: ran.code, rows };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const PROTOCOLS = { chat_completions: 'openai-chat', anthropic_messages: 'anthropic-messages', responses: 'openai-responses' } as const;

for (const [apiMode, protocol] of Object.entries(PROTOCOLS)) {
  test(`${apiMode}: a session with tools, reasoning, a failure and a resume replays to the bytes the server heard`, async () => {
    const home = tempHome();
    const { id, bodies } = await storyIn(home, apiMode);
    const { code, rows } = await replayed(id, home);
    assert.equal(code, 0);
    const expected = bodies.map((body, index) => ({
      call: rows[index]?.call,
      at: rows[index]?.at,
      provider: 'custom',
      model: 'test-model',
      protocol,
      bytes: Buffer.byteLength(body),
      identical: true,
      recorded_hash: sha256(body),
      rebuilt_hash: sha256(body),
      first_difference: null,
    }));
    assert.equal(bodies.length, STORY.length);
    assert.deepEqual(rows, expected);
    const screen = await hermes(['replay', id], { home });
    assert.equal(screen.code, 0);
    const order = [
      'what is there?',
      '→ #1',
      'let me look',
      'I look.',
      '● terminal echo 漢字',
      '✓ 漢字',
      '→ #2',
      'streaming refused',
      '→ #3',
      'It says 漢字.',
      'and now?',
      '→ #4',
      'Still the same.',
      'All 4 requests are identical',
    ];
    const places = order.map((words) => screen.out.indexOf(words));
    assert.deepEqual(
      places.toSorted((a, b) => a - b),
      places,
      screen.out,
    );
    assert.ok(!places.includes(-1) && !screen.out.includes('\u001b'), screen.out);
  });

  test(`${apiMode}: a changed row of the log is found, with the segment it changes`, async () => {
    const home = tempHome();
    const { id } = await storyIn(home, apiMode);
    const undo = tamper(home, 'entries', `type = 'message' AND body LIKE '%"role":"tool"%'`, (text) => text.replaceAll('漢字', '汉字'));
    await assertDifferent(id, home, [null, 'message:2', 'message:2', 'message:2']);
    const screen = await hermes(['replay', id], { home });
    assert.deepEqual(
      [screen.code, /✗ differs first at message:2/.test(screen.out), /3 of 4 requests differ/.test(screen.out)],
      [1, true, true],
      screen.out,
    );
    undo();
    tamper(home, 'entries', `type = 'epoch'`, (text) => text.replace('"slots":[{"name":"identity"', '"slots":[{"name":"other"'));
    await assertDifferent(id, home, [null, null, null, null]);
    const undoPrompt = tamper(home, 'entries', `type = 'epoch'`, (text) => text.replace('Hermes', 'Hermas'));
    await assertDifferent(id, home, ['system', 'system', 'system', 'system']);
    undoPrompt();
    const undoTools = tamper(home, 'entries', `type = 'epoch'`, (text) =>
      text.replace(/("tools":\[\{"name":"\w+","description":")/, '$1X'),
    );
    await assertDifferent(id, home, ['tools', 'tools', 'tools', 'tools']);
    undoTools();
    tamper(home, 'calls', 'n = 4', (text) => text.replace('"stream":false', '"stream":true'));
    await assertDifferent(id, home, [null, null, null, 'parameters']);
  });
}

async function assertDifferent(id: string, home: string, expected: readonly (string | null)[]): Promise<void> {
  const { code, rows } = await replayed(id, home);
  assert.deepEqual(
    rows.map((row) => row.first_difference),
    expected,
  );
  assert.deepEqual(
    rows.map((row) => row.identical),
    expected.map((difference) => difference === null),
  );
  assert.equal(code, expected.every((difference) => difference === null) ? 0 : 1);
}

/** Edits rows of the store behind its back, check sums and all; the result puts them back. */
function tamper(home: string, table: 'entries' | 'calls', where: string, change: (text: string) => string): () => void {
  const column = table === 'entries' ? 'body' : 'record';
  const rows = inStore(home, (database) => database.prepare(`SELECT * FROM ${table} WHERE ${where}`).all());
  const write = (edit: (text: string) => string) =>
    inStore(home, (database) => {
      for (const row of rows) {
        const text = edit(String(row[column]));
        database.prepare(`UPDATE ${table} SET ${column} = ? WHERE n = ?`).run(text, Number(row['n']));
        if (table === 'entries')
          database.prepare('UPDATE entries SET sum = ? WHERE n = ?').run(computeChecksum(stored(row, text)), Number(row['n']));
      }
    });
  assert.ok(
    rows.some((row) => change(String(row[column])) !== row[column]),
    'there is something to change',
  );
  write(change);
  return () => write((text) => text);
}

const stored = (row: Readonly<Record<string, unknown>>, body: string): StoredEntry => ({
  seq: Number(row['seq']),
  id: String(row['id']),
  turn_id: typeof row['turn_id'] === 'string' ? row['turn_id'] : null,
  at: Number(row['at']),
  origin: String(row['origin']),
  body,
});

function inStore<Result>(home: string, work: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(join(home, 'sessions.db'));
  try {
    return work(database);
  } finally {
    database.close();
  }
}

test('a row changed without its check sum is not replayed as if it were sound', async () => {
  const home = tempHome();
  const { id } = await storyIn(home, 'chat_completions');
  inStore(home, (database) => database.exec(`UPDATE entries SET body = replace(body, '漢字', '汉字') WHERE body LIKE '%"role":"tool"%'`));
  const ran = await hermes(['replay', id], { home });
  assert.deepEqual([ran.code, ran.out], [1, '']);
  assert.match(ran.err, /entry 4 of session .* damaged/);
});

test('replay needs no key, even of a provider that does', async () => {
  const home = tempHome();
  await using server = await startWireServer({ answer: () => ({ text: 'Hello.' }) });
  const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: server.url };
  const ran = await hermes(['chat', '-q', 'hi', '--json', '--provider', 'anthropic', '-m', 'claude-test'], { home, env });
  assert.equal(ran.code, 0, ran.err);
  const { code, rows } = await replayed(String(jsonLines(ran.out)[0]?.['id']), home);
  assert.deepEqual(
    [code, rows.map(({ provider, identical }) => ({ provider, identical })), server.requests.length],
    [0, [{ provider: 'anthropic', identical: true }], 1],
  );
});

test('a session that is not there is a usage mistake that says how to list them', async () => {
  const ran = await hermes(['replay', 'nothing'], { home: tempHome() });
  assert.deepEqual([ran.code, ran.out], [2, '']);
  assert.match(ran.err, /no session nothing; hermes sessions list/);
});
