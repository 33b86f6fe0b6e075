import { describeBriefly } from '../../base/brief.ts';
import { isObject } from '../../base/json.ts';

/** What holds the text that a call runs or writes. */
const TEXTS = ['command', 'code', 'content', 'data', 'patch'] as const;

/**
 * What a call would do, and what it is given, as a person reads it: its text as it is, and before it what else it is told. Two
 * different calls never read the same. A `place` that is a path says what the call's own `path` does.
 */
export function describeAct(act: string, input: unknown, place = ''): string {
  const text = isObject(input) ? TEXTS.find((name) => typeof input[name] === 'string') : undefined;
  if (!isObject(input) || text === undefined) return `${act}: ${describeBriefly(input)}`;
  const more = Object.entries(input)
    .filter(([name]) => name !== text && !(name === 'path' && place.startsWith('/')))
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const words = String(input[text]);
  return `${act}${more.length === 0 ? '' : ` (${more.join(', ')})`}:${/\n(?!$)/.test(words) ? '\n' : ' '}${describeBriefly(words)}`;
}
