import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextLap } from 'node:timers/promises';
import { countOpen, findLeaks, usingSession, type SessionOpener } from './leaks.ts';

const HAS_PROC = existsSync('/proc/self/fd');
const USES = 20;
/** More where nothing may be found: what comes and goes by itself must stay far below one for each use. */
const MANY_USES = 200;

class PlantedClass {
  readonly index: number;
  constructor(index: number) {
    this.index = index;
  }
}

/** Leaks one thing of a kind with each use, and lets go of all of them in the end. */
interface Plant {
  /** How the leak is told. */
  readonly told: RegExp;
  readonly needsProc?: boolean;
  leak(index: number): unknown;
  clear?(kept: readonly unknown[]): unknown;
}
const onSignal = (): void => {};
const listening = (): Promise<Server> =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => done(server));
  });
const ended = (child: ChildProcess): Promise<unknown> => new Promise((done) => void child.once('exit', done).kill());
const clearTimers = (kept: readonly unknown[]): void => (kept as NodeJS.Timeout[]).forEach((timer) => clearInterval(timer));
const lasting = new AbortController();

/** Outside of the heap: every single one counts. */
const HOLDINGS: Readonly<Record<string, Plant>> = {
  'a timer': { told: /^handle Timeout$/, leak: () => setInterval(onSignal, 1_000_000), clear: clearTimers },
  'a handle': {
    told: /^handle TCPServerWrap$/i,
    leak: listening,
    clear: (kept) => (kept as Server[]).forEach((server) => server.close()),
  },
  'a child process': {
    told: /^process sleep$/,
    needsProc: true,
    leak: () => spawn('sleep', ['1000'], { stdio: 'ignore' }),
    clear: (kept) => Promise.all((kept as ChildProcess[]).map(ended)),
  },
  'an open file': {
    told: /^file \/dev\/zero$/,
    needsProc: true,
    leak: () => openSync('/dev/zero', 'r'),
    clear: (kept) => (kept as number[]).forEach((file) => closeSync(file)),
  },
  'a listener on process': {
    told: /^listener on process SIGUSR2$/,
    leak: () => process.on('SIGUSR2', onSignal),
    clear: () => process.removeAllListeners('SIGUSR2'),
  },
};
/** On the heap: what grows with the uses. */
const HEAP: Readonly<Record<string, Plant>> = {
  'a timer nobody waits for': { told: /^Timeout$/, leak: () => setInterval(onSignal, 1_000_000).unref(), clear: clearTimers },
  'a listener on a signal that lasts': { told: /^Listener$/, leak: (index) => lasting.signal.addEventListener('abort', () => index) },
  'an object of a class': { told: /^PlantedClass$/, leak: (index) => new PlantedClass(index) },
  'an object literal': { told: /^\{ plantedA, plantedB \}$/, leak: (index) => ({ plantedA: index, plantedB: `b${index}` }) },
  'a function': {
    told: /^plantedFunction\(\) in leaks\.test\.ts:\d+$/,
    leak: (index) => ({ plantedFunction: () => index }).plantedFunction,
  },
  // In a list: one that never settles must not be waited for.
  'a promise': { told: /^Promise$/, leak: () => [new Promise(onSignal)] },
  'a text': { told: /^text$/, leak: (index) => [`planted ${index}`, process.hrtime.bigint()].join() },
};

for (const plants of [HOLDINGS, HEAP])
  test(`what is kept with each use is found: ${Object.keys(plants).join(', ')}`, async () => {
    const rows = Object.entries(plants).filter(([, { needsProc = false }]) => HAS_PROC || !needsProc);
    const kept = rows.map((): unknown[] => []);
    const plantAll = async (use: number): Promise<void> => {
      for (const [row, [, { leak }]] of rows.entries()) kept[row]?.push(await leak(use));
    };
    process.setMaxListeners(0);
    const leaks = await findLeaks(plantAll, { uses: USES, settleMs: 100 });
    for (const [row, [name, { told, clear }]] of rows.entries()) {
      await clear?.(kept[row] ?? []);
      const grown = leaks.filter(({ what }) => told.test(what)).map(({ before, after }) => after - before);
      // The heap is compared with what it was after the first half.
      assert.deepEqual([name, grown.length, (grown[0] ?? 0) >= (plants === HEAP ? 1 : 2) * USES], [name, 1, true], JSON.stringify(leaks));
    }
    const { heldBy } = leaks.find(({ what }) => what === 'PlantedClass') ?? {};
    if (plants === HEAP) assert.match(heldBy ?? '', /\.kept → .*PlantedClass$/);
  });

test('what is used and let go is no leak, and neither is a cache that fills and stays', async () => {
  const cache = new Map<number, PlantedClass>();
  const leaks = await findLeaks(
    async (index) => {
      if (cache.size < MANY_USES) cache.set(index, new PlantedClass(index));
      const timer = setInterval(onSignal, 1_000_000);
      await nextLap();
      clearInterval(timer);
      process.on('SIGUSR2', onSignal).off('SIGUSR2', onSignal);
      closeSync(openSync('/dev/null', 'r'));
    },
    { uses: MANY_USES },
  );
  assert.deepEqual(leaks, []);
});

interface Session extends AsyncDisposable {
  send(words: string): Promise<string>;
}
/** Keeps a ticking clock for each session that is open; a forgetful one keeps it longer. */
function clockHost(forgets: boolean): SessionOpener<{ readonly name: string }, Session> & Disposable {
  const clocks = new Set<NodeJS.Timeout>();
  return {
    openSession: async ({ name }) => {
      const clock = setInterval(onSignal, 1_000_000);
      clocks.add(clock);
      return {
        send: async (words) => `${name}: ${words}`,
        [Symbol.asyncDispose]: async () => {
          if (forgets) return;
          clearInterval(clock);
          clocks.delete(clock);
        },
      };
    },
    [Symbol.dispose]: () => clocks.forEach((clock) => clearInterval(clock)),
  };
}

for (const forgets of [false, true])
  test(`a host that ${forgets ? 'forgets to let go of what a session opened is found out' : 'lets go of all that a session opened is clean'}`, async () => {
    using host = clockHost(forgets);
    const answers: number[] = [];
    const use = usingSession(host, {
      options: (index) => ({ name: String(index) }),
      work: async (session) => void (answers[0] = (await session.send('hello')).length),
    });
    const leaks = await findLeaks(use, { uses: MANY_USES, settleMs: forgets ? 100 : 5_000 });
    assert.deepEqual(
      leaks.flatMap(({ what, before, after }) => (what === 'handle Timeout' ? [after - before] : [])),
      forgets ? [2 * MANY_USES] : [],
    );
    assert.equal(leaks.length > 0, forgets, JSON.stringify(leaks));
  });

test('what is open at one time is counted: opening, open and closing, once each, and not what failed to open', async () => {
  const counted = countOpen(async (name: string): Promise<AsyncDisposable> => {
    await nextLap();
    if (name === 'broken') throw new Error('no');
    return { [Symbol.asyncDispose]: async () => nextLap() };
  });
  const [first, second] = await Promise.all([counted.open('a'), counted.open('b')]);
  await assert.rejects(counted.open('broken'), /no/);
  assert.deepEqual([counted.now(), counted.most()], [2, 3]);
  const closing = first?.[Symbol.asyncDispose]();
  assert.equal(counted.now(), 2, 'it is open until it has closed');
  await closing;
  await first?.[Symbol.asyncDispose]();
  assert.deepEqual([counted.now(), counted.most()], [1, 3]);
  await second?.[Symbol.asyncDispose]();
  assert.equal(counted.now(), 0);
});
