import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { StoreError } from '../../../../src/contracts/session-store.ts';
import type { Gateway } from '../../../../src/faces/gateway/runner/contract.ts';
import type { LinkPhase, LinkState } from '../../../../src/faces/gateway/link/contract.ts';
import { serveGateway, type ServeOptions } from '../../../../src/faces/gateway/process/serve.ts';
import { watchSignals } from '../../../../src/faces/gateway/process/signals.ts';
import { readReport } from '../../../../src/faces/gateway/process/state-file.ts';

const root = mkdtempSync(join(tmpdir(), 'hermes-serve-'));
after(() => rmSync(root, { recursive: true, force: true }));

/** A gateway that does what it is told and writes down what that was. */
function openServed(phases: Readonly<Record<string, LinkPhase>>, more: Partial<ServeOptions & Gateway> = {}) {
  const did: string[] = [];
  const log: string[] = [];
  const states = (): Gateway['accounts'] =>
    Object.entries(phases).map(([platform, phase]) => {
      const state: LinkState = { ...phase, generation: 1, reconnects: 0, starts: 1, identity: { id: '1', name: 'bot' } };
      return { ref: { platform, account: 'main' }, state, isPaused: false };
    });
  const gateway: Gateway = {
    get accounts() {
      return states();
    },
    running: 1,
    wake: () => {},
    drain: async (ms) => void did.push(`drain ${ms}`),
    deliver: async () => [],
    listCommands: async () => [],
    setPaused: async () => true,
    config: () => undefined,
    setHome: () => {},
    replaceAccounts: async () => ({ opened: [], reopened: [], closed: [] }),
    tend: async () => {},
    sweep: async () => {},
    [Symbol.asyncDispose]: async () => void did.push('close'),
    ...more,
  };
  const source = Object.assign(new EventEmitter(), { exit: (code: number) => did.push(`exit ${code}`) });
  const signals = watchSignals(source, (words) => log.push(words), false);
  const options: ServeOptions = {
    root,
    open: async () => gateway,
    store: {},
    signals,
    drainMs: () => 1_000,
    log: (words) => log.push(words),
    exit: source.exit,
    ...more,
  };
  return { did, log, source, served: serveGateway(options), gateway };
}

const CONNECTED = { type: 'connected' } as const;
const REFUSED = { type: 'refused', why: 'Unauthorized.' } as const;

test('it says what is connected, runs until it is asked to end, and lets turns finish first', async () => {
  const running = Promise.withResolvers<void>();
  const scene = openServed(
    { telegram: CONNECTED, slack: { type: 'waiting', until: 0, why: 'The network is down.' } },
    { onRunning: async () => running.resolve() },
  );
  await running.promise;
  assert.deepEqual([readReport(root, process.pid)?.phase, readReport(root, process.pid)?.turns], ['running', 1]);
  scene.source.emit('SIGUSR1');
  assert.equal(await scene.served, 75);
  assert.deepEqual(scene.did, ['drain 1000', 'close']);
  assert.deepEqual(scene.log, [
    'telegram: connected as bot.',
    'slack: not connected yet: The network is down.',
    'Gateway running with 1 platform; 1 not connected, see hermes gateway status',
    'Restarting the gateway; 1 running turn has up to 1 s to finish.',
    '1 unfinished; what is left goes on after the next start.',
    'Gateway stopped.',
  ]);
  assert.equal(readReport(root, process.pid)?.phase, 'draining');
});

test('settings that no service takes end it with 78', async () => {
  const scene = openServed({ telegram: REFUSED, slack: REFUSED });
  assert.equal(await scene.served, 78);
  assert.equal(
    scene.log[2],
    'No platform accepted its settings, so the gateway stops. Correct what the lines above name, then start it again.',
  );
});

test('a gateway that hangs while it closes is ended by its watchdog', async () => {
  const ended = Promise.withResolvers<number>();
  const exit = (code: number): void => ended.resolve(code);
  const scene = openServed({ telegram: CONNECTED }, { drain: () => new Promise(() => {}), drainMs: () => 0, watchdogMs: 5, exit });
  scene.source.emit('SIGTERM');
  // Nothing else keeps this process: the watchdog alone must not.
  const alive = setInterval(() => {}, 1_000);
  assert.equal(await ended.promise, 0);
  clearInterval(alive);
});

test('SIGHUP has the settings read again, one reading at a time, and a mistake in them ends nothing', async () => {
  const running = Promise.withResolvers<void>();
  const readings: PromiseWithResolvers<void>[] = [];
  const reload = (): Promise<void> => {
    const reading = Promise.withResolvers<void>();
    readings.push(reading);
    return reading.promise;
  };
  const scene = openServed({ telegram: CONNECTED }, { reload, onRunning: async () => running.resolve() });
  scene.source.emit('SIGHUP');
  await running.promise;
  for (let times = 0; times < 3; times++) scene.source.emit('SIGHUP');
  assert.equal(readings.length, 1);
  readings[0]?.reject(new Error('line 3 of config.yaml is no YAML.'));
  while (readings.length < 2) await new Promise(setImmediate);
  readings[1]?.resolve();
  await new Promise(setImmediate);
  scene.source.emit('SIGHUP');
  assert.equal(readings.length, 3);
  readings[2]?.resolve();
  scene.source.emit('SIGTERM');
  assert.equal(await scene.served, 0);
  scene.source.emit('SIGHUP');
  assert.equal(readings.length, 3);
  assert.deepEqual(
    scene.log.filter((words) => /starting|read again/.test(words)),
    [
      'The gateway is still starting. Once it runs, ask again for the settings to be read.',
      'The settings could not be read again, so those from before stay: line 3 of config.yaml is no YAML.',
    ],
  );
});

test('a gateway whose store another version upgraded restarts by itself, and says why', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  const running = Promise.withResolvers<void>();
  const scene = openServed(
    { telegram: CONNECTED },
    {
      onRunning: async () => running.resolve(),
      tend: () => Promise.reject(new StoreError('newer', 'Another version of hermes changed the session store.')),
    },
  );
  await running.promise;
  context.mock.timers.tick(60_000);
  assert.equal(await scene.served, 75);
  assert.ok(scene.log.includes('Another version of hermes changed the session store.'), scene.log.join('\n'));
});

test('sessions whose models do not answer keep nobody from what else is done every minute', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  const [running, swept] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const done: string[] = [];
  const refuse = () => Promise.reject(new Error('not asked for'));
  const care = { tend: async () => (done.push('store'), false), check: refuse, repair: refuse, backup: refuse, settleCopy: refuse };
  const scene = openServed(
    { telegram: CONNECTED },
    {
      onRunning: async () => running.resolve(),
      tend: async () => void done.push('tend'),
      store: { care },
      sweep: () => (done.push('sweep'), swept.promise),
    },
  );
  await running.promise;
  for (let minute = 0; minute < 3; minute++) {
    context.mock.timers.tick(60_000);
    await new Promise(setImmediate);
  }
  assert.deepEqual(done, ['tend', 'sweep', 'store', 'tend', 'tend']);
  swept.resolve();
  scene.source.emit('SIGTERM');
  await scene.served;
});
