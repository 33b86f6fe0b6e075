import { isObject, readNumberAt, readPath, readStringAt, toStableJson } from '../../../../base/json.ts';
import type { Json } from '../../../../contracts/message.ts';
import { listSampling, matchLogprobs, readFinish, readTokens, SHOW_SPECIALS, type TokenServer } from '../token-server.ts';
import { withoutRefused } from './refused.ts';

/** `/generate` of a vLLM as trainers start it. Each key beside `prompt` is one of vLLM's sampling parameters. */
export const vllmGenerate: TokenServer = {
  path: '/generate',
  takes: 'tokens',
  encode: ({ request, prompt, maxTokens }) => {
    const { seed } = request.sampling ?? {};
    const parameters = { ...listSampling(request), ...SHOW_SPECIALS, ...(seed !== undefined && { seed }), max_tokens: maxTokens };
    return toStableJson({ ...withoutRefused(parameters, request), logprobs: 0, n: 1, prompt: { prompt_token_ids: [...prompt] } });
  },
  read: (reply) => {
    const tokens = readTokens(readPath(reply, 'token_ids', 0), 'token_ids');
    const rows = readPath(reply, 'logprobs', 0);
    const logprobs = Array.isArray(rows) ? rows.map((row, index) => readLogprob(row, tokens[index])) : [];
    return {
      tokens,
      logprobs: matchLogprobs(tokens, logprobs),
      finish: readFinish(readPath(reply, 'finish_reasons', 0)),
      text: readStringAt(reply, 'text', 0) ?? '',
    };
  },
};

/** Of each place a table by token, alone or in a list. */
function readLogprob(row: Json, token: number | undefined): number | undefined {
  const tables = Array.isArray(row) ? row : [row];
  return tables.filter(isObject).flatMap((table) => readNumberAt(table, String(token)) ?? [])[0];
}
