import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MemoryProvider, MemoryProviderOptions } from '../../../src/contracts/memory-provider.ts';
import { openMemoryProvider } from '../../../src/parts/memory/open-provider.ts';

const ADVICE = / To set it up: hermes memory setup --provider book$/;
const REASONS: readonly (readonly [reason: string | undefined, why: RegExp])[] = [
  [undefined, /it is not set up\. To set/],
  ['BOOK_KEY is not set', /BOOK_KEY is not set\. To set/],
  ['Type: hermes memory setup --provider book', /cannot be used: Type: hermes memory setup --provider book$/],
];
const openWith = async (reason: string | undefined): Promise<string> => {
  const provider: MemoryProvider = { name: 'book', available: () => false, unavailableReason: () => reason };
  const providers = new Map([['book', { description: 'x', open: () => provider }]]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it looks at none of them
  const opening = await openMemoryProvider('book', providers, {} as MemoryProviderOptions);
  return opening.ok ? '' : opening.why;
};

for (const [reason, why] of REASONS)
  test(`a provider that cannot be used says why, and once what to type: ${reason ?? 'no reason'}`, async () => {
    const words = await openWith(reason);
    assert.match(words, why);
    if (reason?.includes('setup') !== true) assert.match(words, ADVICE);
  });

test('a provider that nobody brings is told with what may bring it', async () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- none is opened
  const opening = await openMemoryProvider('gone', new Map(), {} as MemoryProviderOptions);
  assert.match(opening.ok ? '' : opening.why, /no memory provider gone\..*hermes plugins list.*hermes memory setup$/);
});

test('a provider that opens when nobody waits for it any more is closed', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const [opening, closed] = [Promise.withResolvers<MemoryProvider>(), Promise.withResolvers<void>()];
  const providers = new Map([['slow', { description: 'x', open: () => opening.promise }]]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it looks at none of them
  const asked = openMemoryProvider('slow', providers, {} as MemoryProviderOptions);
  context.mock.timers.tick(8_000);
  const answer = await asked;
  assert.match(answer.ok ? '' : answer.why, /slow could not be opened: it did not open within 8 s/);
  opening.resolve({ name: 'slow', available: () => true, close: async () => closed.resolve() });
  await closed.promise;
});

test('a provider that cannot say whether it is available is closed', async () => {
  const closed = Promise.withResolvers<void>();
  const available = (): boolean => {
    throw new Error('torn file');
  };
  const providers = new Map([
    ['torn', { description: 'x', open: () => ({ name: 'torn', available, close: async () => closed.resolve() }) }],
  ]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it looks at none of them
  const answer = await openMemoryProvider('torn', providers, {} as MemoryProviderOptions);
  assert.match(answer.ok ? '' : answer.why, /torn file/);
  await closed.promise;
});
