import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entry, NewEntry } from '../../../src/contracts/entry.ts';
import { isMessageEntry } from '../../../src/contracts/entry.ts';
import { createTextBlock, joinTextBlocks } from '../../../src/contracts/message.ts';
import type { ModelRequest } from '../../../src/contracts/provider.ts';
import { DEFAULT_ADJUSTMENTS } from '../../../src/contracts/runtime.ts';
import { windowEngine } from '../../../src/parts/context/window.ts';
import { createWireFormats } from '../../../src/parts/providers/wire-format.ts';
import { forAll, type SeededRandom } from '../../../src/testing/seeded-random.ts';
import { RUNTIME } from '../setup.ts';
import { PROTOCOLS } from './story.ts';
import { assertSound } from './wire.ts';

const formatOf = createWireFormats(() => undefined);
const ASK = { runtime: RUNTIME, system: '', tools: [], reason: 'overflow', calibration: 1, signal: new AbortController().signal } as const;

test('compaction never grows the request, keeps the latest words of the user and the running task, and leaves sound roles', () =>
  forAll(500, async (chance) => {
    const log = randomLog(chance);
    for (let round = 0; ; round++) {
      assert.ok(round < 60, 'shrinking comes to an end');
      const [before, kept] = [sizeOf(log), tasks(log)];
      const shrunk = await windowEngine.compress({ ...ASK, entries: log });
      if (!shrunk.ok) break;
      const { fromSeq, toSeq, summary } = shrunk;
      add(log, { type: 'compaction', origin: 'summary', fromSeq, toSeq, summary });
      assert.ok(sizeOf(log) < before, `${before} tokens became ${sizeOf(log)} in round ${round}`);
      const shown = windowEngine.view(log).map(({ message }) => joinTextBlocks(message));
      for (const words of kept) assert.ok(shown.includes(words), `"${words}" is no longer in view`);
      for (const protocol of PROTOCOLS) assertSound(protocol, formatOf({ ...RUNTIME, protocol }).encode(requestOf(log, protocol)).body);
      if (chance.hits(0.3)) addStep(log, chance);
    }
  }));

/** The words that opened the running turn, and the last the user sent into it. */
const tasks = (log: readonly Entry[]): string[] => [
  ...wordsOf(log.findLast(({ origin }) => origin === 'user')),
  ...wordsOf(log.findLast(({ origin }) => origin === 'user' || origin === 'steer')),
];
const wordsOf = (entry: Entry | undefined): string[] =>
  entry !== undefined && isMessageEntry(entry) ? [joinTextBlocks(entry.message)] : [];

const sizeOf = (log: readonly Entry[]): number => windowEngine.estimate({ system: '', tools: [], view: windowEngine.view(log) });

const requestOf = (log: readonly Entry[], protocol: (typeof PROTOCOLS)[number]): ModelRequest => ({
  runtime: { ...RUNTIME, protocol },
  adjust: DEFAULT_ADJUSTMENTS,
  system: 'You help.',
  tools: [],
  toolUse: 'auto',
  messages: windowEngine.view(log),
  cacheTtl: '5m',
});

/** Some finished turns and one that runs, as the loop leaves them in the log. */
function randomLog(chance: SeededRandom): Entry[] {
  const log: Entry[] = [];
  const turns = chance.int(1, 5);
  for (let turn = 1; turn <= turns; turn++) {
    add(log, user(`task ${turn} ${filler(chance)}`, 'user'));
    for (let step = chance.int(0, 6); step > 0; step--) addStep(log, chance);
    if (turn < turns)
      add(log, {
        type: 'message',
        origin: 'model',
        message: { role: 'assistant', content: chance.hits(0.2) ? [] : [createTextBlock(`done ${filler(chance)}`, 'model')] },
      });
  }
  return log;
}

function addStep(log: Entry[], chance: SeededRandom): void {
  const ids = chance.list(1, 3, (place) => `c${log.length}_${place}`);
  const calls = ids.map((id) => ({ type: 'tool_call', id, name: 'look', input: { at: filler(chance) }, trust: 'model' }) as const);
  add(log, { type: 'message', origin: 'model', message: { role: 'assistant', content: calls } });
  for (const callId of ids)
    add(log, {
      type: 'message',
      origin: 'tool',
      message: { role: 'tool', callId, name: 'look', content: [createTextBlock(filler(chance), 'tool')], failed: false },
    });
  if (chance.hits(0.15)) add(log, user(`steer ${log.length} ${filler(chance)}`, 'steer'));
}

const user = (words: string, origin: 'user' | 'steer'): NewEntry => ({
  type: 'message',
  origin,
  message: { role: 'user', content: [createTextBlock(words, 'owner')] },
});
const filler = (chance: SeededRandom): string => 'lorem '.repeat(chance.pick([0, 1, 10, 300]));

function add(log: Entry[], entry: NewEntry): void {
  const seq = log.length + 1;
  log.push({ id: `e${seq}`, sessionId: 's', seq, at: seq, ...entry });
}
