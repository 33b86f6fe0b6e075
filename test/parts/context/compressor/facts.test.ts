import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMessageEntry } from '../../../../src/contracts/entry.ts';
import { renderActiveTask } from '../../../../src/parts/context/compressor/facts/active.ts';
import { createAnswerPicker } from '../../../../src/parts/context/compressor/facts/answers.ts';
import { findSimpleAnchors } from '../../../../src/parts/context/compressor/facts/anchors.ts';
import { extractRules } from '../../../../src/parts/context/compressor/facts/cues.ts';
import { createStatementPicker } from '../../../../src/parts/context/compressor/facts/said.ts';
import { listOpenTasks } from '../../../../src/parts/context/compressor/facts/todos.ts';
import type { CompactionPlan } from '../../../../src/parts/context/compressor/plan.ts';
import { listLogMessages } from '../../../../src/parts/context/compressor/rows/rows.ts';
import { estimateTextTokens } from '../../../../src/parts/context/view/tokens.ts';
import { bulk, newLog, type Log } from './log.ts';

const span = (fromSeq: number, toSeq: number): CompactionPlan => ({ head: [], middle: [], tail: [], fromSeq, toSeq });
const kept = (cap: number) => ({ cap, tasks: false, recall: 'context_recall' });
const rowsOf = (log: Log) => listLogMessages(log.entries, 1, log.entries.length);

const RULES: readonly (readonly [string, readonly string[]])[] = [
  ['Please look at it. Never push to main. Thanks.', ['Never push to main.']],
  ['Don’t touch the lock file; the rest is yours.', ["Don't touch the lock file;"]],
  ['Bitte nur Dateien unter src ändern. Danke!', ['Bitte nur Dateien unter src ändern.']],
  ['Il faut garder la version 2. Bonjour.', ['Il faut garder la version 2.']],
  ['No uses tabs. Hola.', ['No uses tabs.']],
  ['不要修改数据库。谢谢。', ['不要修改数据库。']],
  ['必ずテストを実行。よろしく。', ['必ずテストを実行。']],
  ['절대 삭제하지 마세요. 감사합니다.', ['절대 삭제하지 마세요.']],
  ['Никогда не удаляй логи. Спасибо.', ['Никогда не удаляй логи.']],
  ['The mustard is here. The onlyfans of trains.', []],
  ['Go on', []],
];
for (const [words, rules] of RULES) test(`rules in "${words}"`, () => assert.deepEqual(extractRules(words), rules));

test('what was said is kept word for word, each text once, oldest first', () => {
  const log = newLog();
  log.user('first\nwith two lines');
  log.user('go on', 'steer');
  log.user('go on');
  log.add({
    type: 'message',
    origin: 'nudge',
    message: { role: 'user', content: [{ type: 'text', text: 'a nudge of ours', trust: 'owner' }] },
  });
  log.user('nightly check', 'cron');
  assert.deepEqual(createStatementPicker(rowsOf(log), new Set())(500), [
    '- [1] first\nwith two lines',
    '- [3] go on',
    '- [5] nightly check',
  ]);
  assert.deepEqual(createStatementPicker(rowsOf(log), new Set([1, 5]))(500), ['- [3] go on']);
});

test('when room is short rules outlive everything else, and of routine requests the newest stay', () => {
  const log = newLog();
  log.user(`Look at ${bulk(60, 'old')}. Never deploy on Fridays. ${bulk(60, 'rest')}`);
  for (let index = 1; index <= 20; index++) log.user(`request ${index} ${bulk(40, `r${index}`)}`);
  const lines = createStatementPicker(rowsOf(log), new Set())(200);
  assert.match(lines[0] ?? '', /^- \(\d+ older messages are left out here\)$/);
  assert.ok(lines[1]?.startsWith('- [1] ') && lines[1].includes('Never deploy on Fridays.'));
  assert.ok(lines.at(-1)?.startsWith('- [21] request 20'));
  assert.ok(estimateTextTokens(lines.join('\n')) < 260);
});

/** No word in them says that they are rules. */
const UNCUED = [
  'The scans stay on this machine.',
  'Das NAS ist abends ab 19 Uhr frei.',
  '固件镜像在 1.6 MB 以内。',
  'Los importes son enteros en céntimos.',
  'We go live on Tuesdays.',
];
test('a rule without a cue word is kept before routine requests of later', () => {
  const log = newLog();
  for (const rule of UNCUED) log.user(`${rule} Now run the tests of part ${log.entries.length}.`);
  for (let index = 1; index <= 40; index++) log.user(`Now show me the output of job ${index} once more, please.`);
  const words = createStatementPicker(rowsOf(log), new Set())(200).join('\n');
  assert.deepEqual(
    UNCUED.filter((rule) => !words.includes(rule)),
    [],
  );
});

test('what was pasted is told by its size, and what stands beside it is kept', () => {
  const log = newLog();
  log.user('Customers live in Frankfurt.\n```\nrow 1\nrow 2\n```\nWhat is slow here?');
  assert.deepEqual(createStatementPicker(rowsOf(log), new Set())(500), [
    '- [1] Customers live in Frankfurt.\n[pasted, 4 lines]\nWhat is slow here?',
  ]);
});

const FINDINGS = ['The relay acknowledges too early.', 'Staging is 10.44.7.19.', 'Rows go after 36 hours.'];
test('what was answered is told without turns of phrase of the session, and within its budget', () => {
  const log = newLog();
  for (let index = 0; index < 12; index++) {
    log.user(`question ${index}`);
    log.said(`${FINDINGS[index] ?? ''} Nothing else was changed in module m${index}.`.trim());
  }
  assert.deepEqual(
    createAnswerPicker(rowsOf(log))(1_000),
    FINDINGS.map((finding, index) => `- [${2 * index + 2}] ${finding}`),
  );
  assert.deepEqual(createAnswerPicker(rowsOf(log))(15), ['- [6] Rows go after 36 hours.']);
});

test('a long message is shortened to 600 characters and keeps its rules', () => {
  const log = newLog();
  log.user(`${bulk(400)}\nYou must keep port 8443.\n${bulk(400)}`);
  const [line = ''] = createStatementPicker(rowsOf(log), new Set())(2_000);
  assert.ok(line.length < 680 && line.includes(' […] ') && line.endsWith('\nYou must keep port 8443.'));
});

test('the active task is the latest request and what was said into it', () => {
  const log = newLog();
  log.user('old');
  log.said('done');
  log.answered();
  const request = log.user('build the thing\n  exactly so');
  log.step([{ name: 'look', result: 'x' }]);
  const steer = log.user('and use port 9', 'steer');
  const task = renderActiveTask(log.entries, span(1, log.entries.length), kept(1_000));
  assert.ok(task.text.endsWith('\n\nbuild the thing\n  exactly so\n\nand use port 9'));
  assert.match(task.text, /still open/);
  assert.deepEqual([...task.seqs], [request, steer]);
});

test('a request that was answered is not told as open', () => {
  const log = newLog();
  log.user('build it');
  log.said('done');
  log.answered();
  assert.match(renderActiveTask(log.entries, span(1, 2), kept(1_000)).text, /^None is open\..*answered.*\n\nbuild it$/s);
  assert.match(renderActiveTask([], span(1, 2), kept(1_000)).text, /^None/);
});

test('a request that stays in view is only recalled, one that goes is kept whole', () => {
  const log = newLog();
  const long = bulk(3_000, 'wish');
  log.user(long);
  assert.ok(renderActiveTask(log.entries, span(1, 5), kept(4_000)).text.includes(long));
  const recalled = renderActiveTask(log.entries, span(5, 9), kept(4_000)).text;
  assert.ok(estimateTextTokens(recalled) < 600 && recalled.includes('characters left out'));
});

const todos = (log: Log, list: readonly (readonly [string, string, string])[], failed = false) =>
  log.step([
    {
      name: 'todo',
      failed,
      result: JSON.stringify({ todos: list.map(([id, status, content]) => ({ id, content, status })), revision: 1 }),
    },
  ]);

test('open tasks come from the newest list that is one', () => {
  const log = newLog();
  todos(log, [['a', 'pending', 'old']]);
  todos(log, [
    ['1', 'completed', 'done'],
    ['2', 'pending', 'write\ntests'],
    ['3', 'in_progress', 'mend'],
    ['4', 'cancelled', 'no'],
  ]);
  todos(log, [['x', 'pending', 'refused']], true);
  log.step([{ name: 'todo', result: 'not a list' }]);
  assert.deepEqual(listOpenTasks(log.entries, 500), ['- [in_progress] 3: mend', '- [pending] 2: write tests']);
  assert.deepEqual(listOpenTasks([], 500), []);
});

test('many open tasks are shortened, and none is dropped', () => {
  const log = newLog();
  todos(
    log,
    Array.from({ length: 60 }, (_, index) => [`t${index}`, 'pending', bulk(200, `task${index}`)] as const),
  );
  const lines = listOpenTasks(log.entries, 900);
  assert.equal(lines.length, 60);
  assert.ok(estimateTextTokens(lines.join('\n')) <= 900);
});

test('anchors are the exact strings, the frequent and the late ones first, none from outside', () => {
  const log = newLog();
  log.user('see https://example.org/a/b and and/or either');
  log.step([
    {
      name: 'terminal',
      input: { command: 'cat src/deep/file.ts' },
      result: 'commit 3f2a9bc1 in /etc/app.conf\nTypeError: x is undefined at line 3',
    },
  ]);
  log.step([{ name: 'read_file', input: { path: 'src/deep/file.ts' }, result: 'about src/deep/file.ts' }]);
  log.step([{ name: 'web', result: 'visit https://evil.example/x', trust: 'foreign' }]);
  const found = findSimpleAnchors(log.entries.filter(isMessageEntry)).map(({ fact }) => fact);
  assert.equal(found[0], 'src/deep/file.ts');
  for (const anchor of ['https://example.org/a/b', '3f2a9bc1', '/etc/app.conf', 'TypeError: x is undefined at line 3'])
    assert.ok(found.includes(anchor), anchor);
  assert.ok(!found.some((anchor) => anchor.includes('evil') || anchor === 'and/or'));
});
