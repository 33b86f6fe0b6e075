import { deepEqual, equal, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSqliteStore } from '../../../src/parts/store/sqlite/store.ts';
import { createArrival } from '../../../src/testing/conformance/gateway-store-samples.ts';
import { program } from '../../program.ts';
import { freshPath } from './places.ts';

function startTaker(path: string, name: string) {
  const child = spawn(process.execPath, [program(join(import.meta.dirname, 'taker.ts')), path, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  // The last piece may be half a line of one that was killed.
  return { child, lines: () => output.split('\n').slice(1, -1), done: once(child, 'close') };
}

const CHATS = 10;
const sent = (count: number) => Array.from({ length: count }, (_, index) => createArrival(String(index % CHATS), String(index)));

/** Every message became one item of its chat's one session, in order, and was answered once. */
async function assertTakenIn(path: string, count: number): Promise<void> {
  await using store = await openSqliteStore({ path });
  const routes = await store.gateway.routes({});
  const texts = await Promise.all(routes.map(async ({ sessionId = '' }) => (await store.inbox(sessionId)).map(({ key }) => key)));
  const chatOf = (key: string | undefined): number => Number(key?.split(':')[0]);
  const expected = Array.from({ length: CHATS }, (_, chat) =>
    sent(count)
      .map(({ eventKey }) => eventKey)
      .filter((key) => chatOf(key) === chat),
  );
  deepEqual(
    texts.toSorted((one, other) => chatOf(one[0]) - chatOf(other[0])),
    expected,
  );
  equal((await store.list()).length, CHATS);
  equal((await store.gateway.deliveries({})).length, count);
  deepEqual(await store.care.check(), []);
}

test('four processes take messages of ten chats, each once and in order', { timeout: 60_000 }, async () => {
  const path = freshPath();
  await using store = await openSqliteStore({ path, durability: 'process' });
  await store.gateway.receive(sent(200), []);
  const takers = Array.from({ length: 4 }, (_, index) => startTaker(path, `taker ${index}`));
  await Promise.all(takers.map(({ done }) => done));
  const keys = takers.flatMap(({ lines }) => lines());
  deepEqual([keys.length, new Set(keys).size], [200, 200]);
  await assertTakenIn(path, 200);
});

test('takers that are killed at any moment lose nothing and do nothing twice; the next goes on at once', { timeout: 60_000 }, async () => {
  const path = freshPath();
  await using store = await openSqliteStore({ path, durability: 'process' });
  await store.gateway.receive(sent(300), []);
  let kills = 0;
  for (let before = -1; (await store.gateway.arrivals({ states: ['new'], limit: 1 })).length > 0; kills++) {
    const taker = startTaker(path, `taker ${kills}`);
    const enough = Math.floor(Math.random() * 30);
    while (taker.lines().length <= enough && taker.child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 1));
    taker.child.kill('SIGKILL');
    await taker.done;
    const left = (await store.gateway.arrivals({ states: ['new'] })).length;
    ok(left !== before, 'every taker got on');
    before = left;
  }
  ok(kills >= 5, `${kills} kills`);
  await assertTakenIn(path, 300);
});
