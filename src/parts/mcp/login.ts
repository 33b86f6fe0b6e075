import { boundedFetch } from './bounded-fetch.ts';
import { openCallback } from './callback.ts';
import { oauthProvider } from './oauth.ts';
import { McpSetupError } from './sdk.ts';
import type { HttpServer } from './servers.ts';
import type { TokenFile } from './token-file.ts';

/** How long a person may take in their browser. */
const PATIENCE_MS = 300_000;

/** OAuth with a browser: the SDK does the protocol, the person the consent. Leaves the tokens in the file. */
export async function logIn(config: HttpServer, file: TokenFile, show: (url: URL) => void, signal: AbortSignal): Promise<void> {
  if (config.oauth === undefined) return;
  const { auth } = await import('@modelcontextprotocol/sdk/client/auth.js');
  await using callback = await openCallback(config.oauth.redirectPort);
  const provider = oauthProvider(config.name, config.oauth, file, { ...callback, show });
  const fetchFn = boundedFetch({ url: config.url, headers: config.headers, lost: () => {} });
  if ((await auth(provider, { serverUrl: config.url, fetchFn })) === 'AUTHORIZED') return;
  const authorizationCode = await callback.code(AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]));
  const result = await auth(provider, { serverUrl: config.url, authorizationCode, fetchFn });
  file.forget(['verifier']);
  if (result !== 'AUTHORIZED') throw new McpSetupError('the login was not accepted; try again');
}
