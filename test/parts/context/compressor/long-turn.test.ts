import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinTextBlocks } from '../../../../src/contracts/message.ts';
import type { ModelLimits } from '../../../../src/contracts/runtime.ts';
import { computeThreshold } from '../../../../src/parts/context/compressor/budgets.ts';
import { askOf, bulk, commit, DEFAULTS, engineWith, gives, good, newLog, notes, RUNTIME, summariser } from './log.ts';

/** One request and so much work for it that the window is filled several times over, looked at before every call of the model. */
interface LongTurn {
  readonly limits: ModelLimits;
  readonly request: number;
  /** Tokens of a step, and how many calls it has. */
  readonly step: number;
  readonly calls?: number;
  readonly system?: number;
  readonly calibration?: number;
  /** The model writes as much as it may. */
  readonly wordy?: true;
}
const TURNS: readonly LongTurn[] = [
  { limits: { window: 200_000 }, request: 30_000, step: 7_500 },
  { limits: { window: 200_000 }, request: 50, step: 7_500 },
  { limits: { window: 200_000 }, request: 50, step: 600 },
  { limits: { window: 200_000 }, request: 45_000, step: 7_500 },
  { limits: { window: 200_000 }, request: 2_000, step: 20_000 },
  { limits: { window: 200_000 }, request: 2_000, step: 12_000, calls: 6 },
  { limits: { window: 200_000 }, request: 30_000, step: 7_500, system: 15_000 },
  { limits: { window: 200_000 }, request: 10_000, step: 4_000, calibration: 1.6 },
  { limits: { window: 200_000 }, request: 50, step: 6_300, wordy: true },
  { limits: { window: 200_000 }, request: 50, step: 7_300, wordy: true },
  { limits: { window: 200_000, maxOutput: 32_000 }, request: 30_000, step: 7_500 },
  { limits: { window: 200_000, maxOutput: 128_000 }, request: 20_000, step: 7_500 },
  { limits: { window: 128_000, maxOutput: 16_384 }, request: 3_000, step: 3_000 },
  { limits: { window: 128_000, maxOutput: 100_000 }, request: 3_000, step: 3_000, system: 12_000 },
  { limits: { window: 64_000, maxOutput: 8_192 }, request: 8_000, step: 2_500 },
  { limits: { window: 32_000, maxOutput: 4_096 }, request: 500, step: 1_500, system: 3_000 },
  { limits: { window: 32_000, maxOutput: 32_000 }, request: 500, step: 1_000 },
  { limits: { window: 16_000, maxOutput: 2_048 }, request: 300, step: 700 },
  { limits: { window: 1_000_000, maxOutput: 64_000 }, request: 60_000, step: 25_000 },
];

const WORDY = summariser(() => gives(`${notes()}\n${bulk(30_000, 'ctx')}`));

for (const turn of TURNS) {
  const { limits, request, step, calls = 1, system: prompt = 0, calibration = 1 } = turn;
  test(`a long turn is compacted whenever it is due, and each time to the target: ${JSON.stringify(turn)}`, async () => {
    const engine = engineWith([turn.wordy ? WORDY : good()]);
    const threshold = computeThreshold(DEFAULTS, limits);
    const [log, wish, system] = [newLog(), bulk(request, 'wish'), bulk(prompt, 'rule').slice(0, prompt * 4)];
    const tokens = () => Math.ceil(engine.estimate({ system, tools: [], view: engine.view(log.entries) }) * calibration);
    const due = () => engine.shouldCompress({ ...limits, tokens: tokens() });
    log.user(wish);
    const sizes: number[] = [];
    for (let spent = 0; spent < 3 * limits.window; spent += step * calibration) {
      const place = log.entries.length;
      log.step(
        Array.from({ length: calls }, (_, call) => ({
          name: 'look',
          input: { at: `${place}.${call}` },
          result: bulk(step / calls, `s${place}`),
        })),
      );
      assert.equal(due(), tokens() >= threshold);
      if (!due()) continue;
      const result = await engine.compress(askOf(log, { runtime: { ...RUNTIME, limits }, system, calibration }));
      assert.ok(result.ok && result.report.outcome === 'summary', JSON.stringify(result));
      commit(log, result);
      assert.ok(!due() && tokens() < threshold, `${tokens()} tokens are left, the target is ${threshold}`);
      sizes.push(tokens());
      const shown = engine.view(log.entries).map(({ message }) => joinTextBlocks(message));
      assert.ok(
        shown.some((words) => words.includes(wish)),
        'the request is in view, word for word',
      );
    }
    assert.ok(sizes.length >= 2, `${sizes.length} compactions`);
    // What a compaction frees lasts for some steps, or it would come with every one.
    assert.ok(
      sizes.every((size) => size < threshold * 0.9),
      `${sizes.join()} of ${threshold}`,
    );
  });
}

const LONG_TASKS: readonly (readonly [name: string, request: number, steps: number, each: number, limits: ModelLimits])[] = [
  ['the case of the report', 30_000, 60, 7_500, { window: 200_000 }],
  ['with a long answer', 30_000, 60, 7_500, { window: 200_000, maxOutput: 64_000 }],
  ['an answer of more than half the window', 10_000, 60, 7_500, { window: 200_000, maxOutput: 150_000 }],
  ['steps as large as a tail', 5_000, 30, 20_000, { window: 200_000 }],
  ['a small window', 4_000, 60, 1_000, { window: 32_000 }],
];
for (const [name, request, steps, each, limits] of LONG_TASKS) {
  test(`a long single task comes under its target, and the last messages yield: ${name}`, async () => {
    const log = newLog();
    const wish = bulk(request, 'wish');
    log.user(wish);
    for (let step = 0; step < steps; step++) log.step([{ name: 'look', input: { at: step }, result: bulk(each, `s${step}`) }]);
    const engine = engineWith([good()]);
    const result = await engine.compress(askOf(log, { runtime: { ...RUNTIME, limits } }));
    assert.ok(result.ok, JSON.stringify(result));
    commit(log, result);
    const [report, words] = [result.report, joinTextBlocks(result.summary)];
    assert.ok(
      report.outcome === 'summary' && report.tokensAfter < Math.min(limits.window / 2, limits.window - (limits.maxOutput ?? 0) / 2),
    );
    const shown = engine.view(log.entries).map(({ message }) => joinTextBlocks(message));
    assert.ok(shown.some((message) => message.includes(wish)));
    assert.ok(shown.length >= 4 && words.includes('## Goal') && words.includes('## Critical Context'), 'the notes were not cut to nothing');
  });
}
