import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { retryUntil } from '../../src/testing/conformance/terminal-commands.ts';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { noSandbox } from '../parts/terminals/sandbox-stage.ts';
import { processesWith } from '../processes.ts';
import { toServer } from './hermes.ts';
import { noPty, onTerminal } from './on-terminal.ts';
import { command, rowsOf, stage } from './stage.ts';

interface ProcessRow {
  readonly id: string;
  readonly state: string;
  readonly command: string;
  readonly exit_code?: number;
}

test('a background process ends with its session, and the owner is told how to let one go on', async () => {
  const { run } = stage({ terminal: { backend: 'local' } });
  await using server = await startWireServer({
    replies: [command('while :; do sleep 0.1; done', { background: true }), { text: 'started' }],
  });
  const chat = await run(['chat', '-q', 'start it', ...toServer(server.url)]);
  assert.deepEqual([chat.code, chat.out], [0, 'started\n'], chat.err);
  assert.match(
    chat.err,
    /A background process was ended with the session: proc_\w+ \(while :; do sleep 0\.1; done\)\. .*hermes processes keep ID.*terminal\.background_outlives true/,
  );
  const rows = rowsOf<ProcessRow>(await run(['processes', 'list', '--json', '--all']));
  assert.deepEqual(
    rows.map(({ state }) => state),
    ['exited'],
  );
  assert.match((await run(['processes', 'keep', rows[0]?.id ?? ''])).err, /has ended already/);
});

test('after chat -q it is said which background processes live on, and hermes processes lists, shows and ends them', async () => {
  const { run } = stage({ terminal: { backend: 'local', background_outlives: true } });
  const list = async (...more: string[]) => rowsOf<ProcessRow>(await run(['processes', 'list', '--json', ...more]));
  assert.match((await run(['processes', 'list'])).out, /^No background processes are running\.\n$/);
  await using server = await startWireServer({
    // The short one has ended by the time the turn is over, also on a busy machine.
    replies: [
      command('true', { background: true }),
      command('sleep 1'),
      command('echo ready; sleep 600', { background: true }),
      { text: 'started' },
    ],
  });
  const chat = await run(['chat', '-q', 'start it', ...toServer(server.url)]);
  assert.deepEqual([chat.code, chat.out], [0, 'started\n'], chat.err);
  const [row] = await list();
  assert.deepEqual([row?.state, row?.command], ['running', 'echo ready; sleep 600']);
  const id = row?.id ?? '';
  assert.match(
    chat.err,
    new RegExp(
      `A background process keeps running: ${id} \\(echo ready; sleep 600\\)\\. .*hermes processes show ID.*hermes processes kill ID`,
    ),
  );
  assert.equal((await list('--all')).length, 2, 'what has ended can still be read');

  const shown = await run(['processes', 'show', id.slice(0, -2)]);
  assert.match(
    shown.out,
    new RegExp(`^${id}  running  pid \\d+, started just now\\n  echo ready; sleep 600\\n  session .*\\n\\nready\\n$`),
  );
  assert.equal((await run(['processes', 'keep', id])).out, `${id} goes on when its session is closed: echo ready; sleep 600\n`);
  const killed = await run(['processes', 'kill', id]);
  assert.deepEqual([killed.code, killed.out], [0, `Ended ${id}: echo ready; sleep 600\n`], killed.err);
  assert.deepEqual(await list(), []);
  const ended = (await list('--all')).find((each) => each.id === id);
  assert.deepEqual([ended?.state, ended?.exit_code], ['exited', 143], 'what was ended is no success');
  assert.equal((await run(['processes', 'kill', id])).out, `${id} has already ended.\n`);
  const unknown = await run(['processes', 'show', 'proc_0000000000']);
  assert.equal(unknown.code, 2);
  assert.match(unknown.err, /there is no background process with the id proc_0000000000\. To list them: hermes processes list --all/);
});

test(
  'a background process in the sandbox is listed, shown and ended from anywhere, and leaving says that it ended',
  { skip: noSandbox ?? false },
  async () => {
    const { run, at, cwd } = stage({ terminal: { backend: 'sandbox' } });
    const list = async () => rowsOf<ProcessRow>(await run(['processes', 'list', '--json']));
    const loop = (name: string) => command(`echo ${name}; while :; do sleep 0.1; done`, { background: true });
    await using server = await startWireServer({
      replies: [loop('one'), loop('two'), command('while [ ! -e go ]; do sleep 0.1; done'), { text: 'started' }],
    });
    const chat = run(['chat', '-q', 'start them', ...toServer(server.url)], {
      started: (child) => {
        after(() => child.kill());
      },
    });
    await retryUntil('both are listed', async () => (await list()).length === 2);
    const [one, two] = await list();
    assert.deepEqual([one?.state, one?.command], ['running', 'echo one; while :; do sleep 0.1; done']);
    assert.match((await run(['processes', 'show', one?.id ?? ''])).out, /Its output is held by the session that started it/);
    assert.match((await run(['processes', 'keep', one?.id ?? ''])).err, /runs in a sandbox, which ends with its session/);
    const killed = await run(['processes', 'kill', one?.id ?? '']);
    assert.equal(killed.out, `Ended ${one?.id}: ${one?.command}\n`, killed.err);
    assert.deepEqual(
      (await list()).map(({ id }) => id),
      [two?.id],
    );
    writeFileSync(at('go'), '');
    const { out, err } = await chat;
    assert.equal(out, 'started\n', err);
    assert.match(
      err,
      new RegExp(`A background process was ended with the session: ${two?.id} \\(echo two; .*Processes in the sandbox cannot go on`),
    );
    assert.deepEqual(rowsOf(await run(['processes', 'list', '--all', '--json'])), []);
    assert.deepEqual(processesWith(cwd), []);
  },
);

test('leaving the terminal UI says which background process ended with it', { skip: noPty }, async () => {
  const { home, cwd } = stage({ terminal: { backend: 'local' } });
  await using server = await startWireServer({ replies: [command('sleep 600', { background: true }), { text: 'it has begun' }] });
  const { shown } = await onTerminal(['start the server', ...toServer(server.url)], home, [[/it has begun/, '\x04']], cwd, undefined, {
    columns: 300,
  });
  assert.match(shown, /To continue this session: [\s\S]*A background process was ended with the session: proc_\w+ \(sleep 600\)/);
});
