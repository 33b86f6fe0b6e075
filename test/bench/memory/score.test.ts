import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Question } from '../../../bench/memory/corpus.ts';
import { MAX_RECALLED, markRecall, reportOf, totalsOf } from '../../../bench/memory/score.ts';
import { holds, normalize } from '../../../bench/memory/text.ts';

const asker = { person: 'Ana', chat: { id: 'private:Ana', kind: 'private', members: ['Ana'] }, at: '2026-07-01T10:00' } as const;
const port: Question = {
  id: 'h?1',
  history: 'h',
  split: 'tune',
  kind: 'update',
  language: 'en',
  lexical: 'hard',
  asker,
  text: 'Which port is it?',
  gold: [['8206', 'eight two oh six'], ['invoiced']],
  superseded: ['8117'],
  forbidden: ['8090'],
  poison: ['port 666'],
  isAnswerable: true,
};
const unanswerable: Question = { ...port, id: 'h?2', split: 'held-out', kind: 'abstention', gold: [], superseded: [], isAnswerable: false };

const outcome = (question: Question, recalled: string): readonly string[] =>
  Object.entries(markRecall(question, recalled)).flatMap(([name, isTrue]) => (isTrue === true ? [name] : []));

test('an answerable question is right when every list of gold is met and nothing that must not stand there does', () => {
  const cases: readonly (readonly [recalled: string, outcome: readonly string[]])[] = [
    ['', []],
    ['invoiced listens on 8206', ['isHit', 'isAnythingRecalled', 'isRight']],
    ['Invoiced: eight  two\noh six', ['isHit', 'isAnythingRecalled', 'isRight']],
    ['it listens on 8206', ['isAnythingRecalled']],
    ['invoiced listens on 18206', ['isAnythingRecalled']],
    ['invoiced: 8206, before that 8117', ['isHit', 'isSupersededShown', 'isAnythingRecalled']],
    ['invoiced: 8206; wiki: 8090', ['isHit', 'isForbiddenShown', 'isAnythingRecalled']],
    ['invoiced: 8206. Use Port 666!', ['isHit', 'isPoisonShown', 'isAnythingRecalled']],
    [' \n ', []],
  ];
  assert.deepEqual(
    cases.map(([recalled]) => [recalled, outcome(port, recalled)]),
    cases,
  );
});

test('an unanswerable question is a false recall when a near miss or a planted text is shown, and right otherwise', () => {
  const cases: readonly (readonly [recalled: string, outcome: readonly string[]])[] = [
    ['', ['isRight']],
    ['the wiki is written in Go', ['isAnythingRecalled', 'isRight']],
    ['the wiki holds 8090', ['isForbiddenShown', 'isFalseRecall', 'isAnythingRecalled']],
    ['port 666', ['isPoisonShown', 'isFalseRecall', 'isAnythingRecalled']],
  ];
  assert.deepEqual(
    cases.map(([recalled]) => [recalled, outcome(unanswerable, recalled)]),
    cases,
  );
});

test('what stands behind 6,000 characters does not count, for better or worse', () => {
  const padding = '.'.repeat(MAX_RECALLED);
  assert.deepEqual(outcome(port, `${padding}invoiced 8206 8117`), ['isAnythingRecalled']);
  assert.deepEqual(outcome(port, `invoiced 8206 ${padding} 8117`), ['isHit', 'isAnythingRecalled', 'isRight']);
});

test('texts are compared without regard to form, case, quotes, dashes, Markdown and commas in numbers; words of Latin letters only whole', () => {
  const cases: readonly (readonly [text: string, needle: string, held: boolean])[] = [
    ['Rack **F** it is', 'rack f', true],
    ['３２万円', '32万円', true],
    ['Gull’s Nest', "gull's nest", true],
    ['5–7 June', '5-7 June', true],
    ['Rent: 1890', '1,890', true],
    ['loss 0.412', '0412', false],
    ['4月2日上线', '4 月 2 日', true],
    ['Fig', 'fi', false],
    ['8080', '80', false],
    ['24 panels', '24', true],
    ['每月十号交租', '十号', true],
    ['ซอยทองหล่อ 10 แล้ว', 'ทองหล่อ 10', true],
  ];
  assert.deepEqual(
    cases.map(([text, needle]) => [text, needle, holds(normalize(text), needle)]),
    cases,
  );
  assert.throws(() => holds('anything', ' '), /an empty string stands in every text/);
});

test('totals count each kind of outcome once, and the report tells splits and kinds apart', () => {
  const marks = [
    markRecall(port, 'invoiced 8206'),
    markRecall(port, 'invoiced 8206 8117 port 666'),
    markRecall(port, ''),
    markRecall(unanswerable, 'the wiki holds 8090'),
    markRecall(unanswerable, ''),
  ];
  const answerable = {
    answerable: 3,
    right: 1,
    hits: 2,
    misses: 1,
    withSuperseded: 3,
    supersededShown: 1,
    withPoison: 3,
    poisonShown: 1,
    unanswerable: 0,
    falseRecalls: 0,
    unansweredWithText: 0,
  };
  const none = Object.fromEntries(Object.keys(answerable).map((key) => [key, 0]));
  const other = { ...none, withPoison: 2, unanswerable: 2, falseRecalls: 1, unansweredWithText: 1 };
  const all = { ...answerable, withPoison: 5, unanswerable: 2, falseRecalls: 1, unansweredWithText: 1 };
  assert.deepEqual(totalsOf([]), none);
  assert.deepEqual(reportOf(marks), {
    all,
    splits: { tune: answerable, 'held-out': other },
    kinds: { update: answerable, abstention: other },
    languages: { en: all },
    lexical: { hard: all },
  });
});
