import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthClientMetadata, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { toStableJson, readStringAt } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import { McpSetupError } from './sdk.ts';
import type { OAuthSettings } from './servers.ts';
import type { TokenFile, TokenPart } from './token-file.ts';

/** A person is there to log in: where their browser comes back to, and how they are shown the way. */
export interface LoginPrompt {
  readonly redirectUrl: string;
  readonly state: string;
  show(url: URL): void | Promise<void>;
}

/** Without a login nobody is sent anywhere; the address only stands for the one a login would have. */
const NOWHERE = 'http://127.0.0.1/callback';

const FORGOTTEN: Readonly<Record<'all' | 'client' | 'tokens' | 'verifier' | 'discovery', readonly TokenPart[]>> = {
  all: ['tokens', 'client', 'verifier', 'discovery'],
  client: ['client'],
  tokens: ['tokens'],
  verifier: ['verifier'],
  discovery: ['discovery'],
};

/** The SDK's view of one server's login. It does the protocol; what it must remember goes to the token file. */
export function createOAuthProvider(
  server: string,
  settings: OAuthSettings,
  file: TokenFile,
  login: LoginPrompt | undefined,
): OAuthClientProvider {
  const redirectUrl = login?.redirectUrl ?? NOWHERE;
  let shown: JsonObject | undefined;
  return {
    redirectUrl,
    clientMetadata: metadataFor(settings, redirectUrl),
    ...(login !== undefined && { state: () => login.state }),
    clientInformation: () => clientOf(settings, file, login),
    saveClientInformation: (client) => file.write('client', asJson(client)),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by saveTokens
    tokens: () => (shown = file.read('tokens')) as OAuthTokens | undefined,
    saveTokens: (tokens) => file.write('tokens', asJson(tokens)),
    saveCodeVerifier: (verifier) => file.write('verifier', { verifier }),
    codeVerifier: () => readStringAt(file.read('verifier'), 'verifier') ?? '',
    saveDiscoveryState: (state) => file.write('discovery', asJson(state)),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by saveDiscoveryState
    discoveryState: () => file.read('discovery') as OAuthDiscoveryState | undefined,
    invalidateCredentials: (scope) => {
      // Another process may have been quicker to refresh them; what it wrote is good.
      const fresh = toStableJson(file.read('tokens')) !== toStableJson(shown);
      file.forget(FORGOTTEN[scope].filter((part) => part !== 'tokens' || !fresh));
    },
    redirectToAuthorization: (url) => {
      if (login === undefined) throw createLoginNeededError(server);
      return login.show(url);
    },
  };
}

export const createLoginNeededError = (server: string): McpSetupError =>
  new McpSetupError(`it requires a login; to log in, run hermes mcp test ${server} in a terminal`);

const metadataFor = ({ scope, clientSecret }: OAuthSettings, redirectUrl: string): OAuthClientMetadata => ({
  client_name: 'Hermes',
  redirect_uris: [redirectUrl],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: clientSecret === undefined ? 'none' : 'client_secret_post',
  ...(scope !== undefined && { scope }),
});

/** The owner's registration, else our own; one made for another way back is of no use to a login. */
function clientOf(settings: OAuthSettings, file: TokenFile, login: LoginPrompt | undefined): OAuthClientInformationMixed | undefined {
  if (settings.clientId !== undefined)
    return { client_id: settings.clientId, ...(settings.clientSecret !== undefined && { client_secret: settings.clientSecret }) };
  const stored = file.read('client');
  const uris = stored?.['redirect_uris'];
  const fits = login === undefined || (Array.isArray(uris) && uris.includes(login.redirectUrl));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by saveClientInformation
  return fits ? (stored as OAuthClientInformationMixed | undefined) : undefined;
}

const asJson = (value: object): JsonObject => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what JSON.parse gives of an object is one
  return JSON.parse(JSON.stringify(value)) as { readonly [key: string]: Json };
};
