/**
 * Pruning and assembly of a long transcript, without the model: rows, plan, prune, facts, size of the result.
 *   node bench/compressor.ts [--messages N] [--runs N] [--json]
 * Floor: a JSON round trip of the same transcript. Each run has a fresh copy, so that nothing counted earlier is known.
 * Then the view of one more step, in a log of that length and in one ten times as long: floor is the short one.
 */
import { parseArgs } from 'node:util';
import { NO_USAGE, createTextBlock } from '../src/contracts/message.ts';
import type { ContextEngine } from '../src/contracts/context-engine.ts';
import type { Entry, NewEntry } from '../src/contracts/entry.ts';
import { collectDefaults } from '../src/contracts/settings.ts';
import { compressorEngine } from '../src/parts/context/compressor/engine.ts';
import { findSummaryAnchors } from '../src/parts/context/recall/summary-anchors.ts';
import { contextSettings } from '../src/parts/context/settings.ts';
import { rowOf, tableOf } from './table.ts';

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '2000' },
    runs: { type: 'string', default: '15' },
    json: { type: 'boolean', default: false },
  },
});
const NOTES = '## Goal\nship\n## Progress\nhalf\n## Next Steps\ngo on';
const RUNTIME = {
  provider: 'p',
  model: 'm',
  baseUrl: '',
  protocol: 'openai-chat',
  credential: 'none',
  limits: { window: 200_000 },
} as const;

const engineWith = (more: Partial<Parameters<typeof compressorEngine>[0]>) =>
  compressorEngine({
    settings: collectDefaults(contextSettings),
    summarisers: () => [
      { model: 'instant', window: 1_000_000, complete: async () => ({ ok: true, text: NOTES, usage: NO_USAGE, model: 'instant' }) },
    ],
    clock: { now: () => performance.now() },
    ...more,
  });
const bare = engineWith({ anchors: () => [] });
const whole = engineWith({ anchors: findSummaryAnchors });

/** Requests, steps with results of a page, and answers: about 300 tokens a message. */
function transcript(messages: number): readonly Entry[] {
  const entries: Entry[] = [];
  const add = (entry: NewEntry) => entries.push({ id: `e${entries.length}`, sessionId: 's', seq: entries.length + 1, at: 0, ...entry });
  for (let n = 0; entries.length < messages; n++) {
    if (n % 20 === 0)
      add({
        type: 'message',
        origin: 'user',
        message: { role: 'user', content: [createTextBlock(`Request ${n}: never touch src/part-${n}.ts`, 'owner')] },
      });
    const call = { type: 'tool_call', id: `c${n}`, name: 'read_file', input: { path: `src/part-${n}/file.ts` }, trust: 'model' } as const;
    add({ type: 'message', origin: 'model', message: { role: 'assistant', content: [createTextBlock(`Now part ${n}.`, 'model'), call] } });
    const page = `${n}|export const value${n} = load('./part-${n}/data.json', { retries: 3 });\n`.repeat(30);
    add({
      type: 'message',
      origin: 'tool',
      message: { role: 'tool', callId: `c${n}`, name: 'read_file', content: [createTextBlock(page, 'tool')], failed: false },
    });
  }
  return entries;
}

const timed = async (work: () => unknown): Promise<number> => {
  const from = performance.now();
  await work();
  return performance.now() - from;
};

async function compacted(entries: readonly Entry[], engine: ContextEngine): Promise<void> {
  const signal = new AbortController().signal;
  const result = await engine.compress({ entries, runtime: RUNTIME, system: '', tools: [], reason: 'overflow', calibration: 1, signal });
  if (!result.ok || result.report.outcome !== 'summary') throw new Error(`nothing was measured: ${JSON.stringify(result)}`);
}

/** The view after each new entry of a log that is long already. */
function stepViews(messages: number, runs: number): number[] {
  const all = transcript(messages + 200);
  const log = all.slice(0, messages);
  bare.view(log);
  const times: number[] = [];
  for (const entry of all.slice(messages, messages + 20 * Math.min(runs, 10))) {
    log.push(entry);
    const from = performance.now();
    bare.view(log);
    times.push(performance.now() - from);
  }
  return times;
}

async function main(messages: number, runs: number): Promise<void> {
  const json = JSON.stringify(transcript(messages));
  const [floor, ours, anchored]: [number[], number[], number[]] = [[], [], []];
  for (let run = -2; run < runs; run++) {
    const fresh = JSON.parse(json) as readonly Entry[];
    const trip = await timed(() => JSON.parse(JSON.stringify(fresh)));
    const spent = await timed(() => compacted(fresh, bare));
    const other = JSON.parse(json) as readonly Entry[];
    const more = await timed(() => compacted(other, whole));
    // Two rounds are not counted: they warm the code.
    if (run < 0) continue;
    floor.push(trip);
    ours.push(spent);
    anchored.push(more);
  }
  const rows = [
    rowOf({ name: `prune and assemble ${messages} messages`, unit: 'ms', goal: { most: 50 }, floor, ours }),
    rowOf({ name: 'the same with anchors', unit: 'ms', goal: { most: 500 }, floor, ours: anchored }),
    rowOf({
      name: `view of a step, ${messages * 10} messages against ${messages}`,
      unit: 'ms',
      goal: { most: 1 },
      floor: stepViews(messages, runs),
      ours: stepViews(messages * 10, runs),
    }),
  ];
  console.log(values.json ? JSON.stringify(rows, null, 2) : tableOf(rows, []));
}

await main(Number(values.messages), Number(values.runs));
