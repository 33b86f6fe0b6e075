import type { Json, JsonObject } from './json-types.ts';

/** JSON with sorted keys and no spaces: the same value always gives the same bytes. */
export function toStableJson(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map((item: Json) => toStableJson(item ?? null)).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${toStableJson(value[key])}`);
  return `{${members.join(',')}}`;
}

export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses, or gives `undefined` for text that is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what JSON.parse gives is JSON
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Reads down a path of keys; `undefined` when the way ends. */
export function readPath(value: unknown, ...path: readonly (string | number)[]): Json | undefined {
  let here: unknown = value;
  for (const key of path) {
    if (typeof key === 'number' ? !Array.isArray(here) : !isObject(here)) return undefined;
    here = Reflect.get(Object(here), key);
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this is where foreign JSON is read
  return here as Json | undefined;
}
export const readStringAt = (value: unknown, ...path: readonly (string | number)[]): string | undefined => {
  const found = readPath(value, ...path);
  return typeof found === 'string' ? found : undefined;
};
export const readNumberAt = (value: unknown, ...path: readonly (string | number)[]): number | undefined => {
  const found = readPath(value, ...path);
  return typeof found === 'number' ? found : undefined;
};
