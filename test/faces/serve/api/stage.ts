import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHost } from '../../../../src/app/open-host.ts';
import { createApprovalService } from '../../../../src/app/services/approvals.ts';
import { openJobService } from '../../../../src/app/services/jobs.ts';
import { snapshotRegistries } from '../../../../src/app/tools/registries.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { resolveHome } from '../../../../src/base/home.ts';
import type { HttpTimes } from '../../../../src/base/http-server/contract.ts';
import { createHttpListeners } from '../../../../src/base/http-server/listeners.ts';
import { parseJson } from '../../../../src/base/json.ts';
import type { Json, JsonObject } from '../../../../src/base/json-types.ts';
import { createSseReader, type SseEvent } from '../../../../src/base/sse.ts';
import type { Host, HostOptions } from '../../../../src/contracts/host.ts';
import type { SessionStore } from '../../../../src/contracts/session-store.ts';
import type { ApiKey, ApiServerDeps } from '../../../../src/faces/serve/api/http/contract.ts';
import { openApiServer, type ApiServer } from '../../../../src/faces/serve/api/server.ts';
import { scriptedProvider, type Script, type ScriptedProvider } from '../../../../src/testing/scripted-provider.ts';
import { scriptedRoute } from '../../../../src/testing/scripted-route.ts';

export const MAIN: ApiKey = { name: 'main', key: 'main-key-0123456789', isMain: true, mayApprove: true, hasMemory: true };
export const PHONE: ApiKey = { name: 'phone', key: 'phone-key-0123456789', isMain: false, mayApprove: false, hasMemory: false };

export interface ApiStageOptions {
  readonly script: Script;
  readonly config?: JsonObject;
  readonly deps?: Partial<ApiServerDeps>;
  readonly host?: Partial<HostOptions>;
  readonly times?: Partial<HttpTimes>;
  /** The store as the server gets it. */
  readonly wrapStore?: (store: SessionStore) => SessionStore;
  /** A home that is there already. */
  readonly root?: string;
}
/** The API of a home of its own, in this process. */
export interface ApiStage extends AsyncDisposable {
  readonly root: string;
  readonly host: Host;
  readonly server: ApiServer;
  readonly url: string;
  readonly model: ScriptedProvider;
  readonly log: readonly string[];
  ask(path: string, options?: AskApiOptions): Promise<ApiAnswer>;
  /** The events of an answer that streams; leaves after so many. */
  stream(path: string, options?: AskApiOptions & { readonly leaveAfter?: number }): Promise<ApiStream>;
}
export interface AskApiOptions {
  readonly method?: string;
  readonly body?: Json;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json | undefined;
}
export interface ApiStream {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly events: readonly (SseEvent & { readonly id?: string })[];
}

export async function openApiStage(options: ApiStageOptions): Promise<ApiStage> {
  const { script, config = {}, deps = {}, wrapStore = (store) => store } = options;
  const root = options.root ?? mkdtempSync(join(tmpdir(), 'hermes-api-'));
  // JSON is YAML.
  const settings = { database: { durability: 'process' }, ...config };
  if (options.root === undefined) writeFileSync(join(root, 'config.yaml'), JSON.stringify(settings));
  const env = { HERMES_HOME: root };
  const opened = new AsyncDisposableStack();
  const plain = opened.use(await openHost({ env, home: resolveHome(env), ...options.host }));
  const host = { ...plain, store: wrapStore(plain.store) };
  const log: string[] = [];
  const model = scriptedProvider(script);
  const tell = (words: string) => void log.push(words);
  const listeners = opened.use(
    createHttpListeners({
      host: '127.0.0.1',
      port: 0,
      names: [],
      log: tell,
      advice: '',
      ...(options.times !== undefined && { times: options.times }),
    }),
  );
  const registered = snapshotRegistries(host.registries);
  const server = opened.use(
    await openApiServer(
      {
        host,
        approvals: await createApprovalService({ processEnv: env, notice: () => {}, registered }, async () => host.store),
        jobs: opened.use(await openJobService({ processEnv: env, notice: tell, registered }, host.store, undefined)),
        keys: [MAIN, PHONE],
        modelName: 'hermes-agent',
        maxRuns: 10,
        origins: [],
        names: [],
        makeWorkspace: (scope) => join(root, 'workspaces', `api_server-${scope}`),
        clock: systemClock,
        log: tell,
        version: 'test',
        session: { provider: scriptedRoute(model), mcp: false },
        ...deps,
      },
      listeners,
      {},
    ),
  );
  const url = `http://127.0.0.1:${server.port}`;
  const send = (path: string, { body, method = body === undefined ? 'GET' : 'POST', key = MAIN.key, headers = {} }: AskApiOptions) =>
    fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    root,
    host,
    server,
    url,
    model,
    log,
    ask: async (path, asked = {}) => {
      const response = await send(path, asked);
      return { status: response.status, headers: response.headers, body: parseJson(await response.text()) };
    },
    stream: async (path, { leaveAfter = Infinity, ...asked } = {}) => {
      const response = await send(path, asked);
      let text = '';
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += chunk;
        const whole = text.split('\n\n').slice(0, leaveAfter);
        if (text.split('\n\n').length > leaveAfter) {
          text = whole.map((event) => `${event}\n\n`).join('');
          break;
        }
      }
      return { status: response.status, headers: response.headers, text, events: readEvents(text) };
    },
    [Symbol.asyncDispose]: async () => {
      await opened.disposeAsync();
      if (options.root === undefined) rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Events with their ids, which our own reader leaves out. */
export function readEvents(text: string): ApiStream['events'] {
  const ids = text
    .split('\n\n')
    .filter((event) => /^data:/m.test(event))
    .map((event) => /^id: (.*)$/m.exec(event)?.[1]);
  return createSseReader()
    .feed(text)
    .map((event, index) => ({ ...event, ...(ids[index] !== undefined && { id: ids[index] }) }));
}

/** The words of a chat stream. */
export const wordsOf = (events: ApiStream['events']): string =>
  events
    .flatMap(({ data }) => (data === '[DONE]' ? [] : [JSON.parse(data)]))
    .map((chunk) => chunk.choices?.[0]?.delta?.content ?? '')
    .join('');
