/** Keys whose values are somebody else's data and keep their own spelling. */
const VERBATIM = new Set(['input', 'native', 'data', 'details', 'spent', 'byCategory', 'byDifficulty', 'metrics']);

/** The same value with snake_case keys, as every `--json` output has them. */
export function toSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [snakeKey(key), VERBATIM.has(key) ? member : toSnakeCase(member)]),
  );
}

/** A key of no such form is somebody's word, such as the name of a model. */
const snakeKey = (key: string): string => (/^[a-z_]\w*$/.test(key) ? key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : key);
