import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewEntry } from '../../../../../src/contracts/entry.ts';
import { computeFairShare, fit, pickWidestRange } from '../../../../../src/parts/tools/builtin/session-search/fit.ts';
import { sessionSearchTool } from '../../../../../src/parts/tools/builtin/session-search/tool.ts';
import { openDesk, model, result, talk, user } from './setup.ts';

test('the definition is small, and the tool only reads', async () => {
  const { store } = await openDesk();
  const tool = sessionSearchTool({ store });
  const { name, description, input } = tool;
  const bytes = Buffer.byteLength(JSON.stringify({ name, description, input }));
  assert.ok(bytes <= 1_000, `${bytes} bytes`);
  const { replay, idempotent, trust, housekeeping } = tool;
  assert.deepEqual(
    { effects: tool.effects({}), replay, idempotent, trust, housekeeping },
    { effects: { kind: 'read', resources: ['sessions'] }, replay: 'safe', idempotent: true, trust: 'tool', housekeeping: undefined },
  );
});

test('a budget is shared so that the short stay whole', () => {
  assert.equal(computeFairShare([10, 20, 30], 60), Infinity);
  assert.equal(computeFairShare([10, 500, 500], 110), 50);
  assert.deepEqual(fit(['short', 'x'.repeat(50)], 100, 1_000), ['short', 'x'.repeat(50)]);
  for (const budget of [10, 100, 200, 1_000]) {
    const texts = fit(['a', 'b'.repeat(400), '😀'.repeat(400)], budget, 300);
    assert.ok(texts.join('\n').length <= budget && texts.every((each) => each.length <= 300 && each.isWellFormed()), String(budget));
    assert.equal(texts[0], 'a');
  }
  const long = Array.from({ length: 11 }, () => 'x'.repeat(1_000));
  assert.deepEqual(pickWidestRange(long, 5, 5, 11 * 160), { from: 0, to: 11 });
  assert.deepEqual(pickWidestRange(long, 5, 5, 5 * 160), { from: 3, to: 8 });
  assert.deepEqual(pickWidestRange(long, 5, 5, 20), { from: 5, to: 6 });
  assert.deepEqual(pickWidestRange(long, 0, 5, 2 * 160), { from: 0, to: 2 });
});

test('fifty long sessions: every answer stays within its bound and ends with the way on', async () => {
  const desk = await openDesk();
  const long = (words: string): NewEntry[] => [
    model(`${words} ${'long 😀 line\n'.repeat(300)}`),
    result('out '.repeat(2_000)),
    ...talk(7, 'many words '.repeat(200)),
    user(words),
  ];
  const ids: string[] = [];
  for (let index = 0; index < 50; index++) {
    const entries = [...long('before'), user(`${'lead '.repeat(400)} needle ${'trail '.repeat(400)}`), ...long('after')];
    const parent = index % 5 === 4 ? { parent: { sessionId: ids[0] ?? '', kind: 'reset' } as const } : {};
    const { id } = await desk.write(entries, { title: `${'Title '.repeat(20)}${index}`, source: 'platform'.repeat(20), ...parent });
    ids.push(id);
  }
  const newest = ids.at(-1) ?? '';
  const table: readonly [Parameters<typeof desk.ask>[0], sessions: number, end: RegExp][] = [
    [{ query: 'needle' }, 3, /a whole session: the same without around\.$/],
    [{ query: 'needle', limit: 1 }, 1, /a whole session: the same without around\.$/],
    [{ query: 'needle', limit: 99 }, 10, /a whole session: the same without around\.$/],
    [{ query: 'needle', limit: 10, sort: 'oldest' }, 10, /a whole session: the same without around\.$/],
    [{ query: 'needle lead trail '.repeat(40), limit: 10 }, 10, /a whole session: the same without around\.$/],
    [{ session_id: newest }, 1, /Where a message is cut: .* shows more of it\.$/],
    [{ session_id: newest, around: '5', window: 1 }, 1, /Later: .*$/],
    [{ session_id: newest, around: '11', window: 20 }, 1, /#21 user: after$/],
    [{}, 0, /^To read one: .*$/m],
  ];
  for (const [input, sessions, end] of table) {
    const answered = await desk.ask(input);
    assert.ok(answered.length <= 12_000 && answered.isWellFormed(), `${JSON.stringify(input)}: ${answered.length}`);
    assert.equal([...answered.matchAll(/^session_id /gm)].length, sessions, JSON.stringify(input));
    assert.match(answered, end);
  }
  const shown = await desk.ask({ query: 'needle', limit: 10 });
  assert.equal([...shown.matchAll(/^#11 user: lead /gm)].length, 10, 'each with the message that matched');
  assert.ok([...shown.matchAll(/^#.*(?:\n {2}.*)*/gm)].every(([block]) => block.length <= 1_500));
  assert.match(await desk.ask({}), /^There are older ones: /m);
});

test('asked for alone, a message is shown further', async () => {
  const desk = await openDesk();
  const { id } = await desk.write([user('a'), model('word '.repeat(1_500)), user('b'), ...talk(20)]);
  assert.match(await desk.ask({ session_id: id }), /\[…\d+ characters…\]/);
  assert.doesNotMatch(await desk.ask({ session_id: id, around: '2', window: 1 }), /characters…\]/);
});
