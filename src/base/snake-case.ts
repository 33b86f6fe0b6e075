/** Keys whose values are somebody else's data and keep their own spelling. */
const VERBATIM = new Set(['input', 'native', 'data', 'details', 'spent']);

/** The same value with snake_case keys, as every `--json` output has them. */
export function toSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [snakeKey(key), VERBATIM.has(key) ? member : toSnakeCase(member)]),
  );
}

const snakeKey = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
