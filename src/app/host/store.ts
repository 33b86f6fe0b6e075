import { UsageError } from '../../base/errors.ts';
import { makeFolder } from '../../base/folders.ts';
import { resolveHome, type Home } from '../../base/home.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import { describeFormerStore, openHomeStore } from '../../parts/store/home-store.ts';
import { createRedactingStore } from '../../parts/safety/secrets/store.ts';
import type { Env } from '../../base/env.ts';
import { loadSharedSecrets } from './redaction.ts';

interface OpenStoreOptions {
  readonly processEnv: Env;
  readonly notice: (words: string) => void;
}

/** The store alone, for commands that talk to no model. */
export async function openStore({ processEnv, notice }: OpenStoreOptions): Promise<SessionStore> {
  const home = resolveHome(processEnv);
  makeHome(home);
  const store = createRedactingStore(await openHomeStore(home, { notice }), loadSharedSecrets(processEnv));
  const words = await describeFormerStore(home);
  if (words !== undefined) notice(words);
  return store;
}

export function makeHome(home: Home): void {
  try {
    makeFolder(home.root);
  } catch (error) {
    throw new UsageError(
      `Cannot create the home folder ${home.root}: ${error instanceof Error ? error.message : String(error)}. To use another folder: HERMES_HOME="$HOME/hermes-home" hermes setup`,
    );
  }
}
