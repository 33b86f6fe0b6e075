import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createTextBlock, type Trust } from '../../../src/contracts/message.ts';
import { sessionLogMemory } from '../../../src/parts/memory/session-log.ts';
import { openSqliteStore } from '../../../src/parts/store/sqlite/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-recall-'));
const store = await openSqliteStore({ path: join(folder, 'state.db') });
after(async () => {
  await store[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function said(words: string, trust: Trust = 'owner', source?: string): Promise<string> {
  const { id } = await store.create({ source: 'cli', cwd: '/', model: 'm', provider: 'p' });
  const claim = await store.claim(id);
  const block = { ...createTextBlock(words, trust), ...(source !== undefined && { source }) };
  await store.commit(claim, { append: [{ type: 'message', origin: 'user', message: { role: 'user', content: [block] } }] });
  await store.release(claim);
  return id;
}
const memory = sessionLogMemory({ log: store });
const recall = async (query: string, sessionId = 'current') =>
  (await memory.recall?.(query, { sessionId, platform: 'cli', isOwner: true, maxChars: 6_000, signal: new AbortController().signal }))?.[0];

await said('The deploy script of the orchard project is bin/ship.sh');
await said('Nothing of interest happened today');
const page = await said('Zeppelin maintenance costs 40 crowns', 'foreign', 'https://page.example');
while (await store.care.tend());

test('passages that share the rare words of a message are recalled with their session', async () => {
  const found = await recall('where is the deploy script for orchard?');
  assert.match(found?.text ?? '', /^\d{4}-\d\d-\d\d, session \S+, user: .*bin\/ship\.sh/);
  assert.equal(found?.foreign, undefined);
});

test('the running session is not recalled to itself, and nothing in common means nothing', async () => {
  assert.equal(await recall('zeppelin maintenance', page), undefined);
  assert.equal(await recall('completely unrelated gibberish'), undefined);
  assert.equal(await recall('what is this?'), undefined);
});

test('foreign words stay foreign when they are recalled', async () => {
  assert.equal((await recall('zeppelin maintenance'))?.foreign, 'https://page.example');
});

test('what was taken back is not recalled', async () => {
  const id = await said('The lighthouse keeper counts narwhals');
  assert.match((await recall('lighthouse narwhals'))?.text ?? '', /keeper/);
  const claim = await store.claim(id);
  await store.commit(claim, { append: [{ type: 'rewind', origin: 'user', toSeq: 0 }] });
  await store.release(claim);
  assert.equal(await recall('lighthouse narwhals'), undefined);
});
