import { breakMarkKey, fenceTextWithKey } from '../../base/fence.ts';
import type { ToolMessage } from '../../contracts/message.ts';

/**
 * A result as the model reads it. Words from outside stand between marks with the session's key: a page can neither end them
 * nor write a hint of ours. Nor can a program that has found the key: in every text of a tool it is broken up.
 */
export const markOutside = (message: ToolMessage, key: string): ToolMessage => ({
  ...message,
  content: message.content.map((block) => {
    if (block.type !== 'text') return block;
    if (block.trust !== 'foreign' || block.text.trim() === '') return { ...block, text: breakMarkKey(block.text, key) };
    const source = breakMarkKey(block.source ?? 'unknown', key).slice(0, MAX_SOURCE);
    return { ...block, text: fenceTextWithKey('outside', key, { source }, block.text) };
  }),
});

/** Characters of where a text comes from; a search may name many hosts. */
const MAX_SOURCE = 120;
