import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { fenceText } from '../../../src/base/fence.ts';
import type { Entry, EntryBody } from '../../../src/contracts/entry.ts';
import { createTextBlock, type TextBlock, type Trust } from '../../../src/contracts/message.ts';
import { collectTurns } from '../../../src/parts/memory/turns.ts';

type Row = EntryBody & Pick<Entry, 'origin' | 'turnId' | 'id'>;

const words = (text: string, trust: Trust, source?: string): TextBlock => ({
  ...createTextBlock(text, trust),
  ...(source !== undefined && { source }),
});
const RECALLED = words(fenceText('memory-context', {}, 'Notes.\n- The picnic is in Boston.'), 'foreign', 'plugin dice');

let count = 0;
const message = (origin: Entry['origin'], body: Omit<Extract<EntryBody, { type: 'message' }>, 'type'>): Row => ({
  type: 'message',
  origin,
  turnId: 't1',
  id: `e${++count}`,
  ...body,
});
const asks = (
  beside: readonly TextBlock[] = [],
  content: readonly TextBlock[] = [words('Save it.', 'owner')],
  origin: Entry['origin'] = 'user',
) => message(origin, { message: { role: 'user', content }, wireOnly: beside });
const reads = (source: string): Row =>
  message('tool', {
    message: { role: 'tool', callId: 'c', name: 'web', failed: false, content: [words('words of a page', 'foreign', source)] },
  });
const answers = (): Row => message('model', { message: { role: 'assistant', content: [{ type: 'text', text: 'Done.', trust: 'model' }] } });
const isSummarized = (source: string, toSeq: number): Row => ({
  type: 'compaction',
  origin: 'summary',
  turnId: 't1',
  id: `e${++count}`,
  fromSeq: 1,
  toSeq,
  summary: { role: 'user', content: [words('Notes.', 'foreign', source)] },
});

/** What the last turn of such a log is labelled with: the agent's words, and the person's. */
function labelsOf(...rows: readonly Row[]): unknown {
  const turnOf = (index: number): string => (rows.slice(index).some(({ type }) => type === 'outcome') ? 't0' : 't1');
  const last = rows.at(-1);
  const all: Row[] = [
    ...rows.map((row, index) => ({ ...row, turnId: turnOf(index) })),
    { type: 'outcome', outcome: 'answered', exitReason: 'answered', messageId: last?.id ?? '', origin: 'system', turnId: 't1', id: 'end' },
  ];
  const entries = all.map((row, index): Entry => ({ ...row, sessionId: 's', seq: index + 1, at: index }));
  const turn = collectTurns(entries, 0, { sessionId: 's', platform: 'cli', isOwner: true }).at(-1)?.turn;
  return [turn?.foreign, turn?.foreignWhenAsked];
}
const ends = (): Row => ({
  type: 'outcome',
  outcome: 'answered',
  exitReason: 'answered',
  origin: 'system',
  turnId: 't0',
  id: `e${++count}`,
});

test('what a person wrote before the agent read words of others is theirs; what they wrote after it is labelled', () => {
  deepEqual(labelsOf(asks(), reads('page'), answers()), [['page'], []]);
  deepEqual(labelsOf(asks(), reads('page'), answers(), ends(), asks(), answers()), [['page'], ['page']]);
  deepEqual(labelsOf(asks(), reads('page'), asks([], undefined, 'steer'), answers()), [['page'], ['page']]);
});

test('what was only recalled does not label what a person writes, however long the session is', () => {
  deepEqual(labelsOf(asks([RECALLED]), answers()), [['plugin dice'], []]);
  deepEqual(labelsOf(asks([RECALLED]), answers(), ends(), asks(), answers()), [['plugin dice'], []]);
  deepEqual(labelsOf(asks([RECALLED]), answers(), ends(), isSummarized('plugin dice', 2), asks(), answers()), [['plugin dice'], []]);
});

test('a summary labels what a person writes by what it read besides memory, also where its engine alone knows', () => {
  const before = [asks([RECALLED]), reads('page'), answers(), ends()];
  deepEqual(labelsOf(...before, isSummarized('plugin dice, page', 3), asks(), answers()), [['plugin dice, page'], ['page']]);
  const unknown = 'plugin dice, memory far';
  deepEqual(labelsOf(asks([RECALLED]), answers(), ends(), isSummarized(unknown, 2), asks(), answers()), [[unknown], [unknown]]);
});

test('words that came along with a message count as seen by whoever sent it', () => {
  const quoted = words('[Added to this message, written by others: chat 7]\n<memory-context>\nwords', 'foreign', 'chat 7');
  deepEqual(labelsOf(asks([quoted]), answers()), [['chat 7'], ['chat 7']]);
  const pasted = [words('Save it.', 'owner'), words('words of a page', 'foreign', 'page')];
  deepEqual(labelsOf(asks([], pasted), answers()), [['page'], ['page']]);
});

test('where more is told as a person\u2019s words than they wrote, all of it has the label of the turn', () => {
  const attached = [words('Save it.', 'owner'), words('a file of the project', 'tool', 'project: notes.md')];
  deepEqual(labelsOf(asks([], attached), reads('page'), answers()), [['page'], ['page']]);
  deepEqual(labelsOf(asks([], undefined, 'system'), reads('page'), answers()), [['page'], ['page']]);
});
