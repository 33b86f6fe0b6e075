import { isObject, numberAt, stringAt } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../contracts/message.ts';

/** OpenRouter's `reasoning_details`: typed pieces of reasoning that must go back in order and unchanged. */

/** The readable words of some pieces. */
export const thinkingIn = (details: readonly Json[]): string =>
  details.map((detail) => stringAt(detail, 'text') ?? stringAt(detail, 'summary') ?? '').join('');

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
  last['type'] === next['type'] && numberAt(last, 'index') === numberAt(next, 'index') && numberAt(next, 'index') !== undefined;

const GROWING = ['text', 'summary', 'data'];

function joined(last: JsonObject, next: JsonObject): JsonObject {
  const grown = GROWING.flatMap((key) => {
    const [before, after] = [stringAt(last, key), stringAt(next, key)];
    return before === undefined || after === undefined ? [] : [[key, before + after] as const];
  });
  // A field that comes as null in a later delta does not erase what is known.
  const set = Object.entries(next).filter(([, value]) => value !== null);
  return { ...last, ...Object.fromEntries(set), ...Object.fromEntries(grown) };
}
