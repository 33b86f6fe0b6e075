import { applyOperations } from './change.ts';

/** What would become of an entry; `refused` says why not. */
export type AdditionPreview =
  | { readonly did: 'added' | 'unchanged' }
  | { readonly did: 'no_room' }
  | { readonly did: 'refused'; readonly words: string };

/** What adding each of these would do, one after the other; nothing is written. */
export function previewAdditions(entries: readonly string[], contents: readonly string[], limit: number): readonly AdditionPreview[] {
  let after = entries;
  return contents.map((content) => {
    const operations = [{ action: 'add', content }] as const;
    const edit = applyOperations(after, operations, limit);
    if (!edit.ok) return applyOperations(after, operations, Infinity).ok ? { did: 'no_room' } : { did: 'refused', words: edit.words };
    const isNew = edit.entries.length > after.length;
    after = edit.entries;
    return { did: isNew ? 'added' : 'unchanged' };
  });
}
