import { clip } from '../../../base/text.ts';
import { cutExcerpt } from './excerpt.ts';
import type { RecallLog } from './log.ts';
import { formatRecallCall, cut, formatRowHeading, indentLines, listNumbers, TOTAL, type RecallPage } from './page.ts';
import type { MeaningResult } from './meaning.ts';
import type { PassageIndex } from './passage-index.ts';
import type { RecallQuery } from './query.ts';
import { isSaid, rank, type PassageHit } from './rank.ts';
import type { RecallRow } from './rows.ts';

/** Rows the answer may come from; a query may go together with a span or a file. */
export type IsWithin = (seq: number) => boolean;

/** Characters of one passage, of what was said beside it, and below which no more is begun. */
const PASSAGE = 1_100;
const BESIDE = 240;
const LEAST = 300;
/** A row up to this long is speech, whose answer or question stands beside it. */
const SPEECH = 700;
const MAX_NAMED = 8;

export interface QueryPageOptions {
  readonly index: PassageIndex;
  readonly limit: number;
  readonly within: IsWithin;
  /** What is near in meaning, where somebody can tell. */
  readonly meaning?: MeaningResult | undefined;
}

export function renderQueryPage(query: RecallQuery, log: RecallLog, { index, limit, within, meaning }: QueryPageOptions): RecallPage {
  const nearest = meaning?.nearest ?? [];
  const hits = rank(query, { index, allowed: (seq) => within(seq) && log.gone(seq), rowAt: log.row, nearest });
  const visible = rank(query, { index, allowed: (seq) => within(seq) && !log.gone(seq), rowAt: log.row });
  const shown = new Map<number, RecallRow>();
  const blocks: string[] = [];
  let left = TOTAL;
  for (const hit of onceEach(hits)) {
    if (blocks.length >= limit || left < LEAST) break;
    const block = draw(hit, log, shown, Math.min(PASSAGE, left - LEAST / 2));
    blocks.push(block.slice(0, left));
    left -= block.length + 2;
  }
  return {
    text: [opening(blocks.length), ...blocks, ...closing(rowsOf(hits), rowsOf(visible), shown), ...unmeant(meaning)].join('\n\n'),
    shown: [...shown.values()],
  };
}

/** The same words once, as they stand last; and no passage whose telling lines were all shown by better ones. */
function onceEach(hits: readonly PassageHit[]): PassageHit[] {
  const newest = new Map<string, number>();
  for (const hit of hits) newest.set(wordsOf(hit), Math.max(newest.get(wordsOf(hit)) ?? 0, hit.row.seq));
  const told = new Map<string, number>();
  return hits.filter((hit) => {
    const forms = [`row ${hit.row.seq}`, ...hit.telling.map((line) => formOf(line, hit))];
    const often = Math.min(...forms.slice(1).map((form) => told.get(form) ?? 0));
    if (newest.get(wordsOf(hit)) !== hit.row.seq || often >= (isSaid(hit) ? 1 : ALIKE) || (told.get(forms[0] ?? '') ?? 0) >= OF_ROW)
      return false;
    for (const form of forms) told.set(form, (told.get(form) ?? 0) + 1);
    return true;
  });
}

/** Passages of one row, and lines of a log that differ only by their numbers, that are shown in one answer. */
const OF_ROW = 2;
const ALIKE = 2;
const formOf = (line: string, hit: PassageHit): string => (isSaid(hit) ? line : line.replaceAll(/\d+/g, '0'));

const wordsOf = ({ row, passage }: PassageHit): string => row.text.slice(passage.start, passage.end).replaceAll(/\s+/g, ' ').trim();

function draw(hit: PassageHit, log: RecallLog, shown: Map<number, RecallRow>, most: number): string {
  const { row, line, passage } = hit;
  const { start, end, text } = cutExcerpt(row, line, most);
  const speech = row.text.length <= SPEECH && isSaid(hit);
  const part = end - start < row.text.length ? `, characters ${start}–${end} of ${row.text.length}` : '';
  shown.set(row.seq, row);
  return [
    ...(speech ? beside(log.saidNear(row.seq, -1), 'before', log, shown) : []),
    `${formatRowHeading(row)}${part}:`,
    indentLines(text),
    ...(speech ? beside(log.saidNear(row.seq, 1), 'after', log, shown) : []),
    ...(passage.voice === 'call' ? beside(log.row(row.seq + 1), 'result', log, shown) : []),
  ].join('\n');
}

/** What stands before or after, in a line, unless the view or this answer has it. */
function beside(row: RecallRow | undefined, where: 'before' | 'after' | 'result', log: RecallLog, shown: Map<number, RecallRow>): string[] {
  if (row === undefined || !log.gone(row.seq) || shown.has(row.seq)) return [];
  shown.set(row.seq, row);
  const { start, end } = row.sections.find(({ voice }) => voice === 'user' || voice === 'assistant') ?? { start: 0, end: row.text.length };
  const near =
    where === 'before' ? row.text.slice(Math.max(start, end - BESIDE), end) : clip(row.text.slice(start, end), BESIDE, () => ' … ');
  return [`(${where === 'result' ? 'gave' : `${where} it`} #${row.seq} ${cut(row.who, 60)}: ${cut(near, BESIDE + 10)})`];
}

const opening = (count: number): string =>
  count === 0
    ? 'Nothing in the earlier part of this session answers to these words. Try other words, names or a file; without arguments you get an overview.'
    : 'From the earlier part of this session, likeliest first; where two differ, the higher number is the later one.';

const unmeant = (meaning: MeaningResult | undefined): string[] =>
  meaning?.why === undefined ? [] : [`Found only by words; the embedding model could not be asked: ${cut(meaning.why, 200)}`];

const rowsOf = (hits: readonly PassageHit[]): number[] => [...new Set(hits.map(({ row }) => row.seq))];

/** Rows still in view are not repeated, and what did not fit is named. */
function closing(found: readonly number[], visible: readonly number[], shown: ReadonlyMap<number, RecallRow>): string[] {
  const more = found.filter((seq) => !shown.has(seq));
  const [first] = shown.keys();
  return [
    ...(visible.length > 0 ? [`Also in messages you still see: ${listNumbers(visible.slice(0, MAX_NAMED), MAX_NAMED)}.`] : []),
    ...(more.length > 0 ? [`Weaker matches: ${listNumbers(more, MAX_NAMED)}.`] : []),
    ...(first !== undefined ? [`Whole rows: ${formatRecallCall({ from: first, to: first })}`] : []),
  ];
}
