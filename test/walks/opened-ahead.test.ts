import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { faults, startWireServer, type Reply } from '../../src/testing/wire-server/index.ts';
import { noSandbox } from '../parts/terminals/sandbox-stage.ts';
import { command, stage } from './stage.ts';

const SANDBOX = /^hermes-sandbox-/;

/** A question with these replies, and the sandboxes that were made meanwhile and that are left. */
async function ask(replies: readonly Reply[], ...more: readonly string[]) {
  await using server = await startWireServer({ replies });
  const { home, run } = stage({ terminal: { backend: 'sandbox' } });
  const tmp = join(home, '..', 'own-tmp');
  mkdirSync(tmp);
  // Which wall there is gets tried once for a home, in a sandbox as well.
  await run(['doctor']);
  const made = new Set<string>();
  const watcher = watch(tmp, (_event, name) => void (name !== null && SANDBOX.test(name) && made.add(name)));
  try {
    const model = ['--base-url', `${server.url}/v1`, '-m', 'test-model', '--api-mode', 'chat_completions'];
    const { code, out, err } = await run(['chat', '-q', 'hi', ...model, ...more], { env: { TMPDIR: tmp } });
    assert.equal(code, 0, err);
    return { out, made: made.size, left: readdirSync(tmp).filter((name) => SANDBOX.test(name)), running: processesOf(tmp) };
  } finally {
    watcher.close();
  }
}

/** Command lines that name a folder. */
const processesOf = (folder: string): readonly string[] =>
  readdirSync('/proc').flatMap((name) => {
    try {
      const line = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/cmdline`, 'utf8') : '';
      return line.includes(folder) ? [line.replaceAll('\0', ' ')] : [];
    } catch {
      return [];
    }
  });

/** The name of the call arrives, its arguments do not. */
const CUT: Reply = { ...command(`echo ${'x'.repeat(8_000)}`), chunk: 200, paceMs: 20, fault: faults.cut(4_000) };

test('a sandbox opened for a call that never became whole is closed with the session', { skip: noSandbox }, async () => {
  const { out, ...sandboxes } = await ask([CUT, { text: 'Never mind.' }]);
  assert.match(out, /Never mind\./);
  assert.deepEqual(sandboxes, { made: 1, left: [], running: [] });
});

test('the command of a call finds the sandbox that was opened for it', { skip: noSandbox }, async () => {
  const { out, ...sandboxes } = await ask([{ ...command('echo hello'), chunk: 2, paceMs: 40 }, { text: 'Done.' }]);
  assert.match(out, /Done\./);
  assert.deepEqual(sandboxes, { made: 1, left: [], running: [] });
});

test('no sandbox is made for an answer without a call, nor in a session without the tool', { skip: noSandbox }, async () => {
  for (const [reply, ...more] of [
    [{ text: 'A long and slow answer without a call.', chunk: 2, paceMs: 20 }],
    [CUT, '--toolsets', 'todo'],
  ] as const satisfies readonly (readonly [Reply, ...string[]])[]) {
    const { out, ...sandboxes } = await ask([reply, { text: 'Never mind.' }], ...more);
    assert.match(out, /without a call|Never mind/);
    assert.deepEqual(sandboxes, { made: 0, left: [], running: [] });
  }
});
