import type { Clock } from '../../src/base/clock.ts';
import type { NewEntry } from '../../src/contracts/entry.ts';
import { createTextBlock } from '../../src/contracts/message.ts';
import type { Runtime } from '../../src/contracts/runtime.ts';
import type { SessionStore } from '../../src/contracts/session-store.ts';
import type { SeededRandom } from '../../src/testing/seeded-random.ts';
import { openStoreOf } from './life.ts';
import { DISTURBANCES, type Place } from './place.ts';
import type { Between, Reason } from './sessions.ts';
import { words } from './words.ts';

/** How the next process of a session will be started. */
export interface Standing {
  readonly chance: SeededRandom;
  readonly place: Place;
  readonly clock: Clock;
  readonly reasons: Record<string, number>;
  runtime: Runtime;
  cwd: string;
  toolsets?: string;
}

/** Something happens between two turns. */
export async function between(what: Between, standing: Standing, chance: SeededRandom, sessionId: string | undefined): Promise<void> {
  if (what in DISTURBANCES) return DISTURBANCES[what as keyof typeof DISTURBANCES](chance, standing.place);
  if (what in REASONS) standing.reasons[what] = (standing.reasons[what] ?? 0) + 1;
  await OTHERS[what as Exclude<Between, keyof typeof DISTURBANCES>](standing, chance, sessionId);
}

/** Longer than any cache lives. */
const PAUSE_MS = 7_200_000;

const TOOLSETS = ['file,todo', 'file,memory,skills', 'debugging', 'hermes-cli'];
/** One that is not what there is. */
const other = (chance: SeededRandom, all: readonly string[], now: string): string =>
  chance.shuffled(all).find((each) => each !== now) ?? now;

type Change = (standing: Standing, chance: SeededRandom, sessionId: string | undefined) => void | Promise<void>;
const REASONS: Readonly<Record<Reason, Change>> = {
  toolset: (standing, chance) => void (standing.toolsets = other(chance, TOOLSETS, standing.toolsets ?? 'hermes-cli')),
  model: (standing, chance) =>
    void (standing.runtime = {
      ...standing.runtime,
      model: other(chance, ['gpt-5.2', 'other-1', 'claude-opus-5'], standing.runtime.model),
    }),
  provider: (standing, chance) => {
    const provider = other(chance, ['custom', 'openrouter', 'deepseek'], standing.runtime.provider);
    standing.runtime = { ...standing.runtime, provider, baseUrl: `http://${provider}.test/v1` };
  },
  rebuild: async ({ place, clock }, _chance, sessionId) => {
    await using store = await openStoreOf(place.home, clock);
    if (sessionId !== undefined) await append(store, sessionId, [WISH]);
  },
};
const OTHERS: Readonly<Record<Exclude<Between, keyof typeof DISTURBANCES>, Change>> = {
  ...REASONS,
  cwd: (standing) => void (standing.cwd = standing.cwd === standing.place.cwd ? standing.place.elsewhere : standing.place.cwd),
  key: (standing) => void (standing.runtime = { ...standing.runtime, credential: `${standing.runtime.credential}+` }),
  time: ({ clock }) => clock.sleep(PAUSE_MS, new AbortController().signal),
};

/** As `hermes sessions rebuild-prompt` leaves it. */
const WISH: NewEntry = { type: 'note', origin: 'user', text: 'The user asked for a new prompt.', asks: 'new_prompt' };

async function append(store: SessionStore, sessionId: string, entries: readonly NewEntry[]): Promise<void> {
  const claim = await store.claim(sessionId);
  await store.commit(claim, { append: entries });
  await store.release(claim);
}

/** A session of last week, for memories and searches to find. Closes the store. */
export async function earlierSession(chance: SeededRandom, store: SessionStore): Promise<void> {
  await using opened = store;
  const session = await opened.create({ source: 'cli', cwd: '/', model: 'm', provider: 'custom' });
  await append(opened, session.id, [
    {
      type: 'message',
      origin: 'user',
      message: { role: 'user', content: [createTextBlock(`The orchard gate: ${words(chance)}`, 'owner')] },
    },
    {
      type: 'message',
      origin: 'model',
      message: { role: 'assistant', content: [createTextBlock(`A copper lantern. ${words(chance)}`, 'model')] },
    },
  ]);
  while (await opened.care?.tend());
}
