import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createJournal } from '../../../src/parts/memory/journal/journal.ts';
import { freshHome, openScene, tell, until } from './scene.ts';

/** A call whose result is words from outside. */
const READ = { calls: [{ id: 'c1', name: 'journal_search', input: { query: 'boats' } }] };
const SAVE = { calls: [{ id: 'c2', name: 'memory', input: { action: 'add', target: 'user', content: 'Mia bakes.' } }] };

test('what others said in one session asks for consent there, and not in the next, which recalls what the owner had written before', async () => {
  const home = freshHome();
  const journal = { ...createJournal({ home }), name: 'notes' };
  await using scene = await openScene(journal, { home });
  const told = () => until(async () => (await scene.host.store.memory.backlog('notes')).sessions === 0);
  const [saved, beside]: [boolean[], string[]] = [[], []];
  for (const script of [
    [READ, SAVE, { text: 'The search says 12 boats.' }],
    [SAVE, { text: 'Saved.' }],
  ]) {
    const session = await scene.open(script);
    session.setAllowAll(undefined);
    const events = await tell(session, 'The picnic with my sister Mia is in Boston, 14:30.');
    const results = events.flatMap((event) => (event.type === 'tool_finished' ? [event.result] : []));
    saved.push(results.at(-1)?.failed === false);
    const notes = scene.requests.at(-1)?.messages[0]?.wireOnly ?? [];
    beside.push(notes.map(({ trust, text }) => `${trust} ${text.split('\n')[2]}`).join('\n'));
    await session.end('exit');
    await session[Symbol.asyncDispose]();
    await told();
  }
  assert.deepEqual(saved, [false, true]);
  assert.equal(beside[0], '');
  assert.match(beside[1] ?? '', /^tool - \d{4}-\d\d-\d\d, owner: The picnic with my sister Mia is in Boston, 14:30\.$/);
});
