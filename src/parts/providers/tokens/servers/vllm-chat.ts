import { readNumberAt, readPath, readStringAt } from '../../../../base/json.ts';
import { createChatEncoder } from '../../protocols/openai-chat-encode.ts';
import { matchLogprobs, readFinish, readTokens, SHOW_SPECIALS, type TokenServer } from '../token-server.ts';

const encodeChat = createChatEncoder({});

/**
 * A stock vLLM: it renders the conversation and tells the tokens it made of it. Calls stay text (`tool_choice` is `none`, which
 * needs no parser at the server and leaves the tools in the prompt), so that a reply goes back as it was written.
 */
export const vllmChat: TokenServer = {
  path: '/v1/chat/completions',
  takes: 'messages',
  encode: ({ request, maxTokens }) =>
    encodeChat({
      ...request,
      toolUse: 'forbidden',
      sampling: {
        ...request.sampling,
        maxOutput: maxTokens,
        logprobs: 0,
        extraBody: { ...request.sampling?.extraBody, ...SHOW_SPECIALS, return_token_ids: true },
      },
    }).body,
  read: (reply) => {
    const choice = readPath(reply, 'choices', 0);
    const tokens = readTokens(readPath(choice, 'token_ids'), 'token_ids (a vLLM that knows return_token_ids tells them)');
    const rows = readPath(choice, 'logprobs', 'content');
    const thinking = readStringAt(choice, 'message', 'reasoning_content') ?? readStringAt(choice, 'message', 'reasoning');
    return {
      prompt: readTokens(readPath(reply, 'prompt_token_ids'), 'prompt_token_ids'),
      tokens,
      logprobs: matchLogprobs(tokens, Array.isArray(rows) ? rows.map((row) => readNumberAt(row, 'logprob')) : []),
      finish: readFinish(readPath(choice, 'finish_reason')),
      text: readStringAt(choice, 'message', 'content') ?? '',
      ...(thinking !== undefined && { thinking }),
    };
  },
};
