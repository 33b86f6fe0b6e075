import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listenLocally, originOf } from '../loopback/local-server.ts';
import { buffer } from 'node:stream/consumers';
import { deliver } from './deliver.ts';
import type { ProviderFault } from './faults.ts';
import { planJson, planReply, planRefusal, type ReplyPlan } from './plan.ts';
import type { Reply } from './reply.ts';
import { isModelCall, toRecordedRequest, type ModelCall, type RecordedRequest } from './request.ts';

/** A model provider on loopback, speaking three wires over real HTTP. Disposing it destroys every connection, stalled ones too. */
export interface WireServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`; any path prefix may follow it. */
  readonly url: string;
  /** In order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /** Queues further replies; each model call takes one. */
  script(...replies: readonly Reply[]): void;
}

export interface WireServerOptions {
  readonly replies?: readonly Reply[];
  /** Asked when the queue is empty. Without it the client gets a 500 that says the script has run out. */
  readonly answer?: (request: RecordedRequest) => Reply | Promise<Reply>;
  /** What `GET …/models` lists. */
  readonly models?: readonly string[];
  /** The one key it takes, as a bearer or as `x-api-key`; without it every key will do. */
  readonly key?: string;
  /** `GET …/models` is never answered. */
  readonly stallsList?: true;
}

export async function startWireServer(options: WireServerOptions = {}): Promise<WireServer> {
  const requests: RecordedRequest[] = [];
  const queue = [...(options.replies ?? [])];
  const server = createServer((incoming, response) => {
    serve(incoming, response, { options, requests, queue }).catch((error: unknown) => giveUp(response, error));
  });
  // An idle connection closed by us would look like a fault nobody scripted.
  server.keepAliveTimeout = 0;
  await listenLocally(server);
  return {
    url: originOf(server),
    requests,
    script: (...replies) => void queue.push(...replies),
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}

interface ServerState {
  readonly options: WireServerOptions;
  readonly requests: RecordedRequest[];
  readonly queue: Reply[];
}

async function serve(incoming: IncomingMessage, response: ServerResponse, desk: ServerState): Promise<void> {
  // Not the text reader: it would drop a byte order mark.
  const text = (await buffer(incoming)).toString('utf8');
  const { method = '', url: path = '', headers } = incoming;
  const request = toRecordedRequest({ index: desk.requests.length, method, path, headers, text, at: Date.now() });
  desk.requests.push(request);
  await deliver(await decide(request, desk), response);
}

async function decide(request: RecordedRequest, desk: ServerState): Promise<ReplyPlan> {
  const { key, stallsList } = desk.options;
  const isRefused = key !== undefined && ![`Bearer ${key}`, key].includes(readKey(request));
  if (request.protocol === 'models' && stallsList === true) return { ...planJson(200, {}), ending: { type: 'stall_before_headers' } };
  if (request.protocol === 'models' && isRefused)
    return planJson(401, { error: { message: 'The API key is not valid.', code: 'invalid_api_key' } });
  if (request.protocol === 'models') return planJson(200, modelList(desk.options.models ?? ['wire-model'], request));
  if (!isModelCall(request)) return nothingHere(request);
  if (isRefused) return planRefusal({ type: 'status', status: 401, message: 'The API key is not valid.' }, request);
  if (request.body === undefined) return planRefusal({ type: 'status', status: 400, message: 'The body is not valid JSON.' }, request);
  try {
    return planReply(await nextReply(request, desk), request);
  } catch (error) {
    return planRefusal({ type: 'status', status: 500, message: `The wire server could not answer: ${messageOf(error)}` }, request);
  }
}

const readKey = ({ headers }: RecordedRequest): string => headers.authorization ?? String(headers['x-api-key'] ?? '');

function nothingHere({ method, path }: RecordedRequest): ReplyPlan {
  return planJson(404, { error: { message: `Nothing at ${method} ${path}.`, type: 'not_found_error', param: null, code: null } });
}

async function nextReply(request: ModelCall, { queue, options }: ServerState): Promise<Reply> {
  return queue.shift() ?? (await options.answer?.(request)) ?? { fault: runOut(request) };
}

function runOut(request: ModelCall): ProviderFault {
  return { type: 'status', status: 500, message: `The script has run out: no reply left for request ${request.index}.` };
}

/** A reply that cannot be sent, as with a bad header in a scripted status. */
function giveUp(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(500, { 'content-type': 'text/plain' }).end(`The wire server failed: ${messageOf(error)}`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const RELEASED = Date.UTC(2026, 0, 1);

/** The list of models in the shape of the asking wire; the Anthropic one is known by the version header it always sends. */
function modelList(ids: readonly string[], request: RecordedRequest): object {
  return 'anthropic-version' in request.headers ? anthropicList(ids) : { object: 'list', data: ids.map(openAiModel) };
}

function openAiModel(id: string): object {
  return { id, object: 'model', created: RELEASED / 1000, owned_by: 'wire-server' };
}

function anthropicList(ids: readonly string[]): object {
  const data = ids.map((id) => ({ type: 'model', id, display_name: id, created_at: new Date(RELEASED).toISOString() }));
  return { data, has_more: false, first_id: ids[0] ?? null, last_id: ids.at(-1) ?? null };
}
