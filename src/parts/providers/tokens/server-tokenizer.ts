import { readStringAt, readPath, toStableJson } from '../../../base/json.ts';
import type { ChatTokenizer } from './chat-tokenizer.ts';
import { readTokens } from './token-server.ts';

/** The server's own tokenizer and chat template, by `/tokenize` and `/detokenize` as vLLM and SGLang have them. */
export const serverTokenizer: ChatTokenizer = {
  ends: new Set(),
  render: async ({ messages, tools }, isAsking, line) => {
    const ask = { model: line.model, messages: [...messages], ...(tools !== undefined && { tools: [...tools] }) };
    const rendered = toStableJson({ ...ask, add_generation_prompt: isAsking, add_special_tokens: false });
    const tokens = await line.post('/tokenize', rendered, (reply) => readTokens(readPath(reply, 'tokens'), 'tokens'));
    const text = await line.post('/detokenize', toStableJson({ model: line.model, tokens: [...tokens] }), (reply) => {
      const prompt = readStringAt(reply, 'prompt') ?? readStringAt(reply, 'text');
      if (prompt === undefined) throw new SyntaxError('the reply has no prompt');
      return prompt;
    });
    return { text, tokens };
  },
  encode: async (text, line) => {
    const body = toStableJson({ model: line.model, prompt: text, add_special_tokens: false });
    return await line.post('/tokenize', body, (reply) => readTokens(readPath(reply, 'tokens'), 'tokens'));
  },
};
