import { isProjectSource } from './message.ts';

/** What kind of words a session has read that are neither the owner's nor its own. */
export const describeTaint = (taint: readonly string[]): string =>
  taint.every(isProjectSource) ? 'words of the project that it did not write' : 'words from outside';

/** The first few by name; a long list tells nobody more. */
const NAMED = 5;
export const listTaintSources = (all: readonly string[]): string => {
  // Foreign ones first: they matter more.
  const sources = all.toSorted((one, other) => Number(isProjectSource(one)) - Number(isProjectSource(other)));
  return sources.length <= NAMED ? sources.join(', ') : `${sources.slice(0, NAMED).join(', ')} and ${sources.length - NAMED} more`;
};
