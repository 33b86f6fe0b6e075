import type { SourceLines, TextSpan } from './source.ts';

/** What is to be replaced by what. */
export interface Edit {
  readonly old: string;
  readonly new: string;
}

/** One way of finding the text a model meant. The first in the table that finds anything wins. */
export interface MatchStrategy {
  readonly name: string;
  /** Finds by likeness: never good enough to change several places at once. */
  readonly byLikeness?: true;
  /** What it makes of the two strings before it looks; `undefined` when it has nothing to add. */
  prepare?(edit: Edit): Edit | undefined;
  find(source: SourceLines, old: string): readonly TextSpan[];
  /** The text to put in place of what was found; `undefined` when the indentation of the two cannot be reconciled. */
  graft(edit: Edit, region: string, midLine: boolean): string | undefined;
}
