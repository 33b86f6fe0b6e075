import { isMessageEntry, type CompactionEntry, type Entry, type EntryHead } from '../../../contracts/entry.ts';
import { renderAnchorLines } from './anchor-lines.ts';
import type { RecallLog } from './log.ts';
import { formatRecallCall, cut, TOTAL, type RecallPage } from './page.ts';
import { listCompactedSpans } from './rows.ts';

/** Parts a long span is told in, so that each says where to look. */
const PARTS = 8;
const LEAST_PART = 20;
/** Characters of a token, as they are counted. */
const PER_TOKEN = 4;
const WORDS = 160;
const LINE = 240;

/** What was summed up: the spans by their numbers, what the user said there, and facts to ask for. */
export function renderOverviewPage(log: RecallLog): RecallPage {
  const spans = listCompactedSpans(log.entries);
  if (spans.length === 0)
    return { text: `Nothing of this session was summed up: all entries up to #${log.lastSeq} are in view.`, shown: [] };
  const parts = spans.flatMap((span) => partsOf(span, log.entries));
  const share = Math.floor(TOTAL / parts.length);
  const blocks = parts.map((part) => tell(part, share));
  return {
    text: [
      'Summed up and out of view:',
      ...blocks,
      `Read one: ${formatRecallCall({ from: parts[0]?.from ?? 1, to: parts[0]?.to ?? 1 })}`,
    ].join('\n\n'),
    shown: [],
  };
}

interface LogStretch {
  readonly from: number;
  readonly to: number;
  readonly entries: readonly Entry[];
}

function partsOf({ fromSeq, toSeq }: EntryHead & CompactionEntry, entries: readonly Entry[]): LogStretch[] {
  const size = Math.max(LEAST_PART, Math.ceil((toSeq - fromSeq + 1) / PARTS));
  return Array.from({ length: Math.ceil((toSeq - fromSeq + 1) / size) }, (_, part) => {
    const from = fromSeq + part * size;
    const to = Math.min(toSeq, from + size - 1);
    return { from, to, entries: entries.filter(({ seq }) => seq >= from && seq <= to).flatMap(ownWords) };
  });
}

/** An overview must not bring foreign words back into view by itself. */
function ownWords(entry: Entry): Entry[] {
  return isMessageEntry(entry) && entry.message.content.some((block) => block.trust === 'foreign') ? [] : [entry];
}

function tell({ from, to, entries }: LogStretch, most: number): string {
  const said = entries.flatMap((entry) =>
    isMessageEntry(entry) && entry.message.role === 'user' && entry.origin === 'user' ? [firstWords(entry)] : [],
  );
  const first = said.find((words) => words !== '') ?? '(nothing by the user)';
  const head = `#${from} to #${to}, ${said.length} by the user, first: ${cut(first, WORDS)}`;
  const lines = renderAnchorLines(entries, Math.floor((most - head.length) / PER_TOKEN));
  return [head, ...lines.map((line) => `  ${cut(line, LINE)}`)].join('\n');
}

const firstWords = (entry: Entry): string =>
  isMessageEntry(entry)
    ? entry.message.content
        .flatMap((block) => (block.type === 'text' ? [block.text] : []))
        .join(' ')
        .trim()
    : '';
