import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSqliteStore } from '../../src/parts/store/sqlite/store.ts';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { hermes, jsonLines, tempHome, toServer } from './hermes.ts';

/** One session of one exchange, made by the real program. */
async function exchange(home: string, question: string, answer: string): Promise<string> {
  await using server = await startWireServer({ replies: [{ text: answer }] });
  const ran = await hermes(['chat', '-q', question, '--json', ...toServer(server.url)], { home });
  assert.equal(ran.code, 0, ran.err);
  return String(jsonLines(ran.out)[0]?.['id']);
}
type Row = Readonly<Record<string, unknown>>;
interface Shown {
  readonly session: Row;
  readonly entries: readonly Row[];
}
async function out(args: readonly string[], home: string): Promise<string> {
  const ran = await hermes([...args, '--json'], { home });
  assert.equal(ran.code, 0, ran.err);
  return ran.out;
}
async function rowsOf(args: readonly string[], home: string): Promise<readonly Row[]> {
  const rows: readonly Row[] = JSON.parse(await out(args, home));
  return rows;
}
async function shownOf(id: string, home: string): Promise<Shown> {
  const shown: Shown = JSON.parse(await out(['sessions', 'show', id], home));
  return shown;
}
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test('list, show and search give whole, stable shapes', async () => {
  const home = tempHome();
  const id = await exchange(home, '漢字について教えて', 'Hanzi are 漢字.');
  const rows = await rowsOf(['sessions', 'list'], home);
  const row = {
    id,
    title: '漢字について教えて',
    started_at: rows[0]?.['started_at'],
    updated_at: rows[0]?.['updated_at'],
    source: 'cli',
    platform: 'cli',
    cwd: home,
    model: 'test-model',
    provider: 'custom',
    messages: 2,
    last_exit_reason: 'answered',
    unfinished: false,
    // One question from a shell is a session that its program leaves.
    end_reason: 'exit',
    ended_at: rows[0]?.['ended_at'],
  };
  const { title_by: _, ...first } = rows[0] ?? {};
  assert.deepEqual([first], [row]);
  for (const at of [row.started_at, row.ended_at]) assert.match(String(at), ISO);
  const shown = await shownOf(id.slice(0, -2), home);
  assert.deepEqual(Object.keys(shown), ['session', 'entries']);
  assert.deepEqual(shown.session, rows[0]);
  const turn = shown.entries[0]?.['turn_id'];
  const entries = shown.entries.map(({ id: _id, at: _at, ...entry }) => entry).filter((entry) => entry['type'] !== 'epoch');
  const head = { session_id: id, turn_id: turn };
  assert.deepEqual(entries, [
    {
      ...head,
      seq: 2,
      origin: 'user',
      type: 'message',
      message: { role: 'user', content: [{ type: 'text', text: '漢字について教えて', trust: 'owner' }] },
    },
    {
      ...head,
      seq: 3,
      origin: 'model',
      type: 'message',
      message: { role: 'assistant', content: [{ type: 'text', text: 'Hanzi are 漢字.', trust: 'model' }] },
    },
    {
      ...head,
      seq: 4,
      origin: 'system',
      type: 'outcome',
      outcome: 'answered',
      exit_reason: 'answered',
      message_id: shown.entries[2]?.['id'],
    },
  ]);
  const hits = await rowsOf(['sessions', 'search', '字'], home);
  const found = hits.filter((hit) => hit['role'] === 'assistant');
  assert.deepEqual(found, [
    {
      session_id: id,
      entry_id: shown.entries[2]?.['id'],
      seq: 3,
      role: 'assistant',
      snippet: 'Hanzi are 漢字.',
      matches: ['字'],
      title: '漢字について教えて',
      at: found[0]?.['at'],
    },
  ]);
  assert.match(String(found[0]?.['at']), ISO);
  const human = await hermes(['sessions', 'search', '漢字'], { home });
  assert.match(human.out, /Hanzi are \[漢字\]\./);
  const list = await hermes(['sessions', 'list'], { home });
  assert.match(list.out, /^session +last used +from +messages +ended +title\n\S+ {2}just now {3}cli +2 +漢字について教えて\n$/);
});

test('call-time text never leaves by show or export', async () => {
  const home = tempHome();
  const id = await exchange(home, 'hello', 'Hi.');
  {
    await using store = await openSqliteStore({ path: join(home, 'sessions.db') });
    const claim = await store.claim(id);
    await store.commit(claim, {
      append: [
        {
          type: 'message',
          origin: 'user',
          message: { role: 'user', content: [{ type: 'text', text: 'open words', trust: 'owner' }] },
          wireOnly: [{ type: 'text', text: 'recalled-secret', trust: 'foreign' }],
        },
      ],
    });
    await store.release(claim);
  }
  const shown = await hermes(['sessions', 'show', id, '--json'], { home });
  const human = await hermes(['sessions', 'show', id], { home });
  const lines = await hermes(['sessions', 'export', id], { home });
  const markdown = await hermes(['sessions', 'export', id, '--format', 'md'], { home });
  for (const ran of [shown, human, lines, markdown])
    assert.ok(ran.code === 0 && ran.out.includes('open words') && !/recalled-secret|wire_only|wireOnly/.test(ran.out), ran.out + ran.err);
  assert.deepEqual(jsonLines(lines.out), (await shownOf(id, home)).entries);
  const file = join(home, 'out.jsonl');
  const written = await hermes(['sessions', 'export', id, file], { home });
  assert.deepEqual([written.out, readFileSync(file, 'utf8'), statSync(file).mode & 0o777], ['', lines.out, 0o600]);
  const nowhere = await hermes(['sessions', 'export', id, join(home, 'no', 'such', 'folder')], { home });
  assert.deepEqual([nowhere.code, /could not be written/.test(nowhere.err)], [2, true], nowhere.err);
});

test('rename, delete, backup and repair', async () => {
  const home = tempHome();
  const id = await exchange(home, 'hello', 'Hi.');
  assert.equal((await hermes(['sessions', 'rename', id, 'A better name'], { home })).out, `${id} is now “A better name”.\n`);
  const copy = join(home, 'copy.db');
  assert.equal((await hermes(['sessions', 'backup', copy], { home })).code, 0);
  const nowhere = await hermes(['sessions', 'backup', join(home, 'no/such/copy.db')], { home });
  assert.deepEqual([nowhere.code, existsSync(join(home, 'no'))], [2, false], 'no folder is made for a backup');
  writeFileSync(join(home, 'notes.txt'), 'not a store');
  for (const taken of [join(home, 'sessions.db'), home, join(home, 'notes.txt')]) {
    const refused = await hermes(['sessions', 'backup', taken], { home });
    assert.deepEqual([refused.code, /already exists and was left as it is/.test(refused.err)], [2, true], `${taken}: ${refused.err}`);
  }
  assert.ok(existsSync(copy));
  const asked = await hermes(['sessions', 'delete', 'A better name'], { home });
  assert.deepEqual([asked.code, /2 messages.*--yes/.test(asked.err)], [2, true], asked.err);
  assert.equal((await hermes(['sessions', 'delete', id, '--yes'], { home })).out, `Session ${id} is removed.\n`);
  assert.deepEqual(await rowsOf(['sessions', 'list'], home), []);
  const report: Row = JSON.parse(await out(['sessions', 'repair'], home));
  assert.deepEqual(
    { problems: report['problems'], sessions: report['sessions'], entries: report['entries'] },
    { problems: [], sessions: 0, entries: 0 },
  );
});

test('rebuild-prompt: the next turn, and only that, starts a new prompt epoch', async () => {
  await using server = await startWireServer({ answer: () => ({ text: 'Yes.' }) });
  const home = tempHome();
  const ask = (...more: string[]) => hermes(['chat', '-q', 'go', '--json', ...toServer(server.url), ...more], { home });
  const id = String(jsonLines((await ask()).out)[0]?.['id']);
  assert.equal((await hermes(['sessions', 'rebuild-prompt', id], { home })).code, 0);
  for (let turn = 0; turn < 2; turn++) assert.equal((await ask('--resume', id)).code, 0);
  const { entries } = await shownOf(id, home);
  const told = entries
    .filter(({ type }) => type === 'epoch' || type === 'note')
    .map(({ seq, type, cause, asks }) => ({ seq, type, cause: cause ?? asks }));
  assert.deepEqual(told, [
    { seq: 1, type: 'epoch', cause: 'start' },
    { seq: 5, type: 'note', cause: 'new_prompt' },
    { seq: 6, type: 'epoch', cause: 'rebuilt by the user' },
  ]);
});

test('a cut-off turn is marked in list and show, with the way to finish it', async () => {
  await using server = await startWireServer({
    answer: () => ({ calls: [{ name: 'terminal', arguments: { command: 'touch reached; sleep 20' } }] }),
  });
  const [home, cwd] = [tempHome(), tempHome()];
  const killed = await hermes(['chat', '-q', 'go', '--json', ...toServer(server.url)], {
    home,
    cwd,
    started: (child) => {
      const watch = setInterval(() => existsSync(join(cwd, 'reached')) && child.kill('SIGKILL'), 20);
      child.once('exit', () => clearInterval(watch));
    },
  });
  assert.equal(killed.signal, 'SIGKILL');
  const id = String(jsonLines(killed.out)[0]?.['id']);
  const list = await hermes(['sessions', 'list'], { home });
  assert.match(list.out, new RegExp(`${id}.* cut off +go\\n\\nFinish .*--resume ${id}`));
  assert.match(
    (await hermes(['sessions', 'show', id], { home })).out,
    new RegExp(`── cut off here — finish it with: hermes chat --resume ${id}\n$`),
  );
});

test('an unknown session is a usage mistake everywhere, with how to list them', async () => {
  const home = tempHome();
  const commands = [
    ['show', 'x'],
    ['export', 'x'],
    ['rename', 'x', 'y'],
    ['delete', 'x', '--yes'],
    ['rebuild-prompt', 'x'],
  ];
  for (const command of commands) {
    const ran = await hermes(['sessions', ...command], { home });
    assert.deepEqual(
      [ran.code, ran.out, /no session x; hermes sessions list/.test(ran.err)],
      [2, '', true],
      `${command.join(' ')}: ${ran.err}`,
    );
  }
});
