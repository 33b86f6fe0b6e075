import { fenceTextWithKey, deriveSessionKey } from '../../base/fence.ts';
import type { ToolMessage } from '../../contracts/message.ts';
import type { PreparedCall } from '../../contracts/tool.ts';

/**
 * A call of the model's whose words from outside stand between marks with the session's key: a page can neither end them nor
 * write a hint of ours. Calls of scripts get the bare words.
 */
export const markOutside = (call: PreparedCall, sessionId: string): PreparedCall => ({
  ...call,
  run: async () => {
    const result = await call.run();
    return { ...result, message: marked(result.message, deriveSessionKey(sessionId)) };
  },
});

const marked = (message: ToolMessage, key: string): ToolMessage => ({
  ...message,
  content: message.content.map((block) =>
    block.type === 'text' && block.trust === 'foreign' && block.text.trim() !== ''
      ? { ...block, text: fenceTextWithKey('outside', key, { source: (block.source ?? 'unknown').slice(0, MAX_SOURCE) }, block.text) }
      : block,
  ),
});

/** Characters of where a text comes from; a search may name many hosts. */
const MAX_SOURCE = 120;
