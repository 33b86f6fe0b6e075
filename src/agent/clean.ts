import { breakMarkKey, escapeFences } from '../base/fence.ts';
import { replaceLoneSurrogates } from '../base/text.ts';
import type { UserMessage } from '../contracts/message.ts';

/**
 * What a person typed, made safe to store and to send: no lone surrogates and no NUL. Nothing is left out. A mark of recalled
 * memory loses its bracket, so that words pasted from elsewhere do not read as what the memory said.
 */
export const cleanInput = (value: string): string =>
  escapeFences(replaceLoneSurrogates(value).replaceAll('\0', '\u{fffd}'), ['memory-context']).trim();

/** The same for every text of a message; whose words they are stays as it was. No text of others holds the key of our marks. */
export const cleanContent = (content: UserMessage['content'], markKey: string): UserMessage['content'] =>
  content.map((block) => {
    if (block.type !== 'text') return block;
    const text = cleanInput(block.text);
    return { ...block, text: block.trust === 'owner' ? text : breakMarkKey(text, markKey) };
  });
