import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createSeededRandom } from '../../src/testing/seeded-random.ts';
import type { ScriptedAnswer } from '../../src/testing/scripted-provider.ts';
import { tempFolder } from '../agent/setup.ts';
import { put } from './place.ts';
import { judgeCalls } from './rule.ts';
import { runSession } from './run.ts';
import { routeTo, type Deed, type TurnPlan } from './sessions.ts';

/** Breaches that random sessions have found, told plainly. */

const turn = (lines: readonly ScriptedAnswer[], deeds: readonly (readonly [number, Deed])[] = []): TurnPlan => ({
  words: 'Go on with it.',
  image: false,
  steps: 0,
  lines,
  before: [],
  restart: false,
  deeds: new Map(deeds),
});
const calls = (name: string, input: Record<string, string | number>, index: number): ScriptedAnswer => ({
  calls: [{ id: `call_${index}`, name, input }],
});

async function breachesOf(turns: readonly TurnPlan[]) {
  const route = routeTo('anthropic', 'claude-sonnet-5', 'anthropic-messages', 200_000);
  const plan = { chance: createSeededRandom('found'), runtime: route, flags: { yolo: true, ignoreRules: true }, turns };
  const told = await runSession(plan, join(tempFolder(), 'place'), {}, ({ home }) => put(join(home, 'config.yaml'), ''));
  return judgeCalls(told.calls, told.entries).violations;
}

test('two silences in one process are two messages, and only one of them is among the last three that get a mark', async () => {
  const round = (index: number): ScriptedAnswer[] => [calls('read_file', { path: 'web/a.txt', limit: index + 1 }, index), {}];
  assert.deepEqual(await breachesOf([turn([...round(0), ...round(1), ...round(2)])]), []);
});

test('a text that waits while an answer stands beside its last calls does not join their results, which went out already', async () => {
  const ticked: ScriptedAnswer = { ...calls('todo', {}, 0), text: 'All done.' };
  assert.deepEqual(await breachesOf([turn([ticked, {}], [[1, 'steer']])]), []);
});
