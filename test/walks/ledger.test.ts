import { deepEqual, equal, ok } from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { CallRecord } from '../../src/contracts/ledger.ts';
import { openSqliteStore } from '../../src/parts/store/sqlite/store.ts';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { hermes, type RunOptions } from './hermes.ts';

/** A call is in the ledger from its sending: a process that dies in the middle of an answer has spent it all the same. */

const MODEL = ['-m', 'claude-sonnet-4-5', '--provider', 'anthropic'] as const;
const env = (url: string) => ({ ANTHROPIC_API_KEY: 'sk-ant-test', ANTHROPIC_BASE_URL: url });

function openHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'hermes-ledger-'));
  after(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

async function readLedger(home: string): Promise<readonly CallRecord[]> {
  await using store = await openSqliteStore({ path: join(home, 'sessions.db') });
  return await store.calls({});
}

/** Acts once the first words of the answer have come. */
const onceItSpeaks =
  (act: (child: ChildProcess) => void): NonNullable<RunOptions['started']> =>
  (child) => {
    let isOver = false;
    child.stdout?.on('data', (chunk: string | Buffer) => {
      if (isOver || !chunk.toString().includes('text_delta')) return;
      isOver = true;
      act(child);
    });
  };

const ENDLESS = { text: 'word '.repeat(2_000), chunk: 20, paceMs: 20 };

test('kills in the middle of an answer leave calls in the ledger at the most they may cost, and a budget counts them', async () => {
  const home = openHome();
  writeFileSync(join(home, 'config.yaml'), 'agent:\n  budget_usd: 0.2\n  max_tokens: 2000\n');
  await using server = await startWireServer({ answer: () => ENDLESS });
  const options = { home, env: env(server.url) };
  for (let kill = 0; kill < 6; kill++) {
    const started = onceItSpeaks((child) => child.kill('SIGKILL'));
    await hermes(['chat', '-q', 'go', '--json', ...(kill === 0 ? [] : ['--continue']), ...MODEL], { ...options, started });
  }
  const calls = await readLedger(home);
  const spent = calls.reduce((sum, { price = Infinity }) => sum + price, 0);
  equal(calls.length, server.requests.length);
  ok(calls.length >= 2 && spent > 0.1 && spent <= 0.2, `${calls.length} calls, $${spent}`);
  const lost = calls.slice(0, -1);
  deepEqual([...new Set(lost.map(({ result }) => result))], ['lost']);
  ok(lost.every(({ usage, usageEstimated, adjust }) => usageEstimated === true && usage.output === adjust.maxOutput));
});

test('a call that another living process has under way is not taken for a lost one, and its end is told', async () => {
  const home = openHome();
  await using server = await startWireServer({
    answer: ({ text }) => (text.includes('slowly') ? { ...ENDLESS, text: 'word '.repeat(500) } : { text: 'Quick.' }),
  });
  const options = { home, env: env(server.url) };
  const look = async () => {
    await hermes(['chat', '-q', 'go', ...MODEL], options);
    return readLedger(home);
  };
  let meanwhile: ReturnType<typeof look> | undefined;
  const slow = await hermes(['chat', '-q', 'go slowly', '--json', ...MODEL], {
    ...options,
    started: onceItSpeaks(() => {
      meanwhile = look();
    }),
  });
  equal(slow.code, 0, slow.err);
  const results = (calls: readonly CallRecord[]) => calls.map(({ result }) => result);
  deepEqual(results((await meanwhile) ?? []), ['running', 'stop']);
  deepEqual(results(await readLedger(home)), ['stop', 'stop']);
});

test('chat -q -v says on standard error what came from the cache', async () => {
  const home = openHome();
  await using server = await startWireServer({ answer: () => ({ text: 'Hello.', usage: { input: 25, cacheRead: 75 } }) });
  const options = { home, env: env(server.url) };
  const ran = await hermes(['chat', '-q', 'hi', '-v', ...MODEL], options);
  equal(ran.out, 'Hello.\n');
  ok(ran.err.includes('Prompt cache: 75% of 100 prompt tokens came from it'), ran.err);
  equal((await hermes(['chat', '-q', 'hi', ...MODEL], options)).err.includes('Prompt cache'), false);
});
