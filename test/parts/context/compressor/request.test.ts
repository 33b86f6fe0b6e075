import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContextEngine } from '../../../../src/contracts/context-engine.ts';
import { createTextBlock, joinTextBlocks, type ImageBlock } from '../../../../src/contracts/message.ts';
import { estimateTextTokens } from '../../../../src/parts/context/view/tokens.ts';
import { askOf, bulk, commit, engineWith, good, newLog, type Log } from './log.ts';

const IMAGE: ImageBlock = { type: 'image', mime: 'image/png', data: 'QUJD'.repeat(200), trust: 'owner' };
const engine = engineWith([good()], { recall: 'context_recall' });

/** One request, then steps of so many tokens. */
function task(words: string, steps: number, each: number, images: readonly ImageBlock[] = []): Log {
  const log = newLog();
  log.user('hello');
  log.said('hello to you');
  log.answered();
  log.add({ type: 'message', origin: 'user', message: { role: 'user', content: [createTextBlock(words, 'owner'), ...images] } });
  goOn(log, steps, each);
  return log;
}
function goOn(log: Log, steps: number, each: number): void {
  for (let step = 0; step < steps; step++) log.step([{ name: 'look', input: { at: log.entries.length }, result: bulk(each, `s${step}`) }]);
}
async function compacted(log: Log, given: Parameters<typeof askOf>[1] = {}, by: ContextEngine = engine) {
  const result = await by.compress(askOf(log, given));
  assert.ok(result.ok, JSON.stringify(result));
  commit(log, result);
  return { ...result, words: joinTextBlocks(result.summary) };
}
const shownImages = (log: Log) =>
  engine.view(log.entries).flatMap(({ message }) => message.content.filter((block) => block.type === 'image'));

test('images of the latest request stay in view, however far back it lies and however often it is summed up', async () => {
  const other = { ...IMAGE, data: 'REVG'.repeat(99) };
  const log = task('make it look like this', 60, 2_000, [IMAGE, other]);
  for (let round = 0; round < 3; round++) {
    const { words, report } = await compacted(log);
    assert.deepEqual(shownImages(log), [IMAGE, other]);
    assert.ok(words.includes('make it look like this') && /images and files stand at the end/.test(words));
    assert.equal(report.tokensAfter, engine.estimate({ system: '', tools: [], view: engine.view(log.entries) }));
    goOn(log, 50, 2_000);
  }
});

test('a file of the request and an image said into it stay as well; those of earlier requests do not', async () => {
  const log = task('old', 10, 2_000, [IMAGE]);
  log.said('done');
  log.answered();
  const file = { type: 'file', name: 'a.pdf', mime: 'application/pdf', data: 'QUJD', trust: 'owner' } as const;
  const image = { ...IMAGE, data: 'REVG' };
  log.add({ type: 'message', origin: 'user', message: { role: 'user', content: [createTextBlock('new', 'owner'), file] } });
  goOn(log, 5, 2_000);
  log.add({ type: 'message', origin: 'steer', message: { role: 'user', content: [createTextBlock('mind this', 'owner'), image] } });
  goOn(log, 45, 2_000);
  const { summary } = await compacted(log);
  assert.deepEqual(summary.content.slice(3), [file, image]);
});

test('a request that stays in view is not shown twice', async () => {
  const log = task('start', 50, 2_000);
  log.said('done');
  log.answered();
  log.add({ type: 'message', origin: 'user', message: { role: 'user', content: [createTextBlock('look', 'owner'), IMAGE] } });
  goOn(log, 2, 500);
  const { words } = await compacted(log);
  assert.deepEqual(shownImages(log), [IMAGE]);
  assert.match(words, /stands among the messages shown here/);
});

for (const tokens of [3_000, 12_000, 30_000, 60_000]) {
  test(`a request of ${tokens} tokens is kept whole, word for word`, async () => {
    const request = `Do this:\n${bulk(tokens, 'wish')}\nthe end`;
    const log = task(request, 60, 2_000);
    for (let round = 0; round < 2; round++) {
      const { words, report } = await compacted(log);
      assert.ok(words.includes(request) && !words.includes('characters left out'));
      assert.match(words, /Word for word:/);
      assert.ok(report.tokensAfter < 100_000);
      goOn(log, 30, 2_000);
    }
  });
}

test('one that was answered is kept whole as well: the next question may be about it', async () => {
  const request = bulk(9_000, 'page');
  const log = task(request, 50, 2_000);
  log.said('done');
  log.answered();
  assert.ok((await compacted(log, { reason: 'asked' })).words.includes(request));
});

test('one larger than the target waits until the provider refuses, and is kept whole while the window holds it', async () => {
  const request = bulk(110_000, 'wish');
  const log = task(request, 20, 2_000);
  const aux = good();
  const held = await engineWith([aux]).compress(askOf(log));
  assert.ok(!held.ok && held.report === undefined && aux.asked.length === 0);
  assert.match(held.why, /the latest request alone takes about 11\d\d\d\d tokens/);
  for (const by of [engine, engineWith([])]) {
    const again = task(request, 20, 2_000);
    const { words, report } = await compacted(again, { reason: 'overflow' }, by);
    assert.ok(words.includes(request));
    assert.ok(report.tokensAfter < 200_000);
    assert.equal(report.requestShortened, undefined);
  }
});

test('one larger than the window is shortened, and the notes say so and how to get the rest', async () => {
  const log = task(`First words. ${bulk(90_000, 'wish')} Last words.`, 3, 500, [IMAGE]);
  const { words, report } = await compacted(log, { reason: 'overflow', window: 64_000 });
  assert.ok(report.tokensAfter < 64_000);
  assert.equal(report.requestShortened, true);
  assert.ok(words.includes('First words.') && words.includes('Last words.') && words.includes('characters left out'));
  assert.ok(!/word for word/i.test(words));
  assert.match(words, /shortened here.*context_recall \{"from":4,"to":4\}/);
  assert.deepEqual(shownImages(log), [IMAGE], 'an image is small beside it');
});

test('without a recall tool nobody is sent to one', async () => {
  const log = task(bulk(90_000, 'wish'), 3, 500);
  const { words } = await compacted(log, { reason: 'overflow', window: 64_000 }, engineWith([]));
  assert.ok(/shortened here; the log has it whole \(entry 4\)/.test(words) && !words.includes('context_recall'));
});

test('more images than the window holds: as many as do, and the rest is told', async () => {
  const log = task(
    'compare',
    3,
    500,
    Array.from({ length: 30 }, () => IMAGE),
  );
  const { words, report } = await compacted(log, { reason: 'overflow', window: 32_000 });
  assert.ok(report.tokensAfter < 32_000);
  const left = 30 - shownImages(log).length;
  assert.ok(left > 0 && left < 30);
  assert.ok(words.includes(`${left} of its images and files`));
});

const ENDS = [
  ['answered', 'answered', /^None is open\. The latest request was answered\./],
  ['stopped', 'turn_limit', /^None is open\. The turn of the latest request ended without a full answer \(stopped, turn limit\)\./],
  ['failed', 'internal_error', /^None is open\..*ended without a full answer \(failed, internal error\)\./],
  ['partial', 'cut_off', /^None is open\..*ended without a full answer \(partial, cut off\)\./],
] as const;
for (const [outcome, exitReason, expected] of ENDS) {
  for (const todo of [false, true]) {
    test(`after a turn that was ${outcome} the request is not open${todo ? ', but its tasks are' : ''}`, async () => {
      const log = task('build it', 50, 2_000);
      const list = { todos: [{ id: 't1', content: 'the rest', status: todo ? 'pending' : 'completed' }], revision: 1 };
      log.step([{ name: 'todo', result: JSON.stringify(list) }]);
      log.said('so far');
      log.add({ type: 'outcome', origin: 'system', outcome, exitReason });
      const { words } = await compacted(log, { reason: 'asked' });
      const active = words.slice(words.indexOf('## Active task\n') + '## Active task\n'.length);
      if (todo) assert.match(active, /^The turn of the latest request has ended.*, but tasks of it are still open/);
      else assert.match(active, expected);
      assert.ok(!/still open when|go on with it/.test(words));
    });
  }
}

test('notes of a running turn stay true when it has ended: they say when it was open', async () => {
  const log = task('build it', 60, 2_000);
  const { words } = await compacted(log);
  assert.match(words, /still open when these notes were written: go on with it, unless the messages below answer it/);
});

test('where nothing follows the notes, only an open request is to be gone on with', async () => {
  const none = engineWith([]);
  const running = task('read it', 1, 90_000);
  assert.match(
    (await compacted(running, { reason: 'overflow', window: 64_000 }, none)).words,
    /Nothing follows them: go on with the active task/,
  );
  const ended = newLog();
  ended.user('write it');
  ended.said(bulk(90_000));
  ended.answered();
  const { words } = await compacted(ended, { reason: 'overflow', window: 64_000 }, none);
  assert.ok(!words.includes('go on with the active task') && words.includes('End of the notes'));
  assert.ok(estimateTextTokens(words) < 32_000);
});
