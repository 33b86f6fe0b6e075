import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SessionStore } from '../../../src/contracts/session-store.ts';
import { openSqliteStore } from '../../../src/parts/store/sqlite/store.ts';
import { beginSampleSession, assertRefused, createUserEntry, SESSION } from '../../../src/testing/conformance/session-store-samples.ts';
import { program } from '../../program.ts';
import { freshPath } from './places.ts';

/** A writer and all it has said so far: its session, then what was committed. */
interface Writer {
  readonly process: ChildProcess;
  readonly lines: () => string[];
  readonly done: Promise<unknown>;
}

function startWriter(path: string, count: number, session?: string): Writer {
  const args = [program(join(import.meta.dirname, 'writer.ts')), path, String(count), ...(session === undefined ? [] : [session])];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  // The last piece may be half a line of a writer that was killed.
  return { process: child, lines: () => output.split('\n').slice(0, -1), done: once(child, 'close') };
}

const until = async (holds: () => boolean): Promise<void> => {
  for (let waited = 0; !holds() && waited < 15_000; waited += 2) await new Promise((resolve) => setTimeout(resolve, 2));
};

async function assertWhole(store: SessionStore, session: string, committed: readonly string[]): Promise<void> {
  const entries = await store.entries(session);
  deepEqual(
    entries.map((entry) => entry.seq),
    entries.map((_, index) => index + 1),
  );
  const there = new Set(entries.map((entry) => `${entry.seq}:${entry.id}`));
  deepEqual(
    committed.filter((line) => !there.has(line)),
    [],
    'committed and lost',
  );
}

test('four processes write to one store and lose nothing', async () => {
  const path = freshPath();
  await using store = await openSqliteStore({ path });
  const writers = Array.from({ length: 4 }, () => startWriter(path, 150));
  await Promise.all(writers.map((writer) => writer.done));
  for (const writer of writers) {
    const [session = '', ...committed] = writer.lines();
    equal(committed.length, 300);
    await assertWhole(store, session, committed);
    equal((await store.entries(session)).length, 300);
  }
  deepEqual(await store.care.check(), []);
  equal((await store.search({ text: 'step', limit: 1000 })).length, 600);
});

test('writers killed at any moment lose nothing they committed; the next takes over at once', { timeout: 60_000 }, async () => {
  const path = freshPath();
  await using store = await openSqliteStore({ path });
  const { id } = await store.create(SESSION);
  const committed: string[] = [];
  for (let kill = 0; kill < 20; kill++) {
    const writer = startWriter(path, 100_000, id);
    await until(() => writer.lines().length > 1 + Math.random() * 40);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
    writer.process.kill('SIGKILL');
    await writer.done;
    const [session, ...lines] = writer.lines();
    equal(session, id, 'the writer got its claim although the last one never gave it back');
    committed.push(...lines);
  }
  ok(committed.length > 40);
  await assertWhole(store, id, committed);
  deepEqual(await store.care.check(), []);
  ok((await store.find(id))[0]?.unfinished, 'the turn that was cut off is known');
});

test('a live process is named, and its session is free once it is gone', async () => {
  const path = freshPath();
  await using store = await openSqliteStore({ path });
  const writer = startWriter(path, 100_000);
  await until(() => writer.lines().length > 1);
  const id = writer.lines()[0] ?? '';
  await assertRefused(store.claim(id), 'busy');
  await store.claim(id).catch((error: Error) => match(error.message, new RegExp(`process ${writer.process.pid} on ${hostname()}`, 'u')));
  await assertRefused(store.remove(id), 'busy');
  writer.process.kill('SIGKILL');
  await writer.done;
  await store.claim(id);
});

test('a session that this very process is at is told as that, not as a process to wait for', async () => {
  await using store = await openSqliteStore({ path: freshPath() });
  const { session } = await beginSampleSession(store);
  await rejects(store.claim(session.id), (error: Error) => {
    match(error.message, /is in use in this process/u);
    return !error.message.includes(String(process.pid));
  });
});

test('a holder on another host is believed until its lease is over', async () => {
  let clock = 1_000_000;
  const path = freshPath();
  const now = () => clock;
  await using far = await openSqliteStore({ path, now, holder: { host: 'elsewhere', pid: 1, started: '' } });
  await using near = await openSqliteStore({ path, now });
  const { session, claim } = await beginSampleSession(far);
  clock += 29_000;
  await assertRefused(near.claim(session.id), 'busy');
  await far.commit(claim, { append: [createUserEntry('a sign of life')] });
  clock += 29_000;
  await assertRefused(near.claim(session.id), 'busy');
  clock += 2000;
  const heir = await near.claim(session.id);
  ok(heir.token > claim.token);
  await assertRefused(far.commit(claim, { append: [createUserEntry('too late')] }), 'fenced');
  equal((await near.entries(session.id)).length, 1);
});
