import { isObject, readPath, readStringAt } from '../../../../base/json.ts';
import type { Json, JsonObject } from '../../../../base/json-types.ts';
import { ApiError, createBadRequest } from '../http/errors.ts';

/** The two formats of OpenAI's API. */
export type ParameterApi = 'chat' | 'responses';

/**
 * A parameter of OpenAI's API and what becomes of it: honored, ignored because it changes nothing that a client relies on, or refused.
 * `docs/api.md` has the same table.
 */
export interface ParameterRow {
  readonly name: string;
  readonly of: readonly ParameterApi[];
  readonly rule: 'honored' | 'ignored' | 'refused';
  readonly about: string;
  /** Values that are taken all the same, as the usual one of a refused parameter; of an honored one, all that are taken. */
  readonly takes?: (value: Json) => boolean;
}

const BOTH: readonly ParameterApi[] = ['chat', 'responses'];
const CHAT: readonly ParameterApi[] = ['chat'];
const RESPONSES: readonly ParameterApi[] = ['responses'];
const isOneOf =
  (...values: readonly Json[]) =>
  (value: Json): boolean =>
    values.includes(value);
const isEmpty = (value: Json): boolean => (Array.isArray(value) ? value : isObject(value) ? Object.keys(value) : [value]).length === 0;
const isNumberIn = (from: number, to: number) => (value: Json) => typeof value === 'number' && value >= from && value <= to;
const isCount = (value: Json): boolean => typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
const isFlag = (value: Json): boolean => typeof value === 'boolean';
const isStop = (value: Json): boolean =>
  typeof value === 'string' || (Array.isArray(value) && value.length <= 4 && value.every((each) => typeof each === 'string'));
const isNotRequired = isOneOf('auto', 'none');

const honored = (name: string, of: readonly ParameterApi[], about: string, takes?: ParameterRow['takes']): ParameterRow => ({
  name,
  of,
  rule: 'honored',
  about,
  ...(takes !== undefined && { takes }),
});
const ignored = (name: string, of: readonly ParameterApi[], about: string): ParameterRow => ({ name, of, rule: 'ignored', about });
const refused = (
  name: string,
  of: readonly ParameterApi[],
  about: string,
  takes: (value: Json) => boolean = () => false,
): ParameterRow => ({
  name,
  of,
  rule: 'refused',
  about,
  takes,
});

export const PARAMETERS: readonly ParameterRow[] = [
  honored('model', BOTH, '`hermes-plain` is a completion without the agent; any other name is the agent'),
  honored('messages', CHAT, 'text and images'),
  honored('input', RESPONSES, 'text, images, and what earlier responses had'),
  honored('instructions', RESPONSES, 'added to the prompt'),
  honored('stream', BOTH, 'the answer as it comes', isFlag),
  honored('stream_options', CHAT, '`include_usage`'),
  honored('background', RESPONSES, 'answers at once; ask for the response later', isFlag),
  honored('store', RESPONSES, '`false` forgets the response after five minutes', isFlag),
  honored('previous_response_id', RESPONSES, 'goes on with that response'),
  honored('conversation', RESPONSES, 'goes on with the conversation of that name'),
  honored('metadata', RESPONSES, 'given back; `hermes_tool_items` chooses the form of tool items'),
  honored('tools', BOTH, 'functions, which the client runs; other types are refused'),
  honored('tool_choice', BOTH, '`auto`, or `none` for no tools of the client; a call cannot be forced', isNotRequired),
  honored('parallel_tool_calls', BOTH, '`false` asks the client for one call at a time', isFlag),
  honored('response_format', CHAT, '`text`, `json_object`, `json_schema`'),
  honored('text', RESPONSES, '`format`, as `response_format`; `verbosity` is ignored'),
  honored('stop', CHAT, 'up to four texts; the answer ends before the first that occurs in it', isStop),
  honored('max_tokens', CHAT, 'for each message of the model', isCount),
  honored('max_completion_tokens', CHAT, 'the same', isCount),
  honored('max_output_tokens', RESPONSES, 'the same', isCount),
  honored('temperature', BOTH, 'where the provider has it', isNumberIn(0, 2)),
  honored('top_p', BOTH, 'where the provider has it', isNumberIn(0, 1)),
  honored('seed', CHAT, 'where the provider has it', (value) => Number.isSafeInteger(value)),
  ignored('frequency_penalty', CHAT, 'left to your settings'),
  ignored('presence_penalty', CHAT, 'left to your settings'),
  ignored('reasoning_effort', CHAT, 'left to your settings'),
  ignored('reasoning', RESPONSES, 'left to your settings'),
  ignored('verbosity', CHAT, 'left to your settings'),
  ignored('service_tier', BOTH, 'there is one'),
  ignored('store', CHAT, 'the session is kept in any case'),
  ignored('metadata', CHAT, 'not stored'),
  ignored('user', BOTH, 'the key says who asks'),
  ignored('safety_identifier', BOTH, 'the key says who asks'),
  ignored('prompt_cache_key', BOTH, 'the session is cached as a whole'),
  ignored('prompt_cache_retention', BOTH, 'left to your settings'),
  ignored('prediction', CHAT, 'it only makes some models faster'),
  ignored('include', RESPONSES, 'nothing more is told'),
  ignored('truncation', RESPONSES, 'long sessions are compacted'),
  ignored('context_management', RESPONSES, 'long sessions are compacted'),
  ignored('stream_options', RESPONSES, 'there is no obfuscation'),
  refused('n', CHAT, 'there is one answer', isOneOf(1)),
  refused('logprobs', CHAT, 'not told', isOneOf(false)),
  refused('top_logprobs', BOTH, 'not told', isOneOf(0)),
  refused('logit_bias', CHAT, 'not passed on', isEmpty),
  refused('modalities', CHAT, 'text alone', (value) => Array.isArray(value) && value.every((each) => each === 'text')),
  refused('audio', CHAT, 'text alone'),
  refused('web_search_options', CHAT, 'the agent has a web search of its own'),
  refused('functions', CHAT, 'send `tools`', isEmpty),
  refused('function_call', CHAT, 'send `tool_choice`', isNotRequired),
  refused('max_tool_calls', RESPONSES, 'the setting `agent.max_turns` limits the agent'),
  refused('prompt', RESPONSES, 'there are no stored prompts; send `instructions`'),
];

/** Refuses what cannot be honored, by its name. Fields that neither API has are ignored. */
export function checkParameters(body: JsonObject, api: ParameterApi): void {
  for (const { name, of, rule, about, takes } of PARAMETERS) {
    const value = body[name] ?? null;
    if (!of.includes(api) || value === null || takes === undefined || takes(value)) continue;
    if (rule === 'refused' || name === 'tool_choice')
      throw createBadRequest('unsupported_parameter', `"${name}" is not supported with this value: ${about}. Leave it out.`, name);
    throw createBadRequest('invalid_value', `"${name}" has a value that is not allowed here.`, name);
  }
}

/** What of OpenAI's API is served nowhere here, by the beginning of the path, with what to do. */
const UNSERVED: readonly (readonly [string, string])[] = [
  ['/v1/embeddings', 'Embeddings are not served here. Ask an embedding server directly.'],
  ['/v1/audio', 'Speech and transcription are not served here. Ask a speech server directly, and send its text.'],
  ['/v1/files', 'Files are not kept here. Send text and images within the messages.'],
  ['/v1/uploads', 'Files are not kept here. Send text and images within the messages.'],
  ['/v1/vector_stores', 'Files are not kept here. Send text and images within the messages.'],
  ['/v1/images', 'Pictures are not made here. Ask the agent: it may have a tool for them.'],
  ['/v1/completions', 'Completions of plain text are not served here. Use /v1/chat/completions with the model "hermes-plain".'],
  ['/v1/moderations', 'Moderation is not served here.'],
  ['/v1/batches', 'Batches are not served here. Send the requests to /v1/runs, which answers at once.'],
  ['/v1/fine_tuning', 'Models are not trained here.'],
  ['/v1/realtime', 'Realtime sessions are not served here. Use streams.'],
  ['/v1/assistants', 'Assistants are not served here. Use /v1/responses.'],
  ['/v1/threads', 'Threads are not served here. Use /v1/responses with "conversation".'],
  ['/v1/conversations', 'Conversations are not made ahead. Send "conversation": "NAME" to /v1/responses.'],
];

/** A path that OpenAI's API has and this one does not. */
export function findUnserved(path: string): ApiError | undefined {
  const row = UNSERVED.find(([begins]) => path === begins || path.startsWith(`${begins}/`));
  return row && new ApiError(501, 'not_supported', row[1]);
}

/** The most tokens of a message, however the request calls it. */
export const readMaxTokens = (body: JsonObject): Json =>
  body['max_completion_tokens'] ?? body['max_tokens'] ?? body['max_output_tokens'] ?? null;

/** What of a request reaches the model's own parameters. */
export function readSampling(body: JsonObject): JsonObject {
  const values = { temperature: body['temperature'], topP: body['top_p'], seed: body['seed'], maxOutput: readMaxTokens(body) };
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (typeof value === 'number' ? [[name, value]] : [])));
}

/** How the answer is to look: `response_format` of chat completions, `text.format` of responses. */
export function readFormatField(body: JsonObject, api: ParameterApi): { readonly format: Json | undefined; readonly param: string } {
  return api === 'chat'
    ? { format: body['response_format'], param: 'response_format' }
    : { format: readPath(body, 'text', 'format'), param: 'text.format' };
}

export const PLAIN_MODEL = 'hermes-plain';
export const isPlain = (body: JsonObject): boolean => readStringAt(body, 'model') === PLAIN_MODEL;
