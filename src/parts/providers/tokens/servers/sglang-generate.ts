import { readNumberAt, readPath, readStringAt, toStableJson } from '../../../../base/json.ts';
import type { Json } from '../../../../contracts/message.ts';
import { listSampling, matchLogprobs, readFinish, readTokens, SHOW_SPECIALS, type TokenServer } from '../token-server.ts';
import { withoutRefused } from './refused.ts';

/** `/generate` of SGLang. Further parameters of the settings are sampling parameters. */
export const sglangGenerate: TokenServer = {
  path: '/generate',
  takes: 'tokens',
  encode: ({ request, prompt, maxTokens }) => {
    const { seed } = request.sampling ?? {};
    const parameters = {
      ...listSampling(request),
      ...SHOW_SPECIALS,
      ...(seed !== undefined && { sampling_seed: seed }),
      max_new_tokens: maxTokens,
    };
    return toStableJson({
      input_ids: [...prompt],
      sampling_params: withoutRefused(parameters, request),
      return_logprob: true,
      return_text_in_logprobs: false,
    });
  },
  read: (given) => {
    // One prompt alone may come back as a list of one.
    const reply: Json = Array.isArray(given) ? (given[0] ?? null) : given;
    const rows = readPath(reply, 'meta_info', 'output_token_logprobs');
    const triples = Array.isArray(rows) ? rows : undefined;
    const tokens = readTokens(
      triples?.map((row) => readPath(row, 1) ?? null),
      'output_token_logprobs',
    );
    const reason = readPath(reply, 'meta_info', 'finish_reason');
    return {
      tokens,
      logprobs: matchLogprobs(tokens, triples?.map((row) => readNumberAt(row, 0)) ?? []),
      finish: readFinish(readPath(reason, 'type') ?? reason),
      text: readStringAt(reply, 'text') ?? '',
    };
  },
};
