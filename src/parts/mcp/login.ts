import { toErrorMessage } from '../../base/errors.ts';
import type { NetworkAccess } from '../../contracts/reach.ts';
import { openCallback } from './callback.ts';
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts';
import { createOAuthProvider } from './oauth.ts';
import { McpSetupError } from './sdk.ts';
import type { HttpServer } from './servers.ts';
import type { TokenFile } from './token-file.ts';

/** How long a person may take in their browser. */
const PATIENCE_MS = 300_000;

export interface LoginOptions {
  /** Shows the person the way. */
  show(url: URL): void;
  readonly reach: NetworkAccess;
  readonly signal: AbortSignal;
}

/** OAuth with a browser: the SDK does the protocol, the person the consent. Leaves the tokens in the file. */
export async function logIn(config: HttpServer, file: TokenFile, room: LoginOptions): Promise<void> {
  const guarded = createGuardedFetch({ url: config.url, headers: config.headers, reach: room.reach, lost: () => {} });
  try {
    await logInBy(guarded, config, file, room);
  } catch (error) {
    // The SDK goes on without what it was refused, and what it says then is not the reason.
    const [refusal, strayed] = [guarded.refusal(), guarded.strayed()];
    throw refusal ?? (strayed === undefined ? error : new McpSetupError(`${toErrorMessage(error)}; ${strayed}`, { cause: error }));
  }
}

async function logInBy(guarded: GuardedFetch, config: HttpServer, file: TokenFile, { show, signal }: LoginOptions): Promise<void> {
  if (config.oauth === undefined) return;
  const { auth } = await import('@modelcontextprotocol/sdk/client/auth.js');
  await using callback = await openCallback(config.oauth.redirectPort);
  const vetted = async (url: URL): Promise<void> => {
    await guarded.vet(url, signal);
    show(url);
  };
  const provider = createOAuthProvider(config.name, config.oauth, file, { ...callback, show: vetted });
  const ask = { serverUrl: config.url, fetchFn: guarded.fetch };
  if ((await auth(provider, ask)) === 'AUTHORIZED') return;
  const authorizationCode = await callback.code(AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]));
  const result = await auth(provider, { ...ask, authorizationCode });
  file.forget(['verifier']);
  if (result !== 'AUTHORIZED') throw new McpSetupError('the login was not accepted; try again');
}
