import { takeStart } from '../../../base/text.ts';
import { showPath } from './names.ts';

/** What the YAML head of a Cursor rule says of when the rule applies: words that stand before it, or that nobody asked for it. */
export type RuleScope = { readonly applies: true; readonly words: string } | { readonly applies: false };

/**
 * The four kinds of Cursor rules: one that always applies says nothing, one for files names them, one for a purpose names that,
 * and one that a person must name (`alwaysApply: false` and nothing else) stays out.
 */
export function readRuleScope(head: string): RuleScope {
  const always = fieldIn(head, 'alwaysApply');
  const globs = globsIn(head);
  const description = fieldIn(head, 'description');
  if (always === 'true') return { applies: true, words: '' };
  if (globs !== '') return { applies: true, words: `This rule applies to ${globs}.` };
  if (description !== '') return { applies: true, words: `Use this rule only where this fits the task: ${description}` };
  return always === 'false' ? { applies: false } : { applies: true, words: '' };
}

const MAX_WORDS = 400;
const shown = (words: string): string => takeStart(showPath(words), MAX_WORDS);
const unquoted = (value: string): string => value.trim().replaceAll(/^["']|["']$/g, '');

const fieldIn = (head: string, name: string): string => shown(unquoted(new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(head)?.[1] ?? ''));

/** As one line, however the list is written: `*.ts,*.tsx`, `["*.ts"]`, or a line each. */
function globsIn(head: string): string {
  const [, same = '', below = ''] = /^globs:[ \t]*(.*(?:\n|$))((?:[ \t]*-[ \t]+.*(?:\n|$))*)/m.exec(head) ?? [];
  const listed =
    same.trim() === ''
      ? below.split('\n').map((line) => line.replace(/^[ \t]*-[ \t]+/, ''))
      : splitOutsideBraces(same.trim().replace(/^\[([^]*)\]$/, '$1'));
  return shown(listed.map(unquoted).filter(Boolean).join(', '));
}

/** A comma in braces belongs to its glob: `{a,b}/*.ts` is one. */
function splitOutsideBraces(list: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const character of list) {
    if (character === ',' && depth === 0) {
      parts.push('');
      continue;
    }
    depth = Math.max(0, depth + (character === '{' ? 1 : character === '}' ? -1 : 0));
    parts.push(`${parts.pop() ?? ''}${character}`);
  }
  return parts;
}
