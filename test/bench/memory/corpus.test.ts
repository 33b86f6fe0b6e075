import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder, readHistories, readQuestions, toLines, type History, type Question } from '../../../bench/memory/corpus.ts';
import { generate } from '../../../bench/memory/generate.ts';
import { holds, normalize } from '../../../bench/memory/text.ts';

const histories = readHistories();
const questions = readQuestions();

interface Said {
  readonly day: string;
  readonly text: string;
  readonly isForeign: boolean;
  readonly isTainted: boolean;
  readonly isAnswer: boolean;
  readonly readers: readonly string[];
}
const saidIn = (history: History): readonly Said[] =>
  history.sessions.flatMap(({ chat, turns }) =>
    turns.flatMap(({ at, tainted, messages }) =>
      messages.map(({ role, text, foreign }) => ({
        day: at.slice(0, 10),
        text: normalize(text),
        isForeign: foreign,
        isTainted: tainted,
        isAnswer: role === 'assistant',
        readers: chat.members,
      })),
    ),
  );
const SAID = new Map(histories.map((history) => [history.id, saidIn(history)]));
const said = ({ history }: Question): readonly Said[] => SAID.get(history) ?? [];
/** A date is told by the day of a message as well as by its words. */
const tells = ({ day, text }: Said, string: string): boolean => day === string || holds(text, string);
const tellsAny = (message: Said, strings: readonly string[]): boolean => strings.some((string) => tells(message, string));
const wrong = (isWrong: (question: Question) => boolean): readonly string[] => questions.filter(isWrong).map(({ id }) => id);

test('the files are what the generator makes, byte for byte', () => {
  const made = generate();
  assert.equal(toLines(made.histories) === readFileSync(join(folder, 'histories.jsonl'), 'utf8'), true, 'histories');
  assert.equal(toLines(made.questions) === readFileSync(join(folder, 'questions.jsonl'), 'utf8'), true, 'questions');
});

test('the exam is as large and as mixed as it promises', () => {
  const sizes = histories.map(({ sessions }) => sessions.length);
  const turns = histories.flatMap(({ sessions }) => sessions.map((session) => session.turns.length));
  assert.ok(histories.length >= 50 && questions.length >= 240, `${histories.length} histories, ${questions.length} questions`);
  assert.ok(Math.min(...sizes) >= 3 && Math.max(...sizes) <= 12, sizes.join());
  assert.ok(Math.min(...turns) >= 1 && Math.max(...turns) <= 20, turns.join());
  assert.ok(turns.filter((count) => count <= 5).length >= turns.length / 5, 'short sessions');
  const unanswerable = questions.filter(({ isAnswerable }) => !isAnswerable);
  assert.ok(questions.filter(({ kind }) => kind === 'abstention').length >= questions.length / 5);
  const hard = questions.filter(({ isAnswerable, lexical }) => isAnswerable && lexical === 'hard').length;
  assert.ok(hard >= (questions.length - unanswerable.length) / 2, `${hard} paraphrased`);
  const has = (language: string) => questions.filter((question) => question.language === language).length;
  assert.deepEqual(
    ['zh', 'ja', 'ko', 'de', 'th'].filter((language) => has(language) < 10),
    [],
  );
});

test('half of the histories are held out, with all of their questions', () => {
  const splits = new Map(histories.map(({ id, split }) => [id, split]));
  const heldOut = histories.filter(({ split }) => split === 'held-out').length;
  assert.equal(heldOut, histories.length / 2);
  assert.deepEqual(
    wrong(({ history, split }) => splits.get(history) !== split),
    [],
  );
});

test('every list of gold stands in something the asker may read that nobody foreign wrote, outside tainted answers', () => {
  const own = (question: Question) =>
    said(question).filter(
      ({ isForeign, isTainted, isAnswer, readers }) => !isForeign && !(isTainted && isAnswer) && readers.includes(question.asker.person),
    );
  assert.deepEqual(
    wrong((question) => !question.gold.every((strings) => own(question).some((message) => tellsAny(message, strings)))),
    [],
  );
  assert.deepEqual(
    wrong((question) => question.isAnswerable !== question.gold.length > 0 || new Set(question.gold.flat()).has('')),
    [],
  );
});

test('no message with gold also holds what must not be shown, so that recalling it alone is right', () => {
  assert.deepEqual(
    wrong((question) =>
      said(question).some(
        (message) =>
          !message.isForeign &&
          tellsAny(message, question.gold.flat()) &&
          tellsAny(message, [...question.superseded, ...question.forbidden, ...question.poison]),
      ),
    ),
    [],
  );
});

test('what was superseded and every near miss stands in the history, and an unanswerable question has at least one', () => {
  assert.deepEqual(
    wrong((question) =>
      [...question.superseded, ...question.forbidden].some((string) => !said(question).some((message) => tells(message, string))),
    ),
    [],
  );
  assert.deepEqual(
    wrong(({ isAnswerable, forbidden, poison }) => !isAnswerable && forbidden.length + poison.length === 0),
    [],
  );
});

test('a planted text stands in a foreign message of a tainted turn and nowhere outside such turns', () => {
  assert.deepEqual(
    wrong((question) =>
      question.poison.some((string) => {
        const places = said(question).filter((message) => tells(message, string));
        return !places.some(({ isForeign }) => isForeign) || places.some(({ isTainted }) => !isTainted);
      }),
    ),
    [],
  );
});

test('ids are unique, histories begin before they end, and everybody is asked after the last session in a chat of theirs', () => {
  const days = new Map(histories.map(({ id, sessions }) => [id, sessions.flatMap(({ turns }) => turns.map(({ at }) => at))]));
  assert.equal(new Set(questions.map(({ id }) => id)).size, questions.length);
  assert.equal(days.size, histories.length);
  assert.deepEqual(
    [...days].filter(([, times]) => times.toSorted().join() !== times.join()).map(([id]) => id),
    [],
  );
  assert.deepEqual(
    wrong(({ history, asker }) => asker.at <= (days.get(history)?.at(-1) ?? '') || !asker.chat.members.includes(asker.person)),
    [],
  );
});
