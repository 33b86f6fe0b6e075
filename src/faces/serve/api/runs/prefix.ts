import { sha256 } from '../../../../base/sha256.ts';
import type { JsonObject } from '../../../../base/json-types.ts';

/**
 * What a conversation is known by when its client sends it as a whole each time: a hash over its system text and its messages,
 * each link made of the one before. Spaces at the ends of a message, which clients drop, make no difference.
 */
export const beginPrefix = (system: string): string => sha256(`system\n${normalize(system)}`);
export const extendPrefix = (before: string, role: string, content: string): string => sha256(`${before}\n${role}\n${normalize(content)}`);

const normalize = (text: string): string => text.replaceAll('\r\n', '\n').trim();

/** Where a request keeps the hash of all that was sent. */
export const PREFIX_FIELD = 'prefix';

/** What the conversation will be known by when its client comes back with one of these as the answer. */
export function nextPrefixes(request: JsonObject, answers: readonly string[]): readonly string[] {
  const prefix = request[PREFIX_FIELD];
  return typeof prefix === 'string' ? [...new Set(answers.map((answer) => extendPrefix(prefix, 'assistant', answer)))] : [];
}
