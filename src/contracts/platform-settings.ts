import type { Json, JsonObject } from '../base/json-types.ts';
import type { PlatformVariable } from './platform-adapter.ts';

/** Values of a platform's settings as owners write them, in the file or in a variable: alike on all platforms. */

/** Words that mean yes; all others mean no. */
export const isTruthy = (word: string): boolean => /^(?:true|1|yes)$/i.test(word.trim());

export const readExtraText = (extra: JsonObject, key: string): string | undefined => {
  const value = extra[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
};
export const readExtraFlag = (extra: JsonObject, key: string, usual: boolean): boolean => {
  const value = extra[key];
  return value === undefined ? usual : value === true || (typeof value === 'string' && isTruthy(value));
};
/** A list, or words between commas. */
export const readWords = (value: Json | undefined): readonly string[] =>
  (Array.isArray(value) ? value.map(String) : typeof value === 'string' || typeof value === 'number' ? String(value).split(',') : [])
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** An address below `extra`: which protocols it may have, and one that is right. */
export interface ExtraAddress {
  readonly key: string;
  readonly protocols: RegExp;
  readonly example: string;
}
/** What is wrong with the first that is none. */
export function describeBadAddress(platform: string, extra: JsonObject, addresses: readonly ExtraAddress[]): string | undefined {
  for (const { key, protocols, example } of addresses) {
    const url = readExtraText(extra, key);
    if (url !== undefined && !protocols.test(URL.parse(url)?.protocol ?? ''))
      return `platforms.${platform}.extra.${key} is not an address: ${url}. Write it in full, for example ${example}.`;
  }
  return undefined;
}
export const HTTP = /^https?:$/;

export const secretVariable = (to: string, describe: string): PlatformVariable => ({ to, kind: 'text', secret: true, describe });
export const textVariable = (to: string, describe: string): PlatformVariable => ({ to, kind: 'text', describe });
export const listVariable = (to: string, describe: string): PlatformVariable => ({ to, kind: 'list', describe });
export const flagVariable = (to: string, describe: string): PlatformVariable => ({ to, kind: 'flag', describe });
