import { isObject, parseJson, readNumberAt, readPath, readStringAt } from '../../base/json.ts';
import type { IncomingMessage } from 'node:http';
import type { Env } from '../../base/env.ts';
import { joinUrl, redactUrl } from '../../base/http.ts';
import { toErrorMessage } from '../../base/errors.ts';
import type { FailureType } from '../../contracts/failure.ts';
import type { Auth } from '../../contracts/provider.ts';
import type { Runtime } from '../../contracts/runtime.ts';
import type { ModelLine, ModelListResult, RouteTrouble } from '../../contracts/services/models.ts';
import { AuthError } from './auth/auth-error.ts';
import { classify } from './failure/failure.ts';
import { loadModels } from './models.ts';
import { createAgents } from './transports/agents.ts';

export interface LiveModelsDeps {
  readonly auth: Auth;
  /** Headers of the wire beside the key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Where a proxy may be named. */
  readonly env: Env;
}

/** No list of models is longer. */
const MAX_ANSWER = 8 * 1024 * 1024;

/** What the server of a route says it offers. Never throws for remote trouble. */
export async function fetchModels(runtime: Runtime, { auth, headers, env }: LiveModelsDeps, signal: AbortSignal): Promise<ModelListResult> {
  try {
    const url = joinUrl(runtime.baseUrl, LIST_PATHS[runtime.protocol]);
    const { status, body } = await get(url, { ...headers, ...(await auth.headers(runtime)) }, env, signal);
    if (status >= 200 && status < 300) return readModels(body, runtime);
    const told = auth.conceal?.(runtime, body) ?? body;
    const { type, detail } = classify({ where: 'http', status, body: told, ...routeOf(runtime) });
    return describeTrouble(type, detail);
  } catch (error) {
    if (error instanceof AuthError) return { ok: false, why: 'wrong_key', words: error.message };
    return { ok: false, why: 'unreachable', words: `${new URL(runtime.baseUrl).host} does not answer: ${innermost(error)}.` };
  }
}

const LIST_PATHS: Readonly<Record<Runtime['protocol'], string>> = {
  'openai-chat': '/models',
  'openai-responses': '/models',
  'anthropic-messages': '/v1/models?limit=1000',
};
const routeOf = ({ provider, model, protocol, limits }: Runtime) => ({ provider, model, protocol, window: limits.window });

interface ListAnswer {
  readonly status: number;
  readonly body: string;
}

/** One request the way model calls go. Nobody is followed anywhere: the key is for this host. */
async function get(url: string, headers: Readonly<Record<string, string>>, env: Env, signal: AbortSignal): Promise<ListAnswer> {
  const { agent, request } = createAgents(env, {}).wayTo(new URL(url), headers);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request(url, { agent, headers, signal }).once('response', resolve).once('error', reject).end();
  const response = await promise;
  const { statusCode: status = 0 } = response;
  if (status >= 300 && status < 400) throw new Error(`it redirects to ${redactUrl(response.headers.location ?? 'nowhere')}`);
  let body = '';
  for await (const chunk of response.setEncoding('utf8')) {
    body += String(chunk);
    if (body.length > MAX_ANSWER) break;
  }
  return { status, body };
}

/** Of an error that only wraps another, the other. */
function innermost(error: unknown): string {
  const { name, cause } = error instanceof Error ? error : {};
  if (name === 'TimeoutError' || name === 'AbortError') return 'no answer in time';
  return toErrorMessage(cause ?? error).split('\n')[0] ?? '';
}

function readModels(body: string, runtime: Runtime): ModelListResult {
  const answer = parseJson(body);
  const rows = Array.isArray(answer) ? answer : (readPath(answer, 'data') ?? readPath(answer, 'models'));
  if (!Array.isArray(rows))
    return { ok: false, why: 'other', words: `${new URL(runtime.baseUrl).host} gives no list of models at this address.` };
  const models = rows.flatMap((row) => toModelLine(row, runtime.provider) ?? []);
  return { ok: true, models: [...new Map(models.map((line) => [line.id, line])).values()] };
}

/** What the server says of a model, else what the table knows. */
function toModelLine(row: unknown, provider: string): ModelLine | undefined {
  const id = (readStringAt(row, 'id') ?? readStringAt(row, 'name'))?.replace(/^models\//, '');
  if (id === undefined || id === '') return undefined;
  const window = WINDOW_FIELDS.map((field) => readNumberAt(row, field)).find((value) => value !== undefined);
  const prices = loadModels().prices(provider, id);
  return describeModel(id, {
    window: window ?? loadModels().card(provider, id)?.window,
    input: readPrice(row, 'prompt') ?? prices?.input,
    output: readPrice(row, 'completion') ?? prices?.output,
  });
}
const WINDOW_FIELDS = ['context_length', 'context_window', 'max_model_len', 'max_context_length', 'max_input_tokens'] as const;

/** OpenRouter and those like it state dollars per token, as text. */
function readPrice(row: unknown, kind: 'prompt' | 'completion'): number | undefined {
  const price = Number(isObject(readPath(row, 'pricing')) ? (readStringAt(row, 'pricing', kind) ?? NaN) : NaN);
  return Number.isFinite(price) && price >= 0 ? Number((price * 1_000_000).toPrecision(6)) : undefined;
}

interface ModelNumbers {
  readonly window: number | undefined;
  readonly input?: number | undefined;
  readonly output?: number | undefined;
}
export const describeModel = (id: string, { window, input, output }: ModelNumbers): ModelLine => ({
  id,
  ...(window !== undefined && { window }),
  ...(input !== undefined && { inputPrice: input }),
  ...(output !== undefined && { outputPrice: output }),
});

/** A failed call in the words of somebody who sets things up. */
export function describeTrouble(type: string, detail: string): RouteTrouble {
  const [first = ''] = detail.split('\n');
  return { ok: false, why: WHY[type] ?? 'other', words: `${first.replace(/\.?$/, '')}.` };
}
const WHY: Readonly<Record<string, RouteTrouble['why'] | undefined>> = {
  unauthorized: 'wrong_key',
  forbidden: 'wrong_key',
  billing: 'unpaid',
  network: 'unreachable',
  timeout: 'unreachable',
  tls: 'unreachable',
  cancelled: 'unreachable',
} satisfies Partial<Record<FailureType, RouteTrouble['why']>>;
