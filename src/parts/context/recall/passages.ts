import type { RecallRow, RowSection, RowVoice } from './rows.ts';

/** A stretch of a row that is found and weighed as one. */
export interface Passage {
  readonly seq: number;
  readonly start: number;
  readonly end: number;
  readonly voice: RowVoice;
  /** Part of a long dump. */
  readonly bulk: boolean;
}
/** A line, or a piece of a very long one. */
export interface PassageLine {
  readonly start: number;
  readonly end: number;
}

const LINES = 10;
const CHARACTERS = 800;
const PIECE = 400;
/** What two neighbouring passages share, so that no fact stands on a border. */
const SHARED_LINES = 2;
/** A section longer than this is material, not speech. */
const BULK = 2_500;
/** Of a longer row only so much is searched; all of it can be read by span. */
const SEARCHED = 1_000_000;

export interface CutSection {
  readonly section: RowSection;
  readonly lines: readonly PassageLine[];
  /** First and last line (exclusive) of each passage. */
  readonly passages: readonly { readonly from: number; readonly to: number; readonly passage: Passage }[];
}

export const cutRow = (row: RecallRow): CutSection[] =>
  row.sections.filter(({ start }) => start < SEARCHED).map((section) => cutSection(row, section));

function cutSection(row: RecallRow, section: RowSection): CutSection {
  const lines = splitPassageLines(row.text, section.start, Math.min(section.end, SEARCHED));
  const bulk = section.end - section.start > BULK;
  const passages: CutSection['passages'][number][] = [];
  for (let from = 0; from < lines.length;) {
    const to = passageEnd(lines, from);
    const [first, last] = [lines[from], lines[to - 1]];
    if (first === undefined || last === undefined) break;
    passages.push({ from, to, passage: { seq: row.seq, start: first.start, end: last.end, voice: section.voice, bulk } });
    if (to >= lines.length) break;
    from = Math.max(from + 1, to - SHARED_LINES);
  }
  return { section, lines, passages };
}

function passageEnd(lines: readonly PassageLine[], from: number): number {
  const start = lines[from]?.start ?? 0;
  let to = from + 1;
  while (to < lines.length && to - from < LINES && (lines[to]?.end ?? 0) - start <= CHARACTERS) to++;
  return to;
}

/** The lines of a stretch; one without line ends is cut between words where it can be. */
export function splitPassageLines(text: string, start: number, end: number): PassageLine[] {
  const lines: PassageLine[] = [];
  for (let at = start; at < end;) {
    const feed = text.indexOf('\n', at);
    const stop = feed < 0 || feed > end ? end : feed;
    let piece = at;
    while (stop - piece > PIECE) {
      const next = pieceEnd(text, piece);
      lines.push({ start: piece, end: next });
      piece = next;
    }
    if (piece < stop) lines.push({ start: piece, end: stop });
    at = stop + 1;
  }
  return lines;
}

/** How far back a better place to cut is looked for. */
const LOOK_BACK = 80;
const BREAK = /[\s,;)}\]>"']/;

function pieceEnd(text: string, start: number): number {
  const full = start + PIECE;
  for (let end = full; end > full - LOOK_BACK; end--) if (BREAK.test(text[end - 1] ?? '')) return end;
  const last = text.charCodeAt(full - 1);
  return last >= 0xd800 && last <= 0xdbff ? full - 1 : full;
}
