import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveHome, type Home } from '../../../src/base/home.ts';
import { openHost } from '../../../src/app/open-host.ts';
import type { AgentEvent } from '../../../src/contracts/event.ts';
import type { Host, SessionHandle, SessionOptions } from '../../../src/contracts/host.ts';
import type { MemoryProvider } from '../../../src/contracts/memory-provider.ts';
import type { ModelRequest } from '../../../src/contracts/provider.ts';
import { scriptedProvider, type Script } from '../../../src/testing/scripted-provider.ts';
import { scriptedRoute } from '../../../src/testing/scripted-route.ts';

export const never = new AbortController().signal;

export interface MemoryScene extends AsyncDisposable {
  readonly home: Home;
  readonly host: Host;
  /** What the owner was told, from the beginning. */
  readonly notices: string[];
  /** Every request a model got. */
  readonly requests: ModelRequest[];
  open(script?: Script, more?: SessionOptions): Promise<SessionHandle>;
  /** Takes the provider out of the host's list, as when its plugin is turned off. */
  takeBack(): void;
  /** Puts a provider into the host's list under the same name, as when its plugin is turned on again. */
  add(provider: MemoryProvider): void;
  /** Another process on the same home: the host is closed and opened again. */
  restart(provider?: MemoryProvider): Promise<MemoryScene>;
}

/** A home whose memory is this provider, and a host on it. */
export async function openScene(
  provider: MemoryProvider,
  { config = '', home = freshHome() }: { readonly config?: string; readonly home?: Home } = {},
): Promise<MemoryScene> {
  writeFileSync(home.config, `memory:\n  provider: notes\n${config}`);
  let standing: Disposable | undefined;
  const host = await openHost({
    home,
    register: ({ memoryProviders }) =>
      void (standing = memoryProviders.add('notes', { description: 'a test', open: async () => provider })),
  });
  const [notices, requests]: [string[], ModelRequest[]] = [[], []];
  const over = new AbortController();
  void (async () => {
    for await (const { text } of host.notices(over.signal)) notices.push(text);
  })();
  const scene: MemoryScene = {
    home,
    host,
    notices,
    requests,
    open: async (script = () => ({ text: 'done' }), more = {}) => {
      const model = scriptedProvider(script);
      const watched = {
        ...model,
        stream: (...given: Parameters<typeof model.stream>) => (requests.push(given[0].request), model.stream(...given)),
      };
      return host.openSession({ provider: scriptedRoute(watched), mcp: false, cwd: home.root, allowAll: 'test', ...more });
    },
    takeBack: () => standing?.[Symbol.dispose](),
    add: (next) => void (standing = host.registries.memoryProviders.add('notes', { description: 'a test', open: async () => next })),
    restart: async (next = provider) => {
      await host[Symbol.asyncDispose]();
      return openScene(next, { config, home });
    },
    [Symbol.asyncDispose]: async () => {
      over.abort();
      await host[Symbol.asyncDispose]();
      rmSync(home.root, { recursive: true, force: true });
    },
  };
  return scene;
}

export const freshHome = (): Home => resolveHome({ HERMES_HOME: mkdtempSync(join(tmpdir(), 'hermes-memory-scene-')) });

export async function tell(session: SessionHandle, words: string): Promise<AgentEvent[]> {
  return Array.fromAsync(session.send(await session.message(words), never));
}

/** Waits until it holds; a test that would wait for ever is ended by its runner. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Everything of a request that a model reads. */
export const wordsOf = ({ system, tools, messages }: ModelRequest): string => JSON.stringify([system, tools, messages]);
