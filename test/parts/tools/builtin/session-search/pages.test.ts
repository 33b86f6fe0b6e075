import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDesk, result, talk, user } from './setup.ts';

const numbersIn = (answered: string): number[] => [...answered.matchAll(/^#(\d+) /gm)].map(([, seq]) => Number(seq));
const from = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, index) => first + index);

test('scrolling shows the messages around an entry and how to go on', async () => {
  const desk = await openDesk();
  const { id, log } = await desk.write([...talk(60)]);
  const table: readonly [around: string, window: number | undefined, shown: readonly number[]][] = [
    ['30', undefined, from(25, 35)],
    ['#30', 2, from(28, 32)],
    [log[29]?.id ?? '', 1, from(29, 31)],
    ['1', 3, from(1, 4)],
    ['60', 3, from(57, 60)],
    ['30', 500, from(10, 50)],
    ['30', 0, from(29, 31)],
  ];
  for (const [around, window, shown] of table) {
    const answered = await desk.ask({ session_id: id, around, ...(window !== undefined && { window }) });
    assert.deepEqual(numbersIn(answered), shown, `${around} ${window}`);
    const [first = 0, last = 0] = [shown[0], shown.at(-1)];
    assert.ok(answered.includes(`-- ${first - 1} messages before, ${60 - last} after`));
    assert.equal(answered.includes(`Earlier: session_search {"session_id":"${id}","around":"${first - 1}"}`), first > 1);
    assert.equal(answered.includes(`Later: session_search {"session_id":"${id}","around":"${last + 1}"}`), last < 60);
  }
});

test('scrolling onwards from page to page meets every message', async () => {
  const desk = await openDesk();
  const { id } = await desk.write(talk(47));
  const met = new Set<number>();
  for (let next: string | undefined = '1'; next !== undefined;) {
    const answered: string = await desk.ask({ session_id: id, around: next });
    numbersIn(answered).forEach((seq) => met.add(seq));
    next = /^Later: .*"around":"(\d+)"/m.exec(answered)?.[1];
  }
  assert.deepEqual([...met], from(1, 47));
});

test('a result of a tool that is asked for comes with its lines', async () => {
  const desk = await openDesk();
  const { id } = await desk.write([user('go'), result('first\nsecond'), result('third\nfourth')]);
  assert.match(await desk.ask({ session_id: id, around: '2' }), /^#2 tool terminal: first\n {2}second\n#3 tool terminal: third fourth$/m);
});

test('a short session is read whole, of a long one the beginning and the end', async () => {
  const desk = await openDesk();
  const short = await desk.write(talk(30), { title: 'Short' });
  const long = await desk.write(talk(100), { title: 'Long one' });
  assert.deepEqual(numbersIn(await desk.ask({ session_id: short.id })), from(1, 30));
  const answered = await desk.ask({ session_id: 'Long one' });
  assert.deepEqual(numbersIn(answered), [...from(1, 20), ...from(91, 100)], 'found by its title');
  assert.ok(answered.includes(`… 70 messages left out, #21 to #90: session_search {"session_id":"${long.id}","around":"21"}`));
  assert.deepEqual(numbersIn(await desk.ask({ session_id: short.id, query: '  ', around: '' })), from(1, 30), 'empty texts are none');
});

test('without arguments recent sessions are listed', async () => {
  const desk = await openDesk();
  assert.equal(await desk.ask({}), 'There is no other session yet.');
  const first = await desk.write(talk(2), { title: 'First' });
  await desk.write(talk(3), { title: 'Job', source: 'cron' });
  await desk.write(talk(1), { title: 'Errand', source: 'subagent', parent: { sessionId: first.id, kind: 'child' } });
  const running = await desk.write(talk(1), { title: 'Running' });
  const rows = (answered: string) => [...answered.matchAll(/^\S+ · (.+?) · (.+?) · .* · (\d+) messages?$/gm)].map((row) => row.slice(1));
  assert.deepEqual(rows(await desk.ask({}, running.id)), [
    ['First', 'cli', '2'],
    ['Job', 'cron', '3'],
  ]);
  assert.equal(rows(await desk.ask({ limit: 1, query: '' })).length, 1);
});

test('what is not there is told with a way on', async () => {
  const desk = await openDesk();
  assert.equal(await desk.ask({ session_id: 'nope' }), 'FAILED No session has the id "nope".\nThere are none yet.');
  assert.match(await desk.ask({ query: 'anything' }), /^There is no other session yet/);
  const { id } = await desk.write(talk(3));
  await desk.write(talk(3));
  assert.match(await desk.ask({ session_id: 'nope' }), /^FAILED No session has the id "nope"\.\nRecent ones:\n2026/);
  assert.match(await desk.ask({ session_id: '2026' }), /^FAILED 2 sessions begin with the id "2026"\.\nGive more of it:\n2026/);
  assert.match(await desk.ask({ session_id: id, around: '4' }), /^FAILED Session \S+ has no entry "4"\. .* number from 1 to 3;/);
  assert.match(await desk.ask({ session_id: id, around: 'e_0' }), /^FAILED Session \S+ has no entry "e_0"\./);
  assert.equal(await desk.ask({ around: '4' }), 'FAILED around names an entry of a session: give its session_id too.');
  assert.match(
    await desk.ask({ query: 'nowhere to be seen' }),
    /^Nothing matches "nowhere to be seen"\. All words .* OR .* session_search \{\}/,
  );
  const empty = await desk.write([{ type: 'note', origin: 'system', text: 'opened' }]);
  for (const input of [{ session_id: empty.id }, { session_id: empty.id, around: '1' }])
    assert.match(await desk.ask(input), /Nothing has been said in it yet\.$/);
});
