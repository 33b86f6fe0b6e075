import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { MemoryProvider, MemoryProviderOptions, MemoryProviderRegistration } from '../../../src/contracts/memory-provider.ts';
import { openMemoryProvider } from '../../../src/parts/memory/open-provider.ts';
import { createProviderSlot } from '../../../src/parts/memory/provider-slot.ts';
import { openSqliteStore } from '../../../src/parts/store/sqlite/store.ts';

const MINUTE = 60_000;

/** A slot on a store of its own, with a clock that the test turns. */
async function stageSlot(registrations: Readonly<Record<string, MemoryProviderRegistration>>) {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-slot-'));
  const store = await openSqliteStore({ path: join(folder, 'state.db'), durability: 'process' });
  const providers = new Map(Object.entries(registrations));
  const notices: string[] = [];
  const clock = { now: 0 };
  const slot = createProviderSlot({
    store,
    providers: () => providers,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the providers of these tests look at none of them
    open: (name, list) => openMemoryProvider(name, list, {} as MemoryProviderOptions),
    writesEnd: () => 0,
    notice: (words) => void notices.push(words),
    now: () => clock.now,
  });
  return {
    slot,
    notices,
    clock,
    store,
    [Symbol.asyncDispose]: async () => {
      await slot[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
const working = (name: string): MemoryProvider => ({ name, available: () => true });

test('a provider that did not open is tried again after a while, and not for every session before', async () => {
  const state = { isDown: true, tries: 0 };
  const open = async (): Promise<MemoryProvider> => {
    state.tries++;
    if (state.isDown) throw new Error('connection refused');
    return working('far');
  };
  await using stage = await stageSlot({ far: { description: 'a test', open } });
  const { slot, clock, notices } = stage;
  const used = async (): Promise<string | undefined> => (await slot.use('far'))?.provider.name;
  assert.deepEqual(await Promise.all([used(), used()]), [undefined, undefined]);
  state.isDown = false;
  assert.deepEqual([await used(), state.tries], [undefined, 1]);
  clock.now += MINUTE;
  assert.deepEqual([await used(), await used(), state.tries], ['far', 'far', 2]);
  assert.deepEqual(notices, ['No memory provider is used: the memory provider far could not be opened: connection refused']);
});

test('a provider that did not open leaves its place to another', async () => {
  const open = (): Promise<MemoryProvider> => Promise.reject(new Error('connection refused'));
  await using stage = await stageSlot({
    far: { description: 'a test', open },
    near: { description: 'a test', open: () => working('near') },
    third: { description: 'a test', open: () => working('third') },
  });
  const { slot, notices } = stage;
  const [far, near, third] = await Promise.all([slot.use('far'), slot.use('near'), slot.use('third')]);
  assert.deepEqual([far, near?.provider.name, third], [undefined, 'near', undefined]);
  assert.deepEqual(
    notices.map((words) => words.replace(/:.*/u, '')),
    ['No memory provider is used', 'The memory provider third is not used'],
  );
});

test('a provider whose place in what was told cannot be looked up is closed, and the session begins without it', async () => {
  const heard: string[] = [];
  const provider: MemoryProvider = { ...working('near'), wrote: async () => {}, close: async () => void heard.push('close') };
  await using stage = await stageSlot({ near: { description: 'a test', open: () => provider } });
  const { store, notices } = stage;
  await using slot = createProviderSlot({
    store,
    providers: () => new Map([['near', { description: 'a test', open: () => provider }]]),
    open: async () => ({ ok: true, provider }),
    readWrites: async () => ({ writes: [], end: 0 }),
    writesEnd: () => {
      throw new Error('the ledger cannot be read');
    },
    notice: (words) => void notices.push(words),
    now: () => 0,
  });
  assert.equal(await slot.use('near'), undefined);
  assert.deepEqual(heard, ['close']);
  assert.match(notices.join(), /how far near was told cannot be looked up: the ledger cannot be read/);
});

test('a slot that is being closed opens nothing more, whoever asks meanwhile', async () => {
  const heard: string[] = [];
  const { promise: closing, resolve: beginClosing } = Promise.withResolvers<void>();
  const { promise: mayClose, resolve: endClosing } = Promise.withResolvers<void>();
  const open = (): MemoryProvider => {
    heard.push('open');
    const close = async (): Promise<void> => {
      beginClosing();
      await mayClose;
      heard.push('close');
    };
    return { ...working('near'), close };
  };
  await using stage = await stageSlot({ near: { description: 'a test', open } });
  const { slot } = stage;
  await slot.use('near');
  const closed = slot[Symbol.asyncDispose]();
  const [during] = await Promise.all([slot.use('near'), closing]);
  const late = slot.use('near');
  endClosing();
  await closed;
  assert.deepEqual([during, await late, await slot.use('near'), slot.current()], [undefined, undefined, undefined, undefined]);
  assert.deepEqual(heard, ['open', 'close']);
});
