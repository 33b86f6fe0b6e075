import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../testing/platforms/telegram/stage.ts';
import { gatewayStage, statusOf } from './gateway-stage.ts';
import { findFreePort } from '../free-port.ts';

/** What comes back when a name of somebody else's leads here. */
const askUnder = (host: string, port: number): Promise<number | undefined> =>
  new Promise((done, fail) =>
    get({ host: '127.0.0.1', port, path: '/metrics', headers: { host }, agent: false }, (response) => {
      response.resume();
      done(response.statusCode);
    }).once('error', fail),
  );

/** Addresses of this machine that others reach. */
const listOutsideAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((each) =>
    (each ?? []).flatMap(({ internal, family, address }) => (internal || family !== 'IPv4' ? [] : [address])),
  );

test('figures, a log for programs and the state of the provider can be read while the gateway runs, and none of them holds a word of a chat', async () => {
  const port = await findFreePort();
  await using scene = await gatewayStage({ answer: () => ({ text: 'Hello Ann.' }) }, { telemetry: { metrics_port: port } });
  const program = await scene.start();
  scene.say('a-secret-word');
  await until(() => scene.said().join() === 'Hello Ann.', 'answered');
  const address = `http://127.0.0.1:${port}/metrics`;
  const figures = await (await fetch(address)).text();
  for (const line of [
    'hermes_turns_total{outcome="answered",exit_reason="answered"} 1',
    'hermes_platform_connected{platform="telegram",account="main"} 1',
    'hermes_queue_length{queue="arrivals"} 0',
    'hermes_running_turns 0',
  ])
    assert.ok(figures.includes(`${line}\n`), `${line}\n--- is not in\n${figures}`);
  assert.equal((await fetch(address, { method: 'POST' })).status, 405);
  assert.equal((await fetch(`${address}/more`)).status, 404);
  assert.equal((await fetch(address, { headers: { origin: 'https://evil.example' } })).status, 403);
  assert.equal(await askUnder('evil.example', port), 421);
  for (const outside of listOutsideAddresses()) await assert.rejects(fetch(`http://${outside}:${port}/metrics`));
  const log = readFileSync(join(scene.place.home, 'logs', 'events.jsonl'), 'utf8');
  const events: readonly Readonly<Record<string, unknown>>[] = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const turn = events.find(({ event }) => event === 'turn');
  assert.deepEqual([turn?.['outcome'], turn?.['steps'], turn?.['tools']], ['answered', 1, 0]);
  assert.doesNotMatch(`${figures}${log}`, /a-secret-word|Hello Ann/);
  const readStatus = async () => statusOf(await scene.place.run(['gateway', 'status', '--json'], { env: scene.env }));
  // It reports every few seconds.
  let status = await readStatus();
  for (let looks = 0; status['provider'] === undefined && looks < 30; looks++) {
    await sleep(500);
    status = await readStatus();
  }
  assert.deepEqual(Object.keys(status['provider'] ?? {}).slice(0, 3), ['provider', 'model', 'checked_at']);
  program.kill('SIGTERM');
  assert.deepEqual(await program.ended, { code: 0, signal: null }, program.err());
});
