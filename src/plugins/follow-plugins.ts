import type { ConsentStore } from './consent.ts';

/** Counts up with each change of what is enabled, so that whoever runs notices. Absent: nothing ever was. */
const GENERATION = 'plugin-generation';
export const tellPluginsChanged = async (store: ConsentStore): Promise<void> =>
  void (await store.learn(GENERATION, String(Number((await store.fact(GENERATION)) ?? 0) + 1)));

/** The enabled plugins in the lists of a host. */
export interface LoadedPlugins extends AsyncDisposable {
  /** Adds what is enabled and takes back what is not any more. */
  load(): Promise<void>;
}
export interface FollowedPlugins extends AsyncDisposable {
  /** Looks again when something was enabled or disabled meanwhile, in whichever process. Counts for sessions that are opened afterwards. */
  refresh(): Promise<void>;
}

/** The enabled plugins of a host. A home where nobody enabled one pays for a look at one fact, and nothing is opened. */
export async function followPlugins(store: Pick<ConsentStore, 'fact'>, open: () => Promise<LoadedPlugins>): Promise<FollowedPlugins> {
  let seen: string | undefined;
  let opened: LoadedPlugins | undefined;
  let last: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    const now = await store.fact(GENERATION);
    if (now === seen) return;
    opened ??= await open();
    await opened.load();
    seen = now;
  };
  await look();
  return {
    refresh: () => (last = last.catch(() => {}).then(look)),
    [Symbol.asyncDispose]: async () => {
      await last.catch(() => {});
      await opened?.[Symbol.asyncDispose]();
    },
  };
}
