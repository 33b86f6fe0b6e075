import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { test } from 'node:test';
import { sized } from '../size.ts';
import { folder } from './host-scene.ts';

const KILLS = sized(4, 100);
/** More than may wait are dropped, so each life is short. */
const MOST_KEPT = 60;

test('an event that was kept reaches its address, however often the process is killed: at least once, in its order', async () => {
  const home = mkdtempSync(join(folder, 'kills-'));
  const received: { readonly number: number; readonly id: string }[] = [];
  const server = createServer((request, response) => {
    void readText(request).then((body) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as it is posted
      const { data } = JSON.parse(body) as { readonly data: { readonly session_id: string } };
      received.push({ number: Number(data.session_id), id: String(request.headers['webhook-id']) });
      // Some are killed between the request and its answer.
      setTimeout(() => response.writeHead(204).end(), received.length % 7);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`;
  const start = (what: string) =>
    spawn(process.execPath, [join(import.meta.dirname, 'outbound-program.ts'), home, url, what], { stdio: ['pipe', 'pipe', 'inherit'] });
  let last = -1;
  for (let kill = 0; kill < KILLS; kill++) {
    const child = start(String(last + 1));
    const most = last + 1 + ((kill * 17 + 11) % MOST_KEPT);
    for await (const line of createInterface(child.stdout)) {
      last = Math.max(last, Number(line));
      if (last >= most) child.kill('SIGKILL');
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    assert.equal(child.signalCode, 'SIGKILL');
  }
  const rest = start('drain');
  while (!received.some(({ number }) => number >= last)) await new Promise((resolve) => setTimeout(resolve, 20));
  rest.stdin.end();
  assert.deepEqual(await once(rest, 'exit'), [0, null]);
  server.close();
  const ids = new Map<number, Set<string>>();
  for (const { number, id } of received) ids.set(number, (ids.get(number) ?? new Set()).add(id));
  const firsts = [...ids.keys()];
  assert.deepEqual(
    Array.from({ length: last + 1 }, (_, number) => number).filter((number) => !ids.has(number)),
    [],
    'lost',
  );
  assert.deepEqual(
    firsts,
    firsts.toSorted((a, b) => a - b),
    'in order',
  );
  assert.ok(received.length >= last + 1);
});
