import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compaction, model, openDesk, talk, user } from './setup.ts';

const IN_VIEW = /^What matches "walrus" is in your view already/;

test('the running session is left out while what matched is in its view, and found once a compaction covers it', async () => {
  const desk = await openDesk();
  const { id } = await desk.write([user('the walrus question'), model('the walrus answer'), ...talk(6)], { title: 'Walrus' });
  assert.match(await desk.ask({ query: 'walrus' }, id), /^There is no other session yet, and nothing of this one that left your view/);
  await desk.write([user('something else')]);
  assert.match(await desk.ask({ query: 'walrus' }, id), IN_VIEW);
  await desk.add(id, [compaction(2, 2, 'They spoke of a walrus and a summarised carpenter.')]);
  const answered = await desk.ask({ query: 'walrus' }, id);
  assert.match(answered, /^match #2 \S+ \(assistant, .*\): the «walrus» answer$/m, 'the newest that left the view');
  assert.doesNotMatch(answered, /summarised/);
  assert.match(await desk.ask({ query: 'carpenter' }, id), /^Nothing matches "carpenter"/, 'a summary is not what was said');
  await desk.add(id, [user('one more walrus')]);
  assert.match(await desk.ask({ query: 'walrus' }, id), /^match #2 /m, 'what came later is in view again');
});

test('what was taken back is not found, here or elsewhere, and not shown around what is', async () => {
  const desk = await openDesk();
  const other = await desk.write([user('an old pier'), model('yes'), user('a walrus by the pier'), model('indeed')]);
  const { id } = await desk.write([user('hello')]);
  assert.match(await desk.ask({ query: 'walrus' }, id), /^1 session matches/);
  await desk.add(other.id, [{ type: 'rewind', origin: 'user', toSeq: 2 }, user('a quiet pier')]);
  assert.match(await desk.ask({ query: 'walrus' }, id), /^Nothing matches "walrus"/);
  const answered = await desk.ask({ query: 'quiet' }, id);
  assert.match(answered, /^match #6 /m);
  assert.match(answered, /an old pier/);
  assert.doesNotMatch(answered, /walrus|indeed/);
});

test('another session is found although the running one matches too', async () => {
  const desk = await openDesk();
  const other = await desk.write([user('an old walrus')]);
  const { id } = await desk.write([user('did we speak of a walrus?')]);
  const answered = await desk.ask({ query: 'walrus' }, id);
  assert.match(answered, /^1 session matches/);
  assert.ok(answered.includes(`session_id ${other.id}`));
  await desk.add(id, [user('an old walrus')]);
  assert.match(await desk.ask({ query: 'old walrus' }, id), /^1 session matches/, 'the same words in view do not hide another story');
});

test('of the running story what a branch copied is in view, what was said elsewhere is not', async () => {
  const desk = await openDesk();
  const root = await desk.write([user('walrus first')], { title: 'Root' });
  const { id } = await desk.write([user('walrus first'), model('yes')], { parent: { sessionId: root.id, kind: 'branch' } });
  assert.match(await desk.ask({ query: 'walrus' }, id), IN_VIEW);
  await desk.add(root.id, [user('the walrus after the branch')]);
  assert.match(await desk.ask({ query: 'walrus' }, id), /^match #2 \S+ \(user, .*\): the «walrus» after the branch$/m);
});

test('what was said before a reset is found', async () => {
  const desk = await openDesk();
  const before = await desk.write([user('walrus first')]);
  const { id } = await desk.write([user('hello')], { parent: { sessionId: before.id, kind: 'reset' } });
  assert.ok((await desk.ask({ query: 'walrus' }, id)).includes(`session_id ${before.id}`));
});
