import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, parseJson, readNumberAt, readPath, readStringAt } from '../../../base/json.ts';
import type { Json } from '../../../base/json-types.ts';
import { rateLimited, type DiscordBucketState } from './buckets.ts';
import type { DiscordCore } from './core.ts';
import { DiscordRefusal, refusals } from './errors.ts';
import type { DiscordCallFault, DiscordFaults } from './faults.ts';
import { botOf } from './gateway-ops.ts';
import type { DiscordLoggedCall } from './log.ts';
import type { DiscordFile } from './messages.ts';
import { channelRoutes } from './channels-routes.ts';
import { commandRoutes } from './commands-routes.ts';
import { interactionRoutes } from './interactions-routes.ts';
import { messageRoutes } from './messages-routes.ts';
import type { DiscordRouteCall, DiscordRoutes } from './route.ts';
import type { DiscordBot } from './world.ts';

export interface FakeRestOptions {
  readonly core: DiscordCore;
  readonly faults: DiscordFaults;
  readonly buckets: (key: string) => DiscordBucketState;
  /** Aborts what waits when the server is disposed. */
  readonly closing: AbortSignal;
}

const ROUTES: DiscordRoutes = { ...channelRoutes, ...messageRoutes, ...commandRoutes, ...interactionRoutes };

interface DiscordRoutePattern {
  readonly name: string;
  readonly pattern: RegExp;
  readonly handle: DiscordRoutes[string];
}

const PATTERNS: readonly DiscordRoutePattern[] = Object.entries(ROUTES).map(([name, handle]) => ({
  name,
  handle,
  pattern: new RegExp(`^${name.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
}));

interface DiscordHttpReply {
  readonly status: number;
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Takes one request of a bot: written down, struck by a fault or performed, and answered. */
export async function serveRest(options: FakeRestOptions, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(incoming.url ?? '/', 'http://discord');
  const file = options.core.world.files.get(url.pathname);
  if (file !== undefined) return void response.writeHead(200, { 'content-length': file.length }).end(file);
  const { body, files } = await readBody(incoming);
  const authorization = incoming.headers.authorization;
  const bot = botOf(options.core.world, authorization) ?? (authorization === undefined ? tokenBearer(options.core, url) : undefined);
  const call = logCall(options.core, { method: incoming.method ?? '', url, bot, body });
  const fault = options.faults.takeForCall(call, bot?.token ?? '');
  if (fault !== undefined) call.fault = fault.type;
  if (fault?.type === 'swallow') return;
  if (fault?.type === 'cut') return void incoming.socket.destroy();
  if (fault?.type === 'page') return showPage(response, call, fault.status);
  if (fault?.type === 'delay') await sleep(fault.ms, undefined, { signal: options.closing });
  const reply = scriptedReply(fault) ?? perform(options, call, { bot, body, files });
  if (fault?.type === 'withhold') return void (fault.hang !== true && incoming.socket.destroy());
  call.status = reply.status;
  write(response, reply);
}

function showPage(response: ServerResponse, call: DiscordLoggedCall, status: number): void {
  call.status = status;
  response.writeHead(status, { 'content-type': 'text/html' }).end(`<html><title>${status}</title></html>`);
}

function logCall(
  core: DiscordCore,
  given: { method: string; url: URL; bot: DiscordBot | undefined; body: Json | undefined },
): DiscordLoggedCall {
  const { method, url, bot, body } = given;
  const path = url.pathname.replace(/^\/api(\/v\d+)?/, '');
  const query = Object.fromEntries(url.searchParams);
  const call = { index: core.log.calls.length, at: Date.now(), bot: bot?.id, method, path, query, body, performed: false };
  core.log.calls.push(call);
  return call;
}

/** Interactions are answered with their own token alone. */
function tokenBearer(core: DiscordCore, url: URL): DiscordBot | undefined {
  const token = /\/(?:interactions|webhooks)\/\d+\/([^/]+)/.exec(url.pathname)?.[1];
  const interaction = [...core.interactions.values()].find((one) => one.token === token);
  return core.world.bots.get(interaction?.botId ?? '');
}

function scriptedReply(fault: DiscordCallFault | undefined): DiscordHttpReply | undefined {
  if (fault?.type === 'status') return { status: fault.status, body: fault.body ?? { message: `${fault.status}: scripted`, code: 0 } };
  if (fault?.type !== 'rate_limit') return undefined;
  const isGlobal = fault.global ?? false;
  const headers = { 'retry-after': String(Math.ceil(fault.retryAfter)), 'x-ratelimit-scope': isGlobal ? 'global' : 'user' };
  return {
    status: 429,
    body: rateLimited(fault.retryAfter, isGlobal),
    headers: isGlobal ? { ...headers, 'x-ratelimit-global': 'true' } : headers,
  };
}

interface DiscordCallContent {
  readonly bot: DiscordBot | undefined;
  readonly body: Json | undefined;
  readonly files: readonly DiscordFile[];
}

function perform(options: FakeRestOptions, call: DiscordLoggedCall, { bot, body, files }: DiscordCallContent): DiscordHttpReply {
  const found = findRoute(call);
  let headers = {};
  try {
    if (bot === undefined) throw refusals.unauthorized();
    if (found === undefined) throw refusals.noRoute();
    const bucket = options.buckets(`${found.name} ${bot.id} ${majorOf(found.params)}`);
    headers = bucket.headers;
    if (bucket.isOver) return limited(bucket);
    const given: DiscordRouteCall = { core: options.core, bot, body, files, params: found.params, query: call.query, request: call.index };
    const answer = found.handle?.(given);
    call.performed = true;
    if (answer?.body === undefined) return { status: 204, headers };
    return { status: answer.status ?? 200, body: answer.body, headers };
  } catch (error) {
    if (!(error instanceof DiscordRefusal)) throw error;
    return { status: error.status, body: error.body, headers };
  }
}

function limited({ headers, retryAfter }: DiscordBucketState): DiscordHttpReply {
  const scope = { 'retry-after': String(Math.ceil(retryAfter)), 'x-ratelimit-scope': 'user' };
  return { status: 429, body: rateLimited(retryAfter, false), headers: { ...headers, ...scope } };
}

/** The first route that fits: one with fixed words stands before one with a name in their place. */
function findRoute({ method, path }: DiscordLoggedCall): (DiscordRoutePattern & Pick<DiscordRouteCall, 'params'>) | undefined {
  for (const route of PATTERNS) {
    const groups = route.pattern.exec(`${method} ${path}`)?.groups;
    const params = Object.entries(groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]);
    if (route.pattern.test(`${method} ${path}`)) return { ...route, params: Object.fromEntries(params) };
  }
  return undefined;
}

const majorOf = ({ channel, guild, token }: DiscordRouteCall['params']): string => channel ?? guild ?? token ?? '';

function write(response: ServerResponse, { status, body, headers = {} }: DiscordHttpReply): void {
  const text = body === undefined ? '' : JSON.stringify(body);
  const typed = body === undefined ? {} : { 'content-type': 'application/json' };
  // Clients take an answer without this word for one of a wall before Discord.
  response.writeHead(status, { via: '1.1 google', ...headers, ...typed }).end(text);
}

async function readBody(incoming: IncomingMessage): Promise<{ body: Json | undefined; files: readonly DiscordFile[] }> {
  const bytes = await buffer(incoming);
  const type = incoming.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return { body: parseIds(bytes.toString('utf8')), files: [] };
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
  const payload = form.get('payload_json');
  const body = typeof payload === 'string' ? parseIds(payload) : undefined;
  const files: DiscordFile[] = [];
  for (const [field, value] of form) {
    if (typeof value === 'string') continue;
    const bytesOfFile = Buffer.from(await value.arrayBuffer());
    files.push({
      filename: value.name,
      contentType: value.type || 'application/octet-stream',
      bytes: bytesOfFile,
      ...describe(body, field),
    });
  }
  return { body, files };
}

/** Ids may come as numbers, which are too long to be kept as such. */
function parseIds(text: string): Json | undefined {
  return parseJson(text) === undefined ? undefined : parseJson(JSON.stringify(JSON.parse(text, keepId)));
}
const keepId = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) ? context?.source : value;

/** `files[3]` is described by the attachment with the id 3. */
function describe(body: Json | undefined, field: string): { readonly description?: string } {
  const number = /\d+/.exec(field)?.[0];
  const listed = readPath(body, 'attachments');
  const about = (Array.isArray(listed) ? listed : []).find((one: Json) => isObject(one) && JSON.stringify(one['id']) === number);
  const description = readStringAt(about, 'description');
  return description === undefined || readNumberAt(about, 'id') === undefined ? {} : { description };
}
