import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, parseJson, readStringAt } from '../../../base/json.ts';
import type { JsonObject } from '../../../base/json-types.ts';
import type { SlackCall, SlackMethod } from './call.ts';
import type { SlackFault, SlackFaults } from './faults.ts';
import type { SlackLogEntry, SlackRequest } from './log.ts';
import { chatMethods } from './chat-methods.ts';
import { conversationMethods } from './conversation-methods.ts';
import { fileMethods } from './file-methods.ts';
import { SlackRefusal, type SlackApp, type SlackWorld } from './world.ts';

/** What a request needs from the server around it. */
export interface SlackApiDeps {
  readonly world: SlackWorld;
  readonly log: SlackLogEntry[];
  readonly faults: SlackFaults;
  readonly origin: () => string;
  readonly publish: SlackCall['publish'];
  /** The address of a new socket. */
  readonly openSocket: (app: SlackApp) => string;
  /** What was posted to a response URL. */
  readonly respond: (ticket: string, words: JsonObject, request: number) => void;
}

interface WebAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  readonly outcome: string;
}

const METHODS: Readonly<Record<string, SlackMethod>> = {
  ...chatMethods,
  ...conversationMethods,
  ...fileMethods,
  'auth.test': ({ world, bot, origin }) => ({
    url: `${origin}/`,
    team: world.workspaces.find(({ id }) => id === bot.teamId)?.name,
    user: world.users.find(({ id }) => id === bot.userId)?.name,
    team_id: bot.teamId,
    user_id: bot.userId,
    bot_id: bot.botId,
    is_enterprise_install: false,
  }),
};

/** Reads a request, notes it, lets a fault have its way, performs it and answers. */
export async function serveSlack(incoming: IncomingMessage, response: ServerResponse, deps: SlackApiDeps): Promise<void> {
  const asked = await readAsked(incoming);
  const fault = deps.faults.take(asked);
  const { method, arguments: given } = asked;
  const by = findCaller(deps.world, asked.token);
  const request: SlackRequest = {
    type: 'request',
    id: deps.log.length,
    at: deps.world.now(),
    method,
    ...(by !== undefined && { by }),
    arguments: given,
    performed: false,
    answered: false,
  };
  deps.log.push(request);
  if (fault?.type === 'delay') await sleep(fault.ms);
  const refusal = fault === undefined ? undefined : refuse(fault);
  if (fault?.type === 'swallow') return;
  if (fault?.type === 'cut' && !fault.performed) return void response.destroy();
  const answer = refusal ?? perform(asked, request, deps);
  request.performed = refusal === undefined;
  request.outcome = answer.outcome;
  if (fault?.type === 'withhold') return;
  if (fault?.type === 'cut') return void response.destroy();
  request.answered = true;
  response.writeHead(answer.status, answer.headers).end(answer.body);
}

interface WebRequest {
  readonly method: string;
  /** What follows the method's folder in the path: a file, a ticket. */
  readonly place: string;
  readonly token: string;
  readonly arguments: JsonObject;
  readonly bytes: Buffer;
}

async function readAsked(incoming: IncomingMessage): Promise<WebRequest> {
  const url = new URL(incoming.url ?? '', 'http://slack');
  const bytes = await buffer(incoming);
  const type = incoming.headers['content-type'] ?? '';
  const [, folder = '', place = ''] = /^\/([^/]+)\/(.*)$/u.exec(url.pathname) ?? [];
  const method = { upload: 'upload', 'files-pri': 'download', respond: 'respond' }[folder] ?? place;
  const form = method === 'upload' ? {} : readForm(type, bytes.toString('utf8'));
  const given: JsonObject = { ...Object.fromEntries(url.searchParams), ...form };
  const { token: _, ...rest } = given;
  const bearer = /^Bearer (.+)$/iu.exec(incoming.headers.authorization ?? '')?.[1];
  const body = type.startsWith('multipart/') ? await firstPart(type, bytes) : bytes;
  return { method, place, token: bearer ?? readStringAt(given, 'token') ?? '', arguments: rest, bytes: body };
}

function readForm(type: string, text: string): JsonObject {
  if (!type.startsWith('application/json')) return Object.fromEntries(new URLSearchParams(text));
  const parsed = parseJson(text);
  return isObject(parsed) ? parsed : {};
}

async function firstPart(type: string, bytes: Buffer): Promise<Buffer> {
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
  const file = [...form.values()].find((value) => value instanceof Blob);
  return file instanceof Blob ? Buffer.from(await file.arrayBuffer()) : Buffer.alloc(0);
}

const findCaller = ({ bots, apps }: SlackWorld, token: string): string | undefined =>
  bots.find((bot) => bot.botToken === token)?.userId ?? apps.find((app) => app.appToken === token)?.id;

function refuse(fault: SlackFault): WebAnswer | undefined {
  if (fault.type === 'error') return toAnswer({ ok: false, error: fault.error });
  if (fault.type !== 'status') return undefined;
  const headers = fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
  const body = fault.status === 429 ? JSON.stringify({ ok: false, error: 'ratelimited' }) : 'upstream connect error';
  const type = fault.status === 429 ? 'application/json' : 'text/plain';
  return { status: fault.status, headers: { 'content-type': type, ...headers }, body, outcome: `status ${fault.status}` };
}

function toAnswer(value: JsonObject): WebAnswer {
  const outcome = typeof value['error'] === 'string' ? value['error'] : 'ok';
  return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(value), outcome };
}

function perform(asked: WebRequest, request: SlackRequest, deps: SlackApiDeps): WebAnswer {
  try {
    if (asked.method === 'download') return download(asked, deps.world);
    if (asked.method === 'upload') return upload(asked, deps.world);
    return toAnswer({ ok: true, ...call(asked, request, deps) });
  } catch (error) {
    if (error instanceof SlackRefusal) return toAnswer({ ok: false, error: error.code, ...error.more });
    throw error;
  }
}

function call(asked: WebRequest, request: SlackRequest, deps: SlackApiDeps): JsonObject {
  const { world, publish, openSocket, respond } = deps;
  if (asked.method === 'respond') {
    respond(asked.place, asked.arguments, request.id);
    return {};
  }
  if (asked.token === '') throw new SlackRefusal('not_authed');
  const app = world.apps.find(({ appToken }) => appToken === asked.token);
  const bot = world.bots.find(({ botToken }) => botToken === asked.token);
  if (app === undefined && bot === undefined) throw new SlackRefusal('invalid_auth');
  if (asked.method === 'apps.connections.open' && app !== undefined) return { url: openSocket(app) };
  const method = METHODS[asked.method];
  if (method === undefined && asked.method !== 'apps.connections.open') throw new SlackRefusal('unknown_method');
  if (bot === undefined || method === undefined) throw new SlackRefusal('not_allowed_token_type');
  return method({ world, bot, origin: deps.origin(), request: request.id, arguments: asked.arguments, publish });
}

function upload({ place, bytes }: WebRequest, world: SlackWorld): WebAnswer {
  const file = world.files.find(({ id }) => `v1/${id}` === place);
  if (file === undefined) return { status: 404, headers: {}, body: 'not found', outcome: 'not_found' };
  file.bytes = bytes;
  return { status: 200, headers: { 'content-type': 'text/plain' }, body: `OK - ${bytes.length}`, outcome: 'ok' };
}

/** Without a token that may see the file, Slack shows its sign-in page, with status 200. */
function download({ place, token }: WebRequest, world: SlackWorld): WebAnswer {
  const file = world.files.find(({ id, teamId }) => place.startsWith(`${teamId}-${id}/`));
  const isSeen = world.bots.some((bot) => bot.botToken === token && bot.teamId === file?.teamId);
  if (file?.bytes === undefined || !isSeen)
    return { status: 200, headers: { 'content-type': 'text/html' }, body: '<!DOCTYPE html><title>Sign in</title>', outcome: 'sign_in' };
  return { status: 200, headers: { 'content-type': file.mimetype }, body: file.bytes, outcome: 'ok' };
}
