import { findNearest } from './text.ts';

/** That there is no such thing, what may have been meant, and where to look. Whole sentences, whichever of them there are. */
export function describeUnknownName(kind: string, name: string, known: readonly string[], look: string): string {
  const shown = name.trim() === '' ? JSON.stringify(name) : name;
  const guess = name === '' ? undefined : findNearest(name, known);
  return `there is no ${kind} ${shown}${guess === undefined ? '.' : `; did you mean ${guess}?`} ${look}`;
}
