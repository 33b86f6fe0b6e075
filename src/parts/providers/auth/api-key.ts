import { parseHost, parseOrigin } from '../../../base/http.ts';
import type { Auth } from '../../../contracts/provider.ts';
import type { Runtime } from '../../../contracts/runtime.ts';
import type { KeyHeader, ProviderProfile } from '../../../contracts/provider-profile.ts';
import { AuthError } from './auth-error.ts';

/** The name of the credential of a server that wants none. */
export const NO_CREDENTIAL = 'none';

export interface ApiKeyParts {
  readonly profileOf: (provider: string) => ProviderProfile | undefined;
  /** The secret under a credential's name; the values never leave this closure but as a header. */
  readonly secret: (credential: string) => string | undefined;
  /** Addresses the owner named for a provider (a setting, a flag, its base-URL variable). */
  readonly owned: (provider: string) => readonly string[];
}

/** A fixed key, shown only to the host that owns it. */
export function createApiKeyAuth(parts: ApiKeyParts): Auth {
  return {
    headers: async (runtime) => {
      const profile = parts.profileOf(runtime.provider);
      if (runtime.credential === NO_CREDENTIAL) return { ...profile?.headers };
      const secret = parts.secret(runtime.credential);
      if (secret === undefined || secret === '') throw new AuthError('missing', missing(runtime));
      if (!owns(runtime, profile, parts)) throw new AuthError('foreign_host', foreign(runtime));
      return { ...profile?.headers, ...keyHeaders(profile?.keyHeader ?? HEADER[runtime.protocol], secret) };
    },
    refresh: async () => false,
    conceal: ({ credential }, text) => {
      const secret = credential === NO_CREDENTIAL ? undefined : parts.secret(credential);
      return secret === undefined ? text : withoutSecret(text, secret);
    },
  };
}

/** A key belongs to scheme, host and port together: the same host without TLS is another one. */
function owns(runtime: Runtime, profile: ProviderProfile | undefined, { owned }: ApiKeyParts): boolean {
  const named = [profile?.baseUrl ?? '', ...owned(runtime.provider)].map(parseOrigin);
  return named.some((origin) => origin !== '' && origin === parseOrigin(runtime.baseUrl));
}

const HEADER: Readonly<Record<Runtime['protocol'], KeyHeader>> = {
  'openai-chat': 'bearer',
  'openai-responses': 'bearer',
  'anthropic-messages': 'x-api-key',
};

function keyHeaders(kind: KeyHeader, secret: string): Readonly<Record<string, string>> {
  const key = headerForm(secret);
  return kind === 'bearer' ? { authorization: `Bearer ${key}` } : { [kind]: key };
}

const missing = ({ provider, credential }: Runtime): string =>
  `No key for ${provider}: ${credential} is not set. To set it: hermes config set ${credential} --secret`;
const foreign = ({ provider, credential, baseUrl }: Runtime): string =>
  `${credential} was not sent: ${parseHost(baseUrl) || baseUrl} is not a host of ${provider}. If the host is yours, set it as the base_url of that provider.`;

/** A shorter secret is a word that stands in many sentences ("ollama", "none"), and no key. */
const SHORTEST = 8;

/** A key as it goes into a header: a pasted one often carries a line end or other characters no header can hold. */
const headerForm = (secret: string): string => secret.replace(/[^\x21-\x7e]/g, '');

/** The text without the secret, in whichever way a server may have written it: plain, in an address, in JSON. */
function withoutSecret(text: string, secret: string): string {
  const key = headerForm(secret);
  const encoded = encodeURIComponent(key);
  const lower = encoded.replace(/%../g, (code) => code.toLowerCase());
  const forms = [secret.trim(), key, encoded, lower, JSON.stringify(key).slice(1, -1), key.replaceAll('/', '\\/')];
  const telling = [...new Set(forms)].filter((form) => form.length >= SHORTEST);
  return telling.toSorted((a, b) => b.length - a.length).reduce((rest, form) => rest.replaceAll(form, '***'), text);
}
