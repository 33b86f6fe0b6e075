import type { CodeToken } from './tokens.ts';

/** Names that are given one text, once. */
export function findConstants(tokens: readonly CodeToken[]): ReadonlyMap<string, string> {
  const [given, often] = [new Map<string, string>(), new Map<string, number>()];
  for (const [at, { type, text }] of tokens.entries()) {
    const [sign, value, end] = [tokens[at + 1], tokens[at + 2], tokens[at + 3]];
    const grows = /^[-+.*|]$/.test(sign?.text ?? '') && value?.text === '=' && sign?.type === 'mark';
    if (type !== 'name' || sign?.type !== 'mark' || (sign.text !== '=' && !grows)) continue;
    often.set(text, (often.get(text) ?? 0) + 1);
    if (!grows && value?.type === 'text' && value.holes === undefined && (end === undefined || end.type === 'end' || end.text === ','))
      given.set(text, value.text);
  }
  return new Map([...given].filter(([name]) => often.get(name) === 1));
}
export const isMark = (token: CodeToken | undefined, text: string): boolean => token?.type === 'mark' && token.text === text;
export const takeLastPart = (name: string): string => name.split(/\.|::|->/).at(-1) ?? '';
