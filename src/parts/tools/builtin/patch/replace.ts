import { checkApplied, TELLING } from './applied.ts';
import { toLineNumber, findOccurrences, toSourceLines, type SourceLines, type TextSpan } from './source.ts';
import { findNearestPlaces, findRelatedLines } from './similar.ts';
import { withLineEnds } from './line-ends.ts';
import { STRATEGIES } from './strategies.ts';
import type { Edit, MatchStrategy } from './strategy.ts';

export type ReplaceResult =
  | { readonly ok: true; readonly text: string; readonly count: number; readonly how: string }
  /** The text already says what the edit wants it to say. */
  | { readonly ok: true; readonly text: string; readonly count: 0; readonly how: 'already applied' }
  /** `missed`: another anchor could find its place; absent where the edit itself is at fault. */
  | { readonly ok: false; readonly why: string; readonly missed?: true };

export interface ReplaceOptions {
  readonly all: boolean;
  /** Among several places the first at or after this position is meant. */
  readonly after?: number;
  /** Only places that begin at the beginning of a line count. */
  readonly wholeLines?: boolean;
}

/** Replaces what the model meant by what it wants: exact if possible, by the nearest reading otherwise, never by a guess between two. */
export function replaceIn(text: string, given: Edit, choice: ReplaceOptions): ReplaceResult {
  const edit = { old: given.old.replaceAll('\r\n', '\n'), new: given.new.replaceAll('\r\n', '\n') };
  if (edit.old.trim() === '') return fault('old_string is empty: it must hold the text to replace, with enough around it to be found once');
  if (edit.old === edit.new) return fault('old_string and new_string are the same: there is nothing to change');
  const source = toSourceLines(text);
  for (const strategy of STRATEGIES) {
    if (strategy.byLikeness === true && (choice.all || checkApplied(text, edit) !== 'absent')) continue;
    const prepared = strategy.prepare === undefined ? edit : strategy.prepare(edit);
    const spans =
      prepared === undefined
        ? []
        : strategy.find(source, prepared.old).filter(({ start }) => choice.wholeLines !== true || beginsLine(text, start));
    if (prepared !== undefined && spans.length > 0) return apply(source, spans, prepared, strategy, choice);
  }
  return checkApplied(text, edit) === 'proven' ? { ok: true, text, count: 0, how: 'already applied' } : refuse(notFound(source, edit));
}

const beginsLine = (text: string, start: number): boolean => start === 0 || text[start - 1] === '\n';
const fault = (why: string): ReplaceResult => ({ ok: false, why });
const refuse = (why: string): ReplaceResult => ({ ok: false, why, missed: true });

function apply(
  source: SourceLines,
  spans: readonly TextSpan[],
  edit: Edit,
  strategy: MatchStrategy,
  choice: ReplaceOptions,
): ReplaceResult {
  const after = choice.after;
  const next = after === undefined ? undefined : spans.find(({ start }) => start >= after);
  const chosen = spans.length > 1 && !choice.all ? (next === undefined ? [] : [next]) : spans;
  if (chosen.length === 0) return refuse(ambiguous(source.text, spans));
  const pieces: string[] = [];
  let end = 0;
  for (const span of chosen) {
    const region = source.text.slice(span.start, span.end);
    const fitted = fit(source.text, span, region, edit, strategy);
    if (!fitted.ok) return fitted;
    pieces.push(source.text.slice(end, span.start), fitted.text);
    end = span.end;
  }
  const text = [...pieces, source.text.slice(end)].join('');
  return text === source.text
    ? { ok: true, text, count: 0, how: 'already applied' }
    : { ok: true, text, count: chosen.length, how: strategy.name };
}

/** The replacement for one place, in the file's own indentation, escapes and line ends. */
function fit(
  text: string,
  span: TextSpan,
  region: string,
  given: Edit,
  strategy: MatchStrategy,
): { readonly ok: true; readonly text: string } | Extract<ReplaceResult, { ok: false }> {
  const line = () => toLineNumber(text, span.start);
  const drifted =
    strategy.name === 'exact'
      ? undefined
      : STRAY.find((stray) => given.old.includes(stray) && given.new.includes(stray) && !region.includes(stray));
  if (drifted !== undefined)
    return {
      ok: false,
      missed: true,
      why: `both strings hold ${drifted}, the file (L${line()}) does not: send them without the backslash, as the file has it`,
    };
  const grafted = strategy.graft(withoutLooseEnd(given, region), region, !beginsLine(text, span.start));
  if (grafted === undefined)
    return {
      ok: false,
      missed: true,
      why: `the place was found at L${line()}, but its indentation and that of new_string do not go together (tabs and spaces, or too little of it): read the file and copy its indentation`,
    };
  const real = strategy.name === 'exact' ? grafted : realControls(grafted, region);
  return { ok: true, text: withLineEnds(real, region, text.slice(span.end, span.end + 2)) };
}

/** Quotes that were escaped once too often on their way here. */
const STRAY = ["\\'", '\\"'];

/** At the end of a file the last line end may be missing; then the edit goes without it as well. */
const withoutLooseEnd = (edit: Edit, region: string): Edit =>
  edit.old.endsWith('\n') && !region.endsWith('\n') ? { old: edit.old.slice(0, -1), new: edit.new.replace(/\n$/, '') } : edit;

/** A written `\t` or `\r` becomes a real one only where the file has real ones. */
function realControls(text: string, region: string): string {
  const tabs = region.includes('\t') && !region.includes('\\t') ? text.replaceAll('\\t', '\t') : text;
  return region.includes('\r') && !region.includes('\\r') ? tabs.replaceAll('\\r', '') : tabs;
}

const LISTED = 5;

function ambiguous(text: string, spans: readonly TextSpan[]): string {
  const places = spans.slice(0, LISTED).map(({ start }) => snippet(text, start));
  const more = spans.length > LISTED ? [`… and ${spans.length - LISTED} more`] : [];
  return [
    `the text stands at ${spans.length} places; give more lines around the one you mean, or set replace_all:`,
    ...places,
    ...more,
  ].join('\n');
}

function snippet(text: string, start: number): string {
  const end = text.indexOf('\n', start);
  return `L${toLineNumber(text, start)}: ${text
    .slice(start, end < 0 ? undefined : end)
    .trim()
    .slice(0, 80)}`;
}

/** Share of alike lines from which a place is worth showing. */
const WORTH_SHOWING = 0.3;

function notFound(source: SourceLines, edit: Edit): string {
  const standing = checkApplied(source.text, edit) === 'absent' ? undefined : source.text.indexOf(edit.new);
  const made =
    standing === undefined
      ? ''
      : `\nThe new text stands at L${toLineNumber(source.text, standing)}: if that is the place, the change is already made.`;
  return nearestWords(source, edit.old) + made;
}

function nearestWords(source: SourceLines, old: string): string {
  const lines = old.replace(/\n$/, '').split('\n');
  const { share, starts } = findNearestPlaces(source, lines);
  const near = share >= WORTH_SHOWING ? starts[0] : lineOf(source, lines);
  if (near !== undefined) {
    const indexes = Array.from({ length: Math.min(lines.length, 8, source.lines.length - near) }, (_, index) => near + index);
    return ['the text is not in the file. The nearest place is:', ...numbered(source, indexes)].join('\n');
  }
  const related = findRelatedLines(source, lines, LISTED);
  return related.length === 0
    ? 'the text is not in the file, nor anything like it: look for it with search_files'
    : ['the text is not in the file. The nearest lines are:', ...numbered(source, related)].join('\n');
}

const numbered = (source: SourceLines, indexes: readonly number[]): string[] =>
  indexes.map((index) => `L${index + 1}: ${(source.lines[index] ?? '').slice(0, 120)}`);

/** The first line of the file that holds the first telling line of the search. */
function lineOf(source: SourceLines, lines: readonly string[]): number | undefined {
  const telling = lines.map((line) => line.trim()).find((line) => line.length >= TELLING);
  const found = telling === undefined ? undefined : findOccurrences(source.text, telling)[0];
  return found === undefined ? undefined : toLineNumber(source.text, found.start) - 1;
}
