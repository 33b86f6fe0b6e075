import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createTurnState } from '../../../src/agent/state.ts';
import { SCRIPTED } from '../../../src/testing/scripted-route.ts';
import { tellSession } from '../../../src/app/services/undo.ts';
import { isMessageEntry } from '../../../src/contracts/entry.ts';
import { createTextBlock } from '../../../src/contracts/message.ts';
import { openSqliteStore } from '../../../src/parts/store/sqlite/store.ts';

async function opened() {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-tell-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const store = await openSqliteStore({ path: join(folder, 'state.db'), durability: 'process', notice: () => {} });
  const session = await store.create({ source: 'cli', cwd: folder, model: 'm', provider: 'p' });
  return { store, session };
}

test('an idle session gets the words and silence after them, so that roles go on in turns', async () => {
  const { store, session } = await opened();
  const claim = await store.claim(session.id);
  await store.commit(claim, {
    append: [
      { type: 'message', origin: 'user', message: { role: 'user', content: [createTextBlock('do it', 'owner')] } },
      { type: 'message', origin: 'model', message: { role: 'assistant', content: [createTextBlock('done', 'model')] } },
    ],
  });
  await store.release(claim);
  await tellSession(store, session.id, 'files are back');
  await tellSession(store, session.id, 'and back again');
  const rows = (await store.entries(session.id))
    .filter(isMessageEntry)
    .map(({ origin, message }) => [origin, message.role, message.content.length]);
  assert.deepEqual(rows.slice(2), [
    ['nudge', 'user', 1],
    ['nudge', 'assistant', 0],
    ['nudge', 'user', 1],
    ['nudge', 'assistant', 0],
  ]);
  assert.deepEqual(await store.waiting(session.id), []);
  await store[Symbol.asyncDispose]();
});

test('a session whose turn was cut off gets them as a steer, and its log is not touched', async () => {
  const { store, session } = await opened();
  const claim = await store.claim(session.id);
  const turn = createTurnState({ sessionId: session.id, turnId: 't_1', startedAt: 1, runtime: SCRIPTED });
  await store.commit(claim, {
    append: [{ type: 'message', origin: 'user', message: { role: 'user', content: [createTextBlock('do it', 'owner')] } }],
    turn,
  });
  await store.release(claim);
  await tellSession(store, session.id, 'files are back');
  assert.deepEqual(
    (await store.waiting(session.id)).map(({ mode, content }) => [mode, content]),
    [['steer', [createTextBlock('files are back', 'owner')]]],
  );
  assert.equal((await store.entries(session.id)).length, 1);
  await tellSession(store, 'no such session', 'files are back');
  await tellSession(store, '', 'files are back');
  await store[Symbol.asyncDispose]();
});
