import { findOccurrences } from './source.ts';
import type { Edit } from './strategy.ts';

/** Shorter texts are found in any file by chance. */
export const TELLING = 8;

/** `proven`: every place the edit could mean says already what it wants. `present`: its new text stands somewhere, which proves nothing. */
export type AppliedState = 'proven' | 'present' | 'absent';

/** Whether an edit whose old text is not in a file has been made already: what its two sides have in common says where its place is. */
export function checkApplied(text: string, edit: Edit): AppliedState {
  const times = edit.new.trim().length < TELLING ? 0 : findOccurrences(text, edit.new).length;
  if (times === 0) return 'absent';
  const context = sharedEnds(edit).filter((part) => part.trim().length >= TELLING);
  return context.some((part) => findOccurrences(text, part).length === times) ? 'proven' : 'present';
}

/** What both sides begin and end with, in whole words. */
function sharedEnds({ old, new: fresh }: Edit): readonly [string, string] {
  const most = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < most && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  const [before, after] = [fresh.slice(0, start), fresh.slice(fresh.length - end)];
  return [before.replace(/[\p{L}\p{N}_]+$/u, ''), after.replace(/^[\p{L}\p{N}_]+/u, '')];
}
