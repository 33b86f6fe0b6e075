import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { ExportedFact, MemoryProvider, MemoryScope, RecalledFact } from '../../contracts/memory-provider.ts';
import { OWNER, guest, learn, recalled, sceneOf, turnAbout, type StageMemoryProvider } from './memory-provider-samples.ts';

const FACT = 'the orchard gate code word is quince';
const QUERY = 'What is the orchard gate code word?';

const mentions = (facts: readonly RecalledFact[], word: string): boolean => facts.some(({ text }) => text.includes(word));

/** What is told comes back to whom it belongs, labelled. */
export function testMemoryProviderRecall(stage: StageMemoryProvider): void {
  testGuests(stage);

  test('with nothing learned it recalls a list of facts or none, and never fails', async () => {
    await using staged = await stage();
    await staged.provider.initialize?.(sceneOf(OWNER, staged.home));
    ok(Array.isArray(await recalled(staged.provider, QUERY)));
  });

  test('a recall that is given up ends', async () => {
    await using staged = await stage();
    const { provider } = staged;
    await provider.initialize?.(sceneOf(OWNER, staged.home));
    // An answer and a throw are both an end; a wait that goes on would keep this test from ending.
    await provider.recall?.(QUERY, { ...OWNER, signal: AbortSignal.abort(), maxChars: 6_000 }).catch(() => undefined);
  });

  test('what was told is recalled, also by a provider that is opened anew', async (context) => {
    await using staged = await stage();
    if (!keepsTurns(staged.provider)) return context.skip('it does not learn from turns');
    await learn(staged, turnAbout(FACT));
    ok(mentions(await recalled(staged.provider, QUERY), 'quince'));
    const again = await staged.reopen();
    await again.initialize?.(sceneOf(OWNER, staged.home));
    ok(mentions(await recalled(again, QUERY), 'quince'));
  });

  test('what is told again with the same key is kept once', async (context) => {
    await using staged = await stage();
    if (!keepsTurns(staged.provider)) return context.skip('it does not learn from turns');
    await learn(staged, turnAbout(FACT));
    const first = (await recalled(staged.provider, QUERY)).map(({ text }) => text);
    await learn(staged, turnAbout(FACT));
    deepEqual(
      (await recalled(staged.provider, QUERY)).map(({ text }) => text),
      first,
    );
  });

  test('a fact from a turn that had foreign words in view is foreign, or it is not recalled', async (context) => {
    await using staged = await stage();
    if (!keepsTurns(staged.provider)) return context.skip('it does not learn from turns');
    await learn(staged, turnAbout(FACT, OWNER, ['https://page.example']));
    const facts = (await recalled(staged.provider, QUERY)).filter(({ text }) => text.includes('quince'));
    for (const { foreign } of facts) ok(foreign !== undefined && foreign !== '');
  });

  test('what is exported can be imported elsewhere, text for text', async (context) => {
    await using from = await stage();
    await using to = await stage();
    const { provider } = from;
    if (provider.exportFacts === undefined || to.provider.importFacts === undefined) return context.skip('it exports or imports nothing');
    await from.provider.initialize?.(sceneOf(OWNER, from.home));
    await to.provider.initialize?.(sceneOf(OWNER, to.home));
    const given: readonly ExportedFact[] = [{ text: FACT, at: Date.UTC(2026, 0, 1) }, { text: 'Tea is served at five.' }];
    equal(await provider.importFacts?.(oneByOne(given)), given.length);
    await from.settle?.();
    const exported = await collect(provider.exportFacts());
    deepEqual(exported.map(({ text }) => text).toSorted(), given.map(({ text }) => text).toSorted());
    equal(await to.provider.importFacts(oneByOne(exported)), exported.length);
    await to.settle?.();
    ok(mentions(await recalled(to.provider, QUERY), 'quince'));
  });
}

/** One that serves guests keeps apart whom it hears. */
function testGuests(stage: StageMemoryProvider): void {
  test('guests recall what they said themselves, and nothing of the owner or of one another', async (context) => {
    await using staged = await stage();
    const { provider } = staged;
    if (provider.servesGuests !== true) return context.skip('it serves the owner alone');
    await learn(staged, turnAbout(FACT));
    await learn(staged, turnAbout('the lighthouse word is bramble', guest('ada', 'chat-1')));
    const asked = async (word: string, scope = OWNER) =>
      mentions(await recalled(provider, `What is the ${word} word?`, scope), WORDS[word] ?? word);
    deepEqual(
      [await asked('orchard'), await asked('orchard', guest('ada', 'chat-1')), await asked('orchard', guest('bob', 'chat-2'))],
      [true, false, false],
    );
    deepEqual(
      [
        await asked('lighthouse'),
        await asked('lighthouse', guest('ada', 'chat-1')),
        await asked('lighthouse', guest('bob', 'chat-2')),
        await asked('lighthouse', { ...guest('ada', 'group-1'), isGroup: true }),
      ],
      [false, true, false, false],
    );
  });

  test('the same ids on another platform are another person, and another group', async (context) => {
    await using staged = await stage();
    const { provider } = staged;
    if (provider.servesGuests !== true) return context.skip('it serves the owner alone');
    const [person, group] = [guest('ada', 'main/42'), { ...guest('ada', 'main/-5'), sessionId: 's-group', isGroup: true } as const];
    await learn(staged, turnAbout(FACT, person));
    await learn(staged, turnAbout('the lighthouse word is bramble', group));
    const asked = async (word: string, scope: MemoryScope) =>
      mentions(await recalled(provider, `What is the ${word} word?`, { ...scope, sessionId: 's-later' }), WORDS[word] ?? word);
    const elsewhere = { platform: 'discord' };
    deepEqual([await asked('orchard', person), await asked('lighthouse', group)], [true, true]);
    deepEqual([await asked('orchard', { ...person, ...elsewhere }), await asked('lighthouse', { ...group, ...elsewhere })], [false, false]);
  });
}
const WORDS: Readonly<Record<string, string>> = { orchard: 'quince', lighthouse: 'bramble' };

const keepsTurns = (provider: MemoryProvider): boolean =>
  provider.recall !== undefined && (provider.syncTurn !== undefined || provider.sessionEnd !== undefined);

async function* oneByOne(facts: readonly ExportedFact[]): AsyncGenerator<ExportedFact> {
  yield* facts;
}
async function collect(facts: AsyncIterable<ExportedFact>): Promise<ExportedFact[]> {
  const all: ExportedFact[] = [];
  for await (const fact of facts) all.push(fact);
  return all;
}
