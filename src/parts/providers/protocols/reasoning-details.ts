import { isObject, readNumberAt, readStringAt } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../contracts/message.ts';

/** OpenRouter's `reasoning_details`: typed pieces of reasoning that must go back in order and unchanged. */

/** The readable words of some pieces. */
export const joinThinkingText = (details: readonly Json[]): string =>
  details.map((detail) => readStringAt(detail, 'text') ?? readStringAt(detail, 'summary') ?? '').join('');

/** Adds the pieces of one delta: a piece with the kind and index of the last one continues it. */
export function mergeDetails(known: Json | undefined, fresh: readonly Json[]): readonly Json[] {
  return fresh.reduce<readonly Json[]>(
    (all, piece) => {
      const last = all.at(-1);
      return isObject(piece) && isObject(last) && continues(last, piece) ? [...all.slice(0, -1), joined(last, piece)] : [...all, piece];
    },
    Array.isArray(known) ? known : [],
  );
}

const continues = (last: JsonObject, next: JsonObject): boolean =>
  last['type'] === next['type'] && readNumberAt(last, 'index') === readNumberAt(next, 'index') && readNumberAt(next, 'index') !== undefined;

const GROWING = ['text', 'summary', 'data'];

function joined(last: JsonObject, next: JsonObject): JsonObject {
  const grown = GROWING.flatMap((key) => {
    const [before, after] = [readStringAt(last, key), readStringAt(next, key)];
    return before === undefined || after === undefined ? [] : [[key, before + after] as const];
  });
  // A field that comes as null in a later delta does not erase what is known.
  const set = Object.entries(next).filter(([, value]) => value !== null);
  return { ...last, ...Object.fromEntries(set), ...Object.fromEntries(grown) };
}
