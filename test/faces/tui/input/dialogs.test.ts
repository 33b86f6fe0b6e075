import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createQuestionQueue, type QuestionQueueDeps } from '../../../../src/faces/tui/input/dialogs/queue.ts';
import { isInterruptedQuestion } from '../../../../src/contracts/interrupted-question.ts';
import type { UserQuestion } from '../../../../src/contracts/ports.ts';
import { drawContext, paste } from './draw.ts';

const APPROVAL: UserQuestion = {
  question: 'Run this command?',
  act: 'rm -rf build',
  notes: ['Asked because it deletes a folder.'],
  choices: ['Yes, this once', 'No', 'Yes, for this task', 'Yes, for this session'],
  typedAnswer: 'always',
};
const never = new AbortController().signal;

function openQueue(deps: Partial<QuestionQueueDeps> = {}) {
  const time = { now: 1_000 };
  const interrupts: string[] = [];
  const queue = createQuestionQueue({ now: () => time.now, onChange: () => {}, onInterrupt: () => void interrupts.push('stop'), ...deps });
  const draw = (columns = 60, rows = 24): string[] => queue.current()?.widget.render(drawContext({ columns, rows })) ?? [];
  const press = (...keys: string[]): void => keys.forEach((key) => queue.current()?.widget.handleKey(key));
  /** The question is drawn, and a moment passes. */
  const see = (columns = 60, rows = 24): string[] => {
    draw(columns, rows);
    time.now += 500;
    return draw(columns, rows);
  };
  return { queue, time, draw, press, see, interrupts };
}

test('a question for consent shows the act, its notes and a list that begins with no', () => {
  const { queue, see } = openQueue();
  void queue.ask(APPROVAL, never).catch(() => {});
  assert.deepEqual(see(), [
    '? Run this command?',
    '  │ rm -rf build',
    '  Asked because it deletes a folder.',
    '› No',
    '  Yes, this once',
    '  Yes, for this task',
    '  Yes, for this session',
    '  Yes, always (you type the word)',
    '  Arrows choose, Enter answers. Typing refuses, and the',
    '  model reads your words.',
  ]);
  assert.equal(queue.current()?.slot, 'approval');
  assert.equal(queue.current()?.widget.cursor?.(), undefined, 'no cursor before anything is typed');
});

const DOWN = '\x1b[B';
const UP = '\x1b[A';
for (const [keys, answer] of [
  [['\r'], 'No'],
  [[DOWN, '\r'], 'Yes, this once'],
  [[DOWN, DOWN, '\r'], 'Yes, for this task'],
  [[DOWN, DOWN, DOWN, '\r'], 'Yes, for this session'],
  [[DOWN, DOWN, '\x1b', '\r'], 'No'],
  [[UP, '\r', ...Array.from('always'), '\r'], 'always'],
  [[...Array.from('always'), '\r'], 'always'],
  [[...Array.from('stop, explain first'), '\r'], 'No: stop, explain first'],
  [[...Array.from('okay but use the trash'), '\r'], 'No: okay but use the trash'],
  [[...Array.from('tell me more'), '\r'], 'No: tell me more'],
  [[DOWN, ...Array.from('wait'), '\r'], 'No: wait'],
  [[...Array.from('session'), '\r'], 'No: session'],
  [['2', '\r'], 'No: 2'],
  [['o', '\r'], 'No: o'],
  [['n', '\r'], 'No'],
  [['y', '\r', '\r'], 'No'],
  [['y', '\r', DOWN, '\r'], 'Yes, this once'],
  [['x', '\x1b', '\r'], 'No'],
] as const)
  test(`the keys ${JSON.stringify(keys)} answer: ${answer}`, async () => {
    const { queue, see, press } = openQueue();
    const asked = queue.ask(APPROVAL, never);
    see();
    press(...keys);
    assert.equal(await asked, answer);
    assert.equal(queue.current(), undefined);
  });

test('what is typed before the question is drawn, or goes on when it appears, answers nothing until there is a pause', async () => {
  const { queue, time, draw, press } = openQueue();
  const asked = queue.ask(APPROVAL, never);
  press(DOWN, '\r', '\r');
  draw();
  for (const sign of 'yes of course\r') {
    time.now += 120;
    press(sign);
  }
  assert.match(draw().join('\n'), /do\s+not\s+count/);
  time.now += 299;
  press('\r');
  assert.notEqual(queue.current(), undefined);
  time.now += 300;
  press('\r');
  assert.equal(await asked, 'No');
});

test('pasted text answers no question for consent, also not where a word is to be typed', async () => {
  const { queue, see, press, draw } = openQueue();
  const asked = queue.ask(APPROVAL, never);
  see();
  press(paste('o'), paste('y\r\n'), paste('o\r'), DOWN, DOWN, DOWN, DOWN, '\r');
  assert.match(draw(80).join('\n'), /Type the word always, then press Enter\./);
  press(paste('always'));
  assert.match(draw(80).join('\n'), /Pasted text does not count as an answer: type it, or choose one\./);
  press('\x1b', '\r');
  assert.equal(await asked, 'No');
});

test('the word for a permanent yes is a refusal where it is not offered', async () => {
  const { typedAnswer: _, ...once } = APPROVAL;
  const { queue, see, press } = openQueue();
  const asked = queue.ask(once, never);
  see();
  press(...Array.from('always'), '\r');
  assert.equal(await asked, 'No: always');
});

test('a yes counts only once the end of a long act was on the screen; a no counts at once', async () => {
  const act = Array.from({ length: 60 }, (_, index) => `echo ${index}`).join('\n');
  const { queue, see, press, draw } = openQueue();
  const asked = queue.ask({ ...APPROVAL, act }, never);
  assert.match(see().join('\n'), /lines 1–\d+ of 62 · Space: more/);
  press(DOWN, '\r');
  assert.match(draw().join('\n'), /There is more to read/);
  press(...Array.from('always'), '\r');
  assert.match(draw().join('\n'), /There is more to read/);
  press('\x1b');
  const seen = new Set<string>();
  for (let page = 0; page < 20; page++) {
    for (const line of draw()) seen.add(line);
    press(' ');
  }
  for (let index = 0; index < 60; index++) assert.ok(seen.has(`  │ echo ${index}`), `${index}`);
  press(DOWN, DOWN, '\r');
  assert.equal(await asked, 'Yes, for this session');
  const denied = queue.ask({ ...APPROVAL, act }, never);
  see();
  press('\r');
  assert.equal(await denied, 'No');
});

test('on a low screen the choices stand side by side, and the whole question has room', () => {
  const { queue, see } = openQueue();
  void queue.ask(APPROVAL, never).catch(() => {});
  const lines = see(40, 12);
  assert.ok(lines.length <= 9, lines.join('\n'));
  assert.match(lines.join(' '), /› No {2}· Yes, this once {2}· Yes, for this task/);
});

test('questions are answered one after the other, each with a pause of its own, and say who asks', async () => {
  const { queue, see, press, draw } = openQueue({ nameSession: (id) => (id === 'one' ? undefined : 'Fix the build') });
  const first = queue.ask({ ...APPROVAL, sessionId: 'one' }, never);
  const second = queue.ask({ ...APPROVAL, act: 'git push', sessionId: 'two' }, never);
  assert.equal(see()[0], '1 more question waits.');
  press(DOWN, '\r');
  assert.equal(await first, 'Yes, this once');
  assert.equal(draw()[0], 'Session Fix the build asks.');
  press(DOWN, '\r');
  assert.notEqual(queue.current(), undefined);
  see();
  press('\r');
  assert.equal(await second, 'No');
});

test('a question whose signal aborts closes, and so does one that still waits; Ctrl-C gives up the question and the turn', async () => {
  const { queue, see, press, interrupts } = openQueue();
  const shown = new AbortController();
  const waiting = new AbortController();
  const one = queue.ask(APPROVAL, shown.signal);
  const two = queue.ask(APPROVAL, waiting.signal);
  waiting.abort();
  await assert.rejects(two, isInterruptedQuestion);
  shown.abort();
  await assert.rejects(one, isInterruptedQuestion);
  assert.equal(queue.current(), undefined);
  const three = queue.ask(APPROVAL, never);
  press('\x03');
  await assert.rejects(three, isInterruptedQuestion);
  assert.deepEqual(interrupts, ['stop']);
  await assert.rejects(queue.ask(APPROVAL, AbortSignal.abort()), isInterruptedQuestion);
  see();
});

test('a question of the model takes a number, the arrows or own words', async () => {
  const question: UserQuestion = { question: 'Which database?', choices: ['Postgres', 'SQLite'] };
  const { queue, see, press } = openQueue();
  const answer = async (...keys: string[]): Promise<string> => {
    const asked = queue.ask(question, never);
    see();
    press(...keys);
    return asked;
  };
  assert.equal(await answer('2', '\r'), 'SQLite');
  assert.equal(await answer('\x1b[B', '\r'), 'Postgres');
  assert.equal(await answer('\x1b[A', '\r'), 'SQLite');
  assert.equal(await answer(...Array.from('3 of them'), '\r'), '3 of them');
  assert.equal(await answer('7', '\r', '\x7f', '1', '\r'), 'Postgres');
  assert.equal(await answer(paste('both\r\nof them'), '\r'), 'both\nof them');
});

test('several are taken with Space or by their numbers, and a strict question takes only its choices', async () => {
  const { queue, see, press, draw } = openQueue();
  const several: UserQuestion = { question: 'Which ones?', choices: ['red', 'green', 'blue'], several: true };
  const marked = queue.ask(several, never);
  see();
  press('\x1b[B', ' ', '\x1b[B', '\x1b[B', ' ');
  assert.deepEqual(draw(80), [
    '? Which ones?',
    '  1) [x] red',
    '  2) [ ] green',
    '› 3) [x] blue',
    '  Mark with Space or type numbers such as 1,3, or type your own words. Enter',
    '  answers.',
    '> ',
  ]);
  press('\r');
  assert.equal(await marked, 'red, blue');
  const typed = queue.ask(several, never);
  see();
  press(...Array.from('1,2'), '\r');
  assert.equal(await typed, 'red, green');
  const strict = queue.ask({ ...several, several: false, strict: true }, never);
  see();
  press(...Array.from('maybe'), '\r');
  assert.match(draw().join('\n'), /type a number from 1 to 3/);
  press('\x15', ...Array.from('gr'), '\r');
  assert.equal(await strict, 'green');
});

test('a secret goes to who asked for it, whole, and never to the screen, not even its length', async () => {
  const { queue, see, press, draw } = openQueue();
  const seen: string[] = [];
  const asked = queue.readSecret({ name: 'sudo password', question: 'Password for sudo?' }, never);
  assert.equal(queue.current()?.slot, 'sudo');
  seen.push(...see());
  for (const sign of 'hünter2 x') {
    press(sign);
    seen.push(...draw());
  }
  press('\x7f', paste('中\t3\n'));
  seen.push(...draw(), JSON.stringify(queue.current()));
  press('\r');
  assert.equal(await asked, 'hünter2 中\t3');
  assert.doesNotMatch(seen.join('\n'), /hü|ünt|er2|中/);
  assert.deepEqual(new Set(seen.filter((line) => line.startsWith('> '))), new Set(['> ', '> ••••••••']));
  const none = queue.readSecret({ name: 'DEPLOY_KEY', question: 'Key?' }, never);
  assert.equal(queue.current()?.slot, 'secret');
  see();
  press('a', '\x1b');
  assert.equal(await none, '');
});

test('a yes before something is removed is a choice and Enter, and everything else is a no or nothing', async () => {
  const { queue, see, press } = openQueue();
  const confirm = async (...keys: string[]): Promise<boolean> => {
    const asked = queue.confirm('Remove everything in the trash? 12 items, for good.');
    see();
    press(...keys);
    return asked;
  };
  assert.equal(await confirm(DOWN, '\r'), true);
  assert.equal(await confirm('\r'), false);
  assert.equal(await confirm('y', paste('y'), '\r', '\r'), false);
  assert.equal(await confirm('n', '\r'), false);
  assert.equal(await confirm(...Array.from('Yes, but later'), '\r'), false);
  assert.equal(await confirm('\x03'), false);
});
