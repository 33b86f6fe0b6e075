import type { JsonObject } from './json-types.ts';
import { isObject, parseJson } from './json.ts';

/** The one JSON object in a text: between fences, or with words before or after it. Nothing where another brace leaves a choice. */
export function findJsonObject(text: string): JsonObject | undefined {
  const start = text.indexOf('{');
  const end = start < 0 ? undefined : endOfValue(text, start);
  if (end === undefined) return undefined;
  if (/[{}[\]]/.test(text.slice(0, start) + text.slice(end))) return undefined;
  const found = parseJson(text.slice(start, end));
  return isObject(found) ? found : undefined;
}

/** Whether a text that should be JSON ends in the middle of a value. */
export function isBrokenOff(text: string): boolean {
  const start = text.search(/[{["]/);
  return start < 0 ? false : endOfValue(text, start) === undefined;
}

/** Where the value that begins there ends; nothing when it is still open. */
function endOfValue(text: string, start: number): number | undefined {
  let [depth, quoted] = [0, false];
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (quoted && char === '\\') at += 1;
    else if (char === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    if (depth <= 0 && !quoted) return at + 1;
  }
  return undefined;
}
