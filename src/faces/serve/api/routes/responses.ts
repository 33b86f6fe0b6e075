import { waitAtMost } from '../../../../base/waits.ts';
import { isObject, readStringAt } from '../../../../base/json.ts';
import type { Json, JsonObject } from '../../../../base/json-types.ts';
import { isOver, type Run } from '../../../../contracts/run-store.ts';
import { findOwnRun } from '../request/access.ts';
import { beginRun, type AskedRun } from '../request/begin-run.ts';
import type { ApiContext, ApiRequest, ApiRoute } from '../http/contract.ts';
import { ApiError, createBadRequest, createNotFound, toJsonAnswer } from '../http/errors.ts';
import { readConversation, type ClientConversation } from '../request/messages.ts';
import { readOptions } from '../request/read-options.ts';
import { readBody, readFlag, readList, readQueryNumber, readText } from '../request/read-body.ts';
import { toResponse, toRunId } from '../wire/response.ts';
import { createResponseStream } from '../wire/response-stream.ts';
import { FROM_START } from '../wire/stream.ts';
import { answerStream, answerWhole, awaitRun, describeRunHeaders } from './answer.ts';
import { loadImages } from './chat.ts';

export const RESPONSE_ROUTES: readonly ApiRoute[] = [
  { method: 'POST', path: '/v1/responses', about: "OpenAI's responses, streaming, whole or in the background", handle: respond },
  { method: 'GET', path: '/v1/responses/{id}', about: 'a response that was stored, whole or its stream again', handle: readResponse },
  { method: 'POST', path: '/v1/responses/{id}/cancel', about: 'stop it', handle: cancelResponse },
  { method: 'DELETE', path: '/v1/responses/{id}', about: 'forget it', handle: deleteResponse },
];

const MAX_NAME = 256;

async function respond(request: ApiRequest, context: ApiContext) {
  const body = readBody(request);
  const [isStream, isBackground, isStored] = [
    readFlag(body, 'stream') === true,
    readFlag(body, 'background') === true,
    readFlag(body, 'store') !== false,
  ];
  const options = readOptions(body, 'responses', context);
  if (isBackground && !isStored) throw createBadRequest('invalid_value', 'A response in the background must be stored.', 'store');
  const asked: AskedRun = {
    kind: 'response',
    conversation: await readInput(body, request, context),
    place: await choosePlace(body, request, context),
    ...options,
    request: { ...options.request, ...describeRequest(body) },
    isBrief: !isStored,
    isPromised: isBackground,
  };
  const begun = await beginRun(asked, request, context);
  if (isStream) return answerStream(begun, createResponseStream(begun.run), request, context);
  if (isBackground) return toJsonAnswer(200, await describe(begun.run, context), describeRunHeaders(begun));
  return answerWhole(begun, (run) => describe(run, context), request, context);
}

const describe = async (run: Run, { host }: ApiContext): Promise<JsonObject> =>
  toResponse(run, await host.store.runs.events(run.id, 0, Number.MAX_SAFE_INTEGER));

const describeRequest = (body: JsonObject): JsonObject => ({
  ...(body['instructions'] !== undefined && { instructions: body['instructions'] }),
  ...(body['previous_response_id'] !== undefined && { previous_response_id: body['previous_response_id'] }),
  ...(readConversationName(body) !== undefined && { conversation: readConversationName(body) ?? '' }),
  ...(body['background'] === true && { background: true }),
  ...(body['metadata'] !== undefined && body['metadata'] !== null && { metadata: readMetadata(body) }),
});

const MAX_METADATA = { pairs: 16, name: 64, value: 512 };
/** Short words by name, as OpenAI's API has them. */
function readMetadata({ metadata }: JsonObject): JsonObject {
  const pairs = isObject(metadata) ? Object.entries(metadata) : [];
  const isFine = ([name, value]: (typeof pairs)[number]): boolean =>
    name.length <= MAX_METADATA.name && typeof value === 'string' && value.length <= MAX_METADATA.value;
  if (!isObject(metadata) || pairs.length > MAX_METADATA.pairs || !pairs.every(isFine))
    throw createBadRequest('invalid_value', '"metadata" must be an object of at most 16 short strings.', 'metadata');
  return metadata;
}

const readConversationName = (body: JsonObject): string | undefined =>
  isObject(body['conversation']) ? readText(body['conversation'], 'id', MAX_NAME) : readText(body, 'conversation', MAX_NAME);

/** Words, or items of which those that are messages count. */
async function readInput(body: JsonObject, request: ApiRequest, context: ApiContext): Promise<ClientConversation> {
  const { input } = body;
  const items: readonly Json[] = typeof input === 'string' ? [{ role: 'user', content: input }] : (readList(body, 'input') ?? []);
  if (items.length === 0) throw createBadRequest('missing_value', '"input" is missing.', 'input');
  const instructions = readText(body, 'instructions');
  const system: readonly Json[] = instructions === undefined ? [] : [{ role: 'system', content: instructions }];
  return readConversation([...system, ...items.flatMap(toMessages)], 'input', loadImages(request, context));
}

/** Calls and their results are told as what they were: a client's own, or ours that it sends along. */
function toMessages(item: Json, index: number): readonly Json[] {
  const type = readStringAt(item, 'type') ?? 'message';
  const convert = Object.hasOwn(ITEMS, type) ? ITEMS[type] : undefined;
  if (convert === undefined)
    throw createBadRequest(
      'unsupported_item',
      `"input[${index}]" is of the type ${JSON.stringify(type)}. Send messages, function_call_output, and what earlier responses had.`,
      `input[${index}]`,
    );
  return convert(item);
}

const toCallMessage = (item: Json): Json => ({
  role: 'assistant',
  tool_calls: [{ function: { name: readStringAt(item, 'name') ?? '', arguments: readStringAt(item, 'arguments') ?? '' } }],
});
const ITEMS: Readonly<Record<string, (item: Json) => readonly Json[]>> = {
  message: (item) => [item],
  function_call: (item) => [toCallMessage(item)],
  function_call_output: (item) => [
    { role: 'tool', tool_call_id: readStringAt(item, 'call_id') ?? '', content: (isObject(item) ? item['output'] : undefined) ?? '' },
  ],
  mcp_call: (item) => [toCallMessage(item), { role: 'tool', content: readStringAt(item, 'output') ?? readStringAt(item, 'error') ?? '' }],
  // Only its own model reads it.
  reasoning: () => [],
};

async function choosePlace(body: JsonObject, request: ApiRequest, context: ApiContext): Promise<NonNullable<AskedRun['place']>> {
  const [previous, name] = [readText(body, 'previous_response_id', 64), readConversationName(body)];
  if (previous !== undefined && name !== undefined)
    throw createBadRequest('invalid_value', '"previous_response_id" and "conversation" exclude each other.', 'conversation');
  if (name !== undefined) return { type: 'named', name };
  if (previous === undefined) return { type: 'new' };
  const { sessionId, endSeq } = await findResponse(previous, request, context);
  return endSeq === undefined ? { type: 'session', sessionId } : { type: 'after', sessionId, seq: endSeq };
}

/** A stored response that is over. */
export async function findResponse(id: string, { key }: ApiRequest, context: ApiContext): Promise<Run> {
  const run = await requireResponse(id, key, context);
  if (!isOver(run)) throw new ApiError(409, 'response_in_progress', 'The previous response is still being written.');
  return run;
}

async function requireResponse(id: string, key: ApiRequest['key'], context: ApiContext): Promise<Run> {
  const run = id.startsWith('resp_') ? await findOwnRun(toRunId(id), key, context) : undefined;
  if (run === undefined || run.kind !== 'response' || run.isBrief === true) throw createNotFound('response', id);
  return run;
}

async function readResponse(request: ApiRequest, context: ApiContext) {
  const run = await requireResponse(request.params['id'] ?? '', request.key, context);
  if (request.query.get('stream') !== 'true') return toJsonAnswer(200, await describe(run, context));
  // Clients name the number of the last event they read.
  const skip = request.query.has('starting_after') ? readQueryNumber(request, 'starting_after', 0, Number.MAX_SAFE_INTEGER) + 1 : 0;
  return answerStream({ run, isKnown: false }, createResponseStream(run), request, context, { after: FROM_START, skip });
}

/** A stop takes a quarter of a second; an answer that is stuck is told as it stands. */
const STOP_MS = 5_000;

async function cancelResponse({ params, key, signal }: ApiRequest, context: ApiContext) {
  const run = await requireResponse(params['id'] ?? '', key, context);
  const { runs } = context.host.store;
  if (await runs.requestStop(run.id)) {
    context.lines.stop(run);
    await waitAtMost(awaitRun(run, context, signal), STOP_MS);
  }
  return toJsonAnswer(200, await describe((await runs.find(run.id)) ?? run, context));
}

async function deleteResponse({ params, key }: ApiRequest, context: ApiContext) {
  const id = params['id'] ?? '';
  const run = await requireResponse(id, key, context);
  if (!(await context.host.store.runs.remove(run.id))) throw new ApiError(409, 'response_in_progress', 'Cancel the response first.');
  return toJsonAnswer(200, { id, object: 'response.deleted', deleted: true });
}
