import { readNumberAt, readPath, readStringAt } from '../../base/json.ts';
import type { JsonObject } from '../../base/json-types.ts';

/** How the model of a server reads and writes. */
export interface ServerCodec {
  encode(text: string): readonly number[];
  decode(tokens: readonly number[]): string;
  /** The conversation with the names of the tools; `isAsking`: up to where the model goes on. */
  render(messages: readonly ChatmlMessage[], tools: readonly string[], isAsking: boolean): string;
  /** The token that ends a reply. */
  readonly end: number;
}
export interface ChatmlMessage {
  readonly role: string;
  readonly content: string;
}

/** What the model wrote behind a prompt. */
export interface ServerWords {
  readonly prompt: readonly number[];
  readonly tokens: readonly number[];
  readonly logprobs: readonly number[];
  readonly finish: string;
  readonly text: string;
}

/** One kind of request. Those with a prompt ask the model. */
export interface ServerShape {
  readonly path: string;
  fits(body: JsonObject): boolean;
  readonly prompt?: (body: JsonObject) => readonly number[];
  reply(body: JsonObject, words: ServerWords): JsonObject;
}

export const createShapes = ({ encode, decode, render, end }: ServerCodec): readonly ServerShape[] => [
  {
    path: '/generate',
    fits: (body) => readPath(body, 'prompt', 'prompt_token_ids') !== undefined,
    prompt: (body) => numbersAt(body, 'prompt', 'prompt_token_ids'),
    reply: (_body, { prompt, tokens, logprobs, finish, text }) => ({
      text: [text],
      prompt: decode(prompt),
      finish_reasons: [finish],
      logprobs: [tokens.map((id, index) => [{ [String(id)]: logprobs[index] ?? 0 }])],
      prompt_token_ids: [...prompt],
      token_ids: [[...tokens]],
    }),
  },
  {
    path: '/generate',
    fits: (body) => body['input_ids'] !== undefined && body['return_logprob'] === true,
    prompt: (body) => numbersAt(body, 'input_ids'),
    reply: (_body, { tokens, logprobs, finish, text }) => ({
      text,
      meta_info: {
        id: 'fake',
        finish_reason: { type: finish, ...(finish === 'stop' && { matched: end }) },
        output_token_logprobs: tokens.map((id, index) => [logprobs[index] ?? 0, id, null]),
        completion_tokens: tokens.length,
      },
    }),
  },
  {
    path: '/inference/v1/generate',
    fits: (body) => body['token_ids'] !== undefined && body['sampling_params'] !== undefined,
    prompt: (body) => numbersAt(body, 'token_ids'),
    reply: (_body, { tokens, logprobs, finish }) => ({
      request_id: 'fake',
      choices: [
        {
          index: 0,
          finish_reason: finish,
          token_ids: [...tokens],
          logprobs: { content: tokens.map((id, index) => ({ token: `token_id:${id}`, logprob: logprobs[index] ?? 0, top_logprobs: [] })) },
        },
      ],
    }),
  },
  {
    path: '/v1/chat/completions',
    fits: (body) => body['return_token_ids'] === true && body['logprobs'] === true,
    prompt: (body) => encode(renderBody(body, render)),
    reply: (_body, { prompt, tokens, logprobs, finish, text }) => ({
      id: 'fake',
      object: 'chat.completion',
      prompt_token_ids: [...prompt],
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: text },
          finish_reason: finish,
          token_ids: [...tokens],
          logprobs: {
            content: tokens.map((id, index) => ({ token: decode([id]), logprob: logprobs[index] ?? 0, top_logprobs: [] })),
          },
        },
      ],
      usage: { prompt_tokens: prompt.length, completion_tokens: tokens.length },
    }),
  },
  {
    path: '/tokenize',
    fits: (body) => body['add_special_tokens'] === false,
    reply: (body) => {
      const tokens = encode(body['messages'] === undefined ? (readStringAt(body, 'prompt') ?? '') : renderBody(body, render));
      return { count: tokens.length, max_model_len: 32_768, tokens: [...tokens] };
    },
  },
  { path: '/detokenize', fits: () => true, reply: (body) => ({ prompt: decode(numbersAt(body, 'tokens')) }) },
];

function renderBody(body: JsonObject, render: ServerCodec['render']): string {
  const messages = Array.isArray(body['messages']) ? body['messages'] : [];
  const tools = Array.isArray(body['tools']) ? body['tools'] : [];
  return render(
    messages.map((message) => ({ role: readStringAt(message, 'role') ?? '', content: readStringAt(message, 'content') ?? '' })),
    tools.map((tool) => readStringAt(tool, 'function', 'name') ?? ''),
    body['add_generation_prompt'] !== false,
  );
}

const numbersAt = (body: JsonObject, ...path: readonly string[]): readonly number[] => {
  const list = readPath(body, ...path);
  return Array.isArray(list) ? list.map((_, index) => readNumberAt(list, index) ?? -1) : [];
};
