import type { Env } from '../../base/env.ts';
import http from 'node:http';
import { readPath, isObject, readNumberAt, parseJson, readStringAt } from '../../base/json.ts';
import { parseOrigin } from '../../base/http.ts';
import type { Runtime } from '../../contracts/runtime.ts';
import { PROFILES } from './catalog/all.ts';
import { normalizeLocalAddress } from './resolve.ts';

/** A model server found on this machine. */
export interface LocalServer {
  readonly provider: string;
  readonly baseUrl: string;
  readonly models: readonly LocalModel[];
}
export interface LocalModel {
  readonly id: string;
  /** Tokens it can see as it is set up now, where the server says so. */
  readonly window?: number;
  readonly loaded?: true;
}

/** How one kind of server tells of its models. `undefined`: what answered is no such server. */
interface LocalServerKind {
  readonly models: (ask: AskServer) => Promise<readonly LocalModel[] | undefined>;
  readonly window: (ask: AskServer, model: string) => Promise<number | undefined>;
  /** How its owner gives a model more room. */
  readonly raise: string;
}
/** GET, or POST when a body is given; `undefined` for anything but a JSON answer in time. */
type AskServer = (path: string, body?: object) => Promise<unknown>;

const PROBE_MS = 300;
const WINDOW_MS = 150;
/** Below this a turn with tools and a long answer has no room. Reference core §3.8. */
export const SMALL_WINDOW = 64_000;

/** Looks for model servers at their usual places, all at once. Never throws and never takes longer than the deadline. */
export async function probeLocal(env: Env, deadlineMs = PROBE_MS, places = resolveLocalOrigins(env)): Promise<LocalServer[]> {
  const signal = AbortSignal.timeout(deadlineMs);
  const found = Object.entries(places).map(async ([provider, origin]) => {
    const models = await KINDS[provider]?.models(asker(origin, signal));
    return models === undefined ? [] : [{ provider, baseUrl: `${origin}/v1`, models }];
  });
  return (await Promise.all(found)).flat();
}

/** The origins to look at, by provider: the owner's variable (`OLLAMA_HOST`, `LM_BASE_URL`) or the usual port on loopback. */
export function resolveLocalOrigins(env: Env): Record<string, string> {
  const local = PROFILES.filter((profile) => profile.local === true);
  return Object.fromEntries(
    local.map(({ id, baseUrl, baseUrlEnv }) => [
      id,
      parseOrigin(normalizeLocalAddress((baseUrlEnv && env[baseUrlEnv]) || '', baseUrl)) || parseOrigin(baseUrl),
    ]),
  );
}

/** The window a local server gives a model now, or `undefined` when it is no such server or does not say in time. */
export async function fetchLocalWindow(runtime: Runtime, deadlineMs = WINDOW_MS): Promise<number | undefined> {
  const kind = kindOf(runtime);
  return kind && (await kind.window(asker(parseOrigin(runtime.baseUrl), AbortSignal.timeout(deadlineMs)), runtime.model));
}

export const describeWindowIncrease = (runtime: Runtime): string => kindOf(runtime)?.raise ?? 'start the server with a larger context';

/** By provider; a server named by address alone is known by its usual port on this machine. */
function kindOf({ provider, baseUrl }: Runtime): LocalServerKind | undefined {
  const url = URL.parse(baseUrl);
  if (provider !== 'custom') return KINDS[provider];
  if (url === null || !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)) return undefined;
  const profile = PROFILES.find((each) => each.local === true && URL.parse(each.baseUrl)?.port === url.port);
  return profile && KINDS[profile.id];
}

const KINDS: Readonly<Record<string, LocalServerKind>> = {
  ollama: {
    models: async (ask) => {
      const [tags, running] = await Promise.all([ask('/api/tags'), ask('/api/ps')]);
      const names = rows(tags, 'models')?.flatMap((row) => readStringAt(row, 'name') ?? []);
      return (
        names &&
        Promise.all(
          names.map(async (id) => model(id, ollamaWindow(id, await ask('/api/show', { model: id }), running), isRunning(running, id))),
        )
      );
    },
    window: async (ask, name) => {
      const [shown, running] = await Promise.all([ask('/api/show', { model: name }), ask('/api/ps')]);
      return ollamaWindow(name, shown, running);
    },
    raise: 'OLLAMA_CONTEXT_LENGTH=65536 ollama serve, or PARAMETER num_ctx 65536 in its Modelfile',
  },
  lmstudio: {
    models: async (ask) => {
      const chat = rows(await ask('/api/v0/models'), 'data')?.filter((row) => readStringAt(row, 'type') !== 'embeddings');
      return chat?.flatMap((row) =>
        readStringAt(row, 'id') === undefined
          ? []
          : [model(readStringAt(row, 'id') ?? '', lmWindow(row), readStringAt(row, 'state') === 'loaded')],
      );
    },
    window: async (ask, name) => lmWindow(rows(await ask('/api/v0/models'), 'data')?.find((row) => readStringAt(row, 'id') === name)),
    raise: 'load the model again in LM Studio with a Context Length of 65536 (lms load MODEL --context-length 65536)',
  },
  'llama.cpp': {
    models: async (ask) => {
      const [props, list] = await Promise.all([ask('/props'), ask('/v1/models')]);
      const window = llamaWindow(props);
      return window === undefined
        ? undefined
        : (rows(list, 'data') ?? []).flatMap((row) => readStringAt(row, 'id') ?? []).map((id) => model(id, window, true));
    },
    window: async (ask) => llamaWindow(await ask('/props')),
    raise: 'start llama-server with -c 65536 (it is shared by its slots: --parallel 1)',
  },
  vllm: {
    models: async (ask) => {
      const served = rows(await ask('/v1/models'), 'data')?.filter((row) => readNumberAt(row, 'max_model_len') !== undefined);
      return served?.length === 0
        ? undefined
        : served?.map((row) => model(readStringAt(row, 'id') ?? '', readNumberAt(row, 'max_model_len'), true));
    },
    window: async (ask, name) =>
      readNumberAt(
        rows(await ask('/v1/models'), 'data')?.find((row) => readStringAt(row, 'id') === name),
        'max_model_len',
      ),
    raise: 'start vLLM with --max-model-len 65536',
  },
};

const model = (id: string, window: number | undefined, loaded: boolean): LocalModel => ({
  id,
  ...(window !== undefined && { window }),
  ...(loaded && { loaded }),
});

const rows = (answer: unknown, key: string): readonly unknown[] | undefined => {
  const list = readPath(answer, key);
  return Array.isArray(list) ? list : undefined;
};

const isRunning = (running: unknown, name: string): boolean =>
  rows(running, 'models')?.some((row) => readStringAt(row, 'name') === name) ?? false;

/** What a running model was given; else what its Modelfile asks for; else what it was trained for. */
function ollamaWindow(name: string, shown: unknown, running: unknown): number | undefined {
  const given = readNumberAt(
    rows(running, 'models')?.find((row) => readStringAt(row, 'name') === name),
    'context_length',
  );
  const asked = /^\s*num_ctx\s+(\d+)/m.exec(readStringAt(shown, 'parameters') ?? '')?.[1];
  const info = readPath(shown, 'model_info');
  const trained = isObject(info) ? Object.keys(info).find((key) => key.endsWith('.context_length')) : undefined;
  return given ?? (asked === undefined ? undefined : Number(asked)) ?? (trained === undefined ? undefined : readNumberAt(info, trained));
}
const lmWindow = (row: unknown): number | undefined =>
  readNumberAt(row, 'loaded_context_length') ?? readNumberAt(row, 'max_context_length');
const llamaWindow = (props: unknown): number | undefined =>
  readNumberAt(props, 'default_generation_settings', 'n_ctx') ?? readNumberAt(props, 'n_ctx');

/** No list of models is longer; a page that happens to live on the port is not read to its end. */
const MAX_ANSWER = 4 * 1024 * 1024;

function asker(origin: string, signal: AbortSignal): AskServer {
  if (!origin.startsWith('http:')) return async () => undefined;
  return (path, body) =>
    new Promise((done) => {
      const nothing = () => done(undefined);
      const headers = body === undefined ? {} : { 'content-type': 'application/json' };
      // A key is never shown here: whoever listens on the port is not known yet.
      const options = { method: body === undefined ? 'GET' : 'POST', headers, agent: false, signal };
      const request = http.request(`${origin}${path}`, options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('error', nothing).on('close', nothing);
        response.on('data', (chunk: string) => ((text += chunk).length > MAX_ANSWER ? response.destroy() : undefined));
        response.on('end', () => done(response.statusCode === 200 ? parseJson(text) : undefined));
      });
      request.on('error', nothing).end(body === undefined ? undefined : JSON.stringify(body));
    });
}
