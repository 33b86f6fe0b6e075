import { escapeNormalised, exact, indentationFlexible, lineTrimmed, trimmedBoundary, whitespaceNormalised } from './plain.ts';
import { blockAnchor, contextAware } from './similar.ts';
import type { MatchStrategy } from './strategy.ts';
import { unicodeNormalised } from './unicode.ts';

/** From sure to likely; the first that finds anything wins. */
export const STRATEGIES: readonly MatchStrategy[] = [
  exact,
  lineTrimmed,
  whitespaceNormalised,
  indentationFlexible,
  escapeNormalised,
  trimmedBoundary,
  unicodeNormalised,
  blockAnchor,
  contextAware,
];
