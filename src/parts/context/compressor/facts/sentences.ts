import { clip } from '../../../../base/text.ts';

const SENTENCE_END = /(?<=[.!?;…])\s+|(?<=[。！？；])|\n+/u;
const FENCED = /```[\s\S]*?(?:```|$)/g;
/** A line with so little in it says nothing alone. */
const LEAST_TOKENS = 3;

/** The sentences of a text, as they were said. */
export const splitSentences = (text: string): readonly string[] =>
  text
    .replaceAll('’', "'")
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');

/** A text without what was pasted into it: each block is told by its size. */
export const withoutPasted = (text: string): string =>
  text.replaceAll(FENCED, (block) => `[pasted, ${block.split('\n').length} lines]`).trim();

/** How routine a sentence is: from 0, said nowhere else so, to 1, made of turns of phrase that come again and again. */
export type MeasureRoutine = (sentence: string) => number;

/** Messages that must share a turn of phrase before it is one of the session's habits. */
const HABIT = 4;
const SHINGLE = 3;

/** Learns the habits of whoever said these messages. No list of phrases is needed, in no language. */
export function learnRoutine(messages: readonly string[]): MeasureRoutine {
  const seen = new Map<string, number>();
  for (const message of messages) {
    const shingles = new Set(splitSentences(message).flatMap(shinglesOf));
    for (const shingle of shingles) seen.set(shingle, (seen.get(shingle) ?? 0) + 1);
  }
  return (sentence) => {
    const shingles = shinglesOf(sentence);
    return shingles.filter((shingle) => (seen.get(shingle) ?? 0) >= HABIT).length / Math.max(1, shingles.length);
  };
}

/** Names, numbers and code are what changes in a turn of phrase. */
const CHANGING = /`[^`\n]*`|[\w./-]*[\d_/][\w./-]*/g;
const TOKEN = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[\p{L}\p{M}]+|0/gu;
const LOOKED_AT = 400;

function shinglesOf(sentence: string): string[] {
  const tokens =
    clip(sentence, LOOKED_AT, () => ' ')
      .toLowerCase()
      .replaceAll(CHANGING, '0')
      .match(TOKEN) ?? [];
  if (tokens.length <= SHINGLE) return [tokens.join(' ')];
  return tokens.slice(SHINGLE - 1).map((token, at) => `${tokens[at]} ${tokens[at + 1]} ${token}`);
}

const QUESTION = /[?？؟]\W*$/;
const SPECIFIC = /\d|`|[/_@]|(?<=[\p{L}\d])[A-Z]|(?<!^)(?<=\s)\p{Lu}|["“„«「]/u;

/** States something, so that it may hold later on. */
export const isStatement = (sentence: string): boolean => !QUESTION.test(sentence) && (sentence.match(TOKEN)?.length ?? 0) >= LEAST_TOKENS;
/** Names a thing, a number or a place. */
export const isSpecific = (sentence: string): boolean => SPECIFIC.test(sentence);
