import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { test } from 'node:test';
import { createTextBlock } from '../../../src/contracts/message.ts';
import type { ModelEvent, ModelRequest, TransportCall } from '../../../src/contracts/provider.ts';
import { DEFAULT_ADJUSTMENTS, type Runtime } from '../../../src/contracts/runtime.ts';
import { createApiKeyAuth } from '../../../src/parts/providers/auth/api-key.ts';
import { PROFILES, findProviderProfile } from '../../../src/parts/providers/catalog/all.ts';
import { createProvider } from '../../../src/parts/providers/client.ts';
import { httpSse } from '../../../src/parts/providers/transports/http-sse.ts';
import { createWireFormats } from '../../../src/parts/providers/wire-format.ts';
import { startWireServer } from '../../../src/testing/wire-server/index.ts';
import { forAll, type SeededRandom } from '../../../src/testing/seeded-random.ts';
import { PROTOCOLS } from './story.ts';

const SECRET = 'sk-very-secret-0123456789';
const OWNED = ['https://gateway.example:8443/v1', 'http://127.0.0.1:9/v1', 'local-model:8080'] as const;
const deadlinesOf = () => ({ connect: 2_000, firstByte: 2_000, idle: 2_000 });

test('a key goes to no address but those of its provider, however alike another one looks', () =>
  forAll(4_000, async (chance) => {
    const provider = chance.pick(['stranger', ...PROFILES.map(({ id }) => id)]);
    const owned = chance.shuffled(OWNED).slice(0, chance.int(0, 2));
    const named = [findProviderProfile(provider)?.baseUrl ?? '', ...owned].filter((url) => url !== '');
    const baseUrl = lookAlike(chance.pick(['https://openrouter.ai/api/v1', 'https://api.anthropic.com', ...named, ...named]), chance);
    const calls: TransportCall[] = [];
    const events = await ask({ provider, baseUrl, protocol: chance.pick(PROTOCOLS) }, owned, {
      async *open(call) {
        calls.push(call);
        yield [{ type: 'response', status: 401, headers: {}, body: `{"error":{"message":"bad key ${SECRET}"}}` }];
      },
    });
    for (const { url, headers, body } of calls) {
      if (JSON.stringify(headers).includes(SECRET))
        assert.ok(
          named.some((mine) => sameDoor(url, mine)),
          `the key of ${provider} went to ${url}; named were ${named.join(' ')}`,
        );
      assert.ok(!`${url}${typeof body === 'string' ? body : Buffer.from(body).toString()}`.includes(SECRET));
    }
    assert.equal(events.filter(({ type }) => type === 'failed' || type === 'done').length, 1);
  }));

/** Said without the code under test: scheme, name and port of two addresses are the same. */
const sameDoor = (one: string, other: string): boolean => doorOf(one) !== undefined && doorOf(one) === doorOf(other);
function doorOf(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return undefined;
  return `${parsed.protocol} ${parsed.hostname} ${parsed.port || (parsed.protocol === 'https:' ? 443 : 80)}`;
}

const TRICKS: readonly [(url: string) => string, ...((url: string) => string)[]] = [
  (url) => url,
  (url) => url.replace('https:', 'http:'),
  (url) => url.replace('://', '://user:pass@'),
  (url) => url.replace(/:\/\/([^/]+)/, '://$1@evil.test'),
  (url) => url.replace(/:\/\/([^/]+)/, '://$1.evil.test'),
  (url) => url.replace('://', '://evil-'),
  (url) => url.replace(/:\/\/([^/]+)/, '://evil.test/$1'),
  (url) => url.replace(/:\/\/([^/]+)/, '://evil.test\\@$1'),
  (url) => url.replace(/:\/\/([^/]+)/, '://$1\\@evil.test'),
  (url) => url.replace(/:\/\/([^/]+)/, '://evil.test?@$1'),
  (url) => url.replace(/:\/\/([^/]+)/, '://evil.test#@$1'),
  (url) => url.replace(/:\/\/([^/]+)/, '://$1?@evil.test'),
  (url) => url.replace(/:\/\/([^/:]+)(:\d+)?/, '://$1:444'),
  (url) => url.replace(/:\/\/([^/:]+)/, '://$1.'),
  (url) => url.replace('a', 'а'),
  (url) => url.toUpperCase(),
  (url) => url.replace('.', '。'),
  (url) => url.replace('://', ':/'),
  (url) => url.replace(/^https?/, 'evil'),
  (url) => ` ${url}\n`,
  (url) => url.replace('.', '.\t'),
  (url) => `${url}/../../..//evil.test`,
  () => 'evil:thing',
  () => '//evil.test/v1',
  () => '',
];
const lookAlike = (url: string, chance: SeededRandom): string =>
  chance.list(0, 2, () => chance.pick(TRICKS)).reduce((made, trick) => trick(made), url);

test('a redirect takes the key nowhere', () =>
  forAll(60, async (chance) => {
    await using thief = await startWireServer({ answer: () => ({ text: 'thanks' }) });
    const status = chance.pick([301, 302, 303, 307, 308]);
    const place = chance.pick([`${thief.url}/v1/chat/completions`, thief.url.replace('http:', ''), `${thief.url}/v1/messages`]);
    const server = createServer((_request, response) => void response.writeHead(status, { location: place }).end());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`;
    try {
      const events = await ask({ provider: 'custom', baseUrl, protocol: chance.pick(PROTOCOLS) }, [baseUrl], httpSse());
      assert.deepEqual(
        events.map(({ type }) => type),
        ['failed'],
      );
      assert.ok(!JSON.stringify(events).includes(SECRET));
      assert.deepEqual(thief.requests, []);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }));

async function ask(
  route: Pick<Runtime, 'provider' | 'baseUrl' | 'protocol'>,
  owned: readonly string[],
  transport: Parameters<typeof createProvider>[0]['transport'],
): Promise<ModelEvent[]> {
  const auth = createApiKeyAuth({ profileOf: findProviderProfile, secret: () => SECRET, owned: () => owned });
  const provider = createProvider({ formatOf: createWireFormats(findProviderProfile), transport, auth, deadlinesOf });
  const runtime: Runtime = { ...route, model: 'm', credential: 'SOME_KEY', limits: { window: 10_000 } };
  const messages = [{ message: { role: 'user', content: [createTextBlock('hi', 'owner')] } as const }];
  const request: ModelRequest = { runtime, adjust: DEFAULT_ADJUSTMENTS, system: '', tools: [], toolUse: 'auto', messages, cacheTtl: 'off' };
  return Array.fromAsync(provider.stream(provider.encode(request), { signal: new AbortController().signal, estimate: 1 }));
}
