import { takeStart } from '../../base/text.ts';
import type { MemoryOperation } from '../../contracts/memory.ts';
import { countCharacters, cleanEntry, hasSeparator, formatMemoryUsage, countUsedCharacters } from './entries.ts';

/** What became of one operation. `unchanged`: the words were there already. */
export interface MemoryOperationResult {
  readonly operation: MemoryOperation;
  readonly did: 'added' | 'replaced' | 'removed' | 'unchanged';
  /** The entry that is there now, or the one that is gone. */
  readonly text: string;
  /** The entry that gave way. */
  readonly old?: string;
}
export type MemoryEdit =
  | { readonly ok: true; readonly entries: readonly string[]; readonly effects: readonly MemoryOperationResult[] }
  | { readonly ok: false; readonly words: string };

/** How an entry may be told to the model: one that was blocked must not come back in a refusal. */
export type ShowEntry = (entry: string) => string;

/** The entries after all operations, or none of them. What counts for the limit is the end, so one batch can make room and use it. */
export function applyOperations(
  entries: readonly string[],
  operations: readonly MemoryOperation[],
  limit: number,
  show: ShowEntry = (entry) => entry,
): MemoryEdit {
  if (operations.length === 0) return refused('No operation was given; nothing was changed.');
  let after = entries;
  const effects: MemoryOperationResult[] = [];
  for (const [index, operation] of operations.entries()) {
    const step = apply(after, operation);
    if ('refusal' in step)
      return refused(
        `${named(operation, index, operations.length)}: ${step.refusal} Nothing was changed.${listed(step.seen, index > 0, show)}`,
      );
    after = step.entries;
    effects.push(step.effect);
  }
  // A file that was too full already, by hand, may always become smaller.
  const over = countUsedCharacters(after) > limit && countUsedCharacters(after) > countUsedCharacters(entries);
  return over ? refused(overWords(entries, after, limit, show)) : { ok: true, entries: after, effects };
}

type EditStep = { readonly entries: readonly string[]; readonly effect: MemoryOperationResult } | RefusedStep;
interface RefusedStep {
  readonly refusal: string;
  /** The entries that could be meant; absent where the fault lies elsewhere. */
  readonly seen?: readonly string[];
}

function apply(entries: readonly string[], operation: MemoryOperation): EditStep {
  switch (operation.action) {
    case 'add':
      return add(entries, operation);
    case 'replace':
      return replace(entries, operation);
    case 'remove':
      return remove(entries, operation);
  }
}

function add(entries: readonly string[], operation: MemoryOperation & { action: 'add' }): EditStep {
  const text = cleanEntry(operation.content);
  const wrong = wrongWith(text);
  if (wrong !== undefined) return { refusal: wrong };
  return entries.includes(text)
    ? { entries, effect: { operation, did: 'unchanged', text } }
    : { entries: [...entries, text], effect: { operation, did: 'added', text } };
}

function replace(entries: readonly string[], operation: MemoryOperation & { action: 'replace' }): EditStep {
  const text = cleanEntry(operation.content);
  const wrong = wrongWith(text);
  if (wrong !== undefined) return { refusal: wrong };
  const found = find(entries, operation.oldText);
  if ('refusal' in found) return found;
  const { index, old } = found;
  if (text === old) return { entries, effect: { operation, did: 'unchanged', text } };
  // Where another entry says the same already, the old one just goes.
  const after = entries.includes(text) ? entries.toSpliced(index, 1) : entries.with(index, text);
  return { entries: after, effect: { operation, did: 'replaced', text, old } };
}

function remove(entries: readonly string[], operation: MemoryOperation & { action: 'remove' }): EditStep {
  const found = find(entries, operation.oldText);
  if ('refusal' in found) return found;
  return { entries: entries.toSpliced(found.index, 1), effect: { operation, did: 'removed', text: found.old } };
}

const wrongWith = (text: string): string | undefined => {
  if (text === '') return 'content is empty; say what is to be remembered.';
  if (hasSeparator(text)) return 'content has a line with only §, which separates entries; add each entry by itself.';
  return undefined;
};

/** The one entry that holds these words. An entry told in full is meant even where a longer one begins with it. */
function find(entries: readonly string[], oldText: string): { readonly index: number; readonly old: string } | RefusedStep {
  const words = cleanEntry(oldText);
  if (words === '') return { refusal: 'old_text is missing; give a part of the one entry you mean.', seen: entries };
  const matches = entries.includes(words) ? [words] : [...new Set(entries.filter((entry) => entry.includes(words)))];
  const [old] = matches;
  if (old === undefined) return { refusal: `no entry holds ${preview(words)}.`, seen: entries };
  if (matches.length > 1)
    return { refusal: `${preview(words)} is in ${matches.length} entries; give a longer part of the one you mean.`, seen: matches };
  return { index: entries.indexOf(old), old };
}

const PREVIEW = 80;
/** As JSON has it: what is copied from here into a call is the text itself. */
const preview = (text: string): string => `${JSON.stringify(takeStart(text, PREVIEW))}${text.length > PREVIEW ? '…' : ''}`;
/** A draft is never listed as what is there. */
function listed(entries: readonly string[] | undefined, draft: boolean, show: ShowEntry): string {
  if (entries === undefined) return '';
  const when = draft ? ' as the operations before it would have left them' : '';
  if (entries.length === 0) return draft ? '' : ' There are no entries.';
  return `\nEntries${when}:\n${entries.map((entry, index) => `${index + 1}. ${preview(show(entry))}`).join('\n')}`;
}

/** One operation needs no number. */
const named = ({ action }: MemoryOperation, index: number, all: number): string =>
  all === 1 ? `Could not ${action}` : `Operation ${index + 1} (${action})`;

function overWords(before: readonly string[], after: readonly string[], limit: number, show: ShowEntry): string {
  const longest = Math.max(...after.map(countCharacters));
  const cure =
    longest > limit
      ? `One entry alone has ${longest} characters: shorten it.`
      : 'Make room and write in one call: operations[] that remove what is stale and replace several entries by one shorter one, with this change among them.';
  const now = before.map((entry, index) => `${index + 1}. ${show(entry)}`);
  return [
    `Nothing was changed: the entries would take ${formatMemoryUsage(countUsedCharacters(after), limit)}; now they take ${countUsedCharacters(before)}.`,
    cure,
    ...(now.length === 0 ? [] : ['Entries:', ...now]),
  ].join('\n');
}

const refused = (words: string): MemoryEdit => ({ ok: false, words });
