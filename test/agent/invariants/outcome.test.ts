import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMessageEntry, type Entry, type EntryHead, type OutcomeEntry } from '../../../src/contracts/entry.ts';
import { joinTextBlocks } from '../../../src/contracts/message.ts';
import { createSeededRandom as chanceOf, forAll } from '../../../src/testing/seeded-random.ts';
import { NO_ROUTES } from '../setup.ts';
import { FAILURES } from './lines.ts';
import { randomStory } from './story.ts';
import { openStage } from './stage.ts';
import { tell } from './world.ts';
import { sized } from '../../size.ts';

const REASONS = new Set<string>([
  ...FAILURES,
  'answered',
  'truncated',
  'cut_off',
  'empty',
  'internal_error',
  'store_failed',
  'turn_limit',
  'token_budget',
  'money_budget',
  'loop_guard',
  'invalid_tool_calls',
  'interrupted',
  'terminated',
]);

test('every turn ends in exactly one outcome with a typed reason and words, whatever happens', async () => {
  const stage = await openStage();
  await forAll(sized(80, 200), async (chance) => {
    const { entries, outcomes } = await tell(randomStory(chance), stage);
    const turns = new Set(entries.flatMap((entry) => entry.turnId ?? []));
    const ends = entries.filter((entry) => entry.type === 'outcome');
    assert.deepEqual(
      ends.map((entry) => entry.turnId),
      [...turns],
      'one outcome for each turn, in their order',
    );
    for (const end of ends) checkEnd(end, entries);
    for (const outcome of outcomes) assert.ok(outcome.text.trim() !== '' && REASONS.has(outcome.exitReason), JSON.stringify(outcome));
    assert.deepEqual(
      outcomes.filter((outcome) => outcome.exitReason === 'internal_error'),
      [],
    );
  });
});

test('a stream that breaks after nothing but space is told in words of ours', async () => {
  const stage = await openStage();
  const line = { fails: { type: 'network', detail: 'reset', partial: { text: ' \n' } } } as const;
  const { outcomes } = await tell(
    randomStory(chanceOf('space'), { line: () => line, deeds: new Map(), messages: ['go'], settings: {}, routes: NO_ROUTES }),
    stage,
  );
  assert.deepEqual(
    outcomes.map(({ exitReason, text }) => [exitReason, text.trim() !== '']),
    [['network', true]],
  );
});

function checkEnd(end: EntryHead & OutcomeEntry, entries: readonly Entry[]): void {
  assert.ok(REASONS.has(end.exitReason), end.exitReason);
  const ids = end.parts ?? (end.messageId === undefined ? [] : [end.messageId]);
  const named = ids.map((id) => entries.filter(isMessageEntry).find((entry) => entry.id === id));
  const words = named.map((entry) => (entry === undefined ? '' : joinTextBlocks(entry.message)));
  assert.ok([end.notice ?? '', ...words].join('').trim() !== '', `an outcome without words: ${JSON.stringify(end)}`);
  assert.ok(!named.includes(undefined), 'every message the outcome names is there');
}
