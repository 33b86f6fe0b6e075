import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BOUNDS, GUARD_BOUNDS, type BoundName } from '../../../src/agent/bounds.ts';
import { agentSettings } from '../../../src/agent/settings.ts';
import { collectDefaults } from '../../../src/contracts/settings.ts';
import type { TurnState } from '../../../src/contracts/turn.ts';
import { createSeededRandom as chanceOf, forAll } from '../../../src/testing/seeded-random.ts';
import type { ScriptedAnswer } from '../../../src/testing/scripted-provider.ts';
import { FAILURES, HABITS, lineFor, randomFailure } from './lines.ts';
import { randomStory, type Story } from './story.ts';
import { openStage, type Stage } from './stage.ts';
import { tell } from './world.ts';
import { sized } from '../../size.ts';

const DEFAULTS = collectDefaults(agentSettings);
const isBound = (name: string): name is BoundName => Object.hasOwn(BOUNDS, name);
const NAMES = Object.keys(BOUNDS).filter(isBound);

test('a turn makes no more model calls than the table of bounds allows, and no counter passes its row', async () => {
  const stage = await openStage();
  await forAll(sized(50, 120), (chance) => assertBounded(randomStory(chance), stage));
});

/** Models that never come to an end by themselves. */
const ENDLESS: Readonly<Record<string, (index: number) => ScriptedAnswer>> = {
  'asks for new calls': (index) => ({ calls: [{ id: String(index), name: 'look', input: { index } }] }),
  'repeats one call': () => ({ calls: [{ id: 'same', name: 'look', input: {} }] }),
  'names no known tool': (index) => ({ calls: [{ id: String(index), name: `ghost_${index}` }] }),
  'is cut off at its length': () => ({ text: 'more', finish: 'length' }),
  'only thinks': () => ({ thinking: 'hm' }),
  'says nothing': () => ({}),
  'sends broken arguments': () => ({ calls: [{ id: 'b', name: 'look', malformed: '{"at": oops}' }] }),
  'sends cut arguments': () => ({ calls: [{ id: 'b', name: 'look', malformed: '{"at' }] }),
  ...Object.fromEntries(FAILURES.map((type) => [`fails with ${type}`, () => ({ fails: randomFailure(chanceOf(type), type) })])),
};
for (const [habit, line] of Object.entries(ENDLESS)) {
  test(`a model that ${habit} for ever is stopped`, async () => {
    const stage = await openStage();
    await forAll(3, (chance) => assertBounded(randomStory(chance, { line, deeds: new Map() }), stage));
  });
}

test('a model that fails in every way there is, one after the other, is stopped', async () => {
  const stage = await openStage();
  const troubled = { ...HABITS, answer: 0, fails: 60 };
  await forAll(sized(20, 40), (chance) =>
    assertBounded(randomStory(chance, { deeds: new Map(), line: (index) => lineFor(chance, index, troubled) }), stage),
  );
});

test('without a limit of steps a loop without progress is still ended by the guard', async () => {
  const stage = await openStage();
  const settings = { 'agent.max_turns': 0, 'tool_loop_guardrails.hard_stop_enabled': true };
  const lines: readonly ScriptedAnswer[] = [
    { calls: [{ id: 'a', name: 'bomb', input: { depth: 1 } }] },
    { calls: [{ id: 'b', name: 'nothing_like_it' }] },
  ];
  const story = randomStory(chanceOf('guard'), { settings, deeds: new Map(), messages: ['go'], line: (index) => lines[index % 2] ?? {} });
  let calls = 0;
  await tell(story, stage, { sending: () => void calls++ });
  assert.ok(calls <= 2 * GUARD_BOUNDS.same_call_failing.halt + NAMES.length, String(calls));
});

async function assertBounded(story: Story, stage: Stage): Promise<void> {
  const calls = new Map<string, number>();
  // A killed process may have sent a call it did not live to write down.
  const most = mostCalls(story) + story.deeds.size;
  const { events } = await tell(story, stage, {
    sending: (_encoded, _entries, turn) => {
      const count = (calls.get(turn?.turnId ?? '') ?? 0) + 1;
      calls.set(turn?.turnId ?? '', count);
      assert.ok(count <= most, `turn ${turn?.turnId} makes call ${count}, at most ${most} are allowed`);
    },
    committed: (_change, _entries, turn) => assertSpent(turn, story),
  });
  for (const event of events) if (event.type === 'recovering') assert.ok(isBound(event.strategy), event.strategy);
}

/** Each step and the closing one may be repeated by every recovery counted per call; those counted per turn come on top. */
function mostCalls({ settings }: Story): number {
  const limit = (name: BoundName) =>
    name === 'wait' ? (settings['agent.api_max_retries'] ?? DEFAULTS['agent.api_max_retries']) : BOUNDS[name].limit;
  const sum = (per: 'call' | 'turn') => NAMES.filter((name) => BOUNDS[name].per === per).reduce((total, name) => total + limit(name), 0);
  const steps = (settings['agent.max_turns'] ?? DEFAULTS['agent.max_turns']) + BOUNDS.closing.limit;
  return steps * (1 + sum('call')) + sum('turn');
}

function assertSpent(turn: TurnState | undefined, { settings }: Story): void {
  for (const [name, used] of Object.entries(turn?.spent ?? {})) {
    assert.ok(isBound(name), `${name} is no row of the table`);
    const limit = name === 'wait' ? (settings['agent.api_max_retries'] ?? DEFAULTS['agent.api_max_retries']) : BOUNDS[name].limit;
    assert.ok(used <= limit, `${name}: ${used} of ${limit}`);
  }
}
