import type { Provider } from '../../../contracts/provider.ts';
import type { Secrets } from '../../../contracts/secrets.ts';

/** The last net before the wire: a request is made of redacted texts already, so that this finds nothing and costs one look. */
export function createRedactingProvider(provider: Provider, { following }: Pick<Secrets, 'following'>): Provider {
  const redact = following();
  return {
    encode: (request) => {
      const encoded = provider.encode(request);
      const body = redact(encoded.body);
      return body === encoded.body ? encoded : { ...encoded, body, bytes: () => Buffer.from(body) };
    },
    stream: (encoded, call) => provider.stream(encoded, call),
  };
}
