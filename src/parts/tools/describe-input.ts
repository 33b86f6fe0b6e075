import { describeBriefly } from '../../base/brief.ts';
import { isObject } from '../../base/json.ts';

/** What holds the text that a call runs or writes. */
const TEXTS = ['command', 'code', 'content', 'data', 'patch', 'new_string'] as const;

/**
 * What a call would do, and what it is given, as a person reads it: its text as it is, and before it what else it is told. Two
 * different calls never read the same. A `place` that is a path says what the call's own `path` does.
 */
export function describeAct(act: string, input: unknown, place = ''): string {
  const fields = isObject(input) ? Object.entries(input) : [];
  const [text, words] =
    TEXTS.flatMap((name) => fields.filter(([each]) => each === name)).find(([, value]) => typeof value === 'string') ?? [];
  if (typeof words !== 'string') return `${act}: ${describeBriefly(input)}`;
  const more = fields
    .filter(([name]) => name !== text && !(name === 'path' && place.startsWith('/')))
    .map(([name, value]) => `${name}: ${describeBriefly(JSON.stringify(value))}`);
  return `${act}${more.length === 0 ? '' : ` (${more.join(', ')})`}:${/\n(?!$)/.test(words) ? '\n' : ' '}${describeBriefly(words)}`;
}
