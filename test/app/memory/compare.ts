import { rmSync } from 'node:fs';
import { replayCall } from '../../../src/agent/replay.ts';
import { exportMarkdown } from '../../../src/commands/export-markdown.ts';
import type { Host, SessionHandle } from '../../../src/contracts/host.ts';
import type { MemoryProvider } from '../../../src/contracts/memory-provider.ts';
import type { ModelRequest } from '../../../src/contracts/provider.ts';
import { windowEngine } from '../../../src/parts/context/window.ts';
import { scriptedProvider, type ScriptedAnswer } from '../../../src/testing/scripted-provider.ts';
import { scriptedRoute } from '../../../src/testing/scripted-route.ts';
import { createSeededRandom, type SeededRandom } from '../../../src/testing/seeded-random.ts';
import { openScene, tell } from './scene.ts';

export interface RecallComparison {
  readonly sessions: number;
  readonly requests: number;
  readonly replayed: number;
  readonly faults: readonly string[];
}
/** What a session says, drawn once and played twice. */
interface Story {
  readonly turns: readonly { readonly asked: string; readonly callsTool: boolean; readonly answer: string }[];
}
interface Played {
  /** What search, export and summaries are made of. */
  readonly seen: string;
  readonly requests: number;
  readonly faults: readonly string[];
}

const WORDS = ['orchard', 'lighthouse', 'ferry', 'kiln', 'harbor', 'quarry'] as const;
/** Said by the memory alone. */
const RECALLED = 'quince';
const HOOKED = 'drizzle';

/** Plays random sessions with recall, a hook and tools of a provider, and again without recall and hook, and compares what is left of them. */
export async function compareWithRecall(sessions: number, seed: string): Promise<RecallComparison> {
  const chance = createSeededRandom(seed);
  const stories = Array.from({ length: sessions }, (_, index) => drawStory(chance.fork(String(index))));
  const [on, off] = [await playAll(stories, true), await playAll(stories, false)];
  const differing = on.flatMap(({ seen }, index) =>
    seen === off[index]?.seen ? [] : [`session ${index}: it reads differently with recall:\n${seen}\n${off[index]?.seen}`],
  );
  const requests = on.reduce((sum, played) => sum + played.requests, 0);
  return { sessions, requests, replayed: requests, faults: [...on.flatMap(({ faults }) => faults), ...differing] };
}

const drawStory = (chance: SeededRandom): Story => ({
  turns: chance.list(1, 4, (index) => ({
    asked: `${index}: what about the ${chance.pick(WORDS)} and the ${chance.pick(WORDS)}?`,
    callsTool: chance.hits(0.4),
    answer: `It is near the ${chance.pick(WORDS)}.`,
  })),
});

async function playAll(stories: readonly Story[], recalls: boolean): Promise<readonly Played[]> {
  let asked = 0;
  const provider: MemoryProvider = {
    name: 'notes',
    available: () => true,
    systemBlock: () => 'Notes knows things.',
    tools: () => [{ name: 'notes_search', description: 'Searches notes.', input: { type: 'object', properties: {} } }],
    call: async () => 'nothing was found',
    syncTurn: async () => {},
    ...(recalls && {
      recall: async () => [
        { text: `The ${RECALLED} is number ${++asked}.` },
        { text: `A page says ${RECALLED}.`, foreign: 'https://page.example' },
      ],
    }),
  };
  const scene = await openScene(provider);
  try {
    if (recalls)
      scene.host.registries.hooks.add('weather', {
        hook: 'pre_llm_call',
        owner: 'plugin weather',
        timeoutMs: 1_000,
        run: () => ({ context: `It is a ${HOOKED} (${++asked}).` }),
      });
    const played: Played[] = [];
    for (const [index, story] of stories.entries()) played.push(await play(scene.host, story, `session ${index}`, scene.home.root));
    const leaked = await findLeaks(scene.host);
    return [...played, { seen: 'all', requests: 0, faults: leaked }];
  } finally {
    await scene.host[Symbol.asyncDispose]();
    rmSync(scene.home.root, { recursive: true, force: true });
  }
}

async function play(host: Host, { turns }: Story, name: string, cwd: string): Promise<Played> {
  const replies: ScriptedAnswer[] = turns.flatMap(({ callsTool, answer }, index) => [
    ...(callsTool ? [{ calls: [{ id: `c${index}`, name: 'notes_search', input: {} }] }] : []),
    { text: answer },
  ]);
  const model = scriptedProvider(replies);
  await using session = await host.openSession({ provider: scriptedRoute(model), mcp: false, cwd, allowAll: 'test', title: name });
  for (const { asked } of turns) await tell(session, asked);
  const { id } = session.session;
  const entries = await host.store.entries(id);
  const calls = await host.store.calls({ sessionId: id });
  const faults = [
    ...calls.flatMap((call) =>
      replayCall(call, entries, windowEngine, model.encode).identical ? [] : [`${name}: a call is not replayed identically`],
    ),
    ...(calls.length === model.requests.length ? [] : [`${name}: ${calls.length} calls are in the ledger of ${model.requests.length}`]),
    ...findBrokenPrefixes(model.requests).map((fault) => `${name}: ${fault}`),
  ];
  return { seen: await readBack(host, session), requests: calls.length, faults };
}

/** Each request begins with the one before it. */
const findBrokenPrefixes = (requests: readonly ModelRequest[]): string[] =>
  requests.flatMap((request, index) => {
    const before = requests[index - 1];
    if (before === undefined) return [];
    const begins = JSON.stringify([request.system, request.tools, request.messages.slice(0, before.messages.length)]);
    return begins === JSON.stringify([before.system, before.tools, before.messages])
      ? []
      : [`request ${index} does not begin with the one before it`];
  });

/** The session as search, export and a summary see it, without ids and times. */
async function readBack({ store }: Host, { session }: SessionHandle): Promise<string> {
  while (await store.care?.tend());
  const entries = await store.entries(session.id);
  const hits = await Promise.all(
    WORDS.map(async (text) => (await store.search({ text, sessionId: session.id })).map(({ seq, role, snippet }) => [seq, role, snippet])),
  );
  const exported = exportMarkdown(session, entries);
  const messages = windowEngine.view(entries).map(({ message }) => message);
  return JSON.stringify([hits, exported, messages])
    .replaceAll(session.id, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, 'TIME')
    .replaceAll(/\/[^"\s]*hermes-memory-scene-\w+/g, 'HOME')
    .replaceAll(/key=\\*"[\da-f]{8}\\*"|outside [\da-f]{8}/g, 'KEY');
}

/** Nothing of the sidecars is found by search. */
async function findLeaks({ store }: Host): Promise<string[]> {
  const found = await Promise.all([RECALLED, HOOKED].map(async (text) => (await store.search({ text })).length));
  return found.every((count) => count === 0) ? [] : [`search finds words that only stood beside messages: ${found.join(', ')}`];
}
