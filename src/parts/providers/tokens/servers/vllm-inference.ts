import { readNumberAt, readPath, toStableJson } from '../../../../base/json.ts';
import { listSampling, matchLogprobs, readFinish, readTokens, SHOW_SPECIALS, type TokenServer } from '../token-server.ts';
import { withoutRefused } from './refused.ts';

/** `/inference/v1/generate` of a newer vLLM: tokens in, tokens out. It has no text, which the tokenizer makes of the tokens. */
export const vllmInference: TokenServer = {
  path: '/inference/v1/generate',
  takes: 'tokens',
  tellsNoText: true,
  encode: ({ request, prompt, maxTokens }) => {
    const { seed } = request.sampling ?? {};
    const parameters = { ...listSampling(request), ...SHOW_SPECIALS, ...(seed !== undefined && { seed }), max_tokens: maxTokens };
    return toStableJson({
      model: request.runtime.model,
      sampling_params: { ...withoutRefused(parameters, request), logprobs: 0, n: 1 },
      stream: false,
      token_ids: [...prompt],
    });
  },
  read: (reply) => {
    const choice = readPath(reply, 'choices', 0);
    const tokens = readTokens(readPath(choice, 'token_ids'), 'token_ids');
    const rows = readPath(choice, 'logprobs', 'content');
    return {
      tokens,
      logprobs: matchLogprobs(tokens, Array.isArray(rows) ? rows.map((row) => readNumberAt(row, 'logprob')) : []),
      finish: readFinish(readPath(choice, 'finish_reason')),
      text: '',
    };
  },
};
